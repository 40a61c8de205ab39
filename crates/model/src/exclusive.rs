//! Promises of exclusive access to channels.

use crate::automaton::SourceRef;
use crate::expr::{ChannelOwner, Expr, Region};
use crate::ids::ProcTypeId;
use crate::model::Model;

/// A promise of every process of a type: while it lives, no other process receives from, or sends
/// to, the channel that one of its variables names.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusive {
    /// Whose promise it is.
    pub proctype: ProcTypeId,
    /// The channel as that process names it: an [`Expr::ChannelId`] or [`Expr::Load`] without
    /// indices, so that to look it up cannot fail. Anything else names no channel.
    pub channel: Expr,
    /// Whether others must not send, rather than receive.
    pub sending: bool,
    /// Where it stands in the source.
    pub source: SourceRef,
}

impl Exclusive {
    /// The number of the channel that is claimed in a state by the process whose frame starts at
    /// `frame` and whose own channels start at position `first_channel`; 0 when its variable names
    /// none.
    #[inline]
    pub fn claimed(&self, vector: &[u8], frame: u32, first_channel: u32) -> u32 {
        match &self.channel {
            Expr::ChannelId { owner, first, index: None } => match owner {
                ChannelOwner::Global => u32::from(*first) + 1,
                ChannelOwner::Executing => first_channel + u32::from(*first) + 1,
            },
            Expr::Load(place) if place.indices.is_empty() => {
                let base = match place.region {
                    Region::Global => 0,
                    Region::Local => frame,
                    Region::Remote { .. } => return 0,
                };
                place.ty.load(vector, (base + place.offset) as usize) as u32
            }
            _ => 0,
        }
    }

    /// Whether a process of the type may come to claim another channel while it runs, by storing
    /// in its own variable.
    pub fn changes(&self, model: &Model) -> bool {
        let Expr::Load(claimed) = &self.channel else {
            return false;
        };
        let mut changes = false;
        for edge in &model.proctypes[self.proctype.index()].automaton.edges {
            edge.action.for_each_store(&mut |place| {
                let reach: u32 = place.indices.iter().map(|i| (i.len - 1) * i.stride).sum();
                changes |= place.region == claimed.region
                    && place.offset < claimed.offset + claimed.ty.width()
                    && claimed.offset < place.offset + reach + place.ty.width();
            });
        }
        changes
    }
}
