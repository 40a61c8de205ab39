//! Statements that are one step.

use super::world::Ty;
use super::{Gen, Where};
use crate::tree::Piece;

impl Gen {
    /// A statement that never blocks.
    pub(super) fn effect(&mut self, at: Where) -> Piece {
        let asserts = if self.swarm.asserts { 2 } else { 0 };
        let priority = usize::from(self.swarm.priority);
        Piece::line(
            match self.rng.weighted(&[
                (10, 0),
                (3, 1),
                (1, 2),
                (asserts, 3),
                (1, 4),
                (priority, 5),
                (usize::from(self.swarm.hidden), 7),
                (usize::from(self.swarm.mtypes), 8),
                (1, 9),
                (usize::from(!self.world.inlines.is_empty() && !at.inlined), 6),
            ]) {
                0 => self.assignment(),
                1 => {
                    let (target, ty) = self.target();
                    // A wide counter in a loop makes more states than are worth comparing.
                    let narrow = matches!(ty, Ty::Bit | Ty::Bool | Ty::Unsigned(2));
                    if narrow || at.loops == 0 {
                        format!("{target}{};", self.rng.pick(&["++", "--"]))
                    } else {
                        format!("{target} = (({target} + 1) % 3);")
                    }
                }
                2 => "skip;".to_owned(),
                3 => self.assertion(),
                4 => {
                    let value = self.number(1);
                    format!("printf(\"%d\\n\", {value});")
                }
                5 => {
                    if self.rng.chance(50) {
                        format!("set_priority(_pid, {});", self.rng.between(1, 4))
                    } else {
                        format!("_priority = {};", self.rng.between(1, 4))
                    }
                }
                7 => format!("h = {};", self.number(1)),
                8 => format!("printm({});", self.value(Ty::Mtype)),
                9 => format!("_ = {};", self.number(1)),
                _ => {
                    let name = self.rng.pick(&self.world.inlines.clone()).clone();
                    let (target, _) = self.target();
                    let target = if target.contains('(') { "g0".to_owned() } else { target };
                    format!("{name}({target}, {});", self.rng.below(3))
                }
            },
        )
    }

    /// An assignment.
    pub(super) fn assignment(&mut self) -> String {
        let (target, ty) = self.target();
        format!("{target} = {};", self.value(ty))
    }

    fn assertion(&mut self) -> String {
        if self.rng.chance(40) {
            format!("assert({});", self.condition(1))
        } else {
            let value = self.number(1);
            format!("assert(({value} == {value}) || {});", self.condition(0))
        }
    }

    /// A statement that may block.
    pub(super) fn guard(&mut self, at: Where) -> Piece {
        let channels = if self.world.chans.is_empty() { 0 } else { 8 };
        // A rendez-vous cannot be sent from within a deterministic sequence.
        let rendezvous = !at.d_step;
        let timeout = usize::from(self.swarm.timeout && !at.d_step);
        let text = match self.rng.weighted(&[
            (8, 0),
            (channels, 1),
            (channels, 2),
            (2 * timeout, 3),
            (2 * usize::from(self.world.record_messages && !at.inlined), 5),
            (2, 4),
        ]) {
            0 => Some(format!("{};", self.statement_condition())),
            1 => self.send(rendezvous),
            2 => self.receive(rendezvous),
            3 => Some(match self.rng.below(3) {
                0 => format!("(timeout && {});", self.condition(0)),
                _ => "timeout;".to_owned(),
            }),
            5 => Some((*self.rng.pick(&["cr!lr;", "cr?lr;", "cr!!lr;", "cr??lr;"])).to_owned()),
            _ => Some(format!("{};", self.rng.pick(&["true", "skip", "1"]))),
        };
        match text {
            Some(text) => Piece::line(text),
            None => Piece::line(format!("{};", self.condition(1))),
        }
    }

    /// Starts a process, if there is a type to start and it is not this one.
    pub(super) fn run(&mut self, at: Where) -> Option<Piece> {
        let procs: Vec<_> = self
            .world
            .procs
            .iter()
            .filter(|p| p.pids.is_empty() || self.rng.clone().chance(30))
            .cloned()
            .collect();
        if procs.is_empty() || at.d_step || at.inlined {
            return None;
        }
        let proc = self.rng.pick(&procs).clone();
        let args: Vec<String> = proc.params.iter().map(|&ty| self.value(ty)).collect();
        let priority = if self.swarm.priority && self.rng.chance(50) {
            format!(" priority {}", self.rng.between(1, 4))
        } else {
            String::new()
        };
        let run = format!("run {}({}){priority}", proc.name, args.join(", "));
        // In a loop the number of processes is bounded by hand.
        if at.loops > 0 || self.body.labels_used {
            let inner = vec![Piece::line("(_nr_pr < 4);"), Piece::line(format!("{run};"))];
            return Some(Piece::group("atomic {", inner, "};"));
        }
        // The number of the new process goes into a plain variable: an index might depend on how
        // many processes there are.
        let (target, ty) = self.target();
        let fits = matches!(ty, Ty::Byte | Ty::Int | Ty::Short) && !target.contains('[');
        Some(if fits && self.rng.chance(30) {
            Piece::line(format!("{target} = {run};"))
        } else {
            Piece::line(format!("{run};"))
        })
    }
}
