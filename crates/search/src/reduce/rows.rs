//! What is known of the places where processes can stand, numbered through all process types.

use std::collections::HashMap;

use isospin_analysis::facts::{Access, Element, Facts, LocationFacts, OneChannel, OwnObject};
use isospin_model::{EdgeId, Expr, ProcTypeId};

/// Where a process stands: the number of its location among those of all process types.
pub(super) type Row = usize;
/// The number of a need: of something that has to be left alone.
pub(super) type Need = usize;
/// Locations from which the same may be done ever after.
pub(super) type Class = usize;

/// All places where processes can stand.
pub(super) struct Rows {
    /// For each process type, the row of its first location.
    pub first: Vec<Row>,
    /// For each process type, where the variables are by which its processes know what is their
    /// own, byte by byte.
    pub settled: Vec<Vec<u32>>,
    /// Whether there are any.
    pub settles: bool,
    /// For each row, what a process there may need.
    pub needs: Vec<Needs>,
    /// For each row, its class.
    pub classes: Vec<Class>,
    /// The process type and the location of each row.
    pub places: Vec<(ProcTypeId, usize)>,
    /// Whether something shared has to be found in a state.
    pub own: bool,
}

/// What a process at a location may need to be left alone.
pub(super) struct Needs {
    /// Its first edge that counts here.
    pub first: EdgeId,
    /// All that its next step may touch.
    pub whole: Need,
    /// What its edges wait for, as the facts have it.
    pub waiting: Vec<Waits>,
    /// Whether it can only end.
    pub ends: bool,
    /// Its edges one by one; none where one takes precedence over another.
    pub edges: Vec<EdgeNeeds>,
    /// Whether some edge has conditions.
    pub guarded: bool,
    /// Whether a process there waits for nothing and wakes nobody: only what is touched counts.
    pub plain: bool,
}

/// An edge that waits.
#[derive(Clone, Copy)]
pub(super) struct Waits {
    pub edge: EdgeId,
    pub need: Need,
    /// The channel of whose first message it depends.
    pub first_message: Option<OneChannel>,
    /// Whether it has conditions.
    pub guarded: bool,
}

/// What an edge needs.
pub(super) struct EdgeNeeds {
    pub edge: EdgeId,
    /// What the step along it touches.
    pub step: Need,
    /// Conditions that must all hold, each with what may make it hold; first those that only the
    /// process itself can.
    pub conditions: Vec<(Expr, Need)>,
}

/// What the numbers of needs and classes stand for.
#[derive(Default)]
pub(super) struct Accesses {
    /// For each need, what has to be left alone.
    pub needs: Vec<Access>,
    /// For each class, what may be done ever after.
    pub futures: Vec<Access>,
}

impl Accesses {
    fn need(&mut self, access: &Access) -> Need {
        self.needs.push(access.clone());
        self.needs.len() - 1
    }
}

impl Rows {
    /// The rows of a model, and what they need and do.
    pub fn new(facts: &Facts) -> (Rows, Accesses) {
        let mut accesses = Accesses::default();
        let mut rows = Rows {
            first: Vec::new(),
            settled: Vec::new(),
            settles: false,
            needs: Vec::new(),
            classes: Vec::new(),
            places: Vec::new(),
            own: facts.locations.iter().flatten().any(has_own),
        };
        let mut numbers: HashMap<&Access, Class> = HashMap::new();
        for (of_type, ty) in facts.locations.iter().zip((0..).map(ProcTypeId)) {
            let settled = settled(of_type, &facts.elements[ty.index()]);
            rows.settles |= !settled.is_empty();
            rows.settled.push(settled);
            rows.first.push(rows.needs.len());
            for (l, location) in of_type.iter().enumerate() {
                rows.places.push((ty, l));
                let number = numbers.entry(&location.future).or_insert_with(|| {
                    accesses.futures.push(location.future.clone());
                    accesses.futures.len() - 1
                });
                rows.classes.push(*number);
                rows.needs.push(needs(location, facts.fair, &mut accesses));
            }
        }
        (rows, accesses)
    }
}

fn needs(location: &LocationFacts, fair: bool, accesses: &mut Accesses) -> Needs {
    let guarded = |edge| location.edges.iter().any(|e| e.edge == edge && !e.conjuncts.is_empty());
    let waiting = location.waiting.iter().map(|w| Waits {
        edge: w.edge,
        need: accesses.need(&w.access),
        first_message: w.first_message,
        guarded: guarded(w.edge),
    });
    let waiting: Vec<Waits> = waiting.collect();
    let edges = location.edges.iter().map(|e| {
        // What nobody else can make hold is looked at first: if it fails, nothing is needed.
        let mut conjuncts: Vec<_> = e.conjuncts.iter().collect();
        conjuncts.sort_by_key(|(_, access)| !access.is_local());
        let conditions = conjuncts.iter().map(|(c, a)| (c.clone(), accesses.need(a)));
        EdgeNeeds { conditions: conditions.collect(), edge: e.edge, step: accesses.need(&e.step) }
    });
    let edges: Vec<EdgeNeeds> = edges.collect();
    let counted = edges.iter().map(|e| e.edge).chain(waiting.iter().map(|w| w.edge));
    Needs {
        first: counted.min().unwrap_or_default(),
        edges,
        whole: accesses.need(&location.next),
        plain: waiting.is_empty() && !location.ends && !fair,
        guarded: location.edges.iter().any(|e| !e.conjuncts.is_empty()),
        ends: location.ends,
        waiting,
    }
}

/// Everything that is known of a location.
fn accesses(at: &LocationFacts) -> impl Iterator<Item = &Access> {
    let waiting = at.waiting.iter().map(|w| &w.access);
    let edges = at.edges.iter().flat_map(|e| e.conjuncts.iter().map(|c| &c.1).chain([&e.step]));
    [&at.next, &at.future, &at.wakes, &at.sleeps].into_iter().chain(waiting).chain(edges)
}

fn has_own(at: &LocationFacts) -> bool {
    let looks = at.waiting.iter().any(|w| w.first_message.is_some());
    looks || accesses(at).any(|a| !a.own.is_empty())
}

/// Where the variables are by which processes of a type know what is their own, byte by byte.
fn settled(locations: &[LocationFacts], elements: &[Element]) -> Vec<u32> {
    let mut settled = Vec::new();
    for own in locations.iter().flat_map(accesses).flat_map(|a| &a.own) {
        if let OwnObject::Named(offset) = own.object {
            settled.push(offset);
        }
    }
    for element in elements {
        element.for_each_variable(&mut |at, width| settled.extend(at..at + width));
    }
    settled.sort_unstable();
    settled.dedup();
    settled
}
