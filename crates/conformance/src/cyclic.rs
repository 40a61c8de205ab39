//! Random models of processes that never end: small, full of cycles, and often fair only to some.
//! The models of [`generate`](mod@crate::generate) mostly end, which says little about cycles.

use crate::rng::Rng;
use crate::tree::{Piece, Text};

/// The model of a seed.
pub fn cyclic(seed: u64) -> Text {
    let mut gen = Cyclic {
        channel: false,
        rendezvous: false,
        atomic: false,
        unless: false,
        asserts: false,
        odd: false,
        rng: Rng::new(seed),
    };
    gen.channel = gen.rng.chance(50);
    gen.rendezvous = gen.rng.chance(50);
    gen.atomic = gen.rng.chance(40);
    gen.unless = gen.rng.chance(30);
    gen.asserts = gen.rng.chance(50);
    gen.model()
}

/// The model of a seed, of what is rare elsewhere: atomic sequences that may go round for ever,
/// arrays whose index may be too large, `provided` clauses and priorities.
pub fn odd(seed: u64) -> Text {
    let mut rng = Rng::new(seed);
    let mut gen = Cyclic {
        channel: rng.chance(30),
        rendezvous: rng.chance(30),
        atomic: true,
        unless: rng.chance(20),
        asserts: rng.chance(20),
        odd: true,
        rng,
    };
    let mut text = gen.model();
    text.pieces.insert(0, Piece::line("byte a[2];"));
    let (provided, priorities) = (gen.rng.chance(25), gen.rng.chance(15) && !gen.rendezvous);
    for piece in &mut text.pieces {
        let Piece::Group { open, .. } = piece else { continue };
        if provided && gen.rng.chance(50) {
            *open = open.replace("() {", "() provided (g0 != 1) {");
        } else if priorities {
            *open = open.replace("() {", &format!("() priority {} {{", gen.rng.between(1, 2)));
        }
    }
    text
}

/// A model of processes that mostly meet each other in rendez-vous and otherwise do things that
/// concern only themselves: what a process can do depends on where the others stand, which is what
/// fairness and reduction together have to be careful about.
pub fn meeting(seed: u64) -> Text {
    let mut rng = Rng::new(seed);
    let channels = rng.between(1, 2);
    let mut pieces = vec![Piece::line("byte g0;"), Piece::line("bit g2;")];
    pieces.extend((0..channels).map(|k| Piece::line(format!("chan s{k} = [0] of {{ byte }};"))));
    let buffered = rng.chance(30);
    if buffered {
        pieces.push(Piece::line("chan c0 = [1] of { byte };"));
    }
    let meet = |rng: &mut Rng| {
        let name = if buffered && rng.chance(30) {
            "c0".to_owned()
        } else {
            format!("s{}", rng.below(channels))
        };
        Piece::line(match rng.below(5) {
            0 | 1 => format!("{name}!{};", rng.below(2)),
            2 => format!("{name}?{};", rng.below(2)),
            _ => format!("{name}?l;"),
        })
    };
    let own = |rng: &mut Rng| {
        Piece::line(match rng.below(8) {
            0 => "g2 = 1 - g2;".to_owned(),
            1 => format!("g0 = {};", rng.below(2)),
            2 => "skip;".to_owned(),
            3 => format!("(g0 == {});", rng.below(2)),
            _ => format!("l = {};", rng.below(2)),
        })
    };
    for k in 0..rng.between(2, 4) {
        let mut options = Vec::new();
        for _ in 0..rng.between(1, 2) {
            let mut inner = Vec::new();
            for _ in 0..rng.between(1, 3) {
                inner.push(if rng.chance(50) { meet(&mut rng) } else { own(&mut rng) });
            }
            options.push(Piece::group("::", inner, ""));
        }
        let body = vec![Piece::line("byte l;"), Piece::group("do", options, "od;")];
        pieces.push(Piece::group(format!("active proctype P{k}() {{"), body, "}"));
    }
    Text { pieces }
}

struct Cyclic {
    rng: Rng,
    channel: bool,
    rendezvous: bool,
    atomic: bool,
    unless: bool,
    asserts: bool,
    /// Whether atomic sequences may go round for ever.
    odd: bool,
}

