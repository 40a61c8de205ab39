//! Statements with other statements inside.

use super::world::{Ty, Var};
use super::{Gen, Where};
use crate::tree::Piece;

impl Gen {
    /// Between `low` and `high` statements.
    pub(super) fn statements(&mut self, low: usize, high: usize, at: Where) -> Vec<Piece> {
        let count = self.rng.between(low, high);
        let mut out = Vec::new();
        let visible = self.body.locals.len();
        for _ in 0..count {
            if self.swarm.block_scopes && !at.d_step && !at.inlined && self.rng.chance(10) {
                out.push(self.declare_local());
            }
            let piece = self.statement(at);
            let piece =
                if at.follows || !out.is_empty() { self.maybe_label(piece, at) } else { piece };
            out.push(piece);
        }
        // A declaration with nothing to execute behind it would make an empty sequence.
        self.body.locals.truncate(visible);
        out
    }

    fn declare_local(&mut self) -> Piece {
        let (name, ty) = (format!("x{}", self.body.next_name()), self.scalar_type());
        let init = match (ty, self.rng.chance(50)) {
            (Ty::Mtype, _) | (_, false) => self.initial_value(ty),
            (_, true) => format!(" = {}", self.value(ty)),
        };
        let line = Piece::line(format!("{}{init};", ty.declare(&name)));
        self.body.locals.push(Var { text: name, ty, len: 0 });
        line
    }

    fn maybe_label(&mut self, piece: Piece, at: Where) -> Piece {
        if at.d_step || at.inlined {
            return piece;
        }
        if self.swarm.goto && !self.body.free_labels.is_empty() && self.rng.chance(15) {
            let label = self.body.free_labels.remove(0);
            self.body.placed_labels.push(label.clone());
            return piece.labelled(&label);
        }
        if self.swarm.end_labels && self.rng.chance(8) {
            let kind = *self.rng.pick(&["end", "end", "progress", "accept"]);
            let label = format!("{kind}{}", self.body.next_name());
            return piece.labelled(&label);
        }
        piece
    }

    fn statement(&mut self, at: Where) -> Piece {
        let deep = usize::from(at.depth > 0);
        let swarm = self.swarm.clone();
        let free = usize::from(!at.d_step && !at.inlined);
        let on = |flag: bool| usize::from(flag);
        let guards = if at.d_step { on(swarm.faulty) } else { 8 };
        match self.rng.weighted(&[
            (8, 0),
            (guards, 1),
            (4 * deep, 2),
            (3 * deep * free, 3),
            (4 * deep * free * on(swarm.atomic), 4),
            (3 * deep * free * on(swarm.d_step), 5),
            (4 * deep * free * on(swarm.unless), 6),
            (2 * free * on(swarm.goto), 7),
            (2 * deep * on(swarm.counted_loops && !at.inlined), 8),
            (2 * on(swarm.counted_loops) * free, 9),
            (2 * free * on(swarm.run), 10),
            (2 * on(at.loops > 0 && !at.inlined), 11),
            (deep * on(swarm.block_scopes) * free, 12),
        ]) {
            0 => self.effect(at),
            1 => self.guard(at),
            2 => self.selection(at, false),
            3 => self.repetition(at),
            4 => self.atomic(at),
            5 => self.d_step(at),
            6 => self.unless(at),
            7 => {
                self.body.labels_used = true;
                Piece::line(format!("goto {};", self.rng.pick(&self.body.labels.clone())))
            }
            8 => self.counted_loop(at),
            9 => {
                let counter = self.body.counter.clone();
                let high = self.rng.between(1, 2);
                if self.rng.chance(50) {
                    Piece::line(format!("select ({counter} : 0 .. {high});"))
                } else {
                    Piece::line(format!("select ({counter} : (g0 & 1) .. {high});"))
                }
            }
            10 => match self.run(at) {
                Some(piece) => piece,
                None => self.effect(at),
            },
            11 => Piece::line("break;"),
            _ => {
                let inner = self.statements(1, 2, at.inside());
                Piece::group("{", inner, "};")
            }
        }
    }

    /// `if`. With `nested` it stands first in an option, where an `else` would be inherited.
    fn selection(&mut self, at: Where, nested: bool) -> Piece {
        let otherwise = at.d_step || (!nested && !self.swarm.enabled && self.rng.chance(45));
        let options = self.options(at, otherwise, false);
        Piece::group("if", options, "fi;")
    }

    fn repetition(&mut self, at: Where) -> Piece {
        let at = Where { loops: at.loops + 1, ..at };
        let otherwise = !self.swarm.enabled && self.rng.chance(30);
        let options = self.options(at, otherwise, true);
        Piece::group("do", options, "od;")
    }

