//! Formula to generalised automaton, by the construction of [Couvreur 1999].
//!
//! A formula is a boolean function of the atoms, of what is asked of the next state, and of the
//! promises made: postponing `f U g` promises `g`, and a promise that is made for ever is not
//! kept. A state of the automaton is such a function, so that states with the same future are one
//! from the start.

use std::collections::HashMap;

use super::alphabet::Alphabet;
use super::graph::{all_marks, Edge, Graph, Marks};
use crate::bdd::{Bdd, Manager, Product};
use crate::error::Error;
use crate::formula::{Node, Store, Term};

/// How a state's function is taken apart into edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// An edge has only the letters under which no smaller target suffices, so that there is
    /// little nondeterminism.
    Strict,
    /// And edges that differ only in their targets are joined to one, which postpones the choice.
    Postponed,
}

/// An automaton whose labels are still functions of the atoms.
pub(crate) struct Tableau {
    sets: u32,
    edges: Vec<Vec<(Bdd, usize, Marks)>>,
}

impl Tableau {
    /// The automaton with these edges from each state: label, target and marks.
    pub fn new(sets: u32, edges: Vec<Vec<(Bdd, usize, Marks)>>) -> Self {
        Self { sets, edges }
    }

    pub fn labels(&self) -> impl Iterator<Item = Bdd> + '_ {
        self.edges.iter().flatten().map(|&(label, ..)| label)
    }

    /// The same automaton over an alphabet.
    pub fn graph(&self, bdds: &mut Manager, alphabet: &Alphabet) -> Result<Graph, Error> {
        let mut memo = HashMap::new();
        let mut edges = Vec::with_capacity(self.edges.len());
        for state in &self.edges {
            let mut out = Vec::with_capacity(state.len());
            for &(label, to, marks) in state {
                let letters = match memo.get(&label) {
                    Some(letters) => letters,
                    None => {
                        let letters = alphabet.letters(bdds, label)?;
                        memo.entry(label).or_insert(letters)
                    }
                };
                out.push(Edge { to, marks, letters: letters.clone() });
            }
            edges.push(out);
        }
        Ok(Graph { initial: 0, sets: self.sets, state_based: false, edges })
    }
}

/// How large a tableau may grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub states: usize,
    pub edges: usize,
}

/// What the variables after the atoms stand for, and the functions of terms.
pub(crate) struct Expansion<'a> {
    store: &'a Store,
    bdds: &'a mut Manager,
    atoms: u32,
    /// With the number of the acceptance set, for a promise.
    variables: Vec<(Meaning, u32)>,
    by_meaning: HashMap<Meaning, u32>,
    functions: HashMap<Term, Bdd>,
    promises: u32,
}

/// What a function leaves to satisfy after the atoms are set, with the valuations that leave it.
type Rests = Vec<(Bdd, Bdd)>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Meaning {
    Next(Term),
    /// That the goal will be reached.
    Promise(Term),
}

/// What an edge asks of the next state, and the promises that it makes.
struct Step {
    next: Vec<Term>,
    promised: Marks,
}

impl<'a> Expansion<'a> {
    pub fn new(store: &'a Store, bdds: &'a mut Manager, atoms: usize) -> Self {
        Self {
            store,
            bdds,
            atoms: atoms as u32,
            variables: Vec::new(),
            by_meaning: HashMap::new(),
            functions: HashMap::new(),
            promises: 0,
        }
    }

    /// The automaton of a formula.
    pub fn tableau(&mut self, root: Term, style: Style, bounds: Bounds) -> Result<Tableau, Error> {
        self.bdds.refuel();
        let initial = self.function(root)?;
        let mut numbers = HashMap::from([(initial, 0)]);
        let mut order = vec![initial];
        let mut edges: Vec<Vec<(Bdd, usize, Marks)>> = Vec::new();
        let mut edge_count = 0;
        while edges.len() < order.len() {
            let mut out: Vec<(Bdd, usize, Marks)> = Vec::new();
            let successors = self.successors(order[edges.len()], style, bounds)?;
            for (label, target, promised) in successors {
                if label == Bdd::FALSE || target == Bdd::FALSE {
                    continue;
                }
                let to = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
                match out.iter_mut().find(|edge| edge.1 == to && edge.2 == promised) {
                    Some(edge) => edge.0 = self.bdds.or(edge.0, label)?,
                    None => out.push((label, to, promised)),
                }
            }
            edge_count += out.len();
            edges.push(out);
            if order.len() > bounds.states {
                return Err(Error::TooLarge { what: "states", limit: bounds.states });
            }
            if edge_count > bounds.edges {
                return Err(Error::TooLarge { what: "edges", limit: bounds.edges });
            }
        }
        // A mark is where its promise is not made.
        let sets = self.promises;
        for edge in edges.iter_mut().flatten() {
            edge.2 = all_marks(sets) & !edge.2;
        }
        Ok(Tableau { sets, edges })
    }

