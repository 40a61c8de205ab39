//! The way from a formula to its smallest automaton: several constructions, the best result.

use std::collections::HashMap;

use crate::atoms::AtomTable;
use crate::automaton::{Buchi, Edge, GeneralizedBuchi, MarkedEdge};
use crate::bdd::{Bdd, Manager};
use crate::construct::alphabet::Alphabet;
use crate::construct::alternating::Alternating;
use crate::construct::degeneralize::{degeneralize, ways};
use crate::construct::graph::{self, Graph};
use crate::construct::tableau::{Bounds, Expansion, Style, Tableau};
use crate::error::Error;
use crate::formula::Formula;
use crate::label::Label;
use crate::reduce::{merge_states, minimal_weak, reduce};

/// How large the automaton of a formula may grow on the way before the translation gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of the generalised automaton before it is reduced, and of the final one.
    pub states: usize,
    /// Edges of the generalised automaton before it is reduced.
    pub edges: usize,
    /// Classes of valuations that the automaton tells apart, beyond which it is reduced less well.
    pub letters: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 5_000, edges: 50_000, letters: 512 }
    }
}

/// The automata of a formula.
#[derive(Clone, Debug)]
pub struct Translation {
    /// With accepting states, for nested depth-first search and never claims.
    pub buchi: Buchi,
    /// With acceptance sets of edges, for a component-based search.
    pub generalized: GeneralizedBuchi,
}

/// Constructions that are only tried for automata of at most this many states.
const SMALL: usize = 60;

/// Translates a formula into automata that accept exactly the words that satisfy it.
///
/// To check that a model satisfies a formula, translate its negation. The atoms to resolve are
/// those of the automata: where a formula has too many, whole boolean expressions of them take
/// their place.
///
/// ```
/// use isospin_logic::{translate, Formula, Limits};
/// let never = Formula::parse("[] (p -> <> q)").unwrap().negated();
/// let automata = translate(&never, &Limits::default()).unwrap();
/// assert_eq!(automata.buchi.len(), 2);
/// ```
pub fn translate(formula: &Formula, limits: &Limits) -> Result<Translation, Error> {
    match formula.simplified().and_then(|simple| translate_simplified(&simple, limits)) {
        // Too many atoms, maybe; whole boolean expressions in their place are fewer.
        Err(error) => match formula.with_coarser_atoms() {
            Some(coarser) => translate_simplified(&coarser.simplified()?, limits),
            None => Err(error),
        },
        result => result,
    }
}

fn translate_simplified(simple: &Formula, limits: &Limits) -> Result<Translation, Error> {
    let mut work = Workshop::new(simple, limits)?;
    let mut best: Option<Graph> = None;
    let mut smallest: Option<Graph> = None;
    for candidate in work.candidates()? {
        if smallest.as_ref().is_none_or(|known| cost(&candidate) < cost(known)) {
            smallest = Some(candidate.clone());
        }
        if let Some(buchi) = work.smallest_buchi(&candidate, limits) {
            if best.as_ref().is_none_or(|known| cost(&buchi) < cost(known)) {
                best = Some(buchi);
            }
        }
    }
    // With the negation's help the automaton with accepting states may end up the smaller one.
    if let (Some(buchi), Some(generalized)) = (&best, &mut smallest) {
        if buchi.states() < generalized.states() {
            *generalized = Graph { state_based: false, ..buchi.clone() };
        }
    }
    match (best, smallest) {
        (Some(buchi), Some(generalized)) => Ok(Translation {
            buchi: work.buchi(&buchi, simple.atoms())?,
            generalized: work.generalized(&generalized, simple.atoms())?,
        }),
        _ => Err(Error::TooLarge { what: "states", limit: limits.states }),
    }
}

/// Reduced automata of a formula and of its negation, over one alphabet.
pub(crate) fn both_polarities(
    formula: &Formula,
    limits: &Limits,
) -> Result<(Alphabet, Graph, Graph), Error> {
    let mut work = Workshop::new(formula, limits)?;
    let mut graph = work.tableaux[0].graph(&mut work.bdds, &work.alphabet)?;
    reduce(&mut graph);
    match work.negation {
        Some(negation) => Ok((work.alphabet, graph, negation)),
        None => Err(Error::TooLarge { what: "states", limit: SMALL }),
    }
}

