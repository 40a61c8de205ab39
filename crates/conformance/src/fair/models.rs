//! Random symmetric models in which fairness matters: processes that go round a few locations,
//! hold a name, meet, send names, wait for time, or end; beside them, processes that are alone.

use std::fmt::Write;

use crate::rng::Rng;
use crate::tree::{Piece, Text};

/// A model.
#[derive(Clone, Debug)]
pub struct FairModel {
    /// Its text.
    pub text: Text,
    /// What it has beside processes that differ only in their names.
    pub features: Vec<&'static str>,
}

struct Maker {
    rng: Rng,
    names: usize,
    families: usize,
    meets: bool,
    mails: bool,
    timed: bool,
    ends: bool,
    ring: bool,
    /// More names than usual, and fewer places.
    many: bool,
    /// Few dead ends.
    lively: bool,
    /// Everybody goes round, and somewhere waits for what comes and goes: there verdicts differ
    /// from one fairness to the next.
    round: bool,
    /// A round takes the lock and gives it back.
    locks: bool,
    /// Beside the others there is a process of its own kind.
    alone: bool,
    /// A formula says the same of several names, each by itself.
    says_same: bool,
}

/// The model of a seed.
pub fn fair_model(seed: u64) -> FairModel {
    let mut rng = Rng::new(seed);
    let names = if rng.chance(60) { 3 } else { 2 };
    let families = if rng.chance(20) { 2 } else { 1 };
    // Many of them have much to exchange, and little to do.
    let many = families == 1 && rng.chance(8);
    let mut maker = Maker {
        names: if families == 2 { 2 } else { names },
        many,
        lively: rng.chance(60),
        round: rng.chance(40),
        locks: rng.chance(60),
        families,
        meets: rng.chance(30),
        mails: rng.chance(25),
        timed: rng.chance(15),
        ends: rng.chance(20),
        ring: rng.chance(10) && families == 1,
        alone: false,
        says_same: false,
        rng,
    };
    if maker.ring {
        maker.names = maker.rng.between(3, 4);
    } else if many {
        maker.names = 4;
    }
    let text = maker.model();
    let features = [
        (families == 2, "two families"),
        (maker.meets, "rendez-vous"),
        (maker.mails, "names in messages"),
        (maker.timed, "timers"),
        (maker.ends, "processes that end"),
        (maker.ring, "ring"),
        (many, "many names"),
        (maker.round, "rounds"),
        (maker.alone, "a process that is alone"),
        (maker.says_same, "a formula that says the same of several names"),
    ];
    let features = features.into_iter().filter(|f| f.0).map(|f| f.1).collect();
    FairModel { text, features }
}

impl Maker {
    fn model(&mut self) -> Text {
        let n = self.names;
        let mut parts = vec![
            Piece::line("#define NO 255"),
            Piece::line(format!("byte g = NO; bit x; bit y; byte a[{n}];")),
            Piece::line(if self.ring { "byte t;" } else { "" }),
        ];
        if self.meets {
            parts.push(Piece::line("chan c = [0] of { bit };"));
        }
        if self.mails {
            parts.push(Piece::line("chan m = [1] of { byte };"));
        }
        let places = if self.many { 2 } else { self.rng.between(2, 3) };
        for family in 0..self.families {
            let name = ["P", "Q"][family];
            let body = self.body(places, name);
            if self.families == 1 {
                parts.push(Piece::group(format!("active [{n}] proctype {name}() {{"), body, "}"));
            } else {
                parts.push(Piece::group(format!("proctype {name}(byte me) {{"), body, "}"));
            }
        }
        self.alone = self.rng.chance(35);
        if self.alone {
            let lines = (0..self.rng.between(1, 2)).map(|_| {
                let (guard, effect) = (self.shared_guard(), self.shared_effect());
                Piece::line(format!(":: atomic {{ {guard} -> {effect} }}"))
            });
            let group = Piece::group("do", lines.collect(), "od");
            parts.push(Piece::group("active proctype Alone() {", vec![group], "}"));
        }
        if self.families == 2 {
            let mut runs = String::new();
            for k in 0..n {
                let _ = write!(runs, "run P({k}); run Q({k}); ");
            }
            parts.push(Piece::line(format!("init {{ atomic {{ {runs} }} }}")));
        }
        for k in 0..self.rng.weighted(&[(30, 0), (60, 1), (10, 2)]) {
            let formula = self.formula();
            parts.push(Piece::line(format!("ltl f{k} {{ {formula} }}")));
        }
        Text { pieces: parts }
    }

