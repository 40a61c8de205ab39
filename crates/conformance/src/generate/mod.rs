//! Random models.
//!
//! A model is made from a seed, as text: the front end is part of what is compared. Models are
//! small and mostly bounded, they use what their [`Swarm`] says, and they avoid what makes Spin's
//! verifier stop, save in a share of their own.
//!
//! | file | what it makes |
//! | --- | --- |
//! | `swarm.rs` | the choice of what a model uses |
//! | `world.rs` | types, global variables, channels, macros |
//! | `expr.rs` | numbers, conditions, remote references |
//! | `channel.rs` | sends, receives, polls |
//! | `stmt.rs` | statements of one step |
//! | `control.rs` | selections, loops, atomic sequences, `unless`, labels |
//! | `process.rs` | process types, `init`, inlines |

mod channel;
mod control;
mod expr;
mod process;
mod stmt;
mod swarm;
mod world;

pub use swarm::Swarm;

use crate::rng::Rng;
use crate::tree::Text;
use world::{Chan, Var, World};

/// The model of a seed.
pub fn generate(seed: u64) -> Text {
    let mut rng = Rng::new(seed);
    let swarm = Swarm::random(&mut rng);
    generate_with(rng, swarm)
}

/// A model that uses what `swarm` says.
pub fn generate_with(rng: Rng, swarm: Swarm) -> Text {
    let mut gen = Gen { rng, swarm, world: World::default(), body: Body::default() };
    // Processes come and go, and a number then means another process: Spin reads remote variables
    // at a place in memory without looking who is there.
    if gen.swarm.run {
        gen.swarm.remote = false;
    }
    // Spin's verifier does not combine these.
    if gen.swarm.priority || gen.swarm.enabled {
        gen.swarm.rendezvous = false;
    }
    // While it answers `enabled`, an `else` depends on what the process that asks has done so far.
    if gen.swarm.enabled {
        gen.swarm.counted_loops = false;
    }
    let mut text = Text::default();
    gen.declarations(&mut text.pieces);
    gen.inlines(&mut text.pieces);
    gen.processes(&mut text.pieces);
    text
}

struct Gen {
    rng: Rng,
    swarm: Swarm,
    world: World,
    body: Body,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, Default)]
struct Where {
    /// How many more levels there may be inside.
    depth: usize,
    /// How many loops there are around it that it could break out of.
    loops: usize,
    d_step: bool,
    inlined: bool,
    /// Within an `unless`.
    escaped: bool,
    /// Whether something stands before it in its sequence: Spin wants no label on the first
    /// statement of an inner one.
    follows: bool,
}

impl Where {
    fn inside(self) -> Where {
        Where { depth: self.depth.saturating_sub(1), follows: false, ..self }
    }

    fn behind(self) -> Where {
        Where { follows: true, ..self }
    }
}

/// What is known while the body of a process type is made.
#[derive(Clone, Debug, Default)]
struct Body {
    locals: Vec<Var>,
    chans: Vec<Chan>,
    /// Labels that may be jumped to.
    labels: Vec<String>,
    free_labels: Vec<String>,
    placed_labels: Vec<String>,
    labels_used: bool,
    names: usize,
    /// The counter of the next loop; one deeper has a longer name.
    counter: String,
    counters: usize,
}

impl Body {
    fn new(rng: &mut Rng, swarm: &Swarm) -> Body {
        let labels: Vec<String> = if swarm.goto {
            (0..rng.between(1, 2)).map(|i| format!("L{i}")).collect()
        } else {
            Vec::new()
        };
        Body { free_labels: labels.clone(), labels, counter: "i".to_owned(), ..Body::default() }
    }

    fn next_name(&mut self) -> usize {
        self.names += 1;
        self.names
    }
}
