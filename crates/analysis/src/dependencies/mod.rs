//! What processes share, who touches it, and which steps can disturb each other, for people who
//! want to know what partial-order reduction stands on.

mod processes;

use crate::facts::{Access, End, Facts, LocationFacts, Obstacle, OwnObject, Shared};
use isospin_model::{EdgeId, Model, ProcTypeId};

/// Who may be there of a process type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instances {
    /// Nobody: it is never started.
    None,
    /// One process.
    One,
    /// Several processes, so many at the start.
    Several(usize),
}

/// An edge that touches an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The process type.
    pub proctype: ProcTypeId,
    /// The edge.
    pub edge: EdgeId,
    /// Whether it reads the object; the test whether a channel is ready counts.
    pub reads: bool,
    /// Whether it writes it.
    pub writes: bool,
}

/// A shared object and who touches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Which one it is.
    pub id: Shared,
    /// The edges that touch it.
    pub uses: Vec<Use>,
}

/// How free a location's next step is of what other processes do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// It touches nothing that another process touches.
    Local,
    /// It uses an end of a channel that nobody else uses: nobody disturbs it while it can be
    /// taken. Channels that a process was given are looked up in each state.
    Conditional,
    /// Processes of these types may disturb it, or be disturbed.
    Global(Vec<ProcTypeId>),
}

impl Freedom {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Freedom::Local => "local",
            Freedom::Conditional => "conditional",
            Freedom::Global(_) => "global",
        }
    }
}

/// Process types that are connected through what they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The process types.
    pub proctypes: Vec<ProcTypeId>,
    /// What two processes of the cluster touch, as indices of [`Dependencies::objects`].
    pub objects: Vec<usize>,
}

/// The dependencies of a model.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// For each process type, who may be there.
    pub instances: Vec<Instances>,
    /// The objects that some process touches.
    pub objects: Vec<Object>,
    /// For each process type and location, how free its next step is.
    pub freedom: Vec<Vec<Freedom>>,
    /// The groups of process types that share objects.
    pub clusters: Vec<Cluster>,
    /// What turns partial-order reduction off.
    pub obstacle: Option<Obstacle>,
}

impl Dependencies {
    /// The dependencies of a model.
    pub fn of(model: &Model) -> Dependencies {
        let facts = Facts::of(model, &[]);
        let instances = processes::instances(model);
        let rendezvous = model.features.rendezvous;
        let types = facts.locations.iter().zip((0..).map(ProcTypeId));
        let all: Vec<Access> = types.map(|(l, ty)| facts.of_each(ty, &all_of(l))).collect();
        let mut objects = objects(model, &facts);
        objects.retain(|o| !o.uses.is_empty());
        let freedom = (model.proctypes.iter().zip((0..).map(ProcTypeId)))
            .map(|(p, ty)| {
                let next = |l| facts.of_each(ty, &facts.at(ty, l).next);
                p.automaton
                    .location_ids()
                    .map(|l| freedom(&next(l), ty, &instances, &all, rendezvous))
                    .collect()
            })
            .collect();
        let clusters = processes::clusters(&instances, &objects);
        Dependencies { instances, objects, freedom, clusters, obstacle: facts.obstacle }
    }
}

impl Dependencies {
    /// The lowest level at which a step is safe: 0 where nobody else disturbs it, 1 where only
    /// others of its cluster do, and 2 where everybody is in that cluster.
    pub fn level(&self, model: &Model, ty: ProcTypeId, freedom: &Freedom) -> u8 {
        let everybody = self.clusters.len() < 2
            || self.clusters.iter().any(|c| {
                c.proctypes.contains(&ty)
                    && model.proctype_ids().all(|t| {
                        c.proctypes.contains(&t) || self.instances[t.index()] == Instances::None
                    })
            });
        match freedom {
            Freedom::Global(_) if everybody => 2,
            Freedom::Global(_) => 1,
            _ => 0,
        }
    }
}

fn objects(model: &Model, facts: &Facts) -> Vec<Object> {
    let shared = facts.shared(model).into_iter();
    let mut objects: Vec<Object> =
        shared.map(|(id, name)| Object { name, id, uses: Vec::new() }).collect();
    for (p, ty) in model.proctypes.iter().zip((0..).map(ProcTypeId)) {
        for (edge, _) in p.automaton.numbered_edges() {
            let access = facts.touched(model, ty, edge);
            for object in &mut objects {
                let (reads, writes) = (access.reads.has(object.id), access.writes.has(object.id));
                if reads || writes {
                    object.uses.push(Use { proctype: ty, edge, reads, writes });
                }
            }
        }
    }
    objects
}

/// Everything that a process may touch by itself; processes that it starts have their own.
fn all_of(locations: &[LocationFacts]) -> Access {
    let mut all = Access::default();
    for location in locations {
        all.add(&location.next);
    }
    all
}

/// How free a step is that touches `next`, where the processes of each type touch `all`.
fn freedom(
    next: &Access,
    ty: ProcTypeId,
    instances: &[Instances],
    all: &[Access],
    rendezvous: bool,
) -> Freedom {
    let disturbs = |other: &Access| {
        next.writes.meets(&other.writes)
            || next.writes.meets(&other.reads)
            || next.reads.meets(&other.writes)
    };
    let others =
        all.iter().zip(instances).zip((0..).map(ProcTypeId)).filter(|((touched, there), other)| {
            let elsewhere = match there {
                Instances::None => false,
                Instances::One => *other != ty,
                Instances::Several(_) => true,
            };
            elsewhere && disturbs(touched)
        });
    let who: Vec<ProcTypeId> = others.map(|(_, other)| other).collect();
    // What a parameter names may be a rendez-vous channel.
    let both_ends = next
        .own
        .iter()
        .any(|own| own.end == End::Both || rendezvous && matches!(own.object, OwnObject::Named(_)));
    match () {
        _ if !who.is_empty() || both_ends => Freedom::Global(who),
        _ if next.writes.has_channels() || next.reads.has_channels() || !next.own.is_empty() => {
            Freedom::Conditional
        }
        _ => Freedom::Local,
    }
}
