//! Breadth-first search on one thread, level by level. The states of one level lie in one frontier
//! while those of the next are gathered in another; paths are kept as parents in the set.

use std::ops::ControlFlow;

use isospin_machine::Machine;
use isospin_store::{Keep, Marks, Parents};

use super::context::{Context, Prepared, Run};
use super::findings::Site;
use super::frontier::Frontier;
use super::gatherer::Gatherer;
use super::parents::ParentPath;
use super::tracing;
use crate::expand::{Expander, Reducer};
use crate::limits::{Control, Progress, Watch};
use crate::options::Options;

/// How many look-ups are made together.
const LOOK_UPS: usize = 64;

/// Searches; with `only`, counts nothing but violations of that site.
pub(super) fn search<S: Marks + Parents, M: Machine, F: Fn() -> M, R: Reducer>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
    only: Option<Site>,
) -> Run {
    let keep = Keep { parents: true, mark_bytes: u8::from(R::ACTIVE) };
    let prepared = Context::<S, _>::prepare(machines(), keep, 1, options, control);
    let Prepared { machine, initial, context } = match prepared {
        Ok(prepared) => prepared,
        Err(run) => return *run,
    };
    let context = context.only(only);
    let mut expander = Expander::new(machine, reducer, control);
    let mut watch = Watch::new(control, Some(progress));
    let mut tick = || watch.tick(|| context.progress());
    let mut gatherer = context.gatherer(0, ParentPath::new(&context.set), LOOK_UPS);
    let flow = run(&mut gatherer, &mut expander, &initial, &mut tick);
    drop(gatherer);
    let (reached, reduction) = (expander.reached().clone(), expander.reduction());
    context.finish(reached, reduction, flow.is_continue(), |set, door, (last, failure)| {
        tracing::along_parents(expander.machine(), set, door, last, failure)
    })
}

fn run<S: Marks, M: Machine, R: Reducer>(
    gatherer: &mut Gatherer<'_, S, ParentPath<'_, S>>,
    expander: &mut Expander<'_, M, R>,
    initial: &[u8],
    tick: &mut impl FnMut() -> bool,
) -> ControlFlow<()> {
    let mut level = Frontier::default();
    let mut state = Vec::new();
    gatherer.start(initial)?;
    while !gatherer.frontier.is_empty() {
        std::mem::swap(&mut level, &mut gatherer.frontier);
        gatherer.frontier.clear();
        for k in 0..level.len() {
            gatherer.path.begin(level.tag(k), R::ACTIVE);
            gatherer.arrivals.unpack(&level, k, &mut state);
            gatherer.expand(expander, &state, level.depth(k))?;
            if tick() {
                return ControlFlow::Break(());
            }
        }
        gatherer.look_up()?;
    }
    ControlFlow::Continue(())
}
