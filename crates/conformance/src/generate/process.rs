//! Process types, `init` and inlines.

use super::world::{channel_declaration, Chan, Proc, Ty, Var};
use super::{Body, Gen, Where};
use crate::tree::Piece;

impl Gen {
    /// Inlines; they see only what is global and their parameters.
    pub(super) fn inlines(&mut self, out: &mut Vec<Piece>) {
        if !self.swarm.inlines {
            return;
        }
        self.body = Body::default();
        self.body.locals.push(Var { text: "p".to_owned(), ty: Ty::Byte, len: 0 });
        let at = Where { depth: 1, inlined: true, ..Where::default() };
        let inner = self.statements(1, 3, at);
        out.push(Piece::group("inline f0(p, q) {", inner, "}"));
        self.world.inlines.push("f0".to_owned());
    }

    /// All process types. The order of those that are there from the start gives them their
    /// numbers.
    pub(super) fn processes(&mut self, out: &mut Vec<Piece>) {
        let count = self.rng.between(1, 3);
        let with_init = self.swarm.run && self.rng.chance(70);
        let init_first = self.rng.chance(30);
        let mut next_pid = usize::from(with_init && init_first);
        let mut pieces = Vec::new();
        for i in 0..count {
            let name = format!("P{i}");
            let started = if with_init {
                self.rng.chance(40)
            } else {
                i + 1 == count || !self.swarm.run || self.rng.chance(60)
            };
            let instances = if started { self.rng.weighted(&[(6, 1), (4, 2)]) } else { 0 };
            let pids = (next_pid..next_pid + instances).collect();
            next_pid += instances;
            let piece = self.process(name, pids);
            pieces.push(piece);
        }
        if with_init {
            let init = self.init();
            if init_first {
                pieces.insert(0, init)
            } else {
                pieces.push(init)
            }
        }
        out.extend(pieces);
    }

    fn process(&mut self, name: String, pids: Vec<usize>) -> Piece {
        self.body = Body::new(&mut self.rng, &self.swarm);
        let mut params = Vec::new();
        if pids.is_empty() {
            for i in 0..self.rng.below(3) {
                let ty = if self.rng.chance(20) && !self.world.chans.is_empty() {
                    Ty::Chan
                } else {
                    *self.rng.pick(&[Ty::Byte, Ty::Bit, Ty::Short])
                };
                params.push((format!("p{i}"), ty));
            }
        }
        for (text, ty) in &params {
            self.add_local(text.clone(), *ty);
        }
        let mut inner = self.locals();
        let at = Where { depth: 2, follows: true, ..Where::default() };
        inner.extend(self.statements(2, 5, at));
        self.finish_labels(&mut inner);
        self.declare_counters(&mut inner);
        let active = match pids.len() {
            0 => String::new(),
            1 => "active ".to_owned(),
            n => format!("active [{n}] "),
        };
        let list: Vec<String> = params.iter().map(|(name, ty)| ty.declare(name)).collect();
        let kind = if self.swarm.deterministic && self.rng.chance(60) { "D_" } else { "" };
        let mut head = format!("{active}{kind}proctype {name}({})", list.join("; "));
        if self.swarm.priority && !pids.is_empty() && self.rng.chance(60) {
            head += &format!(" priority {}", self.rng.between(1, 4));
        }
        if self.swarm.provided && self.rng.chance(60) {
            head += &format!(" provided ({})", self.global_condition());
        }
        self.world.procs.push(Proc {
            name,
            params: params.iter().map(|(_, ty)| *ty).collect(),
            pids,
            locals: self.body.locals.clone(),
            labels: self.body.placed_labels.clone(),
        });
        Piece::group(format!("{head} {{"), inner, "}")
    }

    /// A condition over what every process sees.
    fn global_condition(&mut self) -> String {
        let body = std::mem::take(&mut self.body);
        let condition = self.condition(1);
        self.body = body;
        condition
    }

    fn add_local(&mut self, text: String, ty: Ty) {
        if ty == Ty::Chan {
            if let Some(first) = self.world.chans.first() {
                self.body.chans.push(Chan {
                    text: text.clone(),
                    capacity: first.capacity,
                    fields: first.fields.clone(),
                    len: 0,
                    varies: true,
                });
            }
        }
        self.body.locals.push(Var { text, ty, len: 0 });
    }

    fn locals(&mut self) -> Vec<Piece> {
        let mut out = Vec::new();
        for i in 0..self.rng.below(3) {
            let (name, ty) = (format!("l{i}"), self.scalar_type());
            let init = if self.rng.chance(20) && ty != Ty::Mtype {
                format!(" = {}", self.value(ty))
            } else {
                self.initial_value(ty)
            };
            out.push(Piece::line(format!("{}{init};", ty.declare(&name))));
            self.add_local(name, ty);
        }
        if self.swarm.arrays && self.rng.chance(25) {
            out.push(Piece::line("byte la[2];"));
            self.body.locals.push(Var { text: "la[#]".to_owned(), ty: Ty::Byte, len: 2 });
        }
        if self.world.record_messages {
            out.push(Piece::line("R lr;"));
        }
        let Some(first) = self.world.chans.first().cloned() else {
            return out;
        };
        if self.swarm.local_channels {
            let capacity = self.capacity();
            let text = channel_declaration("lc", capacity, &first.fields, 0);
            out.push(Piece::line(text));
            self.body.chans.push(Chan {
                text: "lc".to_owned(),
                capacity,
                fields: first.fields.clone(),
                len: 0,
                varies: false,
            });
        }
        if self.swarm.channels_in_messages {
            let start = self.indexed(&first.text, first.len);
            out.push(Piece::line("chan v;"));
            out.push(Piece::line(format!("v = {start};")));
            self.add_local("v".to_owned(), Ty::Chan);
        }
        out
    }

    /// Every label that may be jumped to stands somewhere.
    fn finish_labels(&mut self, inner: &mut Vec<Piece>) {
        for label in std::mem::take(&mut self.body.free_labels) {
            if self.body.labels_used {
                inner.push(Piece::line("skip;").labelled(&label));
                self.body.placed_labels.push(label);
            }
        }
    }

    /// The counters of loops, which are declared once it is known how deep loops nest.
    fn declare_counters(&mut self, inner: &mut Vec<Piece>) {
        for depth in 0..self.body.counters.max(1) {
            if self.swarm.counted_loops {
                inner.insert(0, Piece::line(format!("byte i{};", "x".repeat(depth))));
            }
        }
    }

    fn init(&mut self) -> Piece {
        self.body = Body::new(&mut self.rng, &self.swarm);
        let mut starts = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            starts.extend(self.run(Where::default()));
        }
        if starts.is_empty() {
            starts.push(Piece::line("skip;"));
        }
        let mut inner =
            if self.rng.chance(40) { vec![Piece::group("atomic {", starts, "};")] } else { starts };
        let at = Where { depth: 1, follows: true, ..Where::default() };
        if self.world.record_messages {
            inner.insert(0, Piece::line("R lr;"));
        }
        inner.extend(self.statements(0, 2, at));
        self.finish_labels(&mut inner);
        self.declare_counters(&mut inner);
        Piece::group("init {", inner, "}")
    }
}
