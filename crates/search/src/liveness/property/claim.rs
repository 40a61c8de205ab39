//! Never claims as automata.
//!
//! The claim takes a step with each state of the model. An `atomic` sequence is one step, all of
//! which has to be possible in the same state: a claim that cannot go on in the middle of one does
//! not give up control. An assertion that fails is a violation. All this is as in Spin.

use isospin_model::{Action, Automaton, Expr, LocationId, ProcType};

use super::{Cube, End, PropertyAutomaton, PropertyEdge, PropertyState};

/// More ways through the atomic sequences of a claim than this are not looked at.
const MAX_WAYS: usize = 10_000;

impl PropertyAutomaton {
    /// Executions that a never claim accepts. None where it does what this automaton cannot: where
    /// it stores something, or has a `d_step` or an escape.
    pub fn never(claim: &ProcType) -> Option<PropertyAutomaton> {
        let automaton = &claim.automaton;
        if automaton.edges.iter().any(|e| e.escape != 0) {
            return None;
        }
        let mut reader = Reader { automaton, atoms: Vec::new(), ways: 0 };
        let mut states = Vec::new();
        for (id, location) in (0..).map(LocationId).zip(&automaton.locations) {
            states.push(PropertyState {
                edges: reader.edges(id)?,
                accepting: location.accept,
                end: reader.ends(id).then_some(End::Claim),
                ..PropertyState::default()
            });
        }
        states.push(PropertyState { end: Some(End::Claim), ..PropertyState::default() });
        // Where the end can always be come to, it has come.
        let is_sure = |s: &PropertyState, states: &[PropertyState]| {
            let ends = |e: &PropertyEdge| states[e.to as usize].end.is_some();
            s.end.is_none() && s.edges.iter().any(|e| e.guard.contains(&Cube::new()) && ends(e))
        };
        while let Some(sure) = states.iter().position(|s| is_sure(s, &states)) {
            states[sure].end = Some(End::Claim);
        }
        Some(PropertyAutomaton {
            atoms: reader.atoms,
            initial: automaton.initial.0,
            states,
            sets: 1,
            accept_labels: false,
            state_based: true,
        })
    }
}

/// What a statement of a claim asks of the state.
#[derive(Clone, Copy)]
enum Test {
    Always,
    Never,
    Holds(u16),
    Asserts(u16),
    Else,
}

/// A step of the claim, as far as it has come: where it has been, and what must hold.
struct Way {
    locations: Vec<LocationId>,
    cube: Cube,
}

struct Reader<'c> {
    automaton: &'c Automaton,
    atoms: Vec<Expr>,
    ways: usize,
}

impl Reader<'_> {
    fn ends(&self, location: LocationId) -> bool {
        self.automaton.edges_of(location).iter().any(|e| e.action == Action::End)
    }

    /// The steps from a location.
    fn edges(&mut self, from: LocationId) -> Option<Vec<PropertyEdge>> {
        let marks = u64::from(self.automaton.locations[from.index()].accept);
        // Behind all locations: an assertion has failed.
        let failed = self.automaton.locations.len() as u32;
        let mut edges = Vec::new();
        let mut open = vec![Way { locations: vec![from], cube: Cube::new() }];
        while let Some(way) = open.pop() {
            self.ways += 1;
            let here = *way.locations.last()?;
            if self.ways > MAX_WAYS {
                return None;
            }
            let mut rest =
                |cube: Cube, to| edges.push(PropertyEdge { guard: vec![cube], to, marks });
            for (edge, test) in self.tests(here)? {
                let (asked, asserted) = self.asked(here, test)?;
                let Some(cube) = both(&way.cube, asked) else { continue };
                if let Some(cube) = asserted.and_then(|a| both(&cube, vec![(a, false)])) {
                    rest(cube, failed);
                }
                let asserted = asserted.map(|a| (a, true)).into_iter().collect();
                let Some(cube) = both(&cube, asserted) else { continue };
                let edge = &self.automaton.edges[edge];
                if !edge.atomic || self.ends(edge.target) {
                    rest(cube, edge.target.0);
                } else if !way.locations.contains(&edge.target) {
                    // Who comes back to where it was within a step goes round for ever.
                    let locations = way.locations.iter().copied().chain([edge.target]).collect();
                    open.push(Way { locations, cube });
                }
            }
        }
        Some(edges)
    }

    /// The edges out of a location, and what they ask.
    fn tests(&mut self, location: LocationId) -> Option<Vec<(usize, Test)>> {
        let first = self.automaton.locations[location.index()].first_edge.index();
        let mut tests = Vec::new();
        for (edge, number) in self.automaton.edges_of(location).iter().zip(first..) {
            let test = match &edge.action {
                Action::End => continue,
                Action::Skip | Action::Print { .. } | Action::PrintSymbol(_) => Test::Always,
                Action::Condition(Expr::Const(0)) => Test::Never,
                Action::Condition(Expr::Const(_)) => Test::Always,
                Action::Condition(e) if !e.any(&|e| matches!(e, Expr::Run { .. })) => {
                    Test::Holds(self.intern(e))
                }
                Action::Assert(e) => Test::Asserts(self.intern(e)),
                Action::Else => Test::Else,
                _ => return None,
            };
            tests.push((number, test));
        }
        Some(tests)
    }

    /// What must hold for a statement to be taken, and what it asserts; contradictory where it
    /// cannot be.
    fn asked(&mut self, location: LocationId, test: Test) -> Option<(Cube, Option<u16>)> {
        Some(match test {
            Test::Always => (Cube::new(), None),
            Test::Holds(atom) => (vec![(atom, true)], None),
            Test::Asserts(atom) => (Cube::new(), Some(atom)),
            Test::Never => (NEVER.to_vec(), None),
            // Only where nothing beside it can be taken.
            Test::Else => {
                let mut cube = Cube::new();
                for (_, other) in self.tests(location)? {
                    match other {
                        Test::Always | Test::Asserts(_) => cube.extend(NEVER),
                        Test::Holds(atom) => cube.push((atom, false)),
                        Test::Never | Test::Else => {}
                    }
                }
                (cube, None)
            }
        })
    }

    fn intern(&mut self, expr: &Expr) -> u16 {
        let at = self.atoms.iter().position(|a| a == expr).unwrap_or_else(|| {
            self.atoms.push(expr.clone());
            self.atoms.len() - 1
        });
        at as u16
    }
}

/// Literals that cannot hold together.
const NEVER: [(u16, bool); 2] = [(u16::MAX, true), (u16::MAX, false)];

/// All literals of both, unless they contradict each other.
fn both(cube: &Cube, more: Cube) -> Option<Cube> {
    let mut all = cube.clone();
    for (atom, value) in more {
        if all.contains(&(atom, !value)) {
            return None;
        }
        if !all.contains(&(atom, value)) {
            all.push((atom, value));
        }
    }
    Some(all)
}
