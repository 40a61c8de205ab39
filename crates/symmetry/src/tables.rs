//! What a permutation does to values: one table a sort.

use std::collections::HashMap;

use crate::sorts::{SortVariable, Sorts};

/// A permutation of the values 0 to 255. Values outside stay what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table(pub [u8; 256]);

impl Default for Table {
    fn default() -> Table {
        let mut table = [0; 256];
        for (k, to) in table.iter_mut().enumerate() {
            *to = k as u8;
        }
        Table(table)
    }
}

impl Table {
    /// Where a value goes.
    #[inline]
    pub fn map(&self, value: i32) -> i32 {
        match u8::try_from(value) {
            Ok(value) => i32::from(self.0[usize::from(value)]),
            Err(_) => value,
        }
    }

    /// Whether every value stays where it is.
    pub fn is_identity(&self) -> bool {
        self.moved().next().is_none()
    }

    /// The values that go elsewhere.
    pub fn moved(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|(k, &to)| *k != usize::from(to)).map(|(k, _)| k)
    }

    /// Whether `0..len` goes to itself.
    pub fn keeps_range(&self, len: u32) -> bool {
        self.moved().all(|v| (v < len as usize) == (usize::from(self.0[v]) < len as usize))
    }
}

/// The tables of a permutation, by sort.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Process numbers.
    pub pid: Table,
    /// Channel numbers.
    pub channel: Table,
    /// Other sorts that hold names.
    pub named: HashMap<SortVariable, Table>,
}

/// What happens to plain numbers.
static IDENTITY: std::sync::LazyLock<Table> = std::sync::LazyLock::new(Table::default);

impl Tables {
    /// The table of a sort.
    pub fn of(&self, sorts: &Sorts, node: Option<SortVariable>) -> &Table {
        let Some(node) = node else { return &IDENTITY };
        let root = sorts.find(node);
        if root == sorts.pid() {
            return &self.pid;
        }
        if let Some(table) = self.named.get(&root) {
            return table;
        }
        if sorts.is_channel(root) {
            &self.channel
        } else {
            &IDENTITY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swapped(a: u8, b: u8) -> Table {
        let mut table = Table::default();
        table.0.swap(usize::from(a), usize::from(b));
        table
    }

    #[test]
    fn only_names_are_moved() {
        let table = swapped(1, 3);
        assert_eq!([0, 1, 2, 3].map(|v| table.map(v)), [0, 3, 2, 1]);
        // What is no byte is no name.
        assert_eq!([256 + 1, -1, i32::MIN].map(|v| table.map(v)), [257, -1, i32::MIN]);
        assert_eq!(table.moved().collect::<Vec<_>>(), [1, 3]);
        assert!(!table.is_identity());
        assert!(Table::default().is_identity());
    }

    #[test]
    fn a_range_is_kept_when_nothing_leaves_it() {
        assert!(swapped(1, 2).keeps_range(3));
        assert!(swapped(5, 6).keeps_range(3));
        assert!(!swapped(2, 3).keeps_range(3));
        assert!(swapped(2, 3).keeps_range(300));
    }
}
