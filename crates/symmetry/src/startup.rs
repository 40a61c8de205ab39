//! Which processes there are once everything has been started.
//!
//! Permutations act on states in which all processes are there. Before that, while some process
//! may still start others, states are what they are.

use std::collections::HashSet;
use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, Successors};
use isospin_model::{Action, Expr, FrameLayout, Model, Pid, ProcTypeId, Region, Shape};

/// No more states than this are looked at.
const MAX_STATES: usize = 20_000;
/// And they have no more bytes than this together.
const MAX_BYTES: usize = 16 << 20;

/// What is there once everything has been started.
#[derive(Clone, Debug)]
pub struct Startup {
    /// For each process type and location, whether something may be started from there.
    pub starting: Vec<Vec<bool>>,
    /// The initial state.
    pub initial: Vec<u8>,
    /// Where frames and channels are then.
    pub shape: Shape,
    /// One state in which everything has been started.
    pub sample: Vec<u8>,
    /// Other such states, at most a few.
    pub others: Vec<Vec<u8>>,
    /// Whether all such states have been seen.
    pub complete: bool,
}

impl Startup {
    /// Follows the processes that start others, and only them. `None` when they wait for others,
    /// or start different processes along different ways.
    pub fn of(model: &Arc<Model>) -> Option<Startup> {
        let starting: Vec<Vec<bool>> =
            model.proctypes.iter().map(|p| p.automaton.starting_locations()).collect();
        let mut machine = Interpreter::new(Arc::clone(model));
        let mut initial = Vec::new();
        machine.initial(&mut initial).ok()?;
        let mut shape = Shape::default();
        let (mut seen, mut bytes) = (HashSet::new(), 0);
        let mut todo = vec![(initial.clone(), None)];
        let mut settled: Vec<Vec<u8>> = Vec::new();
        let mut complete = true;
        let looks_around = looks_around(model, &starting);
        let mut steps = Successors::default();
        while let Some((state, control)) = todo.pop() {
            if !seen.insert((state.clone(), control)) {
                continue;
            }
            isospin_limits::check_many(u32::MAX);
            bytes += state.len();
            if seen.len() > MAX_STATES || bytes > MAX_BYTES {
                complete = false;
                break;
            }
            shape.read(model, &state);
            let busy = |pid: &usize| {
                let (ty, frame) = shape.frames[*pid];
                let at = model.proctypes[ty.index()].frame.location(&state, frame as usize);
                starting[ty.index()][at.index()]
            };
            let movers: Vec<usize> = (0..shape.frames.len()).filter(busy).collect();
            isospin_limits::check_many(1 + 4 * movers.len() as u32);
            if movers.is_empty() && control.is_none() {
                settled.push(state);
                continue;
            }
            steps.clear();
            match control {
                Some(pid) => {
                    machine.steps(&state, pid, false, &mut steps);
                    if steps.is_empty() {
                        todo.push((state, None));
                        continue;
                    }
                }
                None => {
                    // Others may come in between and change what the starters look at.
                    complete &= !looks_around || movers.len() == shape.frames.len();
                    movers
                        .iter()
                        .for_each(|&p| machine.steps(&state, Pid::at(p), false, &mut steps));
                }
            }
            for successor in steps.list() {
                todo.push((steps.state(successor).to_vec(), successor.control));
            }
        }
        let types = |state: &[u8]| {
            let mut shape = Shape::default();
            shape.read(model, state);
            shape
        };
        let sample = settled.first()?.clone();
        let shape = types(&sample);
        if settled.iter().any(|s| types(s).frames != shape.frames) {
            return None;
        }
        let others = settled.split_off(1);
        Some(Startup { starting, initial, shape, sample, others, complete })
    }

