//! Random models of processes that differ in nothing but their names, some with one thing planted
//! that tells them apart.
//!
//! What a variable holds shows in its name: `_n` ends those that hold names, `_d` those that hold
//! numbers, `_t` channels of messages whose first field tells what the second one is; what starts
//! with `a` or `b` is indexed by names. [`orbits`](crate::orbits) counts on that.

use crate::rng::Rng;
use crate::tree::{Piece, Text};

/// A random model and what is known of it.
#[derive(Clone, Debug)]
pub struct Symmetric {
    /// Its text.
    pub text: Text,
    /// How many names there are.
    pub names: usize,
    /// Whether variables hold what their names say.
    pub counts: bool,
    /// What was planted, if something was.
    pub planted: Option<&'static str>,
}

/// The model of a seed.
pub fn symmetric(seed: u64) -> Symmetric {
    let mut rng = Rng::new(seed);
    let names = *rng.pick(&[2, 2, 3, 3, 3, 4]);
    let mut gen = Gen {
        names,
        nobody: ["NOBODY", "NOBODY", "255"][rng.below(3)],
        actives: rng.chance(35),
        family2: rng.chance(25),
        server: rng.chance(30),
        array_d: rng.chance(60),
        array_n: rng.chance(40),
        channel: rng.chance(35),
        tagged: rng.chance(35),
        inboxes: rng.chance(35),
        rendezvous: rng.chance(30),
        own: rng.chance(10),
        timers: rng.chance(12),
        unless: rng.chance(20),
        timeout: rng.chance(20),
        ends: rng.chance(50),
        loops: rng.chance(50),
        rough: rng.chance(20),
        handed: rng.chance(15),
        others: rng.chance(12),
        width: ["byte", "byte", "byte", "byte", "short", "int", "pid"][rng.below(7)],
        early: false,
        plant: None,
        served: false,
        rng,
    };
    gen.model()
}

/// What can tell processes apart: the statement, and whether it may stand in a process of names.
const PLANTS: [(&str, &str); 22] = [
    ("a name is written out", "g_n = 1;"),
    ("a name is compared with a constant", "(me == 0);"),
    ("a name is compared with a constant in one of two ways", "if :: (me == 1) -> g_d = 2; :: else fi;"),
    ("an element is written out", "a_d[1] = 2;"),
    ("an element is looked at", "(a_d[0] == 1);"),
    ("names are compared by size", "(me < l_n);"),
    ("names are compared by size with a global one", "(g_n <= me);"),
    ("a neighbour", "g_n = ((me + 1) % N);"),
    ("the next name", "l_n = me + 1;"),
    ("a name as a number", "g_d = me;"),
    ("a number as a name", "g_n = g_d;"),
    ("a loop that others interrupt", "for (i : 0 .. N - 1) { a_d[i] = 1; }"),
    ("a loop whose order counts", "atomic { for (i : 0 .. N - 1) { g_n = i; } i = 0; }"),
    ("a loop that finds the first", "atomic { i = 0; do :: i < N && a_d[i] == 0 -> i++ :: else -> break od; if :: i < N -> g_n = i :: else fi; i = 0; }"),
    ("a loop over some", "atomic { for (i : 1 .. N - 1) { a_d[i] = 2; } i = 0; }"),
    ("a loop that counts", "d_step { for (i : 0 .. N - 1) { if :: a_d[i] == 1 -> g_d = (g_d + 1) % 3; :: else -> skip; fi } i = 0; }"),
    ("a label of one process", "if :: P[1]@here -> g_d = 1; :: else fi;"),
    ("the number of processes", "(_nr_pr < N + 1);"),
    ("sorted names", "if :: c_n!!me; :: c_n?l_n; fi;"),
    ("a name asked for", "if :: c_n!me; :: c_n?0; fi;"),
    ("a choice among some", "atomic { select(i : 0 .. N - 2); g_n = i; i = 0; }"),
    ("a loop that sends a name to the first", "atomic { b_n[0]!me; }"),
];

