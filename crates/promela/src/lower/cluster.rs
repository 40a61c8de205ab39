//! Clusters of processes that the model declares.

use isospin_model::{Member, Pid, ProcTypeId};

use super::Lowering;
use crate::syntax::ast::{Cluster, ClusterMember};

impl Lowering<'_> {
    /// A cluster. What its members are called is known: proctypes, and clusters declared before.
    pub(super) fn cluster(&mut self, cluster: &Cluster) {
        let name = cluster.name.name.as_str();
        if self.model.clusters.iter().any(|c| c.name == name) {
            let message = format!("cluster `{name}` is declared a second time");
            self.error(cluster.name.span, message);
            return;
        }
        if cluster.members.is_empty() {
            self.error(cluster.span, format!("cluster `{name}` has no members"));
            return;
        }
        let mut members = Vec::new();
        for member in &cluster.members {
            members.extend(self.cluster_member(member));
        }
        let crossed = self.model.clusters.iter().find(|other| {
            let within = |a: &[Member], b: &[Member]| a.iter().all(|m| b.iter().any(|n| n.has(*m)));
            let meet = members.iter().any(|m| other.members.iter().any(|n| n.meets(*m)));
            meet && !within(&members, &other.members) && !within(&other.members, &members)
        });
        if let Some(other) = crossed {
            let message = format!(
                "cluster `{name}` has processes of cluster `{}`, but neither contains the other",
                other.name
            );
            self.error(cluster.name.span, message);
            return;
        }
        let source = self.source(cluster.name.span);
        let name = name.to_owned();
        self.model.clusters.push(isospin_model::Cluster { name, members, source });
    }

    fn cluster_member(&mut self, member: &ClusterMember) -> Vec<Member> {
        let name = &member.name.name;
        let Some(&proctype) = self.proctypes.get(name) else {
            let known = self.model.clusters.iter().find(|c| c.name == name.as_str());
            if let (Some(known), None) = (known, &member.number) {
                return known.members.clone();
            }
            let message = match known {
                Some(_) => format!("`{name}` is a cluster, which has no number"),
                None => format!("there is no proctype `{name}`, nor a cluster declared before"),
            };
            self.error(member.name.span, message);
            return Vec::new();
        };
        let proctype: ProcTypeId = proctype;
        let Some(number) = &member.number else {
            return vec![Member { proctype, pid: None }];
        };
        match self.constant(number).map(u8::try_from) {
            Some(Ok(pid)) if pid < 255 => vec![Member { proctype, pid: Some(Pid(pid)) }],
            _ => {
                self.error(number.span, "a process has a number from 0 to 254");
                Vec::new()
            }
        }
    }
}
