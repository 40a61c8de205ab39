//! From a stored state to the storable states that follow it.
//!
//! A step inside an atomic sequence leads to a state that is not stored: only the process in
//! control goes on from it. So the successors of a stored state lie at the ends of *chains* of
//! steps, which [`Expander`] walks. A chain ends where control is given up, or where the process in
//! control cannot move: then atomicity is lost and the state is storable after all.
//!
//! This is the only place in the crate that knows these rules, except for
//! [`trail`](crate::trail), which has its own version on purpose; so has the replayer.

mod chain;
mod frames;
mod movers;
mod reached;
mod reducer;

use std::ops::ControlFlow;

use isospin_machine::{Fault, Machine, RuntimeError, Step, Successors};
use isospin_model::{LocationId, Pid, ProcTypeId, Urgency};

use crate::limits::Control;
use chain::Chain;
use frames::Frames;
pub use movers::Movers;
pub use reached::Reached;
pub use reducer::{Group, NoReduction, Reducer, ReductionCounts};

/// What is done with the findings of an expansion. `Break` ends the expansion.
pub trait Sink {
    /// Whether the sink wants to know who moved; without it, [`arrive`](Self::arrive) is told
    /// nothing about that.
    const MOVERS: bool = false;

    /// A storable state was reached, `steps` steps from the expanded one, by steps of `movers`.
    /// Called once per arrival, for states known already as well.
    fn arrive(&mut self, state: &[u8], steps: u32, movers: &Movers) -> ControlFlow<()>;

    /// A step went wrong, somewhere on the way. `proctype` is the type of the process that took
    /// it.
    fn fault(&mut self, proctype: Option<ProcTypeId>, step: Step, fault: Fault) -> ControlFlow<()>;

    /// Nothing can happen in the expanded state, and some process may not end where it stands.
    fn invalid_end(&mut self) -> ControlFlow<()>;

    /// An atomic sequence can go round for ever: a process of this type comes back to this location
    /// without having given up control.
    fn endless(&mut self, proctype: ProcTypeId, location: LocationId) -> ControlFlow<()>;
}

/// Expands states on a machine. Holds every buffer that it needs, so that nothing is allocated per
/// state once it has seen a few.
pub struct Expander<'c, M, R = NoReduction> {
    machine: M,
    reducer: R,
    control: &'c Control,
    /// Whether the model has timers or clocks.
    timed: bool,
    /// Whether time passes beside other steps.
    open: bool,
    frames: Frames,
    reached: Reached,
    steps: Successors,
    /// Who takes which steps; only where a reducer wants to know.
    groups: Vec<Group>,
    /// Under symmetry, for each process the first one that can do the same, renamed. Only that
    /// one's steps are followed; where the reducer chooses, those of one of them that it chose.
    twins: Vec<u8>,
    /// The groups that the reducer chose; empty when all steps are taken.
    chosen: Vec<usize>,
    chain: Chain,
}

impl<'c, M: Machine, R: Reducer> Expander<'c, M, R> {
    /// An expander that follows the steps that `reducer` chooses.
    pub(crate) fn new(machine: M, reducer: R, control: &'c Control) -> Self {
        let model = machine.model();
        Expander {
            timed: model.time.is_some(),
            open: model.time.as_ref().is_some_and(|t| t.open),
            frames: Frames::new(model),
            reached: Reached::new(model),
            machine,
            reducer,
            control,
            steps: Successors::default(),
            groups: Vec::new(),
            chosen: Vec::new(),
            twins: Vec::new(),
            chain: Chain::default(),
        }
    }

    /// Writes the initial state into `state`.
    pub fn initial(&mut self, state: &mut Vec<u8>) -> Result<(), RuntimeError> {
        self.machine.initial(state)
    }

    /// Where it is said which processes can do the same in the state that is expanded next.
    pub(crate) fn twins(&mut self) -> &mut Vec<u8> {
        &mut self.twins
    }

    /// The machine.
    pub(crate) fn machine(&mut self) -> &mut M {
        &mut self.machine
    }

    /// How far a search may go.
    pub(crate) fn control(&self) -> &Control {
        self.control
    }

    /// The machine alone.
    pub(crate) fn into_machine(self) -> M {
        self.machine
    }

    /// Which processes can move in the state expanded last.
    pub fn movable(&self) -> Movers {
        let mut movable = Movers::default();
        // Whoever only receives in a rendez-vous can move as well.
        for successor in self.steps.list() {
            movable.insert_step(&successor.step);
        }
        movable
    }

