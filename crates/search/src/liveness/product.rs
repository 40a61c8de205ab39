//! The product of a model and a property automaton, node by node.
//!
//! A node is a state of the model and a state of the automaton that is about to read it. An arc is
//! a step of the automaton together with one of the model, an atomic sequence counting as one.
//! Where the model can do nothing it stays where it is while the automaton goes on: a finite
//! execution counts as one that stutters for ever.

use std::ops::ControlFlow;
use std::sync::Arc as Shared;

use isospin_machine::{Fault, Interpreter, Machine, RuntimeError, Step};

use isospin_model::ProcTypeId;
use isospin_symmetry::Element;

use super::property::{Cube, PropertyAutomaton};
use crate::door::Door;
use crate::expand::{Expander, Movers, NoObserver, Sink};
use crate::limits::Control;
use crate::reduce::{Ample, ReductionCounts};

/// What an arc contributes: property marks, and the processes that are no reason to call a cycle
/// through it unfair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// Acceptance sets of the property.
    pub property: u64,
    /// Processes that move along the arc, and processes that cannot move where it starts.
    pub processes: Movers,
}

impl Marks {
    /// Adds what another arc contributes.
    pub fn add(&mut self, other: &Marks) {
        self.property |= other.property;
        self.processes.add(&other.processes);
    }

    /// Whether everything in `other` is contributed.
    pub fn contain(&self, other: &Marks) -> bool {
        self.missing(other) == 0
    }

    /// How much of `other` is not contributed.
    pub fn missing(&self, other: &Marks) -> u32 {
        (other.property & !self.property).count_ones() + self.processes.missing(&other.processes)
    }
}

/// An arc of the product; its node is `bytes[start..end]` of the [`Arcs`].
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    /// Where the node that it leads to starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it contributes.
    pub marks: Marks,
    /// Who moves along it; nobody when the model stutters.
    pub movers: Movers,
}

/// A stack of arcs: those of a node are pushed when it is entered and dropped when it is left.
#[derive(Debug, Default)]
pub struct Arcs {
    /// The nodes that the arcs lead to.
    pub bytes: Vec<u8>,
    /// The arcs.
    pub list: Vec<Arc>,
}

impl Arcs {
    /// Pushes a node that no arc leads to: the first.
    pub fn push(&mut self, node: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(node);
        let (marks, movers) = (Marks::default(), Movers::default());
        self.list.push(Arc { start, end: self.bytes.len(), marks, movers });
    }

    /// Drops all but the first `len` arcs.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
        self.bytes.truncate(self.list.last().map_or(0, |a| a.end));
    }

    /// The node that arc `k` leads to.
    pub fn node(&self, k: usize) -> &[u8] {
        &self.bytes[self.list[k].start..self.list[k].end]
    }

    /// How many bytes the stack takes.
    pub fn size(&self) -> u64 {
        (self.bytes.capacity() + self.list.capacity() * size_of::<Arc>()) as u64
    }
}

/// How many bytes of a node are the automaton's.
pub const TAIL: usize = 4;

/// The automaton's state in a node.
pub fn automaton_state(node: &[u8]) -> u32 {
    let tail = &node[node.len() - TAIL..];
    u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]])
}

/// The model's state in a node.
pub fn model_state(node: &[u8]) -> &[u8] {
    &node[..node.len() - TAIL]
}

/// A model and a property automaton that moves along with it.
pub struct Product<'c, M> {
    expander: Expander<'c, M, Option<Ample>>,
    evaluator: Interpreter,
    automaton: Shared<PropertyAutomaton>,
    door: Door,
    gave_up: bool,
    /// What is stored of the last node that was asked for, under symmetry.
    identity: Vec<u8>,
    followers: Followers,
    values: Vec<Option<bool>>,
    taken: Vec<(u32, u64)>,
}

/// The states of the model that follow one, with who moved.
#[derive(Default)]
struct Followers {
    bytes: Vec<u8>,
    list: Vec<(usize, usize, Movers)>,
    /// Some step could not be completed.
    runtime: bool,
}

impl Sink for Followers {
    const MOVERS: bool = true;

