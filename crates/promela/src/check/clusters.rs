//! Clusters of processes: what their members are called.

use super::Checker;
use crate::symbols::{ClusterId, Meaning};
use crate::syntax::ast::{Cluster, ClusterMember};

impl<'a> Checker<'a> {
    /// A cluster. Its members are proctypes, and clusters declared before.
    pub(super) fn cluster(&mut self, cluster: &'a Cluster) {
        let name = &cluster.name.name;
        if self.clusters.contains_key(name) {
            let message = format!("cluster `{name}` is declared a second time");
            self.error(cluster.name.span, message);
            return;
        }
        if cluster.members.is_empty() {
            self.error(cluster.span, format!("cluster `{name}` has no members"));
            return;
        }
        for member in &cluster.members {
            self.member(member);
        }
        let id = ClusterId(self.clusters.len());
        self.clusters.insert(name.clone(), id);
        self.symbols.set_meaning(&cluster.name, Meaning::Cluster(id));
    }

    fn member(&mut self, member: &ClusterMember) {
        if let Some(number) = &member.number {
            self.const_value(number, "the number of a process");
        }
        let name = &member.name.name;
        let proctype = self.proctypes.get(name).map(|(id, _)| Meaning::Proctype(*id));
        let cluster = self.clusters.get(name).map(|id| Meaning::Cluster(*id));
        let message = match proctype.or(cluster) {
            Some(Meaning::Cluster(_)) if member.number.is_some() => {
                format!("`{name}` is a cluster, which has no number")
            }
            Some(meaning) => {
                self.symbols.set_meaning(&member.name, meaning);
                return;
            }
            None => format!("there is no proctype `{name}`, nor a cluster declared before"),
        };
        self.error(member.name.span, message);
    }
}
