//! What is asked of infinite executions, as an automaton that accepts the *bad* ones.
//!
//! | file | what it does |
//! | --- | --- |
//! | `coarse.rs` | formulas with as few atoms as possible |
//! | `claim.rs` | never claims as automata |
//! | `stutter.rs` | automata that are known not to count steps |
//! | `invariants.rs` | several invariants as one automaton |
//! | `renamed.rs` | automata that are the same again when their atoms change places |
//! | `strength.rs` | which parts of an automaton need no second search |

mod claim;
mod coarse;
mod invariants;
mod renamed;
mod strength;
mod stutter;

use std::collections::HashMap;

pub use coarse::coarse;
use isospin_logic::{translate, AtomTable, Buchi, Error, GeneralizedBuchi, Label, Limits};
use isospin_model::{BinaryOp, Expr, Temporal, UnaryOp};
pub(super) use strength::{components, Strength};

/// A conjunction of atoms that must hold and atoms that must not, by index.
pub type Cube = Vec<(u16, bool)>;

/// An edge of a property automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyEdge {
    /// It can be taken where one of these holds.
    pub guard: Vec<Cube>,
    /// Where it leads.
    pub to: u32,
    /// The acceptance sets that it belongs to, one bit each.
    pub marks: u64,
}

/// Why arriving at a state of a property automaton is a violation by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A never claim has run to its end, or one of its assertions has failed.
    Claim,
    /// What the property asks cannot be evaluated in the state that was read last.
    Unreadable,
    /// From the state that was read last an atomic sequence goes round for ever, in a way that the
    /// automaton accepts.
    Divergence,
}

/// A state of a property automaton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PropertyState {
    /// Its edges.
    pub edges: Vec<PropertyEdge>,
    /// Whether it is accepting, in an automaton with accepting states.
    pub accepting: bool,
    /// Whether arriving here is a violation by itself, and why.
    pub end: Option<End>,
    /// Whether it goes on from here only with steps of processes: neither does time pass, nor does
    /// a finished execution stay.
    pub still: bool,
    /// Whether a finished execution does not stay here: only one that goes on counts.
    pub endless: bool,
}

/// An automaton that reads a state of the model with each of its steps, and accepts the executions
/// that violate the property: those on which it takes edges of every acceptance set infinitely
/// often.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyAutomaton {
    /// What the guards speak about.
    pub atoms: Vec<Expr>,
    /// Where every run starts.
    pub initial: u32,
    /// The states.
    pub states: Vec<PropertyState>,
    /// How many acceptance sets there are.
    pub sets: u32,
    /// Whether states in which some process stands at an `accept` label belong to the first
    /// acceptance set.
    pub accept_labels: bool,
    /// Whether acceptance can be read off the states: a nested search needs that.
    pub state_based: bool,
}

impl PropertyAutomaton {
    /// Executions that pass `accept` labels for ever.
    pub fn acceptance() -> PropertyAutomaton {
        let edge = PropertyEdge { guard: vec![Cube::new()], to: 0, marks: 0 };
        let state = PropertyState { edges: vec![edge], ..PropertyState::default() };
        PropertyAutomaton {
            atoms: Vec::new(),
            initial: 0,
            states: vec![state],
            sets: 1,
            accept_labels: true,
            state_based: true,
        }
    }

    /// Executions that pass `progress` labels only finitely often: the automaton of
    /// [HPY 1996, figure 6], which guesses where progress ends.
    pub fn non_progress() -> PropertyAutomaton {
        let still = |to, marks| PropertyEdge { guard: vec![vec![(0, true)]], to, marks };
        let wait = PropertyEdge { guard: vec![Cube::new()], to: 0, marks: 0 };
        PropertyAutomaton {
            atoms: vec![Expr::NonProgress],
            initial: 0,
            states: vec![
                PropertyState { edges: vec![wait, still(1, 0)], ..PropertyState::default() },
                // A process that has ended makes no progress, and need not: as Spin has it.
                PropertyState {
                    edges: vec![still(1, 1)],
                    accepting: true,
                    endless: true,
                    ..PropertyState::default()
                },
            ],
            sets: 1,
            accept_labels: false,
            state_based: true,
        }
    }

