//! From elements to an automaton: jumps are seen through, selections are flattened, and escapes
//! are put in front.

use std::collections::{HashMap, HashSet};

use isospin_limits::check_many;
use isospin_model::{Action, Automaton, Edge, EdgeId, Expr, Location, LocationId, Urgency};
use isospin_source::Name;

use super::graph::{ElementId, ElementKind, Graph};

/// A jump chain longer than this is taken for a cycle.
const MAX_HOPS: usize = 10_000;

/// An automaton may have so many locations: two bytes say where a process is.
const MAX_LOCATIONS: usize = 1 << 16;

/// An automaton may have so many edges: every escape is an edge of everything that it covers.
const MAX_EDGES: usize = 1_000_000;

/// What is wrong with a body's control flow.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlowError {
    pub message: &'static str,
    pub element: ElementId,
}

/// A body's automaton, and where its labels ended up.
#[derive(Default)]
pub(super) struct Flow {
    pub automaton: Automaton,
    pub labels: HashMap<Name, LocationId>,
}

/// One way out of an element, before locations are numbered.
#[derive(Clone, Debug)]
struct Move {
    /// The statement's element; the same statement may leave several locations.
    statement: ElementId,
    target: Option<ElementId>,
    /// The escape that it is the guard of, as the element it starts with.
    escape: Option<ElementId>,
}

/// Turns a closed body into its automaton. `statement_base` numbers its statements apart from
/// those of other bodies.
pub(super) fn build(
    graph: &mut Graph,
    body: usize,
    statement_base: u32,
) -> Result<Flow, FlowError> {
    graph.tie_ends();
    graph.settle_jumps();
    let first = graph.sequences[body].first.expect("a body has an end element");
    let flat = flatten(graph)?;
    let initial = hunt(graph, first, graph.elements[first].atomic)?;
    number(graph, flat, initial, statement_base)
}

/// The element that control rests at when it comes to `el`. Inside an atomic sequence, a joint
/// that leads out of it is where control rests.
fn hunt(graph: &Graph, el: ElementId, atomic: bool) -> Result<ElementId, FlowError> {
    let mut at = el;
    for _ in 0..MAX_HOPS {
        let e = &graph.elements[at];
        let next = match &e.kind {
            ElementKind::Goto(target) => {
                let to = graph
                    .destination(target)
                    .ok_or(FlowError { message: "the label is not defined", element: at })?;
                if to == at {
                    return Err(FlowError { message: "infinite goto loop", element: at });
                }
                to
            }
            ElementKind::Joint | ElementKind::LoopExit => match e.next {
                Some(next) => next,
                None => return Ok(at),
            },
            ElementKind::Unless => {
                let main = graph.sequences[e.options[0]].first;
                hunt(graph, main.expect("sequences are not empty"), atomic)?
            }
            _ => return Ok(at),
        };
        if atomic && !graph.elements[next].atomic {
            return Ok(at);
        }
        at = next;
    }
    Err(FlowError { message: "infinite goto loop", element: el })
}

/// The element that an option or block starts with: joints and `unless` are seen through, jumps
/// are not.
fn start(graph: &Graph, el: ElementId) -> Result<ElementId, FlowError> {
    let mut at = el;
    for _ in 0..MAX_HOPS {
        let e = &graph.elements[at];
        at = match (&e.kind, e.next) {
            (ElementKind::Joint, Some(next)) => next,
            (ElementKind::Unless, _) => {
                graph.sequences[e.options[0]].first.expect("sequences are not empty")
            }
            _ => return Ok(at),
        };
    }
    Err(FlowError { message: "infinite goto loop", element: el })
}

/// The moves of every element, and which elements end, progress and accept.
struct Flat {
    moves: Vec<Vec<Move>>,
    end: Vec<bool>,
    progress: Vec<bool>,
    accept: Vec<bool>,
}

impl Flat {
    /// The location `via` is passed over on the way to `to`, so its labels count there.
    fn pass_labels(&mut self, via: ElementId, to: Option<ElementId>) {
        if let Some(to) = to {
            self.end[to] |= self.end[via];
            self.progress[to] |= self.progress[via];
            self.accept[to] |= self.accept[via];
        }
    }
}

fn flatten(graph: &Graph) -> Result<Flat, FlowError> {
    let count = graph.elements.len();
    let mut flat = Flat {
        moves: vec![Vec::new(); count],
        end: vec![false; count],
        progress: vec![false; count],
        accept: vec![false; count],
    };
    for label in &graph.labels {
        flat.end[label.element] |= label.name.starts_with("end");
        flat.progress[label.element] |= label.name.starts_with("progress");
        flat.accept[label.element] |= label.name.starts_with("accept");
    }

    // Composite elements lead to the elements that their options start with.
    let mut options: Vec<Option<Vec<ElementId>>> = vec![None; count];
    for (el, e) in graph.elements.iter().enumerate() {
        match &e.kind {
            ElementKind::If | ElementKind::Do => {
                let mut starts = Vec::new();
                for &option in &e.options {
                    let Some(first) = graph.sequences[option].first else {
                        continue;
                    };
                    let to = start(graph, first)?;
                    // An option that can never be taken is left out.
                    let never = matches!(
                        graph.elements[to].kind,
                        ElementKind::Basic(Action::Condition(Expr::Const(0)))
                    );
                    if !never || !graph.elements[to].escapes.is_empty() {
                        starts.push(to);
                    }
                }
                options[el] = Some(starts);
            }
            ElementKind::Atomic(seq) | ElementKind::Block(seq) => {
                let first = graph.sequences[*seq].first;
                options[el] = Some(vec![start(graph, first.expect("sequences are not empty"))?]);
            }
            ElementKind::Unless => {}
            ElementKind::Basic(Action::End) => {
                flat.end[el] = true;
                flat.moves[el] = vec![Move { statement: el, target: None, escape: None }];
            }
            node => {
                let next = match node {
                    ElementKind::Goto(target) => {
                        Some(graph.destination(target).ok_or(FlowError {
                            message: "the label is not defined",
                            element: el,
                        })?)
                    }
                    _ => e.next,
                };
                let target = match next {
                    Some(next) => Some(hunt(graph, next, e.atomic)?),
                    None => None,
                };
                flat.moves[el] = vec![Move { statement: el, target, escape: None }];
            }
        }
    }
    flatten_options(&mut flat, &mut options);
    for (el, starts) in options.iter().enumerate() {
        for &via in starts.iter().flatten() {
            let Some(guard) = flat.moves[via].first().cloned() else {
                continue;
            };
            flat.pass_labels(via, guard.target);
            flat.moves[el].push(guard);
        }
    }
    attach_escapes(graph, &mut flat)?;
    for el in 0..count {
        if let ([only], ElementKind::Joint) = (&flat.moves[el][..], &graph.elements[el].kind) {
            if let (true, Some(to)) = (flat.end[el], only.target) {
                flat.end[to] = true;
            }
        }
    }
    Ok(flat)
}