    /// Whether some process of `state` stands at an accepting location.
    pub fn at_accept(&self, state: &[u8]) -> bool {
        self.frames.any_location(self.machine.model(), state, |l| l.accept)
    }

    /// Whether some process of `state` stands at a location that counts as progress.
    pub fn at_progress(&self, state: &[u8]) -> bool {
        self.frames.any_location(self.machine.model(), state, |l| l.progress)
    }

    /// Which edges were taken.
    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    /// Finds what follows `state`: everything, unless the reducer finds less to be enough, see
    /// [`is_reduced`](Self::is_reduced). Paths may have `room` more steps.
    #[inline]
    pub fn expand<S: Sink>(&mut self, state: &[u8], room: u32, sink: &mut S) -> ControlFlow<()> {
        self.find_choice(state);
        self.expand_choice(state, room, sink)
    }

    /// Who takes the steps that are enough in `state`, by number; `None` for everybody.
    pub(crate) fn choose_processes(&mut self, state: &[u8]) -> Option<Vec<u8>> {
        self.find_choice(state);
        let pid = |&k: &usize| self.groups[k].pid as u8;
        self.is_reduced().then(|| self.chosen.iter().map(pid).collect())
    }

    /// Finds what follows `state`, with the steps of those processes only that `counts` says.
    pub(crate) fn expand_chosen<S: Sink>(
        &mut self,
        state: &[u8],
        counts: impl Fn(usize) -> bool,
        sink: &mut S,
    ) -> ControlFlow<()> {
        self.find_steps(state);
        self.chosen.clear();
        let chosen = (0..self.groups.len()).filter(|&k| counts(self.groups[k].pid));
        self.chosen.extend(chosen);
        if self.chosen.len() == self.groups.len() {
            self.chosen.clear();
        }
        self.expand_choice(state, u32::MAX, sink)
    }

    /// Whether a process is the first of those that can do the same.
    fn is_first(&self, step: Step) -> bool {
        let first = |pid: Pid| self.twins.get(pid.index()).is_none_or(|&twin| twin == pid.0);
        step.pid().is_none_or(first)
    }

    /// Whether a group was chosen that can do the same as one that was chosen before it.
    fn is_repeated(&self, group: usize) -> bool {
        let twin = |g: usize| self.twins.get(self.groups[g].pid);
        let before = self.chosen.iter().filter(|&&g| g < group);
        twin(group).is_some() && before.into_iter().any(|&g| twin(g) == twin(group))
    }

    #[inline]
    fn find_choice(&mut self, state: &[u8]) {
        let timeout = self.find_steps(state);
        self.chosen.clear();
        // Where time may pass, it depends on all steps that can be taken.
        let passing = self.open && self.steps.list().last().is_some_and(|s| s.step.is_time());
        if R::ACTIVE && !timeout && !passing && !self.steps.is_empty() {
            self.choose(state);
            if self.open && !self.keeps_time() {
                self.chosen.clear();
            }
        }
    }

    /// Whether some step of the groups that were chosen keeps time from passing for as long as none
    /// of their steps is taken: nobody outside disturbs it. Otherwise time may pass before they are,
    /// and they depend on that.
    fn keeps_time(&self) -> bool {
        self.chosen.iter().any(|&g| {
            let group = self.groups[g];
            if group.pid == movers::NOBODY {
                return false;
            }
            let edges =
                &self.machine.model().proctype(self.frames.proctype(group.pid)).automaton.edges;
            let steps = &self.steps.list()[group.from..group.to];
            steps.iter().filter_map(|s| s.step.process()).any(|step| {
                edges.get(step.edge.index()).is_none_or(|e| e.urgency == Urgency::Eager)
            })
        })
    }

    #[inline]
    fn expand_choice<S: Sink>(&mut self, state: &[u8], room: u32, sink: &mut S) -> ControlFlow<()> {
        if self.steps.is_empty() {
            if self.frames.may_end(self.machine.model(), state) {
                return ControlFlow::Continue(());
            }
            return sink.invalid_end();
        }
        if !self.is_reduced() {
            for k in 0..self.steps.len() {
                if self.twins.is_empty() || self.is_first(self.steps.list()[k].step) {
                    self.follow(k, room, sink)?;
                }
            }
            return ControlFlow::Continue(());
        }
        self.follow_groups(true, room, sink)
    }

    /// Whether the last expansion left steps out.
    #[inline]
    pub fn is_reduced(&self) -> bool {
        R::ACTIVE && !self.chosen.is_empty()
    }