    /// Executions in which time passes only finitely often while processes go on for ever: zero
    /// cycles. The automaton guesses where time stops.
    pub fn zero_cycles() -> PropertyAutomaton {
        let edge = |to, marks| PropertyEdge { guard: vec![Cube::new()], to, marks };
        let wait = PropertyState { edges: vec![edge(0, 0), edge(1, 0)], ..Default::default() };
        let stopped = PropertyState {
            edges: vec![edge(1, 1)],
            accepting: true,
            still: true,
            ..PropertyState::default()
        };
        PropertyAutomaton {
            atoms: Vec::new(),
            initial: 0,
            states: vec![wait, stopped],
            sets: 1,
            accept_labels: false,
            state_based: true,
        }
    }

    /// Executions that violate a formula. With `generalized`, the automaton has acceptance sets of
    /// edges, which is smaller and which only a component-based search can use.
    pub fn violating(formula: &Temporal, generalized: bool) -> Result<PropertyAutomaton, Error> {
        let (parsed, atoms) = to_logic(formula)?;
        let automata = translate(&parsed.negated(), &Limits::default())?;
        Ok(if generalized {
            from_generalized(&automata.generalized, atoms)
        } else {
            from_buchi(&automata.buchi, atoms)
        })
    }

    /// As Spin has it when it looks for acceptance cycles in a model with a never claim: labels of
    /// processes count as well as those of the claim.
    pub fn with_labels(mut self) -> PropertyAutomaton {
        self.accept_labels = true;
        self
    }

    /// The same with an end for what cannot be evaluated, where there may be such a thing, and one
    /// for sequences that go round for ever.
    pub(super) fn with_ends(mut self, divergence: bool) -> PropertyAutomaton {
        let unreadable = self.atoms.iter().any(Expr::may_fail);
        for (wanted, end) in [(unreadable, End::Unreadable), (divergence, End::Divergence)] {
            if wanted {
                self.states.push(PropertyState { end: Some(end), ..PropertyState::default() });
            }
        }
        self
    }

    /// The number of the state with this end.
    pub(super) fn end(&self, end: End) -> Option<u32> {
        self.states.iter().position(|s| s.end == Some(end)).map(|q| q as u32)
    }

    /// All acceptance sets, one bit each.
    pub fn all_marks(&self) -> u64 {
        (1u64 << self.sets) - 1
    }

    /// The bit of the set that labels belong to.
    pub fn label_mark(&self) -> u64 {
        u64::from(self.accept_labels)
    }
}

fn from_buchi(buchi: &Buchi, atoms: Vec<Expr>) -> PropertyAutomaton {
    let states = (0..buchi.len())
        .map(|q| PropertyState {
            edges: buchi.edges[q]
                .iter()
                .map(|e| PropertyEdge {
                    guard: cubes(&e.label),
                    to: e.to as u32,
                    marks: u64::from(buchi.accepting[q]),
                })
                .collect(),
            accepting: buchi.accepting[q],
            ..PropertyState::default()
        })
        .collect();
    PropertyAutomaton {
        atoms,
        initial: buchi.initial as u32,
        states,
        sets: 1,
        accept_labels: false,
        state_based: true,
    }
}

fn from_generalized(automaton: &GeneralizedBuchi, atoms: Vec<Expr>) -> PropertyAutomaton {
    let states = automaton
        .edges
        .iter()
        .map(|edges| PropertyState {
            edges: edges
                .iter()
                .map(|e| PropertyEdge { guard: cubes(&e.label), to: e.to as u32, marks: e.marks })
                .collect(),
            ..PropertyState::default()
        })
        .collect();
    PropertyAutomaton {
        atoms,
        initial: automaton.initial as u32,
        states,
        sets: automaton.sets,
        accept_labels: false,
        state_based: false,
    }
}

fn cubes(label: &Label) -> Vec<Cube> {
    label.cubes.iter().map(|c| c.literals().map(|(a, p)| (a as u16, p)).collect()).collect()
}

/// The formula in the terms of the logic crate, with the expressions that its atoms stand for.
pub fn to_logic(formula: &Temporal) -> Result<(isospin_logic::Formula, Vec<Expr>), Error> {
    let mut builder = Builder::default();
    let root = builder.term(formula)?;
    let Builder { store, table, exprs, .. } = builder;
    Ok((isospin_logic::Formula::from_parts(store, root, table), exprs))
}

