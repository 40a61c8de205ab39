//! Which parts of the language a model uses.
//!
//! Every model leaves some parts out: models that use everything rarely get deep into anything,
//! and a model that uses two things shows how the two go together.

use crate::rng::Rng;

/// What a model may use.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Swarm {
    pub buffered: bool,
    pub rendezvous: bool,
    pub channel_arrays: bool,
    pub channels_in_messages: bool,
    pub sorted: bool,
    pub random_receive: bool,
    pub copy_receive: bool,
    pub poll: bool,
    pub atomic: bool,
    pub d_step: bool,
    pub unless: bool,
    pub goto: bool,
    pub end_labels: bool,
    pub timeout: bool,
    pub run: bool,
    pub provided: bool,
    pub priority: bool,
    pub enabled: bool,
    pub remote: bool,
    pub arrays: bool,
    pub records: bool,
    pub record_messages: bool,
    pub hidden: bool,
    pub mtypes: bool,
    pub wide: bool,
    pub local_channels: bool,
    pub block_scopes: bool,
    pub counted_loops: bool,
    pub inlines: bool,
    pub macros: bool,
    pub asserts: bool,
    pub last: bool,
    pub else_with_channels: bool,
    pub deterministic: bool,
    /// Mistakes that show at run time may be in it: division by 0, indices out of range,
    /// deterministic sequences that block.
    pub faulty: bool,
}

impl Swarm {
    /// A random choice.
    pub fn random(rng: &mut Rng) -> Swarm {
        let often = |rng: &mut Rng| rng.chance(55);
        let sometimes = |rng: &mut Rng| rng.chance(30);
        let rarely = |rng: &mut Rng| rng.chance(8);
        Swarm {
            buffered: often(rng),
            rendezvous: often(rng),
            channel_arrays: sometimes(rng),
            channels_in_messages: sometimes(rng),
            sorted: sometimes(rng),
            random_receive: sometimes(rng),
            copy_receive: sometimes(rng),
            poll: sometimes(rng),
            atomic: often(rng),
            d_step: sometimes(rng),
            unless: sometimes(rng),
            goto: often(rng),
            end_labels: sometimes(rng),
            timeout: sometimes(rng),
            run: often(rng),
            provided: rarely(rng),
            priority: rarely(rng),
            enabled: rarely(rng),
            remote: sometimes(rng),
            arrays: often(rng),
            records: sometimes(rng),
            record_messages: often(rng),
            hidden: rarely(rng),
            mtypes: sometimes(rng),
            wide: sometimes(rng),
            local_channels: sometimes(rng),
            block_scopes: sometimes(rng),
            counted_loops: sometimes(rng),
            inlines: sometimes(rng),
            macros: sometimes(rng),
            asserts: often(rng),
            last: rarely(rng),
            else_with_channels: sometimes(rng),
            faulty: rarely(rng),
            deterministic: rarely(rng),
        }
    }
}