    fn arrive(&mut self, state: &[u8], _steps: u32, movers: &Movers) -> ControlFlow<()> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.list.push((start, self.bytes.len(), *movers));
        ControlFlow::Continue(())
    }

    fn fault(&mut self, _: ProcTypeId, _: Step, fault: Fault) -> ControlFlow<()> {
        // Assertions are a matter of safety; a step that cannot be completed leads nowhere.
        self.runtime |= matches!(fault, Fault::Runtime(_));
        ControlFlow::Continue(())
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<'c, M: Machine> Product<'c, M> {
    /// The product of what `machine` executes and `automaton`. `evaluator` evaluates atoms.
    pub(crate) fn new(
        machine: M,
        evaluator: Interpreter,
        automaton: Shared<PropertyAutomaton>,
        reducer: Option<Ample>,
        door: Door,
        control: &'c Control,
    ) -> Product<'c, M> {
        let values = vec![None; automaton.atoms.len()];
        Product {
            expander: Expander::with(machine, reducer, NoObserver, control),
            evaluator,
            automaton,
            door,
            gave_up: false,
            identity: Vec::new(),
            followers: Followers::default(),
            values,
            taken: Vec::new(),
        }
    }

    /// The machine that executes the model.
    pub(super) fn machine(&mut self) -> &mut M {
        self.expander.machine()
    }

    /// The automaton.
    pub fn automaton(&self) -> &PropertyAutomaton {
        &self.automaton
    }

    /// The part of a node that tells it apart from others.
    pub fn identity<'n>(&'n mut self, node: &'n [u8]) -> &'n [u8] {
        if !self.door.is_symmetric() {
            return &node[self.door.hidden()..];
        }
        self.identity.clear();
        self.identity.extend_from_slice(self.door.identity(model_state(node)));
        self.identity.extend_from_slice(&node[node.len() - TAIL..]);
        &self.identity
    }

    /// Whether nodes are stored up to symmetry.
    pub(super) fn is_symmetric(&self) -> bool {
        self.door.is_symmetric()
    }

    /// Notes in `control` what went wrong while representatives were looked for.
    pub(super) fn watch(&self, control: &Control) {
        self.door.watch(control);
    }

    /// Whether a node has shown that the model is not symmetric after all.
    pub(super) fn is_asymmetric(&self) -> bool {
        self.gave_up || self.door.is_broken()
    }

    /// The model is not symmetric after all.
    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
    }

    /// The permutation that takes a node to its representative.
    pub(super) fn element_of(&mut self, node: &[u8]) -> Element {
        self.door.identity(model_state(node));
        self.door.element().cloned().unwrap_or_default()
    }

    /// Whether a permutation takes one node's state to another's, apart from what does not count.
    pub(super) fn is_image(&self, node: &[u8], element: &Element, image: &[u8]) -> bool {
        self.door
            .symmetry()
            .is_some_and(|s| s.is_image(model_state(node), element, model_state(image)))
    }

    /// The first node.
    pub fn initial(&mut self) -> Result<Vec<u8>, RuntimeError> {
        let mut node = Vec::new();
        self.expander.initial(&mut node)?;
        node.extend_from_slice(&self.automaton.initial.to_le_bytes());
        Ok(node)
    }

    /// Whether a node is accepting, in an automaton whose acceptance can be read off its states.
    pub fn accepting(&mut self, node: &[u8]) -> bool {
        self.automaton.states[automaton_state(node) as usize].accepting
            || (self.automaton.accept_labels && self.expander.at_accept(model_state(node)))
    }

    /// Whether some process makes progress in a node's state.
    pub(super) fn at_progress(&self, node: &[u8]) -> bool {
        self.expander.at_progress(model_state(node))
    }

    /// Whether the automaton has run to its end.
    pub fn at_end(&self, node: &[u8]) -> bool {
        self.automaton.states[automaton_state(node) as usize].end
    }

    /// Pushes the arcs out of `node`.
    pub fn expand(&mut self, node: &[u8], arcs: &mut Arcs) {
        self.push_arcs(node, arcs, true);
    }

    /// Pushes the arcs out of `node` that partial-order reduction finds to be enough; says whether
    /// some were left out.
    pub fn expand_reduced(&mut self, node: &[u8], arcs: &mut Arcs) -> bool {
        self.push_arcs(node, arcs, false)
    }

    /// How often the reduction applied.
    pub fn reduction(&self) -> ReductionCounts {
        self.expander.reduction()
    }

    /// Finds the states that follow one. Says whether some were left out, which must not be if it
    /// is to be expanded fully.
    fn expand_model(&mut self, state: &[u8], full: bool) -> bool {
        // The sink never ends an expansion; a limit that does shows in the control.
        if !self.door.is_symmetric() {
            let _ = self.expander.expand(state, u32::MAX, &mut self.followers);
            let reduced = self.expander.is_reduced();
            if reduced && full {
                let _ = self.expander.expand_rest(state, u32::MAX, &mut self.followers);
            }
            return reduced && !full;
        }
        // States of one orbit must be reduced alike: what is chosen is chosen in the
        // representative, and carried back.
        let mut chosen = None;
        if !full {
            let representative = self.door.whole(state).to_vec();
            chosen = self.expander.choose_processes(&representative);
        }
        let ranks: Vec<u8> = match (self.door.symmetry(), self.door.element()) {
            (Some(symmetry), Some(element)) => symmetry.ranks(element).collect(),
            _ => Vec::new(),
        };
        let counts = |pid: usize| match &chosen {
            None => true,
            Some(chosen) => chosen.contains(ranks.get(pid).unwrap_or(&(pid as u8))),
        };
        let _ = self.expander.expand_chosen(state, counts, &mut self.followers);
        self.expander.is_reduced()
    }

    fn push_arcs(&mut self, node: &[u8], arcs: &mut Arcs, full: bool) -> bool {
        let state = model_state(node);
        self.take_edges(node);
        if self.taken.is_empty() {
            return false;
        }
        self.followers.bytes.clear();
        self.followers.list.clear();
        self.followers.runtime = false;
        let reduced = self.expand_model(state, full);
        let endless = self.automaton.states[automaton_state(node) as usize].endless;
        if self.followers.list.is_empty() && !self.followers.runtime && !endless {
            // Nothing can happen: the model stutters.
            let end = state.len();
            self.followers.bytes.extend_from_slice(state);
            self.followers.list.push((0, end, Movers::default()));
        }
        let still = self.automaton.states[automaton_state(node) as usize].still;
        if still {
            let moves = |m: &Movers| *m != Movers::default() && !m.has_tick();
            self.followers.list.retain(|(_, _, movers)| moves(movers));
        }
        let mut idle = self.expander.movable();
        idle.invert();
        let label = match self.automaton.accept_labels && self.expander.at_accept(state) {
            true => self.automaton.label_mark(),
            false => 0,
        };
        for &(to, edge_marks) in &self.taken {
            for &(from, until, movers) in &self.followers.list {
                let start = arcs.bytes.len();
                arcs.bytes.extend_from_slice(&self.followers.bytes[from..until]);
                arcs.bytes.extend_from_slice(&to.to_le_bytes());
                let mut marks = Marks { property: edge_marks | label, processes: idle };
                marks.processes.add(&movers);
                arcs.list.push(Arc { start, end: arcs.bytes.len(), marks, movers });
            }
        }
        reduced
    }

    /// Which processes can move in the model's state of the node expanded last.
    pub fn movable(&self) -> Movers {
        self.expander.movable()
    }

    /// Finds the edges that the automaton can take; atoms are evaluated once each, and only those
    /// that matter.
    fn take_edges(&mut self, node: &[u8]) {
        self.taken.clear();
        self.values.fill(None);
        if !self.values.is_empty() {
            self.evaluator.observe(model_state(node));
        }
        let automaton = Shared::clone(&self.automaton);
        for edge in &automaton.states[automaton_state(node) as usize].edges {
            if edge.guard.iter().any(|cube| self.holds(cube)) {
                self.taken.push((edge.to, edge.marks));
            }
        }
    }

    fn holds(&mut self, cube: &Cube) -> bool {
        cube.iter().all(|&(atom, positive)| {
            let value = match self.values[atom as usize] {
                Some(value) => value,
                None => {
                    let expr = &self.automaton.atoms[atom as usize];
                    // An atom that cannot be evaluated does not hold.
                    let value = self.evaluator.value(expr);
                    let value = value.is_ok_and(|v| v != 0);
                    self.values[atom as usize] = Some(value);
                    value
                }
            };
            value == positive
        })
    }
}