    /// The processes of a type.
    pub fn instances(&self, ty: ProcTypeId) -> impl Iterator<Item = usize> + '_ {
        self.shape.frames.iter().enumerate().filter(move |(_, f)| f.0 == ty).map(|(pid, _)| pid)
    }

    /// The value of a slot of a process, where it is the same however everything was started.
    pub fn constant(&self, model: &Model, pid: usize, slot: usize) -> Option<i32> {
        let (ty, frame) = self.shape.frames[pid];
        let slot = &model.proctypes[ty.index()].frame.slots[slot];
        let value = |state: &[u8]| slot.ty.load(state, (frame + slot.offset) as usize);
        let first = value(&self.sample);
        (self.complete && self.others.iter().all(|s| value(s) == first)).then_some(first)
    }

    /// The value of a slot of a process in the sample.
    pub fn value(&self, model: &Model, pid: usize, slot: usize) -> i32 {
        let (ty, frame) = self.shape.frames[pid];
        let slot = &model.proctypes[ty.index()].frame.slots[slot];
        slot.ty.load(&self.sample, (frame + slot.offset) as usize)
    }

    /// Whether everything has been started in `state`, and nothing has ended.
    #[inline]
    pub fn is_settled(&self, model: &Model, state: &[u8]) -> bool {
        if usize::from(state[model.layout.process_count as usize]) != self.shape.frames.len() {
            return false;
        }
        self.shape.frames.iter().all(|&(ty, frame)| {
            if ProcTypeId(state[(frame + FrameLayout::TYPE) as usize] as u16) != ty {
                return false;
            }
            let starting = &self.starting[ty.index()];
            let at = model.proctypes[ty.index()].frame.location(state, frame as usize);
            !starting[at.index()]
        })
    }
}

/// Whether what is started may depend on more than the variables of those who start it.
fn looks_around(model: &Model, starting: &[Vec<bool>]) -> bool {
    let mut found = false;
    for (proctype, starting) in model.proctypes.iter().zip(starting) {
        for edge in proctype.automaton.edges.iter().filter(|e| starting[e.from.index()]) {
            found |= matches!(edge.action, Action::Receive { .. } | Action::Else);
            edge.action.walk(&mut |e| {
                found |= match e {
                    Expr::Load(place) => place.region != Region::Local,
                    Expr::Const(_) | Expr::Pid | Expr::Run { .. } | Expr::ChannelId { .. } => false,
                    Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => false,
                    _ => true,
                };
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::text;

    fn startup(text: &str) -> (Arc<Model>, Option<Startup>) {
        let model = Arc::new(text::read(text).unwrap_or_else(|error| panic!("{error}")));
        let startup = Startup::of(&model);
        (model, startup)
    }

    const TWO: &str = "active main
        initial process main() {
          location 0 when run P(4) -> 1 atomic
          location 1 when run P(5) -> 2
          location 2 end skip -> 2
        }
        process P(byte me) { location 0 skip -> 0 }";

    #[test]
    fn those_who_start_others_are_followed_until_everybody_is_there() {
        let (model, startup) = startup(TWO);
        let startup = startup.expect("everybody is started");
        assert!(startup.complete);
        assert_eq!(startup.instances(ProcTypeId(1)).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(startup.constant(&model, 1, 0), Some(4));
        assert_eq!(startup.constant(&model, 2, 0), Some(5));
        assert!(startup.is_settled(&model, &startup.sample));
        let mut initial = Vec::new();
        Interpreter::new(Arc::clone(&model)).initial(&mut initial).expect("a state");
        assert!(!startup.is_settled(&model, &initial));
    }

    #[test]
    fn who_waits_for_others_or_starts_different_ones_is_not_followed() {
        let (_, waits) = startup(
            "byte x active main
             initial process main() {
               location 0 when x == 1 -> 1
               location 1 when run P() -> 2
               location 2 skip -> 2
             }
             process P() { location 0 skip -> 0 }",
        );
        assert!(waits.is_none());
        let (_, chooses) = startup(
            "active main
             initial process main() {
               location 0 when run P() -> 1
                 when run Q() -> 1
               location 1 skip -> 1
             }
             process P() { location 0 skip -> 0 }
             process Q() { location 0 skip -> 0 }",
        );
        assert!(chooses.is_none());
    }

    #[test]
    fn what_a_process_is_started_with_is_no_constant_where_it_may_differ() {
        let (model, startup) = startup(
            "active main
             initial process main() {
               byte k
               location 0 k = 1 -> 1
                 k = 2 -> 1
               location 1 when run P(k) -> 2
               location 2 skip -> 2
             }
             process P(byte me) { location 0 skip -> 0 }",
        );
        let startup = startup.expect("everybody is started");
        assert_eq!(startup.others.len(), 1);
        assert_eq!(startup.constant(&model, 1, 0), None);
    }
}
