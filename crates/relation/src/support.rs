//! What an expression speaks about.

use std::collections::BTreeSet;

use crate::{ExprId, Expressions, Node, VarId};

/// A variable, now or next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mention {
    /// Its value now.
    Current(VarId),
    /// Its value after the transition.
    Next(VarId),
}

/// The variables that an expression mentions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Support(pub BTreeSet<Mention>);

impl Support {
    /// What an expression mentions.
    pub fn of(expressions: &Expressions, id: ExprId) -> Support {
        let mentions =
            expressions.reached([id]).into_iter().filter_map(|id| match expressions.node(id) {
                Node::Current(variable) => Some(Mention::Current(variable)),
                Node::Next(variable) => Some(Mention::Next(variable)),
                _ => None,
            });
        Support(mentions.collect())
    }

    /// The variables whose value now is mentioned.
    pub fn reads(&self) -> impl Iterator<Item = VarId> + '_ {
        self.0.iter().filter_map(|m| match m {
            Mention::Current(v) => Some(*v),
            Mention::Next(_) => None,
        })
    }

    /// The variables whose next value is mentioned.
    pub fn writes(&self) -> impl Iterator<Item = VarId> + '_ {
        self.0.iter().filter_map(|m| match m {
            Mention::Next(v) => Some(*v),
            Mention::Current(_) => None,
        })
    }
}
