//! Nodes and edges of quotients, for the tables of [Gyuris 1999].

use std::sync::Arc;

use isospin_analysis::optimize::Optimizations;
use isospin_machine::Interpreter;
use isospin_search::liveness::property::{coarse, to_logic};
use isospin_search::liveness::{check_liveness, Emptiness, Fairness, PropertyAutomaton};
use isospin_search::Options;
use isospin_symmetry::{prepare, Strategy};

use crate::isospin::model_of;

/// The simplified resource controller of [Gyuris 1999, section 2.5], with three clients: they take
/// their requests back, and whoever requests becomes critical when nobody is.
pub const SIMPLIFIED: &str = "
    byte state[3]; bool busy;
    active [3] proctype Client() { do
      :: atomic { state[_pid] == 0 -> state[_pid] = 1 }
      :: atomic { state[_pid] == 1 -> state[_pid] = 0 }
      :: atomic { state[_pid] == 1 && !busy -> state[_pid] = 2; busy = true }
      :: atomic { state[_pid] == 2 -> state[_pid] = 0; busy = false } od }
    ltl tracked { [] (state[0] != 2) }";

const CONTROLLER: &str = include_str!("../../../../models/symmetry/controller.pml");

/// The controller of `models/symmetry` with so many clients, and its mutual exclusion over all
/// pairs as the formula `exclusive`. The source's n counts the server, too.
pub fn controller(clients: usize) -> String {
    let pairs = (0..clients).flat_map(|a| (a + 1..clients).map(move |b| (a, b)));
    let pairs: Vec<String> =
        pairs.map(|(a, b)| format!("!(critical[{a}] && critical[{b}])")).collect();
    let mut formula = pairs;
    // Conjunctions of two halves, so that nothing is nested deeply.
    while formula.len() > 1 {
        formula = formula.chunks(2).map(|pair| format!("({})", pair.join(" && "))).collect();
    }
    format!("#define N {clients}\n{CONTROLLER}\nltl exclusive {{ [] ({}) }}\n", formula.concat())
}

/// How large a graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Its nodes.
    pub states: u64,
    /// Its edges.
    pub edges: u64,
}

/// How a graph is counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way<'w> {
    /// Up to symmetry.
    pub symmetry: bool,
    /// With the first of several twins only.
    pub twins: bool,
    /// Under the permutations that leave the atoms of this formula as they are.
    pub tracked: Option<&'w str>,
    /// In the product with the automaton of that formula, up to the first violation.
    pub product: bool,
    /// Under this fairness.
    pub fairness: Fairness,
}

/// Counts the graph that a search for cycles goes through. The error says why it cannot.
pub fn count(text: &str, way: Way) -> Result<Counts, String> {
    let model = model_of(text)?;
    let formula = |name: &str| model.formulas.iter().find(|f| f.name == name);
    let formula = way.tracked.map(|name| formula(name).ok_or("no such formula")).transpose()?;
    let coarse = formula.map(|f| coarse(&f.temporal));
    let atoms = match &coarse {
        Some(formula) => to_logic(formula).map_err(|e| e.to_string())?.1,
        None => Vec::new(),
    };
    let automaton = match &coarse {
        Some(formula) if way.product => {
            PropertyAutomaton::violating(formula, true).map_err(|e| e.to_string())?
        }
        _ => PropertyAutomaton::acceptance(),
    };
    let which = Optimizations { merge: false, ..Optimizations::ALL };
    let prepared = prepare(&model, &atoms, Some(which));
    let symmetry = prepared.detection.symmetry.filter(|_| way.symmetry);
    if way.symmetry && symmetry.is_none() {
        return Err("no symmetry".to_owned());
    }
    let symmetry = symmetry.map(|s| (s, Strategy::Refined));
    let options = Options { symmetry, twins: way.twins, ..Options::default() };
    let machine = Interpreter::new(Arc::clone(&prepared.model));
    let found = check_liveness(
        machine,
        automaton,
        way.fairness,
        Emptiness::Components,
        &options,
        &mut |_| {},
    );
    // The first arrival is along no edge.
    Ok(Counts { states: found.states, edges: found.transitions - 1 })
}
