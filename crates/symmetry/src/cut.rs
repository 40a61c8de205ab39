//! Numbers that are cut off where they are stored.
//!
//! A number outside the names stays what it is under every permutation, until it is stored in
//! something too narrow: 256 in a byte is 0, which may be a name. Then the permutation and the store
//! do not commute. So no such number may occur where names do.

use isospin_model::{ChannelTypeId, Model, ProcTypeId, Scalar};

use crate::flow::Flow;
use crate::sorts::{SortVariable, Sorts};
use crate::startup::Startup;
use crate::tables::{Table, Tables};

/// Whether a number that is no name becomes one in something of these types.
pub fn becomes_name(types: &[Scalar], value: i32, table: &Table) -> bool {
    types.iter().any(|ty| {
        let stored = ty.truncate(value);
        stored != value && table.map(stored) != stored
    })
}

/// What is needed to find out.
pub struct Cut<'c, 'm> {
    /// The model.
    pub model: &'m Model,
    /// The graphs of its process types.
    pub flows: &'c [Flow<'m>],
    /// The sorts.
    pub sorts: &'c Sorts<'m>,
    /// The permutation.
    pub tables: &'c Tables,
}

impl Cut<'_, '_> {
    /// The types of everything that holds names which the permutation moves.
    pub fn types(&self) -> Vec<Scalar> {
        let moves = |node: Option<SortVariable>| !self.tables.of(self.sorts, node).is_identity();
        let mut types = Vec::new();
        for (k, slot) in self.model.layout.slots.iter().enumerate() {
            types.extend(moves(Some(self.sorts.global(k))).then_some(slot.ty));
        }
        for (ty, flow) in (0..).map(ProcTypeId).zip(self.flows) {
            for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
                let held = (0..flow.points).any(|p| moves(Some(self.sorts.local(ty, k, p))));
                types.extend(held.then_some(slot.ty));
            }
        }
        let mut channels: Vec<(Option<ProcTypeId>, usize, ChannelTypeId)> = Vec::new();
        channels
            .extend(self.model.layout.channels.iter().enumerate().map(|(k, c)| (None, k, c.ty)));
        for (ty, proctype) in (0..).map(ProcTypeId).zip(&self.model.proctypes) {
            let own = proctype.frame.channels.iter().enumerate();
            channels.extend(own.map(|(k, c)| (Some(ty), k, c.ty)));
        }
        for (owner, k, channel) in channels {
            let mut tags = self.sorts.known_tags(owner, k);
            tags.push(i32::MIN);
            for (f, &field) in self.model.channel_types[channel.index()].fields.iter().enumerate() {
                let held = tags.iter().any(|&t| moves(self.sorts.field_of(owner, k, t, f)));
                types.extend(held.then_some(field));
            }
        }
        types.dedup();
        types
    }

    /// Whether no variable starts with a number that becomes a name where it is cut off.
    pub fn starts_apart(&self, startup: &Startup, types: &[Scalar]) -> Result<(), String> {
        let cut = |node: SortVariable, value: i32| {
            let table = self.tables.of(self.sorts, Some(node));
            becomes_name(types, value, table)
        };
        let states = || std::iter::once(&startup.sample).chain(&startup.others);
        let message = |name: &str| {
            Err(format!("what `{name}` starts with becomes a name where it is cut off"))
        };
        for (k, slot) in self.model.layout.slots.iter().enumerate() {
            for (_, at) in slot.values() {
                let node = self.sorts.global(k);
                if states().any(|s| cut(node, slot.ty.load(s, at as usize))) {
                    return message(&slot.path[0].name);
                }
            }
        }
        for &(ty, frame) in &startup.shape.frames {
            let flow = &self.flows[ty.index()];
            for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
                let node = self.sorts.local(ty, k, flow.proctype.automaton.initial.index());
                for (_, at) in slot.values() {
                    let at = (frame + at) as usize;
                    if states().any(|s| cut(node, slot.ty.load(s, at))) {
                        return message(&slot.path[0].name);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_becomes_a_name_where_it_is_cut_off_to_one_that_moves() {
        let mut table = Table::default();
        table.0.swap(0, 1);
        // In a byte, 256 is 0 and 258 is 2, which stays where it is.
        assert!(becomes_name(&[Scalar::BYTE], 256, &table));
        assert!(!becomes_name(&[Scalar::BYTE], 258, &table));
        assert!(becomes_name(&[Scalar::INT, Scalar::BYTE], -255, &table));
        assert!(!becomes_name(&[Scalar::INT], 256, &table));
        // A name that is stored whole stays one, and is moved as one.
        assert!(!becomes_name(&[Scalar::BYTE], 1, &table));
        assert!(becomes_name(&[Scalar::BIT], 2, &table));
    }
}