    fn options(&mut self, at: Where, otherwise: bool, repeat: bool) -> Vec<Piece> {
        let inside = at.inside();
        let count = self.rng.between(if otherwise { 1 } else { 2 }, 3);
        let leaves = if repeat { self.rng.below(count + 1) } else { count };
        let mut options = Vec::new();
        for i in 0..count {
            let mut inner = vec![self.option_start(inside, otherwise)];
            inner.extend(self.statements(0, 2, inside.behind()));
            if i == leaves {
                inner.push(Piece::line("break;"));
            }
            options.push(Piece::group("::", inner, ""));
        }
        if otherwise {
            let mut inner = vec![Piece::line("else;")];
            inner.extend(self.statements(0, 2, inside.behind()));
            if leaves == count && repeat {
                inner.push(Piece::line("break;"));
            }
            let position =
                if self.rng.chance(80) { options.len() } else { self.rng.below(options.len() + 1) };
            options.insert(position, Piece::group("::", inner, ""));
        }
        options
    }

    /// What an option starts with: something that may block, mostly.
    fn option_start(&mut self, at: Where, otherwise: bool) -> Piece {
        if at.d_step {
            return Piece::line(format!("{};", self.condition(1)));
        }
        // Spin frowns on an `else` beside a send or receive.
        let channels = !otherwise || self.swarm.else_with_channels;
        let free = !at.inlined && at.depth > 0 && self.rng.chance(18);
        match (free && channels, self.rng.below(5)) {
            (true, 0) => self.selection(at, true),
            (true, 1) if self.swarm.atomic => self.atomic(at),
            (true, 2) if self.swarm.d_step => self.d_step(at),
            (true, 3) if self.swarm.unless => self.unless(at),
            // A loop brings its own `else`, and only one may be inherited.
            (true, 4) if !otherwise => self.repetition(at),
            _ if self.rng.chance(15) => self.effect(at),
            _ if channels => self.guard(at),
            _ if free && self.swarm.atomic => {
                let mut inner = vec![Piece::line(format!("{};", self.condition(1)))];
                inner.extend(self.statements(1, 2, at.inside().behind()));
                Piece::group("atomic {", inner, "};")
            }
            _ => Piece::line(format!("{};", self.statement_condition())),
        }
    }

    fn atomic(&mut self, at: Where) -> Piece {
        let mut inner = Vec::new();
        if self.rng.chance(60) {
            inner.push(self.guard(at));
        }
        let inside = Where { follows: !inner.is_empty(), ..at.inside() };
        inner.extend(self.statements(1, 4, inside));
        Piece::group("atomic {", inner, "};")
    }

    /// `d_step`. What comes first is no assertion and does not print: Spin's verifier would do it in
    /// the middle of other processes' rendez-vous.
    fn d_step(&mut self, at: Where) -> Piece {
        let at = Where { d_step: true, loops: 0, ..at };
        let first = match self.rng.below(10) {
            0..=5 => self.guard(at),
            6 | 7 if !self.swarm.enabled => self.selection(at.inside(), false),
            _ => Piece::line(self.assignment()),
        };
        let mut inner = vec![first];
        inner.extend(self.statements(0, 3, at.inside()));
        Piece::group("d_step {", inner, "};")
    }

    /// `unless`. A rendez-vous send is the guard of an escape only where that escape has no other
    /// guard, its own or one of an `unless` around it: when such a send finds no receiver, Spin's
    /// verifier forgets that another guard was taken, and goes on with what is escaped from.
    fn unless(&mut self, at: Where) -> Piece {
        let inside = Where { escaped: true, ..at.inside() };
        let main = if self.swarm.atomic && self.rng.chance(20) {
            vec![self.atomic(inside)]
        } else {
            self.statements(1, 3, inside)
        };
        let nested = at.escaped || main.iter().any(|piece| piece.to_string().contains("unless"));
        let guard = if nested { self.guard_without_rendezvous() } else { self.guard(at) };
        let mut escape = vec![guard];
        escape.extend(self.statements(0, 2, inside.behind()));
        if self.swarm.atomic && self.rng.chance(15) {
            escape = vec![Piece::group("atomic {", escape, "};")];
        }
        let parts = vec![Piece::group("{", main, "}"), Piece::group("unless {", escape, "};")];
        Piece::group("{", parts, "};")
    }

    fn guard_without_rendezvous(&mut self) -> Piece {
        self.guard(Where { d_step: true, ..Where::default() })
    }

    fn counted_loop(&mut self, at: Where) -> Piece {
        let counter = self.body.counter.clone();
        let arrays: Vec<Var> =
            self.world.vars.iter().filter(|v| v.text == "a0[#]").cloned().collect();
        if self.world.record_messages && self.rng.chance(30) {
            let inside = Where { loops: at.loops + 1, ..at.inside() };
            let inner = self.statements(1, 2, inside);
            return Piece::group("for (lr in cr) {", inner, "};");
        }
        let range = match arrays.first() {
            Some(_) if self.rng.chance(30) => "in a0".to_owned(),
            _ => format!(": 0 .. {}", self.rng.between(0, 2)),
        };
        let inside = Where { loops: at.loops + 1, ..at.inside() };
        // The counter must not be set inside, or the loop may not end.
        let locals = self.body.locals.clone();
        self.body.locals.retain(|v| v.text != counter);
        let outer = std::mem::replace(&mut self.body.counter, format!("{counter}x"));
        self.body.counters = self.body.counters.max(self.body.counter.len());
        let inner = self.statements(1, 2, inside);
        self.body.counter = outer;
        self.body.locals = locals;
        Piece::group(format!("for ({counter} {range}) {{"), inner, "};")
    }
}
