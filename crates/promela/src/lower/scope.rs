//! Variables and the scopes that they are visible in.

use isospin_source::Name;
use std::collections::HashMap;

use isospin_model::ChannelOwner;

use super::types::VarType;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Home {
    /// In the part of the vector that is always there.
    Global(u32),
    /// In the frame of its process.
    Local(u32),
    /// Nowhere: a channel, or an array of channels, whose name never comes to mean another.
    Channels(ChannelOwner, u16),
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Variable {
    pub ty: VarType,
    pub array: Option<u32>,
    pub home: Home,
    /// How many messages the channel holds that it was declared with.
    pub capacity: Option<u16>,
}

/// The scopes that are open at some point of the text.
#[derive(Default)]
pub(super) struct Scopes {
    globals: HashMap<Name, Variable>,
    open: Vec<HashMap<Name, Variable>>,
    /// The numbers of the open blocks, outermost first.
    pub path: Vec<u32>,
    blocks: u32,
}

impl Scopes {
    /// Forgets all but the globals: a new body starts.
    pub fn reset(&mut self) {
        self.open.clear();
        self.path.clear();
        self.blocks = 0;
    }

    /// Enters a block.
    pub fn enter(&mut self) {
        self.blocks += 1;
        self.path.push(self.blocks);
        self.open.push(HashMap::new());
    }

    /// Leaves the innermost block.
    pub fn leave(&mut self) {
        self.path.pop();
        self.open.pop();
    }

    /// Declares a variable in the innermost scope.
    pub fn declare(&mut self, name: Name, variable: Variable) {
        self.open.last_mut().unwrap_or(&mut self.globals).insert(name, variable);
    }

    /// The variable that a name means here.
    pub fn find(&self, name: &str) -> Option<Variable> {
        self.open.iter().rev().chain([&self.globals]).find_map(|s| s.get(name)).copied()
    }
}