/// Fewer states first, then less nondeterminism, then fewer edges.
fn cost(graph: &Graph) -> (usize, bool, usize, u32) {
    (graph.states(), !graph.is_deterministic(), graph.edge_count(), graph.sets)
}

struct Workshop {
    bdds: Manager,
    alphabet: Alphabet,
    tableaux: Vec<Tableau>,
    /// An automaton of the negation, where it is small enough to be of use.
    negation: Option<Graph>,
}

impl Workshop {
    fn new(formula: &Formula, limits: &Limits) -> Result<Self, Error> {
        let mut bdds = Manager::new();
        let atoms = formula.atoms().len();
        let small = Bounds { states: SMALL, edges: 20 * SMALL };
        let mut tableau = |formula: &Formula, style: Option<Style>, bounds| {
            let (store, root) = (formula.store(), formula.root());
            match style {
                Some(style) => Expansion::new(store, &mut bdds, atoms).tableau(root, style, bounds),
                None => Alternating::new(store, &mut bdds).tableau(root, bounds),
            }
        };
        let mut tableaux = Vec::new();
        for style in [Some(Style::Strict), None, Some(Style::Postponed)] {
            tableaux.extend(tableau(formula, style, small).ok());
        }
        if tableaux.is_empty() {
            let bounds = Bounds { states: limits.states, edges: limits.edges };
            tableaux.push(tableau(formula, None, bounds)?);
        }
        let negated = formula.negated();
        let negation = match tableau(&negated, Some(Style::Strict), small) {
            Ok(tableau) => Some(tableau),
            Err(_) => tableau(&negated, None, small).ok(),
        };
        bdds.refuel();
        // An alphabet for all of them, or at least for the formula, or none to speak of.
        let labels: Vec<Bdd> = tableaux.iter().flat_map(Tableau::labels).collect();
        let more = negation.iter().flat_map(Tableau::labels);
        let together = labels.iter().copied().chain(more);
        if let Ok(alphabet) = Alphabet::of(&mut bdds, together, limits.letters) {
            let mut graph = None;
            if let Some(negation) = negation {
                let mut reduced = negation.graph(&mut bdds, &alphabet)?;
                reduce(&mut reduced);
                graph = Some(reduced);
            }
            return Ok(Self { bdds, alphabet, tableaux, negation: graph });
        }
        bdds.refuel();
        let alphabet = match Alphabet::of(&mut bdds, labels.iter().copied(), limits.letters) {
            Ok(alphabet) => alphabet,
            Err(_) => Alphabet::opaque(labels),
        };
        bdds.refuel();
        Ok(Self { bdds, alphabet, tableaux, negation: None })
    }

    /// Generalised automata of the formula, reduced.
    fn candidates(&mut self) -> Result<Vec<Graph>, Error> {
        let mut candidates: Vec<Graph> = Vec::new();
        for tableau in &self.tableaux {
            let mut graph = tableau.graph(&mut self.bdds, &self.alphabet)?;
            reduce(&mut graph);
            if !candidates.contains(&graph) {
                candidates.push(graph);
            }
        }
        if let Some(negation) = &self.negation {
            for index in 0..candidates.len() {
                let mut merged = candidates[index].clone();
                merge_states(&mut merged, negation);
                if !candidates.contains(&merged) {
                    candidates.push(merged);
                }
            }
            if let Some(smallest) = candidates.iter().min_by_key(|graph| graph.states()) {
                candidates.extend(minimal_weak(smallest, negation, self.alphabet.len()));
            }
        }
        Ok(candidates)
    }

    /// The smallest automaton with accepting states that comes of a generalised one.
    fn smallest_buchi(&self, graph: &Graph, limits: &Limits) -> Option<Graph> {
        let few = graph.states() > SMALL / 2 || graph.edge_count() > 3 * SMALL;
        let mut results: Vec<Graph> = Vec::new();
        for way in ways(graph.sets, few) {
            let Some(mut buchi) = degeneralize(graph, &way, limits.states) else { continue };
            reduce(&mut buchi);
            if !results.contains(&buchi) {
                results.push(buchi);
            }
        }
        results.sort_by_cached_key(cost);
        results.truncate(4);
        if let Some(negation) = &self.negation {
            for buchi in &mut results {
                merge_states(buchi, negation);
            }
        }
        results.into_iter().min_by_key(cost)
    }