    fn successors(
        &mut self,
        state: Bdd,
        style: Style,
        bounds: Bounds,
    ) -> Result<Vec<(Bdd, Bdd, Marks)>, Error> {
        let mut successors = Vec::new();
        for (rest, label) in self.rests(state, bounds)? {
            let mut targets: Vec<(Bdd, Marks)> = Vec::new();
            // In what is left, next states and promises occur only positively.
            for product in self.bdds.products(rest)? {
                let step = self.step(product);
                let target = self.conjunction(&step.next)?;
                let known = targets.iter_mut().find(|known| known.1 == step.promised);
                match known {
                    Some(known) if style == Style::Postponed => {
                        known.0 = self.bdds.or(known.0, target)?;
                    }
                    _ => targets.push((target, step.promised)),
                }
            }
            successors.extend(targets.into_iter().map(|(to, promised)| (label, to, promised)));
            if successors.len() > bounds.edges {
                return Err(Error::TooLarge { what: "edges", limit: bounds.edges });
            }
        }
        Ok(successors)
    }

    fn rests(&mut self, function: Bdd, bounds: Bounds) -> Result<Rests, Error> {
        let mut layers = std::collections::BTreeMap::new();
        layers.insert((self.bdds.top(function), function), Bdd::TRUE);
        let mut result = Vec::new();
        while let Some(((variable, part), path)) = layers.pop_first() {
            if variable >= self.atoms {
                result.push((part, path));
                continue;
            }
            let (low, high) = self.bdds.cofactors(part, variable);
            for (part, positive) in [(low, false), (high, true)] {
                let literal = self.bdds.literal(variable, positive)?;
                let path = self.bdds.and(path, literal)?;
                let key = (self.bdds.top(part), part);
                let known = layers.get(&key).copied().unwrap_or(Bdd::FALSE);
                let together = self.bdds.or(known, path)?;
                layers.insert(key, together);
            }
            if layers.len() > bounds.edges {
                return Err(Error::TooLarge { what: "edges", limit: bounds.edges });
            }
        }
        Ok(result)
    }

    fn step(&self, product: Product) -> Step {
        let mut step = Step { next: Vec::new(), promised: 0 };
        for (variable, positive) in product {
            debug_assert!(positive);
            match self.variables[(variable - self.atoms) as usize] {
                (Meaning::Next(term), _) => step.next.push(term),
                (Meaning::Promise(_), set) => step.promised |= 1 << set,
            }
        }
        step
    }

    fn conjunction(&mut self, terms: &[Term]) -> Result<Bdd, Error> {
        let mut all = Bdd::TRUE;
        for &term in terms {
            let function = self.function(term)?;
            all = self.bdds.and(all, function)?;
        }
        Ok(all)
    }

    fn function(&mut self, term: Term) -> Result<Bdd, Error> {
        if let Some(&function) = self.functions.get(&term) {
            return Ok(function);
        }
        let function = match self.store.node(term).clone() {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::Literal(atom, positive) => self.bdds.literal(atom as u32, positive)?,
            Node::And(parts) => self.conjunction(&parts)?,
            Node::Or(parts) => {
                let mut any = Bdd::FALSE;
                for &part in &parts {
                    let function = self.function(part)?;
                    any = self.bdds.or(any, function)?;
                }
                any
            }
            Node::Next(inner) => self.next(inner)?,
            Node::Until(hold, goal) => {
                let (hold, now) = (self.function(hold)?, self.function(goal)?);
                let later = self.next(term)?;
                let promise = self.variable(Meaning::Promise(goal))?;
                let postponed = self.bdds.and(hold, later)?;
                let postponed = self.bdds.and(postponed, promise)?;
                self.bdds.or(now, postponed)?
            }
            Node::Release(free, hold) => {
                let (free, hold) = (self.function(free)?, self.function(hold)?);
                let later = self.next(term)?;
                let either = self.bdds.or(free, later)?;
                self.bdds.and(hold, either)?
            }
        };
        self.functions.insert(term, function);
        Ok(function)
    }

    fn next(&mut self, term: Term) -> Result<Bdd, Error> {
        match self.store.node(term).clone() {
            Node::True => Ok(Bdd::TRUE),
            Node::False => Ok(Bdd::FALSE),
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for &part in &parts {
                    let part = self.next(part)?;
                    all = self.bdds.and(all, part)?;
                }
                Ok(all)
            }
            _ => self.variable(Meaning::Next(term)),
        }
    }

    fn variable(&mut self, meaning: Meaning) -> Result<Bdd, Error> {
        let variable = match self.by_meaning.get(&meaning) {
            Some(&variable) => variable,
            None => {
                let set = self.promises;
                if matches!(meaning, Meaning::Promise(_)) {
                    if set == Marks::BITS {
                        let limit = Marks::BITS as usize;
                        return Err(Error::TooLarge { what: "acceptance sets", limit });
                    }
                    self.promises += 1;
                }
                let variable = self.atoms + self.variables.len() as u32;
                self.variables.push((meaning, set));
                self.by_meaning.insert(meaning, variable);
                variable
            }
        };
        self.bdds.literal(variable, true)
    }
}