struct Gen {
    rng: Rng,
    names: usize,
    /// What stands for nobody.
    nobody: &'static str,
    /// Process numbers are the names; otherwise a parameter of `run` is.
    actives: bool,
    /// A second type of processes with the same names.
    family2: bool,
    /// A process without a name.
    server: bool,
    array_d: bool,
    array_n: bool,
    channel: bool,
    tagged: bool,
    inboxes: bool,
    rendezvous: bool,
    /// Processes have channels of their own, and tell others.
    own: bool,
    timers: bool,
    unless: bool,
    timeout: bool,
    ends: bool,
    loops: bool,
    /// Loops whose order may count.
    rough: bool,
    /// Processes are handed their channels.
    handed: bool,
    /// A second set of names.
    others: bool,
    /// The type of variables that hold names.
    width: &'static str,
    /// Processes may run, and end, before all are there.
    early: bool,
    plant: Option<&'static str>,
    /// The process at hand has no name.
    served: bool,
}

impl Gen {
    fn model(&mut self) -> Symmetric {
        let mut planted = None;
        if self.rng.chance(40) {
            let (what, statement) = *self.rng.pick(&PLANTS);
            self.array_d |= statement.contains("a_d");
            self.channel |= statement.contains("c_n");
            self.inboxes |= statement.contains("b_n");
            planted = Some(what);
            self.plant = Some(statement);
        }
        if self.actives {
            (self.family2, self.handed, self.others) = (false, false, false);
        }
        self.inboxes |= self.handed;
        let width = self.width;
        let n = self.names;
        let mut pieces = vec![
            Piece::line(format!("#define N {n}")),
            Piece::line("#define NOBODY N"),
            Piece::line("mtype = { carries_name, carries_number };"),
        ];
        let start = if self.rng.chance(60) { self.nobody } else { "0" };
        pieces.push(Piece::line(format!("{width} g_n = {start};")));
        pieces.push(Piece::line("byte g_d;"));
        if self.array_d {
            pieces.push(Piece::line("byte a_d[N];"));
        }
        if self.array_n {
            pieces.push(Piece::line(format!("byte a_n[N] = {};", self.nobody)));
        }
        let capacity = self.rng.between(1, 2);
        if self.channel {
            pieces.push(Piece::line(format!("chan c_n = [{capacity}] of {{ byte }};")));
        }
        if self.tagged {
            pieces.push(Piece::line(format!("chan c_t = [{capacity}] of {{ mtype, byte }};")));
        }
        if self.inboxes {
            pieces.push(Piece::line("chan b_n[N] = [1] of { byte };"));
        }
        if self.rendezvous {
            pieces.push(Piece::line("chan r_n = [0] of { byte };"));
        }
        if self.own {
            pieces.push(Piece::line("chan c_c = [1] of { chan };"));
        }
        let mut types = vec!["P"];
        if self.family2 {
            types.push("Q");
        }
        for ty in types {
            let head = match self.actives {
                true => format!("active [N] proctype {ty}() {{"),
                false if self.handed => format!("proctype {ty}(byte me; chan in_c) {{"),
                false => format!("proctype {ty}(byte me) {{"),
            };
            let provided = match self.rng.below(12) {
                0 => "provided (g_d != 2) {",
                1 if self.actives => "provided (g_n != _pid) {",
                _ => "{",
            };
            let head = head.replace('{', provided);
            let body = self.body(ty == "P");
            pieces.push(Piece::group(head, body, "}"));
        }
        if self.actives {
            pieces.insert(0, Piece::line("#define me _pid"));
        }
        if self.server {
            self.served = true;
            let head = if self.actives { "active proctype S() {" } else { "proctype S() {" };
            let body = self.body(false);
            pieces.push(Piece::group(head, body, "}"));
        }
        if self.others {
            pieces.push(Piece::line("byte h_m = 255; byte e_d[2];"));
            let body = self.other_body();
            pieces.push(Piece::group("proctype R(byte it) {", body, "}"));
        }
        if !self.actives {
            let runs = self.starts();
            pieces.push(runs);
        }
        // A channel that nobody reaches by a name is a channel like any other, and moves with none.
        let mixed = ["g_n = g_d;", "g_d = me;", "atomic { b_n[0]!me; }"];
        let counts = !self.others && !self.early && !self.plant.is_some_and(|p| mixed.contains(&p));
        Symmetric { text: Text { pieces }, names: n, counts, planted }
    }