/// A formula without temporal operators as an expression, with its text.
fn state_formula(formula: &Temporal) -> Option<(Expr, String)> {
    let both = |op: BinaryOp, sign: &str, a: &Temporal, b: &Temporal| {
        let ((a, left), (b, right)) = (state_formula(a)?, state_formula(b)?);
        Some((joined(op, a, b), format!("({left} {sign} {right})")))
    };
    match formula {
        Temporal::Const(value) => Some((Expr::Const(i32::from(*value)), value.to_string())),
        Temporal::Atom { expr, text } => Some((expr.clone(), text.clone())),
        Temporal::Not(f) => {
            let (expr, text) = state_formula(f)?;
            Some((negated(expr), format!("!{text}")))
        }
        Temporal::And(a, b) => both(BinaryOp::And, "&&", a, b),
        Temporal::Or(a, b) => both(BinaryOp::Or, "||", a, b),
        Temporal::Implies(a, b) => {
            let ((a, left), (b, right)) = (state_formula(a)?, state_formula(b)?);
            Some((joined(BinaryOp::Or, negated(a), b), format!("({left} -> {right})")))
        }
        Temporal::Equivalent(a, b) => {
            let ((a, left), (b, right)) = (state_formula(a)?, state_formula(b)?);
            // Of numbers that are not 0, any is as true as any other.
            let not = |e| Expr::unary(UnaryOp::Not, e);
            let same = Expr::binary(BinaryOp::Equal, not(a), not(b));
            Some((same, format!("({left} <-> {right})")))
        }
        _ => None,
    }
}

/// The opposite of a truth value; what is negated twice is as it was.
fn negated(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        expr => Expr::unary(UnaryOp::Not, expr),
    }
}

/// A conjunction or disjunction; a constant on its left decides or falls away. One on the right
/// does not: what stands before it is evaluated all the same.
fn joined(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    match a {
        Expr::Const(value) => match op.decided_by(value) {
            Some(decided) => Expr::Const(decided),
            None => b,
        },
        a => Expr::binary(op, a, b),
    }
}

#[derive(Default)]
struct Builder {
    store: isospin_logic::Store,
    table: AtomTable,
    exprs: Vec<Expr>,
    known: HashMap<String, isospin_logic::Term>,
}

impl Builder {
    fn term(&mut self, formula: &Temporal) -> Result<isospin_logic::Term, Error> {
        use isospin_logic::Store;
        // What has no temporal operator is one atom: evaluated as any expression is, so that
        // `i < N && a[i]` asks for an element only where there is one.
        if let Some((expr, text)) = state_formula(formula) {
            return self.literal(expr, &text);
        }
        Ok(match formula {
            Temporal::Const(true) => Store::TRUE,
            Temporal::Const(false) => Store::FALSE,
            Temporal::Atom { expr, text } => self.literal(expr.clone(), text)?,
            Temporal::Not(f) => {
                let f = self.term(f)?;
                self.store.not(f)
            }
            Temporal::Next(f) => {
                let f = self.term(f)?;
                self.store.next(f)
            }
            Temporal::Always(f) => {
                let f = self.term(f)?;
                self.store.globally(f)
            }
            Temporal::Eventually(f) => {
                let f = self.term(f)?;
                self.store.finally(f)
            }
            Temporal::And(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.and([a, b])
            }
            Temporal::Or(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.or([a, b])
            }
            Temporal::Implies(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.implies(a, b)
            }
            Temporal::Equivalent(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.equivalent(a, b)
            }
            Temporal::Until(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.until(a, b)
            }
            Temporal::WeakUntil(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.weak_until(a, b)
            }
            Temporal::Release(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.store.release(a, b)
            }
        })
    }

    /// An atom or its negation, or a constant.
    fn literal(&mut self, expr: Expr, text: &str) -> Result<isospin_logic::Term, Error> {
        use isospin_logic::Store;
        Ok(match expr {
            Expr::Const(value) => [Store::FALSE, Store::TRUE][usize::from(value != 0)],
            Expr::Unary(UnaryOp::Not, inner) => {
                let term = self.literal(*inner, &format!("!({text})"))?;
                self.store.not(term)
            }
            expr => self.atom(&expr, text)?,
        })
    }

    /// The atom for an expression; one expression is one atom, however it is written.
    fn atom(&mut self, expr: &Expr, text: &str) -> Result<isospin_logic::Term, Error> {
        let key = format!("{expr:?}");
        if let Some(&term) = self.known.get(&key) {
            return Ok(term);
        }
        // The table tells atoms apart by their text, so each gets a text of its own.
        let mut name = text.to_owned();
        while self.table.iter().any(|a| a.text == name) {
            name.push('\'');
        }
        let index = self.table.intern(&name, 0..0)?;
        debug_assert_eq!(index, self.exprs.len());
        self.exprs.push(expr.clone());
        let term = self.store.literal(index, true);
        self.known.insert(key, term);
        Ok(term)
    }
}
