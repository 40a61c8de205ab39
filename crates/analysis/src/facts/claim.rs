//! What promises of exclusive access mean for the order of steps.
//!
//! Whether a send or receive breaks a promise depends on who lives. So the start and the end of a
//! process that claims an end of a channel, and a store in a variable that it names a channel by,
//! do not commute with sends to, or receives from, that channel: they count as looking at that end,
//! which every send and receive writes. In between, a claim never changes, and the operations
//! themselves are the same in every order. A process that keeps its promise uses that end alone, so
//! this costs hardly any reduction.
//!
//! A claim holds until its process has ended, which it does after all younger ones. Therefore
//! numbers matter where there are promises, see `numbers_matter`, and a process that waits for its
//! end waits for that of the others, see `Values::ended`.

use isospin_model::{ChannelOwner, Expr, Model, Place, ProcTypeId, Region};

use super::access::{Access, OwnObject, OwnUse, Reader};
use super::set::End;
use super::settled_variables;

/// An end of a channel that the processes of a type claim.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim {
    end: End,
    channel: Claimed,
}

#[derive(Clone, Debug, PartialEq)]
enum Claimed {
    /// A global channel, by position.
    Global(usize),
    /// A channel that the process created.
    Created(u16),
    /// The channel in a variable of the process that never changes, by offset.
    Settled(u32),
    /// The channel in a variable of the process that may change, by offset.
    Local(u32),
    /// The channel in a global variable, by offset.
    Variable(u32),
}

/// The claims of each process type.
pub(super) fn claims(model: &Model) -> Vec<Vec<Claim>> {
    let of_type = |(ty, proctype)| {
        let settled = settled_variables(proctype);
        let mine = model.exclusives.iter().filter(|e| e.proctype.index() == ty);
        mine.filter_map(|e| {
            let end = if e.sending { End::Send } else { End::Receive };
            let channel = match &e.channel {
                Expr::ChannelId { owner: ChannelOwner::Global, first, .. } => {
                    Claimed::Global(usize::from(*first))
                }
                Expr::ChannelId { owner: ChannelOwner::Executing, first, .. } => {
                    Claimed::Created(*first)
                }
                Expr::Load(Place { region, offset, .. }) => match region {
                    Region::Local if settled.contains(offset) => Claimed::Settled(*offset),
                    Region::Local => Claimed::Local(*offset),
                    _ => Claimed::Variable(*offset),
                },
                _ => return None,
            };
            Some(Claim { end, channel })
        })
        .collect()
    };
    model.proctypes.iter().enumerate().map(of_type).collect()
}

impl Reader<'_> {
    /// What the end of the process changes: its claims are gone.
    pub(super) fn add_claims(&self, access: &mut Access) {
        for claim in &self.values.claims[self.ty.index()] {
            let end = claim.end;
            let object = match claim.channel {
                Claimed::Global(position) => {
                    access.reads.add_channel(position, end);
                    continue;
                }
                Claimed::Local(_) | Claimed::Variable(_) => {
                    access.reads.add_all_channels(end);
                    continue;
                }
                Claimed::Created(position) => OwnObject::Created(position),
                Claimed::Settled(offset) => OwnObject::Named(offset),
            };
            access.add_own(OwnUse { object, end, read_only: true });
        }
    }

    /// What the start of a process of type `ty` changes: its claims are there.
    pub(super) fn add_new_claims(&self, ty: ProcTypeId, args: &[Expr], access: &mut Access) {
        let slots = &self.model.proctypes[ty.index()].frame.slots;
        for claim in &self.values.claims[ty.index()] {
            let parameter = |offset| slots.iter().position(|s| s.offset == offset);
            match claim.channel {
                Claimed::Global(position) => access.reads.add_channel(position, claim.end),
                // Nobody knows it yet.
                Claimed::Created(_) => {}
                Claimed::Settled(offset) => match parameter(offset).and_then(|k| args.get(k)) {
                    Some(arg) => self.add_channel(arg, claim.end, true, access),
                    None => access.reads.add_all_channels(claim.end),
                },
                Claimed::Local(_) | Claimed::Variable(_) => {
                    access.reads.add_all_channels(claim.end);
                }
            }
        }
    }

    /// What a store changes: a variable may come to name another channel.
    pub(super) fn add_moved_claims(&self, place: &Place, access: &mut Access) {
        let span: u32 = place.indices.iter().map(|i| (i.len - 1) * i.stride).sum();
        let stored = place.offset..=place.offset + span;
        for (ty, claims) in self.values.claims.iter().enumerate() {
            for claim in claims {
                let moved = match claim.channel {
                    Claimed::Local(offset) => {
                        ty == self.ty.index()
                            && place.region == Region::Local
                            && stored.contains(&offset)
                    }
                    Claimed::Variable(offset) => {
                        place.region == Region::Global && stored.contains(&offset)
                    }
                    _ => false,
                };
                if moved {
                    access.reads.add_all_channels(claim.end);
                }
            }
        }
    }
}
