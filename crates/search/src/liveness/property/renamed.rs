//! Automata that are the same again when their atoms change places.
//!
//! States get colours, in the automaton and in the renamed one together: at first by what they are,
//! then by the edges that leave them, until nothing is refined any more. Where every colour is that
//! of one state in each, those two are the same state: their edges agree, because the colours are
//! stable. An automaton with two states of one colour is left alone; the translation of formulas
//! merges such states.

use std::collections::BTreeMap;

use isospin_symmetry::{Reader, Shift};

use super::{Cube, End, PropertyAutomaton, PropertyState};

/// Guards with more atoms than this are compared as they are written.
const MAX_ATOMS: usize = 10;

/// What is known of a state before its edges are looked at.
type Kind = (bool, bool, bool, bool, u8);

/// An edge: its guard, its acceptance sets, and the colour of where it leads.
type Look<'g> = (&'g Guard, u64, u32);

/// A guard in a form that does not depend on how it was written, where that is not too large: the
/// atoms on which it depends, and for which of their values it holds. All atoms that are asked for
/// count as well, because one of them may be what cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Guard {
    asked: Vec<u16>,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Table(Vec<u16>, Vec<bool>),
    Cubes(Vec<Cube>),
}

impl Guard {
    fn new(cubes: &[Cube], to: &[usize]) -> Guard {
        let atom = |a: u16| to.get(usize::from(a)).map_or(a, |&t| t as u16);
        let mut cubes: Vec<Cube> = cubes
            .iter()
            .map(|c| c.iter().map(|&(a, yes)| (atom(a), yes)).collect::<Cube>())
            .collect();
        cubes.iter_mut().for_each(|c| c.sort_unstable());
        cubes.sort_unstable();
        let mut asked: Vec<u16> = cubes.iter().flatten().map(|&(a, _)| a).collect();
        asked.sort_unstable();
        asked.dedup();
        let form = if asked.len() > MAX_ATOMS { Form::Cubes(cubes) } else { table(&asked, &cubes) };
        Guard { asked, form }
    }
}

/// For which values of the atoms that matter some cube holds.
fn table(asked: &[u16], cubes: &[Cube]) -> Form {
    let mut atoms = asked.to_vec();
    let holds = |values: usize| {
        let is = |&(a, yes): &(u16, bool)| {
            let k = asked.binary_search(&a).unwrap_or(0);
            (values >> k & 1 == 1) == yes
        };
        cubes.iter().any(|cube| cube.iter().all(is))
    };
    let mut rows: Vec<bool> = (0..1usize << asked.len()).map(holds).collect();
    // What does not matter is left out.
    for k in (0..atoms.len()).rev() {
        let without = |row: usize| (row >> k << (k + 1)) | (row & ((1 << k) - 1));
        let half = rows.len() / 2;
        if (0..half).all(|row| rows[without(row)] == rows[without(row) | 1 << k]) {
            rows = (0..half).map(|row| rows[without(row)]).collect();
            atoms.remove(k);
        }
    }
    Form::Table(atoms, rows)
}

fn kind(state: &PropertyState, initial: bool) -> Kind {
    let end = match state.end {
        None => 0,
        Some(End::Claim) => 1,
        Some(End::Unreadable) => 2,
        Some(End::Divergence) => 3,
    };
    (initial, state.accepting, state.still, state.endless, end)
}

impl Reader for PropertyAutomaton {
    fn states(&self) -> usize {
        self.states.len()
    }

