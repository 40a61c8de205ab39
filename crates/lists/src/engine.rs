//! Everything that an exploration keeps.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_machine::{Fault, Machine};
use isospin_model::{EdgeId, Model, ProcTypeId};
use isospin_store::Budget;

use crate::diagram::{Count, List, Lists, Stop};
use crate::explore::MOST_LEVELS;
use crate::group::Groups;
use crate::space::{Ranks, Space};
use crate::values::Values;
use crate::{Options, Stage};

/// Why an exploration does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// A limit.
    Stop(Stop),
    /// Something goes wrong, and that was all that was asked.
    Met,
    /// Steps look at more than they were thought to.
    Mistaken,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// A set of states: a list for each space.
pub(crate) type States = Vec<List>;

/// How often progress is told at most.
const INTERVAL: Duration = Duration::from_millis(100);

/// An exploration.
pub(crate) struct Engine<'e, M> {
    pub model: Arc<Model>,
    pub machine: M,
    pub options: &'e Options,
    pub lists: Lists,
    pub values: Values,
    pub ranks: Ranks,
    pub spaces: Vec<Space>,
    pub groups: Vec<Groups>,
    numbers: HashMap<Vec<ProcTypeId>, usize>,
    /// The states that have been reached.
    pub reached: States,
    /// What a set had become when its saturation came to an early end.
    pub so_far: Option<List>,
    /// Sets that are still needed, beside those of groups.
    pub held: Vec<States>,
    /// The states among them in which nothing can happen and somebody may not end.
    pub dead: States,
    /// Whether something goes wrong.
    pub met: bool,
    /// Whether that ends the exploration.
    pub first_only: bool,
    /// Whether every step is taken to look at everything.
    pub wide: bool,
    /// Whether groups are made wherever processes stand.
    pub anywhere: bool,
    /// The edges that were taken.
    pub taken: HashSet<(ProcTypeId, EdgeId)>,
    pub iterations: u64,
    halt: Arc<AtomicBool>,
    tell: &'e dyn Fn(Stage),
    told: Instant,
}

impl<'e, M: Machine> Engine<'e, M> {
    /// Nothing explored yet.
    pub fn new(
        machine: M,
        options: &'e Options,
        ranks: Ranks,
        (budget, halt): (Arc<Budget>, Arc<AtomicBool>),
        tell: &'e dyn Fn(Stage),
    ) -> Result<Self, Halt> {
        Ok(Engine {
            model: Arc::new(machine.model().clone()),
            machine,
            options,
            lists: Lists::new(budget, Arc::clone(&halt))?,
            values: Values::default(),
            ranks,
            spaces: Vec::new(),
            groups: Vec::new(),
            numbers: HashMap::new(),
            reached: Vec::new(),
            so_far: None,
            held: Vec::new(),
            dead: Vec::new(),
            met: false,
            first_only: options.first_only,
            wide: false,
            anywhere: false,
            taken: HashSet::new(),
            iterations: 0,
            halt,
            tell,
            told: Instant::now(),
        })
    }

    /// The space of states with such processes.
    pub fn space(&mut self, types: Vec<ProcTypeId>) -> usize {
        if let Some(&known) = self.numbers.get(&types) {
            return known;
        }
        let number = self.spaces.len();
        let space = Space::new(&self.model, types.clone(), &mut self.ranks);
        self.groups.push(Groups::new(&self.model, &space));
        self.spaces.push(space);
        self.numbers.insert(types, number);
        self.reached.push(List::EMPTY);
        self.add_ticks(number);
        number
    }

    /// Refuses a space whose states have more values than operations can go down.
    pub fn refuse_deep(&self, s: usize) -> Result<(), Halt> {
        if self.spaces[s].levels() > MOST_LEVELS {
            return Err(Stop::Memory.into());
        }
        Ok(())
    }

    /// The set of one state.
    pub fn single(&mut self, state: &[u8]) -> Result<(usize, List), Halt> {
        let s = self.space(Space::types_of(&self.model, state));
        self.refuse_deep(s)?;
        let vector = self.spaces[s].encode(state, &mut self.values);
        Ok((s, self.lists.single(&vector)?))
    }

    /// Adds to one of several sets.
    pub fn add(&mut self, all: &mut States, s: usize, list: List) -> Result<(), Halt> {
        if all.len() <= s {
            all.resize(s + 1, List::EMPTY);
        }
        all[s] = self.lists.union(all[s], list)?;
        Ok(())
    }

    /// Adds to what has been reached what is new in `next`, and says what that is.
    pub fn reach(&mut self, mut next: States) -> Result<States, Halt> {
        for (s, new) in next.iter_mut().enumerate() {
            *new = self.lists.minus(*new, self.reached[s])?;
            self.reached[s] = self.lists.union(self.reached[s], *new)?;
        }
        Ok(next)
    }

    /// Whether a step that goes wrong is a violation.
    pub fn counts(&self, fault: Fault) -> bool {
        fault != Fault::Assertion || self.options.assertions
    }

    /// How many states there are in a set, not counting what does not tell states apart.
    pub fn count(&mut self, states: &States) -> Result<Count, Halt> {
        let mut sum = Count::default();
        for (s, list) in states.iter().enumerate() {
            let mut list = *list;
            let space = &self.spaces[s];
            if !space.hidden.is_empty() {
                let mut keep = vec![crate::diagram::Keep::Yes; space.levels()];
                space.hidden.iter().for_each(|&slot| keep[slot] = crate::diagram::Keep::No);
                let plan = self.lists.projection(&keep);
                list = self.lists.project(list, plan, 0)?;
            }
            sum.add(&self.lists.count(list));
        }
        Ok(sum)
    }

    /// Frees what is not needed, if it is time to; what is in nobody's hands but the caller's is
    /// given.
    pub fn tidy(&mut self, held: &[&States]) {
        if !self.lists.is_due() {
            return;
        }
        let mut roots: Vec<List> = Vec::new();
        let sets = held.iter().copied().chain([&self.reached, &self.dead]).chain(&self.held);
        sets.for_each(|set| roots.extend(set));
        for groups in &self.groups {
            roots.extend(groups.templates.iter().map(|t| t.seen));
            for group in &groups.groups {
                roots.extend([group.seen, group.domain, group.relation]);
                roots.extend(group.crossings.iter().map(|c| c.relation));
                roots.extend(group.failing.values());
            }
        }
        self.lists.collect(roots);
    }

    /// Looks whether it is time to stop, and tells how far it is now and then.
    pub fn look_around(&mut self) -> Result<(), Halt> {
        if self.halt.load(Ordering::Relaxed) {
            return Err(Stop::Asked.into());
        }
        if Instant::now().saturating_duration_since(self.told) >= INTERVAL {
            let began = Instant::now();
            let mut states = Count::default();
            for list in &self.reached {
                states.add(&self.lists.count(*list));
            }
            (self.tell)(Stage {
                iterations: self.iterations,
                nodes: self.lists.nodes() as u64,
                states,
                bytes: self.lists.budget().used(),
            });
            // Large sets take long to count: that is not to be felt.
            self.told = Instant::now() + 20 * began.elapsed();
        }
        Ok(())
    }
}
