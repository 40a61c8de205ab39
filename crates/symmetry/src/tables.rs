//! What a permutation does to values: one table a sort.

use std::collections::HashMap;

use crate::sorts::{Node, Sorts};

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
    pub named: HashMap<Node, Table>,
}

/// What happens to plain numbers.
static IDENTITY: std::sync::LazyLock<Table> = std::sync::LazyLock::new(Table::default);

impl Tables {
    /// The table of a sort.
    pub fn of(&self, sorts: &Sorts, node: Option<Node>) -> &Table {
        let Some(node) = node else { return &IDENTITY };
        let root = sorts.find(node);
        if root == sorts.pid() {
            return &self.pid;
        }
        if let Some(table) = self.named.get(&root) {
            return table;
        }
        match sorts.is_channel(root) {
            true => &self.channel,
            false => &IDENTITY,
        }
    }
}