    fn renamed(&self, to: &[usize]) -> Option<Shift> {
        let mut reached = vec![false; to.len()];
        for &t in to {
            if std::mem::replace(reached.get_mut(t)?, true) {
                return None;
            }
        }
        let len = self.states.len();
        // The renamed automaton's states come behind those of the automaton itself.
        let guards: Vec<Vec<Guard>> = [&[][..], to]
            .into_iter()
            .flat_map(|to| {
                let of = move |s: &PropertyState| {
                    s.edges.iter().map(|e| Guard::new(&e.guard, to)).collect::<Vec<Guard>>()
                };
                self.states.iter().map(of)
            })
            .collect();
        let first: Vec<Kind> = (0..2 * len)
            .map(|n| kind(&self.states[n % len], (n % len) as u32 == self.initial))
            .collect();
        let mut colours = numbered(&first);
        loop {
            let look = |n: usize| {
                let offset = n / len * len;
                let edges = self.states[n % len].edges.iter().zip(&guards[n]);
                let mut looks: Vec<Look> = edges
                    .map(|(e, guard)| (guard, e.marks, colours[offset + e.to as usize]))
                    .collect();
                looks.sort_unstable();
                (colours[n], looks)
            };
            let finer = numbered(&(0..2 * len).map(look).collect::<Vec<_>>());
            let count = |colours: &[u32]| colours.iter().max().copied();
            if count(&finer) == count(&colours) {
                break;
            }
            colours = finer;
        }
        let own: BTreeMap<u32, u32> = colours[..len].iter().copied().zip(0..).collect();
        if own.len() < len {
            return None;
        }
        let shift: Option<Shift> = colours[len..].iter().map(|c| own.get(c).copied()).collect();
        let mut found = vec![false; len];
        shift.filter(|s| s.iter().all(|&q| !std::mem::replace(&mut found[q as usize], true)))
    }
}

/// Numbers for values: the same for the same.
fn numbered<T: Ord>(values: &[T]) -> Vec<u32> {
    let mut numbers: BTreeMap<&T, u32> = BTreeMap::new();
    let mut all = Vec::with_capacity(values.len());
    for value in values {
        let next = numbers.len() as u32;
        all.push(*numbers.entry(value).or_insert(next));
    }
    all
}

#[cfg(test)]
mod tests {
    use isospin_model::{Expr, Temporal};

    use super::*;

    fn atom(k: i32) -> Temporal {
        let expr = Expr::PcValue(Box::new(Expr::Const(k)));
        Temporal::Atom { expr, text: format!("a{k}") }
    }

    fn boxed(f: Temporal) -> Box<Temporal> {
        Box::new(f)
    }

    fn again(k: i32) -> Temporal {
        Temporal::Always(boxed(Temporal::Eventually(boxed(atom(k)))))
    }

    #[test]
    fn what_is_said_of_each_by_itself_is_the_same_with_atoms_exchanged() {
        let formula = Temporal::And(boxed(again(2)), boxed(again(3)));
        for generalized in [false, true] {
            let automaton = PropertyAutomaton::violating(&formula, generalized).expect("small");
            assert_eq!(automaton.atoms.len(), 2);
            let shift = automaton.renamed(&[1, 0]).expect("the same again");
            assert!(shift.iter().enumerate().any(|(q, &to)| q != to as usize), "{shift:?}");
            assert_eq!(shift[automaton.initial as usize], automaton.initial);
            let still: Vec<u32> = (0..automaton.states.len() as u32).collect();
            assert_eq!(automaton.renamed(&[0, 1]), Some(still));
        }
    }

    #[test]
    fn what_tells_atoms_apart_is_not() {
        let until = Temporal::Until(boxed(atom(2)), boxed(atom(3)));
        let automaton = PropertyAutomaton::violating(&until, true).expect("small");
        assert_eq!(automaton.renamed(&[1, 0]), None);
        assert_eq!(automaton.renamed(&[0, 0]), None, "two atoms would become one");
    }

    #[test]
    fn a_guard_does_not_depend_on_how_it_is_written() {
        let one = Guard::new(&[vec![(0, true)], vec![(1, true)]], &[]);
        let other = Guard::new(&[vec![(1, true)], vec![(1, false), (0, true)]], &[]);
        assert_eq!(one, other);
        let idle = Guard::new(&[vec![(0, true)], vec![(0, false)]], &[]);
        assert_eq!(idle.form, Form::Table(Vec::new(), vec![true]));
        assert_eq!(idle.asked, [0]);
    }
}