impl Cyclic {
    fn model(&mut self) -> Text {
        let mut pieces: Vec<Piece> =
            ["byte g0;", "byte g1;", "bit g2;"].into_iter().map(Piece::line).collect();
        if self.channel {
            let capacity = self.rng.between(1, 2);
            pieces.push(Piece::line(format!("chan c0 = [{capacity}] of {{ byte }};")));
        }
        if self.rendezvous {
            pieces.push(Piece::line("chan s0 = [0] of { byte };"));
        }
        for k in 0..self.rng.between(2, 3) {
            let mut inner = vec![Piece::line("byte l;")];
            inner.extend((0..self.rng.below(2)).map(|_| self.effect()));
            let loops = self.looping();
            inner.push(loops);
            pieces.push(Piece::group(format!("active proctype P{k}() {{"), inner, "}"));
        }
        Text { pieces }
    }

    fn looping(&mut self) -> Piece {
        let mut options = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let mut inner = vec![self.guard()];
            inner.extend((0..self.rng.below(3)).map(|_| self.statement()));
            options.push(Piece::group("::", inner, ""));
        }
        if self.rng.chance(15) {
            options.push(Piece::group("::", vec![self.guard(), Piece::line("break;")], ""));
        }
        if self.rng.chance(15) {
            options.push(Piece::group("::", vec![Piece::line("else;"), self.effect()], ""));
        }
        let label = *self.rng.pick(&["", "", "", "end: "]);
        Piece::group(format!("{label}do"), options, "od;")
    }

    fn statement(&mut self) -> Piece {
        let (atomic, unless) = (usize::from(self.atomic), usize::from(self.unless));
        match self.rng.weighted(&[(5, 0), (3, 1), (2 * atomic, 2), (2 * unless, 3), (1, 4)]) {
            0 => self.effect(),
            1 => self.guard(),
            2 if self.odd && self.rng.chance(40) => {
                let mut options: Vec<Piece> = (0..self.rng.between(1, 2))
                    .map(|_| Piece::group("::", vec![self.guard(), self.effect()], ""))
                    .collect();
                if self.rng.chance(40) {
                    options.push(Piece::line(":: break"));
                }
                let inner = vec![self.effect(), Piece::group("do", options, "od;")];
                Piece::group("atomic {", inner, "};")
            }
            2 => {
                let first = if self.rng.chance(60) { self.guard() } else { self.effect() };
                let inner = vec![first, self.effect(), self.statement()];
                Piece::group("atomic {", inner, "};")
            }
            3 => {
                let main = Piece::group("{", vec![self.effect(), self.guard()], "} unless {");
                let escape = vec![self.guard(), self.effect()];
                Piece::group("{", vec![main, Piece::group("", escape, "}")], "};")
            }
            _ => {
                let first = Piece::group("::", vec![self.guard(), self.effect()], "");
                let second = if self.rng.chance(50) {
                    Piece::line(":: else")
                } else {
                    Piece::group("::", vec![self.guard()], "")
                };
                Piece::group("if", vec![first, second], "fi;")
            }
        }
    }

    fn effect(&mut self) -> Piece {
        let variable = *self.rng.pick(&["g0", "g1", "g2", "l", "l"]);
        let other = *self.rng.pick(&["g0", "g1", "g2", "l"]);
        let kinds = if self.asserts { 5 } else { 4 };
        Piece::line(match self.rng.below(kinds) {
            4 => format!("assert({} || {} != {});", other, variable, self.rng.below(3)),
            0 => format!("{variable} = (({variable} + 1) % 2);"),
            1 => format!("{variable} = {other};"),
            2 => "skip;".to_owned(),
            _ => format!("{variable} = {};", self.rng.below(3)),
        })
    }

    /// A statement that may block.
    fn guard(&mut self) -> Piece {
        let (channel, rendezvous) = (usize::from(self.channel), usize::from(self.rendezvous));
        let variable = *self.rng.pick(&["g0", "g1", "g2", "l"]);
        let value = self.rng.below(2);
        Piece::line(
            match self.rng.weighted(&[(4, 0), (2, 1), (2 * channel, 2), (3 * rendezvous, 3)]) {
                0 => format!("({variable} == {value});"),
                1 => "true;".to_owned(),
                2 => self.exchange("c0"),
                _ => self.exchange("s0"),
            },
        )
    }

    fn exchange(&mut self, channel: &str) -> String {
        match self.rng.below(4) {
            0 | 1 => format!("{channel}!{};", self.rng.below(2)),
            2 => format!("{channel}?{};", self.rng.pick(&["l", "g0", "_"])),
            _ => format!("{channel}?{};", self.rng.below(2)),
        }
    }
}