/// Replaces options that start with a composite element by that element's own options, until none
/// is left.
fn flatten_options(flat: &mut Flat, options: &mut [Option<Vec<ElementId>>]) {
    loop {
        let mut changed = false;
        for el in 0..options.len() {
            let Some(starts) = options[el].clone() else {
                continue;
            };
            if !starts.iter().any(|&s| options[s].is_some()) {
                continue;
            }
            let mut flattened = Vec::new();
            for via in starts {
                match &options[via] {
                    None => flattened.push(via),
                    Some(inner) => {
                        for &to in inner {
                            flat.pass_labels(via, Some(to));
                        }
                        flattened.extend(inner);
                        changed = true;
                    }
                }
            }
            options[el] = Some(flattened);
        }
        if !changed {
            return;
        }
    }
}

/// Puts the guards of the escapes that cover a statement in front of it, outer ones first.
fn attach_escapes(graph: &Graph, flat: &mut Flat) -> Result<(), FlowError> {
    let mut count: usize = flat.moves.iter().map(Vec::len).sum();
    for el in 0..graph.elements.len() {
        let mut in_front: Vec<Move> = Vec::new();
        let mut there: HashSet<ElementId> = flat.moves[el].iter().map(|m| m.statement).collect();
        for own in flat.moves[el].clone() {
            let covered = &graph.elements[own.statement];
            if matches!(covered.kind, ElementKind::Joint) {
                continue;
            }
            for &escape in covered.escapes.iter().rev() {
                let first = graph.sequences[escape].first.expect("sequences are not empty");
                let guard = hunt(graph, first, covered.atomic)?;
                check_many(flat.moves[guard].len() as u32);
                for mv in flat.moves[guard].clone() {
                    if there.insert(mv.statement) {
                        in_front.push(Move { escape: Some(guard), ..mv });
                    }
                }
            }
        }
        count += in_front.len();
        if count > MAX_EDGES {
            let message = "its escapes make more than a million edges";
            return Err(FlowError { message, element: el });
        }
        in_front.reverse();
        in_front.append(&mut flat.moves[el]);
        flat.moves[el] = in_front;
    }
    Ok(())
}

/// Numbers the locations that can be reached and lays out their edges.
fn number(
    graph: &Graph,
    flat: Flat,
    initial: ElementId,
    statement_base: u32,
) -> Result<Flow, FlowError> {
    let mut ids: HashMap<ElementId, LocationId> = HashMap::from([(initial, LocationId(0))]);
    let mut order = vec![initial];
    let mut at = 0;
    while at < order.len() {
        for target in flat.moves[order[at]].iter().filter_map(|m| m.target) {
            if let std::collections::hash_map::Entry::Vacant(free) = ids.entry(target) {
                free.insert(LocationId(order.len() as u32));
                order.push(target);
            }
        }
        if order.len() > MAX_LOCATIONS {
            let message = "a process type with more than 65536 locations";
            return Err(FlowError { message, element: order[at] });
        }
        check_many(2);
        at += 1;
    }
    let mut automaton = Automaton::default();
    for (from, &el) in order.iter().enumerate() {
        let e = &graph.elements[el];
        let first_edge = EdgeId::at(automaton.edges.len());
        for mv in &flat.moves[el] {
            check_many(2);
            let s = &graph.elements[mv.statement];
            let action = match &s.kind {
                ElementKind::Basic(action) => action.clone(),
                ElementKind::DetStep(seq) => super::det_step::build(graph, *seq),
                _ => Action::Skip,
            };
            automaton.edges.push(Edge {
                from: LocationId(from as u32),
                target: mv.target.map_or(LocationId(from as u32), |t| ids[&t]),
                action,
                atomic: s.atomic,
                urgency: Urgency::Eager,
                escape: mv.escape.map_or(0, |e| e as u32 + 1),
                resets: Vec::new(),
                statement: statement_base + mv.statement as u32,
                source: s.source,
                text: s.text.clone(),
            });
        }
        automaton.locations.push(Location {
            number: e.number,
            first_edge,
            edge_count: automaton.edges.len() as u32 - first_edge.0,
            end: flat.end[el],
            progress: flat.progress[el],
            accept: flat.accept[el],
            labels: Vec::new(),
            source: e.source,
        });
    }
    let mut labels = HashMap::new();
    for label in &graph.labels {
        if let Some(&id) = ids.get(&label.element) {
            automaton.locations[id.index()].labels.push(label.name.to_string());
            labels.entry(label.name.clone()).or_insert(id);
        }
    }
    Ok(Flow { automaton, labels })
}