    /// Finds some of what the last expansion of `state` left out; everything if nothing less is
    /// enough, see [`is_reduced`](Self::is_reduced).
    pub fn expand_more<S: Sink>(
        &mut self,
        state: &[u8],
        room: u32,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let (model, known) = (self.machine.model(), self.chosen.len());
        let (steps, groups) = (&self.steps, &self.groups);
        let more = self.reducer.choose_more(model, state, steps, groups, &self.chosen);
        let Some(more) = more else {
            self.expand_rest(room, sink)?;
            self.chosen.clear();
            return ControlFlow::Continue(());
        };
        self.chosen.extend_from_slice(more);
        for k in known..self.chosen.len() {
            let group = self.groups[self.chosen[k]];
            for step in group.from..group.to {
                self.follow(step, room, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Finds what the last expansion left out.
    pub fn expand_rest<S: Sink>(&mut self, room: u32, sink: &mut S) -> ControlFlow<()> {
        self.reducer.revoke();
        // The steps of the last expansion are still there.
        self.follow_groups(false, room, sink)
    }

    /// How often the reducer applied.
    pub fn reduction(&self) -> ReductionCounts {
        self.reducer.counts()
    }

    fn choose(&mut self, state: &[u8]) {
        let model = self.machine.model();
        if let Some(groups) = self.reducer.choose(model, state, &self.steps, &self.groups) {
            self.chosen.extend_from_slice(groups);
        }
    }

    /// Follows the steps of the chosen groups, or of all others.
    fn follow_groups<S: Sink>(&mut self, chosen: bool, room: u32, sink: &mut S) -> ControlFlow<()> {
        for g in 0..self.groups.len() {
            if self.chosen.contains(&g) == chosen && !(chosen && self.is_repeated(g)) {
                for k in self.groups[g].from..self.groups[g].to {
                    self.follow(k, room, sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Fills `steps`, and `groups` for a reducer: what each process can do, the youngest process
    /// first. Where nothing can happen time passes, and what waits for `timeout` is looked at only
    /// when that cannot happen either; says whether it came to that.
    #[inline]
    fn find_steps(&mut self, state: &[u8]) -> bool {
        self.frames.read(state);
        self.steps.clear();
        for timeout in [false, true] {
            if timeout && self.timed {
                // A tick is never taken beside another step, so no reduction can leave it out
                // or take it too early [Bosnacki 2001, chapter 4, lemma 1].
                self.machine.tick(state, &mut self.steps);
                if !self.steps.is_empty() {
                    return true;
                }
            }
            // All processes at once: a machine has to look at the state only once.
            self.machine.all_steps(state, timeout, &mut self.steps);
            if !self.steps.is_empty() {
                if self.open && !timeout {
                    self.machine.tick_beside(state, &mut self.steps);
                }
                if R::ACTIVE {
                    self.find_groups();
                }
                return timeout;
            }
        }
        true
    }

    /// Fills `groups`: the steps of a process lie side by side.
    fn find_groups(&mut self) {
        self.groups.clear();
        for (k, successor) in self.steps.list().iter().enumerate() {
            let pid = successor.step.pid().map_or(movers::NOBODY, Pid::index);
            match self.groups.last_mut() {
                Some(group) if group.pid == pid => group.to = k + 1,
                _ => self.groups.push(Group { pid, from: k, to: k + 1 }),
            }
        }
    }

    /// Takes step `k` and follows it to the storable states that it leads to.
    #[inline]
    fn follow<S: Sink>(&mut self, k: usize, room: u32, sink: &mut S) -> ControlFlow<()> {
        let successor = self.steps.list()[k];
        let step = successor.step;
        let mut proctype = None;
        if let Step::Process(by) = step {
            let ty = self.frames.proctype(by.pid.index());
            self.reached.take(ty, by.edge);
            if let Some(partner) = by.partner {
                self.reached.take(self.frames.proctype(partner.pid.index()), partner.edge);
            }
            proctype = Some(ty);
        }
        if let Some(fault) = successor.fault {
            sink.fault(proctype, step, fault)?;
            if matches!(fault, Fault::Runtime(_)) {
                return ControlFlow::Continue(());
            }
        }
        let next = self.steps.state(&successor);
        let mut movers = Movers::default();
        if S::MOVERS {
            movers.insert_step(&step);
        }
        match successor.control {
            None => sink.arrive(next, 1, &movers),
            Some(pid) => {
                self.chain.begin(next, pid, movers);
                self.walk_chain(room, sink)
            }
        }
    }
}
