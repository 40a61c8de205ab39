//! From a model to its symmetry.

use std::sync::Arc;

use isospin_model::{Action, Expr, Model, ProcType};

use crate::action::GroupAction;
use crate::carriers::carriers;
use crate::family::{self, Domain};
use crate::flow::Flow;
use crate::group::{Block, Group, Listed};
use crate::loops::{self, Loop};
use crate::prove::Prover;
use crate::reader::Reader;
use crate::sorts::Sorts;
use crate::startup::Startup;
use crate::symmetry::Symmetry;
use crate::tracks::{Shifts, Tracks, Unfit};
use crate::transport::Breach;

/// Two members that cannot change places, and what stands in the way.
pub type Obstacle = (u8, u8, Breach);

/// What was found out about one set of names.
#[derive(Clone, Debug)]
pub struct DomainReport {
    /// The set.
    pub domain: Domain,
    /// Members that can change places in every way.
    pub blocks: Vec<Vec<u8>>,
    /// Other permutations: how many.
    pub listed: usize,
    /// Why two members cannot change places: which, and what stands in the way.
    pub breaches: Vec<Obstacle>,
    /// What holds its names.
    pub carriers: Vec<String>,
}

/// What was found out about a model.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    /// The symmetry, if there is any.
    pub symmetry: Option<Arc<Symmetry>>,
    /// Every set of names.
    pub domains: Vec<DomainReport>,
    /// What rules symmetry out altogether.
    pub obstacle: Option<String>,
}

impl Detection {
    /// The first declared set of names whose members cannot all change places: which, and what
    /// stands in the way.
    pub fn wrong_declaration(&self, model: &Model) -> Option<(String, Breach)> {
        self.domains.iter().find_map(|report| {
            let set = &model.scalarsets[report.domain.declared?];
            let whole = report.blocks.first().is_some_and(|b| b.len() == report.domain.size());
            let (.., breach) = report.breaches.first().filter(|_| !whole)?;
            let mut breach = breach.clone();
            if breach.source.line == 0 {
                breach.source = set.source;
            }
            Some((set.name.clone(), breach))
        })
    }
}

/// Process types with more variables times statements than this are not looked at: what is known of
/// each variable at each statement has to be kept.
const MAX_WORK: usize = 1 << 25;

/// Finds the symmetry of a model under which `observers`, the expressions that properties look at,
/// stay what they are.
pub fn detect(model: &Arc<Model>, observers: &[Expr]) -> Detection {
    detect_for(model, observers, None)
}

/// The same, where observers may also change places if their reader goes along.
pub fn detect_for(
    model: &Arc<Model>,
    observers: &[Expr],
    reader: Option<&dyn Reader>,
) -> Detection {
    let order = |d: &Detection| d.symmetry.as_ref().map_or(1.0, |s| s.group.order());
    let find = |linked: bool| {
        let found = reader.map(|reader| detect_with(model, observers, linked, Some(reader)));
        match found {
            Some(Ok(found)) => found,
            // Without a reader who could go along, everything fits.
            _ => detect_with(model, observers, linked, None).unwrap_or_default(),
        }
    };
    let linked = find(true);
    if linked.obstacle.is_some() {
        return linked;
    }
    // What a process starts with may tell whom it deals with, or may be just a number.
    let loose = find(false);
    if order(&loose) > order(&linked) {
        loose
    } else {
        linked
    }
}

fn detect_with(
    model: &Arc<Model>,
    observers: &[Expr],
    linked: bool,
    reader: Option<&dyn Reader>,
) -> Result<Detection, Unfit> {
    let rules_out =
        |why: &str| Ok(Detection { obstacle: Some(why.to_owned()), ..Detection::default() });
    if model.trace.is_some() {
        return rules_out("the model has a trace assertion");
    }
    let large = |p: &ProcType| {
        let places = p.automaton.locations.len() + p.automaton.edges.len();
        places.saturating_mul(p.frame.slots.len()) > MAX_WORK
    };
    if let Some(proctype) = model.proctypes.iter().find(|p| large(p)) {
        return rules_out(&format!("`{}` is too large to be looked at for it", proctype.name));
    }
    let Some(startup) = Startup::of(model) else {
        return rules_out(
            "the processes that start others wait for something, or start different ones",
        );
    };
    if let Some(name) = may_end(model, &startup) {
        return rules_out(&format!(
            "processes of `{name}` end, and the order in which they end shows"
        ));
    }
    let flows = Flow::all(model, observers);
    let observers: Vec<&Expr> = observers.iter().collect();
    let mut sorts = Sorts::infer(model, &flows, &observers, &startup.starting, linked);
    let loops: Vec<Vec<Loop>> = flows.iter().map(|f| loops::find(model, f)).collect();
    let mut domains = family::domains(model, &flows, &startup, &sorts);
    let mut reports = Vec::new();
    let mut kept = Vec::new();
    let mut group = Group::default();
    let mut shifts = Shifts::default();
    for d in 0..domains.len() {
        let mut prover = Prover {
            model,
            flows: &flows,
            startup: &startup,
            sorts: &mut sorts,
            loops: &loops,
            domains: &domains,
            observers: &observers,
            reader,
        };
        let (mut blocks, breaches) = prover.blocks(d);
        let whole = blocks.first().is_some_and(|b| b.0.len() == domains[d].size());
        let (mut rotations, turns) = if whole { Default::default() } else { prover.ring(d) };
        // Every other one of a ring of four can change places, too; the ring says more.
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let in_blocks: f64 = blocks.iter().map(|b| factorial(b.0.len())).product();
        if rotations.len() as f64 > in_blocks {
            blocks.clear()
        } else {
            rotations.clear()
        }
        let (blocks, exchanges): (Vec<Vec<u8>>, Vec<_>) = blocks.into_iter().unzip();
        let report = DomainReport {
            domain: domains[d].clone(),
            blocks: blocks.clone(),
            listed: rotations.len(),
            breaches,
            carriers: carriers(model, &flows, &sorts, &domains[d]),
        };
        reports.push(report);
        let domain = kept.len();
        if !blocks.is_empty() {
            group.blocks.extend(blocks.into_iter().map(|members| Block { domain, members }));
            shifts.blocks.extend(exchanges);
            kept.push(domains[d].clone());
        } else if rotations.len() > 1 {
            group.listed.push(Listed { domain, permutations: rotations });
            shifts.listed.push(turns);
            kept.push(domains[d].clone());
        }
    }
    if group.is_trivial() {
        return Ok(Detection { domains: reports, ..Detection::default() });
    }
    domains = kept;
    let tracks = match reader {
        Some(reader) => Tracks::new(&domains, &group, &shifts, reader.states())?,
        None => None,
    };
    let action = GroupAction::new(model, &flows, &startup, &sorts, domains);
    let mut symmetry = Symmetry::new(model, startup, action, group, &flows, &sorts, &loops);
    symmetry.tracks = tracks.map(Arc::new);
    Ok(Detection { symmetry: Some(Arc::new(symmetry)), domains: reports, obstacle: None })
}

/// A type of which a process may end while others go on. The youngest ends first: names would show.
fn may_end(model: &Model, startup: &Startup) -> Option<String> {
    let &(ty, _) = startup.shape.frames.last()?;
    let proctype = &model.proctypes[ty.index()];
    let ends = proctype.automaton.edges.iter().any(|e| e.action == Action::End);
    ends.then(|| proctype.name.clone())
}
