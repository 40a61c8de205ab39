//! Depth-first search on one thread.
//!
//! The stack holds real states, packed. Its top is expanded, all successors are looked up together,
//! and the new ones are pushed. To have enough look-ups under way at once to hide the latency of
//! memory, not one state is expanded at a time but a *group*: a few siblings from the top of the
//! stack. The groups that are expanded and not finished, with every state's position of its parent,
//! are the path.
//!
//! With partial-order reduction the stack also tells when nothing would be put off for ever (C3): a
//! state of whose chosen steps none leads to a state that is new, that is *finished* with
//! everything above it, or that was expanded fully itself, gets more steps, in the end all. A group
//! is finished once everything above it is. New and finished states are finished before the state
//! itself is, so from a state where steps were put off one gets to states that are finished earlier
//! and earlier, and in the end to one where nothing was. What was put off can still be taken there.
//! A state that is not expanded fully is the last of its group: if it has to get more steps, they
//! are at hand.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use isospin_machine::Machine;
use isospin_store::{Answer, Keep, Marks, OutOfMemory, StateSet};

use super::arrivals::Arrivals;
use super::context::{Context, Prepared, Run};
use super::frontier::Frontier;
use super::gatherer::{Gatherer, ENOUGH_LOOK_UPS, MAX_GROUP, MAX_LOOK_UPS};
use super::path::Path;
use super::tracing::{self, Failure};
use crate::expand::{Expander, Reducer};
use crate::limits::{Control, Progress, Watch};
use crate::marks::depth_first::{FINISHED, FULL};
use crate::options::Options;
use crate::result::Violation;

/// What the stack knows of a state.
trait Link<I>: Copy {
    fn new(parent: u32, id: I) -> Self;

    /// The position of the state that it was reached from.
    fn parent(self) -> u32;

    /// Which one it is, where that is needed.
    fn id(self) -> Option<I>;
}

/// Without reduction.
impl<I> Link<I> for u32 {
    #[inline]
    fn new(parent: u32, _: I) -> u32 {
        parent
    }

    #[inline]
    fn parent(self) -> u32 {
        self
    }

    #[inline]
    fn id(self) -> Option<I> {
        None
    }
}

/// With reduction.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct ParentAndId<I>(u32, I);

impl<I: Copy> Link<I> for ParentAndId<I> {
    #[inline]
    fn new(parent: u32, id: I) -> Self {
        ParentAndId(parent, id)
    }

    #[inline]
    fn parent(self) -> u32 {
        self.0
    }

    #[inline]
    fn id(self) -> Option<I> {
        Some(self.1)
    }
}

/// An expanded group: the `len` states before `first` on the stack, whose new successors lie from
/// there on.
#[derive(Clone, Copy)]
struct Level {
    first: u32,
    len: u8,
    /// Whether steps of the state at its beginning were put off. Of the others none were.
    reduced: bool,
}

impl Level {
    /// Where the group begins.
    fn group(self) -> usize {
        self.first as usize - self.len as usize
    }
}

pub(super) fn search<S: Marks, M: Machine, F: Fn() -> M, R: Reducer>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    if R::ACTIVE {
        search_with::<S, M, F, R, ParentAndId<S::Id>>(machines, reducer, options, control, progress)
    } else {
        search_with::<S, M, F, R, u32>(machines, reducer, options, control, progress)
    }
}

fn search_with<S: Marks, M: Machine, F: Fn() -> M, R: Reducer, L: Link<S::Id>>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    let keep = Keep { parents: false, mark_bytes: u8::from(R::ACTIVE) };
    let prepared = Context::<S, _>::prepare(machines(), keep, 1, options, control);
    let Prepared { machine, initial, context } = match prepared {
        Ok(prepared) => prepared,
        Err(run) => return *run,
    };
    let mut expander = Expander::new(machine, reducer, control);
    let mut watch = Watch::new(control, Some(progress));
    let mut tick = || watch.tick(|| context.progress());
    let path: StackPath<'_, S, F, L> = StackPath {
        machines,
        set: &context.set,
        current: 0,
        id: None,
        good: false,
        unsure: Vec::new(),
        first_new: 0,
        _link: PhantomData,
    };
    let mut gatherer = context.gatherer(0, path, MAX_LOOK_UPS);
    let flow = run(&mut gatherer, &mut expander, &initial, &mut tick);
    drop(gatherer);
    let (reached, reduction) = (expander.reached().clone(), expander.reduction());
    context.finish(reached, reduction, flow.is_continue(), |_, _, violation| violation)
}