    fn starts(&mut self) -> Piece {
        let mut runs = Vec::new();
        if self.server && self.rng.chance(50) {
            runs.push("run S();".to_owned());
            self.server = false;
        }
        for k in 0..self.names {
            runs.push(if self.handed {
                format!("run P({k}, b_n[{k}]);")
            } else {
                format!("run P({k});")
            });
        }
        if self.family2 {
            runs.extend((0..self.names).map(|k| match self.handed {
                true => format!("run Q({k}, b_n[{k}]);"),
                false => format!("run Q({k});"),
            }));
        }
        if self.others {
            runs.extend((0..2).map(|k| format!("run R({k});")));
        }
        if self.server {
            runs.push("run S();".to_owned());
        }
        self.early = self.rng.chance(8);
        let open = if self.early { "{" } else { "atomic {" };
        let atomic = Piece::group(open, runs.into_iter().map(Piece::line).collect(), "}");
        Piece::group("init {", vec![atomic], "}")
    }

    /// A process with another kind of name.
    fn other_body(&mut self) -> Vec<Piece> {
        let mut options = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let guard = *self.rng.pick(&[
                "h_m == 255 -> h_m = it;",
                "h_m == it -> h_m = 255;",
                "h_m != it && h_m != 255 -> e_d[h_m] = 1;",
                "e_d[it] == 1 -> e_d[it] = 0; g_d = 1;",
                "g_n == NOBODY -> e_d[it] = 1;",
                "atomic { h_m == it && g_d == 1 -> assert(e_d[it] == 0); h_m = 255; };",
                "atomic { g_d == 0; select(l_m : 0 .. 1); e_d[l_m] = 1; l_m = 255; };",
            ]);
            options.push(Piece::line(format!(":: {guard}")));
        }
        options.push(Piece::line(":: (h_m == it && e_d[it] == 0);"));
        vec![Piece::line("byte l_m = 255;"), Piece::group("do", options, "od;")]
    }

    fn body(&mut self, plants: bool) -> Vec<Piece> {
        let width = self.width;
        let mut inner = vec![Piece::line(format!("{width} l_n = NOBODY; byte l_d; byte i;"))];
        if self.own && !self.served {
            inner.push(Piece::line("chan o_n = [1] of { byte }; chan h_c;"));
        }
        if self.timers {
            inner.push(Piece::line("timer t_d;"));
        }
        for _ in 0..self.rng.between(0, 2) {
            let statement = self.statement(2);
            inner.push(statement);
        }
        let forever = self.rng.chance(60) || self.timers || self.own;
        let mut options = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let mut inner = vec![self.guard()];
            inner.extend((0..self.rng.below(3)).map(|_| self.statement(1)));
            options.push(Piece::group("::", inner, ""));
        }
        if !forever {
            options.push(Piece::group("::", vec![self.guard(), Piece::line("break;")], ""));
        }
        if plants {
            // Whatever else happens, these hold names or are indexed by them.
            let a_d = if self.array_d { " && a_d[me] != 7" } else { "" };
            let a_n = if self.array_n { " && a_n[me] != g_n" } else { "" };
            let condition = Piece::line(format!("(g_n == me{a_d}{a_n});"));
            options.push(Piece::group("::", vec![condition], ""));
        }
        let mut planted = self.plant.filter(|_| plants).map(Piece::line);
        if let Some(statement) = planted.take_if(|_| self.rng.chance(50)) {
            options.push(Piece::group("::", vec![statement], ""));
        }
        let label = if plants { "here: " } else { "" };
        let end = if self.rng.chance(70) { "end_here: " } else { "" };
        inner.push(Piece::group(format!("{end}{label}do"), options, "od;"));
        if let Some(statement) = planted {
            let at = self.rng.between(1, inner.len() - 1);
            inner.insert(at, statement);
        }
        if !forever && self.ends && self.rng.chance(50) {
            let statement = self.statement(1);
            inner.push(statement);
        }
        inner
    }

    fn statement(&mut self, depth: usize) -> Piece {
        let deep = usize::from(depth > 0);
        let (unless, loops) = (usize::from(self.unless), usize::from(self.loops));
        match self.rng.weighted(&[
            (5, 0),
            (2, 1),
            (3 * deep, 2),
            (2 * deep, 3),
            (3 * deep, 4),
            (2 * deep * unless, 5),
            (3 * loops, 6),
            (1, 7),
        ]) {
            0 => self.effect(),
            1 => self.guard(),
            2 => {
                let inner = vec![self.guard(), self.effect(), self.statement(depth - 1)];
                Piece::group("atomic {", inner, "};")
            }
            3 => {
                let first = Piece::line(format!("({});", self.condition()));
                Piece::group("d_step {", vec![first, self.effect(), self.effect()], "};")
            }
            4 => {
                let first = Piece::group("::", vec![self.guard(), self.statement(depth - 1)], "");
                let second = match self.rng.chance(50) {
                    true => Piece::line(":: else"),
                    false => Piece::group("::", vec![self.guard(), self.effect()], ""),
                };
                Piece::group("if", vec![first, second], "fi;")
            }
            5 => {
                let inner = vec![self.effect(), self.statement(depth - 1), self.guard()];
                let main = Piece::group("{", inner, "} unless {");
                let escape = vec![self.guard(), self.effect()];
                Piece::group("{", vec![main, Piece::group("", escape, "}")], "};")
            }
            6 => self.each(),
            _ => {
                let after = self.effect();
                let select = Piece::line("select(l_n : 0 .. N - 1);");
                let name = if self.served { "g_n" } else { "me" };
                let use_it = format!("if :: (l_n == {name}) -> l_d = 1; :: else -> skip; fi;");
                Piece::group("atomic {", vec![select, Piece::line(use_it), after], "};")
            }
        }
    }

    /// A loop over all names.
    fn each(&mut self) -> Piece {
        let value = self.rng.below(3);
        let other = self.rng.below(3);
        let mut bodies = vec![format!("if :: i != g_n -> skip; :: else -> l_d = {value}; fi")];
        if self.array_d {
            bodies.push(format!("a_d[i] = {value};"));
            bodies
                .push(format!("if :: a_d[i] == {value} -> a_d[i] = {other}; :: else -> skip; fi"));
            bodies.push(format!("if :: a_d[i] == {value} -> l_d = {other}; :: else -> skip; fi"));
            bodies.push("a_d[i] = (a_d[i] + 1) % 3;".to_owned());
            if !self.served {
                bodies.push(format!("if :: i != me -> a_d[i] = {value}; :: else -> skip; fi"));
            }
        }
        if self.array_n {
            bodies.push("a_n[i] = g_n;".to_owned());
            bodies.push(format!("a_n[i] = {};", self.nobody));
            bodies
                .push("if :: a_n[i] == i -> a_n[i] = NOBODY; :: else -> a_n[i] = i; fi".to_owned());
        }
        if self.inboxes {
            let sent = if self.served { "g_n" } else { "me" };
            bodies.push(format!("if :: nfull(b_n[i]) -> b_n[i]!{sent}; :: else -> skip; fi"));
            bodies.push("if :: nempty(b_n[i]) -> b_n[i]?_; :: else -> skip; fi".to_owned());
            if !self.served {
                bodies.push("if :: i != me -> b_n[i]!me; :: else -> skip; fi".to_owned());
            }
            bodies.push(format!("b_n[i]!{sent};"));
        }
        let mut body = self.rng.pick(&bodies).clone();
        if self.rough {
            bodies.push("l_n = i;".to_owned());
            bodies.push(format!("g_d = {value};"));
            bodies.push("l_d = l_d + 1;".to_owned());
            bodies.push("if :: i == g_n -> g_d = 1; :: else -> skip; fi".to_owned());
            bodies.push(format!("if :: g_d == {value} -> g_d = {other}; :: else -> skip; fi"));
            if self.array_d {
                bodies.push("if :: l_d == 0 -> a_d[i] = 1; l_d = 1; :: else -> skip; fi".into());
                bodies.push(format!("l_d = a_d[i]; a_d[i] = {value};"));
                if !self.served {
                    let set = format!("a_d[i] = {value};");
                    bodies.push(format!("if :: a_d[me] == 0 -> {set} :: else -> skip; fi"));
                    bodies.push("a_d[i] = a_d[me];".to_owned());
                }
            }
            if self.array_n {
                bodies.push("if :: a_n[i] == g_n -> g_n = i; :: else -> skip; fi".to_owned());
            }
            if self.channel {
                bodies.push("if :: nfull(c_n) -> c_n!i; :: else -> skip; fi".to_owned());
            }
            let second = self.rng.pick(&bodies).clone();
            body = format!("{body} ; {second}").replace(";;", ";").replace("; ;", ";");
        }
        let kind = *self.rng.pick(&["atomic {", "atomic {", "d_step {"]);
        let inner = Piece::line(format!("for (i : 0 .. N - 1) {{ {body} }} i = 0;"));
        let mut all = Vec::new();
        if kind == "d_step {" || self.rng.chance(30) {
            all.push(Piece::line(format!("({});", self.condition())));
        }
        all.push(inner);
        Piece::group(kind, all, "};")
    }

    /// A name that is there for sure.
    fn name(&mut self) -> &'static str {
        match self.served {
            true => ["l_n", "g_n"][self.rng.below(2)],
            false => ["me", "me", "me", "l_n", "g_n"][self.rng.below(5)],
        }
    }

    /// An index, and a condition under which it is one.
    fn index(&mut self) -> (&'static str, String) {
        let name = self.name();
        match name {
            "me" => (name, String::new()),
            _ => (name, format!("{name} != NOBODY && {name} != 255 && ")),
        }
    }

    fn condition(&mut self) -> String {
        let value = self.rng.below(3);
        let (array_d, array_n) = (usize::from(self.array_d), usize::from(self.array_n));
        let (channel, inboxes) = (usize::from(self.channel), usize::from(self.inboxes));
        let equal = *self.rng.pick(&["==", "!="]);
        match self.rng.weighted(&[
            (2, 0),
            (3, 1),
            (2, 2),
            (3 * array_d, 3),
            (3 * array_n, 4),
            (channel, 5),
            (inboxes, 6),
            (2, 7),
        ]) {
            0 => format!("g_d {equal} {value}"),
            1 => format!("g_n {equal} {}", self.name()),
            2 => format!("{} {equal} {}", *self.rng.pick(&["g_n", "l_n"]), self.nobody),
            3 => {
                let (index, is_one) = self.index();
                format!("{is_one}a_d[{index}] {equal} {value}")
            }
            4 => {
                let (index, is_one) = self.index();
                format!("{is_one}a_n[{index}] {equal} {}", self.name())
            }
            5 => format!("len(c_n) {equal} {}", self.rng.below(2)),
            6 => {
                let (index, is_one) = self.index();
                format!("{is_one}len(b_n[{index}]) {equal} 1")
            }
            _ => format!("l_d {equal} {value}"),
        }
    }

    fn effect(&mut self) -> Piece {
        let value = self.rng.below(3);
        let (array_d, array_n) = (usize::from(self.array_d), usize::from(self.array_n));
        let timers = usize::from(self.timers);
        let name = self.name();
        let guarded = |(index, is_one): (&str, String), what: String| match is_one.is_empty() {
            true => format!("{what};"),
            false => {
                let test = is_one.trim_end_matches(" && ");
                let _ = index;
                format!("if :: ({test}) -> {what}; :: else -> skip; fi;")
            }
        };
        Piece::line(
            match self.rng.weighted(&[
                (4, 0),
                (3, 1),
                (2, 2),
                (3 * array_d, 3),
                (3 * array_n, 4),
                (2, 5),
                (2 * timers, 6),
                (2, 7),
            ]) {
                0 => format!("g_n = {name};"),
                1 => format!("l_n = {name};"),
                2 => format!("{} = {};", *self.rng.pick(&["g_n", "l_n"]), self.nobody),
                3 => {
                    let index = self.index();
                    let what = format!("a_d[{}] = {value}", index.0);
                    guarded(index, what)
                }
                4 => {
                    let index = self.index();
                    let what = format!("a_n[{}] = {name}", index.0);
                    guarded(index, what)
                }
                5 => match self.rng.chance(50) {
                    true => format!("{} = {value};", *self.rng.pick(&["g_d", "l_d"])),
                    false => "g_d = ((g_d + 1) % 3);".to_owned(),
                },
                6 => format!("set(t_d, {value});"),
                _ => {
                    let (a, b) = (self.condition(), self.condition());
                    format!("assert(!({a} && {b} && l_d != 1));")
                }
            },
        )
    }

    /// A statement that may block.
    fn guard(&mut self) -> Piece {
        let (channel, inboxes) = (usize::from(self.channel), usize::from(self.inboxes));
        let (tagged, rendezvous) = (usize::from(self.tagged), usize::from(self.rendezvous));
        let (timers, timeout) = (usize::from(self.timers), usize::from(self.timeout));
        let own = usize::from(self.own && !self.served);
        let mine = usize::from(!self.served);
        let name = self.name();
        let into = *self.rng.pick(&["l_n", "g_n", "_", "l_n"]);
        Piece::line(
            match self.rng.weighted(&[
                (5, 0),
                (3 * channel, 1),
                (3 * tagged, 2),
                (3 * inboxes, 3),
                (3 * rendezvous, 4),
                (2 * timers, 5),
                (timeout, 6),
                (2, 7),
                (3 * own, 8),
                (inboxes * mine, 9),
            ]) {
                0 => format!("({});", self.condition()),
                1 => match self.rng.below(5) {
                    0 | 1 => format!("c_n!{name};"),
                    2 => format!("c_n?{into};"),
                    3 => format!("c_n?eval({name});"),
                    _ => format!("c_n??eval({name});"),
                },
                2 => match self.rng.below(6) {
                    0 | 1 => format!("c_t!carries_name({name});"),
                    2 => "c_t!carries_number(g_d);".to_owned(),
                    3 => format!("c_t?carries_name({into});"),
                    4 => format!("c_t?carries_name(eval({name}));"),
                    _ => "c_t?carries_number(l_d);".to_owned(),
                },
                3 => {
                    let (index, is_one) = self.index();
                    let sends = self.rng.chance(50);
                    let what = match sends {
                        true => format!("b_n[{index}]!{name}"),
                        false => format!("b_n[{index}]?{into}"),
                    };
                    match is_one.is_empty() {
                        true => format!("{what};"),
                        false => format!("atomic {{ ({}true); {what}; }};", is_one),
                    }
                }
                4 => match self.rng.chance(50) {
                    true => format!("r_n!{name};"),
                    false => format!("r_n?{into};"),
                },
                5 => "expire(t_d);".to_owned(),
                6 => "timeout;".to_owned(),
                7 => "true;".to_owned(),
                8 => match self.rng.below(4) {
                    0 => "c_c!o_n;".to_owned(),
                    1 => "atomic { c_c?h_c; h_c!me; };".to_owned(),
                    2 => format!("o_n?{into};"),
                    _ => "(empty(o_n));".to_owned(),
                },
                _ if self.handed && self.rng.chance(60) => match self.rng.chance(50) {
                    true => format!("in_c?{into};"),
                    false => "in_c!me;".to_owned(),
                },
                _ => match self.rng.chance(50) {
                    true => format!("b_n[me]?{into};"),
                    false => "b_n[me]?eval(me);".to_owned(),
                },
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isospin::model_of;

    #[test]
    fn symmetric_models_are_read() {
        for seed in 0..300 {
            let text = symmetric(seed).text.to_string();
            model_of(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        }
    }
}
