//! Clusters: `cluster(Name, P, Q[3], Other)`, processes that have to do with each other.
//!
//! The word is one like any other except where a declaration begins. For Spin a header makes the
//! declaration nothing.

use super::{Parse, Parser};
use crate::syntax::ast::{Cluster, ClusterMember};
use crate::syntax::token::Punct;

const CLUSTER: &str = "cluster";

impl Parser<'_> {
    /// Whether a cluster is declared next, at the outermost level.
    pub(super) fn at_cluster(&mut self) -> bool {
        self.peek().word().is_some_and(|w| w.as_str() == CLUSTER)
    }

    /// `cluster(Name, P, Q[3], Other)`
    pub(super) fn cluster(&mut self) -> Parse<Cluster> {
        let start = self.here();
        self.bump();
        self.expect(Punct::LeftParen)?;
        let name = self.ident("the name of the cluster")?;
        let mut members = Vec::new();
        while self.eat(Punct::Comma) {
            let name = self.ident("the name of a proctype or cluster")?;
            let mut number = None;
            if self.eat(Punct::LeftBracket) {
                number = Some(self.const_expr()?);
                self.expect(Punct::RightBracket)?;
            }
            members.push(ClusterMember { name, number });
        }
        self.expect(Punct::RightParen)?;
        Ok(Cluster { span: self.since(start), name, members })
    }
}