fn run<S: Marks, M: Machine, F: Fn() -> M, R: Reducer, L: Link<S::Id>>(
    gatherer: &mut Gatherer<'_, S, StackPath<'_, S, F, L>>,
    expander: &mut Expander<'_, M, R>,
    initial: &[u8],
    tick: &mut impl FnMut() -> bool,
) -> ControlFlow<()> {
    let mut levels: Vec<Level> = Vec::new();
    let mut state = Vec::new();
    gatherer.start(initial)?;
    loop {
        let first = levels.last().map_or(0, |level| level.first as usize);
        let end = gatherer.frontier.len();
        if end == first {
            let Some(level) = levels.pop() else {
                return ControlFlow::Continue(());
            };
            finish(gatherer, level);
            continue;
        }
        gatherer.afford(gatherer.control.budget.reserve(&mut levels, 1))?;
        gatherer.path.first_new = end;
        let Ok(next) = u32::try_from(end) else {
            return gatherer.afford(Err(OutOfMemory));
        };
        let (mut group, mut reduced) = (end, false);
        while !reduced
            && group > first
            && end - group < MAX_GROUP
            && !gatherer.arrivals.are_enough(ENOUGH_LOOK_UPS)
        {
            group -= 1;
            gatherer.path.begin(group as u32, gatherer.frontier.tag(group));
            gatherer.arrivals.unpack(&gatherer.frontier, group, &mut state);
            reduced = gatherer.expand(expander, &state, gatherer.frontier.depth(group))?;
            if tick() {
                return ControlFlow::Break(());
            }
        }
        gatherer.look_up()?;
        levels.push(Level { first: next, len: (end - group) as u8, reduced });
    }
}

/// A group is done with, and everything above it. What was expanded fully is as good as finished
/// already.
fn finish<S: Marks, M: Machine, F: Fn() -> M, L: Link<S::Id>>(
    gatherer: &mut Gatherer<'_, S, StackPath<'_, S, F, L>>,
    level: Level,
) {
    if level.reduced {
        let id = gatherer.frontier.tag(level.group()).id();
        gatherer.path.mark(id, FINISHED);
    }
    gatherer.frontier.truncate(level.group());
}

/// The state that is being expanded; the way to it is on the stack.
struct StackPath<'s, S: StateSet, F, L> {
    machines: &'s F,
    set: &'s S,
    /// Its position, and which one it is, where that is needed.
    current: u32,
    id: Option<S::Id>,
    /// Whether it leads to a state that is new, finished or expanded fully, and where else.
    good: bool,
    unsure: Vec<S::Id>,
    /// The states on the stack from here on are new with its group.
    first_new: usize,
    _link: PhantomData<L>,
}

impl<S: Marks, F, L: Link<S::Id>> StackPath<'_, S, F, L> {
    #[inline]
    fn begin(&mut self, current: u32, link: L) {
        self.current = current;
        self.id = link.id();
        self.good = false;
        self.unsure.clear();
    }

    fn mark(&self, id: Option<S::Id>, mark: u8) {
        if let Some(id) = id {
            self.set.change_marks(id, 0, mark, 0);
        }
    }
}

impl<S: Marks, M: Machine, F: Fn() -> M, L: Link<S::Id>> Path<S> for StackPath<'_, S, F, L> {
    type From = u32;
    type Tag = L;
    type Witness = Violation;

    #[inline]
    fn current(&self) -> u32 {
        self.current
    }

    #[inline]
    fn parent(&self) -> Option<S::Id> {
        None
    }

    #[inline]
    fn arrive(&mut self, from: u32, answer: Answer<S::Id>) -> L {
        let link = L::new(from, answer.id);
        if link.id().is_some() && from == self.current && !self.good {
            let marks = || self.set.marks(answer.id, 0);
            self.good = answer.new || marks() & (FINISHED | FULL) != 0;
            if !self.good {
                self.unsure.push(answer.id);
            }
        }
        link
    }

    fn set_full(&mut self) {
        self.good = true;
        self.mark(self.id, FULL);
    }

    /// Whether it leads to a state that will be finished before it or was expanded fully.
    fn may_put_off(&mut self, stack: &Frontier<L>) -> bool {
        let new = |id| (self.first_new..stack.len()).any(|k| stack.tag(k).id() == Some(id));
        self.good = self.good || self.unsure.drain(..).any(new);
        self.good
    }

    /// The steps along the stack: when the search goes on, it is gone.
    fn witness(
        &mut self,
        arrivals: &mut Arrivals<'_, S, u32>,
        stack: &Frontier<L>,
        failure: Failure,
    ) -> Option<Violation> {
        let mut positions = vec![self.current as usize];
        while let Some(at @ 1..) = positions.last().copied() {
            positions.push(stack.tag(at).parent() as usize);
        }
        let mut state = Vec::new();
        let path = positions.iter().rev().map(|&k| {
            arrivals.unpack(stack, k, &mut state);
            state.clone()
        });
        Some(tracing::along_states(&mut (self.machines)(), path, failure))
    }
}