    fn buchi(&mut self, graph: &Graph, atoms: &AtomTable) -> Result<Buchi, Error> {
        self.bdds.refuel();
        let mut memo = HashMap::new();
        let mut result = Buchi {
            atoms: atoms.clone(),
            initial: graph.initial,
            accepting: (0..graph.states()).map(|state| graph.accepting(state)).collect(),
            edges: Vec::new(),
        };
        for edges in &graph.edges {
            let mut out = Vec::new();
            for edge in edges {
                let label = self.alphabet.label(&mut self.bdds, &edge.letters, &mut memo)?;
                out.push(Edge { label, to: edge.to });
            }
            result.edges.push(out);
        }
        Ok(result)
    }

    fn generalized(&mut self, graph: &Graph, atoms: &AtomTable) -> Result<GeneralizedBuchi, Error> {
        self.bdds.refuel();
        let mut memo = HashMap::new();
        let mut edges = Vec::new();
        for state in &graph.edges {
            let mut out = Vec::new();
            for edge in state {
                let label = self.alphabet.label(&mut self.bdds, &edge.letters, &mut memo)?;
                out.push(MarkedEdge { label, to: edge.to, marks: edge.marks });
            }
            edges.push(out);
        }
        Ok(GeneralizedBuchi {
            atoms: atoms.clone(),
            initial: graph.initial,
            sets: graph.sets,
            edges,
        })
    }
}

/// An automaton with accepting states for the language of a generalised one.
pub(crate) fn degeneralized(automaton: &GeneralizedBuchi, limits: &Limits) -> Result<Buchi, Error> {
    let mut bdds = Manager::new();
    let labels = functions(&mut bdds, automaton)?;
    let alphabet = match Alphabet::of(&mut bdds, labels.values().copied(), limits.letters) {
        Ok(alphabet) => alphabet,
        Err(_) => Alphabet::opaque(labels.values().copied()),
    };
    let mut graph = graph_of(&mut bdds, automaton, &labels, &alphabet)?;
    reduce(&mut graph);
    let mut work = Workshop { bdds, alphabet, tableaux: Vec::new(), negation: None };
    match work.smallest_buchi(&graph, limits) {
        Some(buchi) => work.buchi(&buchi, &automaton.atoms),
        None => Err(Error::TooLarge { what: "states", limit: limits.states }),
    }
}

/// An automaton over letters as it is, and how many letters there are: at most `limit`.
pub(crate) fn spelled(automaton: &GeneralizedBuchi, limit: usize) -> Result<(usize, Graph), Error> {
    let mut bdds = Manager::new();
    let labels = functions(&mut bdds, automaton)?;
    let alphabet = Alphabet::of(&mut bdds, labels.values().copied(), limit)?;
    Ok((alphabet.len(), graph_of(&mut bdds, automaton, &labels, &alphabet)?))
}

/// What the labels of an automaton mean.
fn functions<'l>(
    bdds: &mut Manager,
    automaton: &'l GeneralizedBuchi,
) -> Result<HashMap<&'l Label, Bdd>, Error> {
    let mut labels = HashMap::new();
    for edge in automaton.edges.iter().flatten() {
        if !labels.contains_key(&edge.label) {
            labels.insert(&edge.label, function(bdds, &edge.label)?);
        }
    }
    Ok(labels)
}

fn graph_of(
    bdds: &mut Manager,
    automaton: &GeneralizedBuchi,
    labels: &HashMap<&Label, Bdd>,
    alphabet: &Alphabet,
) -> Result<Graph, Error> {
    let mut edges = Vec::new();
    for state in &automaton.edges {
        let mut out = Vec::new();
        for edge in state {
            let letters = alphabet.letters(bdds, labels[&edge.label])?;
            out.push(graph::Edge { to: edge.to, marks: edge.marks, letters });
        }
        edges.push(out);
    }
    let sets = automaton.sets;
    Ok(Graph { initial: automaton.initial, sets, state_based: false, edges })
}

fn function(bdds: &mut Manager, label: &Label) -> Result<Bdd, Error> {
    let mut sum = Bdd::FALSE;
    for cube in &label.cubes {
        let mut product = Bdd::TRUE;
        for (atom, positive) in cube.literals() {
            let literal = bdds.literal(atom as u32, positive)?;
            product = bdds.and(product, literal)?;
        }
        sum = bdds.or(sum, product)?;
    }
    Ok(sum)
}
