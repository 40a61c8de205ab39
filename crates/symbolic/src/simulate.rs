//! One execution, chosen at random among all that there are.

use std::rc::Rc;
use std::sync::Arc;

use isospin_relation::Relation;

use crate::check::{room, Options, STACKS};
use crate::diagram::{Diagram, Moves, Result};
use crate::engine::Engine;
use crate::order::Order;
use crate::report::Trace;
use crate::witness::{Path, Point};

/// An execution of at most so many steps; it has fewer where a state has no successor, and no state
/// where none is initial. Nothing if there was no room for the diagrams.
pub fn simulate(relation: &Arc<Relation>, steps: u64, seed: u64) -> Option<Trace> {
    STACKS.iter().find_map(|size| {
        let relation = Arc::clone(relation);
        let job = move || execute(&relation, steps, Random(seed | 1)).ok();
        let thread =
            std::thread::Builder::new().name("symbolic".into()).stack_size(*size).spawn(job);
        thread.ok().map(|thread| thread.join().ok().flatten())
    })?
}

fn execute(relation: &Arc<Relation>, steps: u64, mut random: Random) -> Result<Trace> {
    let bits = relation.variables.iter().map(|v| v.domain.bits()).sum();
    let room = room(&Options::default(), bits);
    let order = Order::declared(relation);
    let engine =
        Engine::new(Arc::clone(relation), &order, 0, room, Moves::WhenLarge, Rc::new(|| false))?;
    let system = &engine.system;
    let mut path = Path::default();
    path.points.extend(random.point(&engine, &system.init));
    for _ in 0..steps {
        let Some(last) = path.points.last() else { break };
        let next = system.image(&system.only(last)?)?;
        let Some(point) = random.point(&engine, &next) else { break };
        system.follow(&mut path, &[point])?;
    }
    Ok(path.trace(relation, &engine.encoding))
}

/// Numbers in no order that anybody knows: xorshift.
struct Random(u64);

impl Random {
    fn coin(&mut self) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 40 & 1 == 1
    }

    /// Some state of a set: bit by bit, so that not all are equally likely.
    fn point(&mut self, engine: &Engine, set: &Diagram) -> Option<Point> {
        let system = &engine.system;
        let inside = system.diagrams.and(set, &system.states).ok()?;
        system.diagrams.pick_by(&inside, &mut || self.coin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::is_execution;

    #[test]
    fn what_is_simulated_is_an_execution() {
        let text = "MODULE main VAR x : 0..4; IVAR i : boolean;
            ASSIGN init(x) := {0, 1}; next(x) := i ? (x + 1) mod 5 : {0, x};";
        let path = std::path::Path::new("m.smv");
        let options = isospin_smv::Options::default();
        let relation = isospin_smv::read(path, text.as_bytes().to_vec(), &options).relation;
        let relation = Arc::new(relation.expect("a relation"));
        for seed in 1..20 {
            let trace = simulate(&relation, 9, seed * 77_777).expect("an execution");
            assert_eq!(trace.states.len(), 10);
            assert_eq!(is_execution(&relation, &trace), Ok(()));
        }
    }
}