    fn me(&self) -> &'static str {
        if self.families == 2 {
            "me"
        } else {
            "_pid"
        }
    }

    fn body(&mut self, places: usize, family: &str) -> Vec<Piece> {
        let mut pieces = vec![Piece::line("byte l = NO;")];
        if self.timed {
            pieces.push(Piece::line("timer t;"));
        }
        for at in 0..places {
            let accept = if self.rng.chance(40) { "accept" } else { "" };
            let end = if self.rng.chance(50) { "end" } else { "" };
            let mut options = Vec::new();
            if self.round {
                options.push(Piece::line(self.onwards(at, places, family)));
            }
            let more = if self.round { (0, 1) } else { (1, 3) };
            for _ in 0..self.rng.between(more.0, more.1) {
                let option = self.option(at, places, family);
                options.push(Piece::line(option));
            }
            if !self.round && self.rng.chance(if self.lively { 60 } else { 10 }) {
                let to = self.rng.below(places);
                options.push(Piece::line(format!(":: true -> goto L{family}{to}")));
            }
            let labels = [accept, end, "L"].into_iter().filter(|l| !l.is_empty());
            let labels: String = labels.map(|l| format!("{l}{family}{at}: ")).collect();
            pieces.push(Piece::group(format!("{labels} if"), options, "fi;"));
        }
        pieces.push(Piece::line(format!("over{family}: skip")));
        pieces
    }

    /// The way from one place to the next of a round, and from the last to the first: a lock that
    /// is taken at the first place is given back at the last.
    fn onwards(&mut self, at: usize, places: usize, family: &str) -> String {
        let (me, to) = (self.me(), (at + 1) % places);
        if self.locks && at == 0 {
            let also = self.rng.pick::<&str>(&["", "", "&& x == 0", "&& y == 1"]);
            return format!(":: atomic {{ g == NO {also} -> g = {me}; goto L{family}{to} }}");
        }
        if self.locks && to == 0 {
            let toggles = self.rng.pick::<&str>(&["", "x = 1 - x;", "y = 1 - y;"]);
            return format!(":: atomic {{ g == {me} -> g = NO; {toggles} goto L{family}{to} }}");
        }
        let guard = self.rng.pick::<&str>(&["true", "true", "true", "x == 0", "y == 0", "g == NO"]);
        let toggles =
            self.rng.pick::<&str>(&["", "x = 1 - x;", "y = 1 - y;", "x = 0;", "y = 1;", "x = 1;"]);
        format!(":: atomic {{ {guard} -> {toggles} goto L{family}{to} }}")
    }

    fn option(&mut self, at: usize, places: usize, family: &str) -> String {
        let to = match self.rng.below(100) {
            0..=14 => at,
            _ => self.rng.below(places),
        };
        if self.rng.chance(35) {
            // A lock is taken, or given back.
            let me = self.me();
            return match self.rng.below(3) {
                0 => format!(":: atomic {{ g == NO -> g = {me}; goto L{family}{to} }}"),
                1 => format!(":: atomic {{ g == {me} -> g = NO; goto L{family}{to} }}"),
                _ => format!(":: g == NO && x == 0 -> goto L{family}{to}"),
            };
        }
        let goto = if self.ends && self.rng.chance(15) {
            format!("goto over{family}")
        } else {
            format!("goto L{family}{to}")
        };
        let guard = self.guard();
        let effect = if self.rng.chance(70) { self.effect() } else { String::new() };
        if self.rng.chance(80) {
            format!(":: atomic {{ {guard} -> {effect} {goto} }}")
        } else {
            format!(":: {guard} -> {effect} {goto}")
        }
    }

    fn shared_guard(&mut self) -> &'static str {
        self.rng
            .pick::<&str>(&["x == 0", "x == 1", "g == NO", "g != NO", "y == 1", "y == 0", "true"])
    }

    fn shared_effect(&mut self) -> &'static str {
        self.rng.pick::<&str>(&["x = 0;", "x = 1;", "g = NO;", "y = 1 - y;", "x = 1 - x;", "skip;"])
    }

    fn guard(&mut self) -> String {
        let (me, n) = (self.me(), self.names);
        let (meets, mails) = (usize::from(self.meets), usize::from(self.mails));
        let (timed, ring) = (usize::from(self.timed), usize::from(self.ring));
        match self.rng.weighted(&[
            (3, 0),
            (6, 1),
            (3, 2),
            (6, 3),
            (4 * meets, 4),
            (4 * mails, 5),
            (4 * timed, 6),
            (8 * ring, 7),
            (1, 8),
        ]) {
            0 => self.shared_guard().to_owned(),
            1 => format!("g == {me}"),
            2 => format!("a[{me}] == {}", self.rng.below(2)),
            3 => format!("g == NO && {}", self.shared_guard()),
            4 => (*self.rng.pick(&["c!0", "c?_", "c!0", "c?_", "c?0"])).to_owned(),
            5 => match self.rng.below(4) {
                0 => format!("m!{me}"),
                1 => "m?l".to_owned(),
                2 => format!("m?eval({me})"),
                _ => "nempty(m)".to_owned(),
            },
            6 => "expire(t)".to_owned(),
            7 if self.rng.chance(60) => "t == _pid".to_owned(),
            7 => format!("a[(_pid + 1) % {n}] == {}", self.rng.below(2)),
            _ => format!("l == {me}"),
        }
    }

    fn effect(&mut self) -> String {
        let me = self.me();
        let (timed, ring) = (usize::from(self.timed), usize::from(self.ring));
        let kinds = [(3, 0), (3, 1), (2, 2), (2, 3), (2, 4), (4 * timed, 5), (6 * ring, 6)];
        match self.rng.weighted(&kinds) {
            0 => format!("g = {me};"),
            1 => self.shared_effect().to_owned(),
            2 => format!("a[{me}] = {};", self.rng.below(2)),
            3 => format!("a[{me}] = 1 - a[{me}];"),
            4 => "g = NO; x = 0;".to_owned(),
            6 => format!("t = (t + 1) % {};", self.names),
            _ => format!("set(t, {});", self.rng.between(1, 2)),
        }
    }

    fn formula(&mut self) -> String {
        if self.families == 1 && self.rng.chance(if self.round { 80 } else { 45 }) {
            return self.goes_on();
        }
        if self.rng.chance(45) {
            return self.same_of_several();
        }
        let (p, q) = (self.atom(), self.atom());
        match self.rng.below(6) {
            0 => format!("[]<>({p})"),
            1 => format!("<>[]({p})"),
            2 => format!("[](({p}) -> <>({q}))"),
            3 => format!("[]<>({p}) -> []<>({q})"),
            4 => format!("<>({p}) || []({q})"),
            _ => format!("({p}) U ({q})"),
        }
    }

    /// Whoever stands somewhere goes on from there: one of them, or each. That is where fairness
    /// matters most.
    fn goes_on(&mut self) -> String {
        let (at, to) = (self.rng.below(2), self.rng.below(2));
        let one = |k: usize| {
            if at == to {
                format!("([]<> !(P[{k}]@LP{at}))")
            } else {
                format!("([](P[{k}]@LP{at} -> <> (P[{k}]@LP{to})))")
            }
        };
        if self.rng.chance(40) {
            return one(self.rng.below(self.names));
        }
        self.says_same = true;
        let all: Vec<String> = (0..self.names).map(one).collect();
        all.join(" && ")
    }

    /// A formula that says the same of all names, or of some, each by itself.
    fn same_of_several(&mut self) -> String {
        self.says_same = true;
        let some = self.names - usize::from(self.rng.chance(20) && self.names > 2);
        let (p, q) = (self.rng.below(4), self.rng.below(4));
        let shared = self.atom();
        let of = |which: usize, k: usize| match which {
            0 => format!("a[{k}] == 1"),
            1 => format!("a[{k}] == 0"),
            2 => format!("g == {k}"),
            _ => format!("g != {k}"),
        };
        let shape = self.rng.below(8);
        let one = |k: usize| {
            let (p, q) = (of(p, k), of(q, k));
            match shape {
                0 => format!("([]<>({p}))"),
                1 => format!("(<>[]({p}))"),
                2 => format!("([](({p}) -> <>({q})))"),
                3 => format!("([]<>({p}) -> []<>({q}))"),
                4 => format!("(({p}) U ({q}))"),
                5 => format!("(({shared}) U ({q}))"),
                6 => format!("(<>({p}))"),
                _ => format!("([](({p}) -> <>({shared})))"),
            }
        };
        let by = if self.rng.chance(60) { " && " } else { " || " };
        let all: Vec<String> = (0..some).map(one).collect();
        let all = all.join(by);
        match self.rng.below(4) {
            0 => format!("({all}) || []<>({shared})"),
            1 => format!("({all}) && <>({shared})"),
            _ => all,
        }
    }

    fn atom(&mut self) -> String {
        let n = self.names;
        let over =
            |of: &dyn Fn(usize) -> String, by: &str| (0..n).map(of).collect::<Vec<_>>().join(by);
        match self.rng.below(8) {
            0 => "x == 1".to_owned(),
            1 => "g == NO".to_owned(),
            2 => "y == 0".to_owned(),
            3 => over(&|k| format!("a[{k}] == 1"), " || "),
            4 => over(&|k| format!("a[{k}] == 0"), " && "),
            5 => format!("a[{}] == 1", self.rng.below(n)),
            6 => format!("g == {}", self.rng.below(n)),
            _ => "x == 0 && y == 0".to_owned(),
        }
    }
}
