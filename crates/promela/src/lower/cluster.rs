//! Clusters of processes that the model declares.

use isospin_model::{Member, Pid, ProcTypeId};

use super::Lowering;
use crate::symbols::{ClusterId, Meaning, ProctypeId};
use crate::syntax::ast::{Cluster, ClusterMember};

impl Lowering<'_> {
    /// A cluster.
    pub(super) fn cluster(&mut self, cluster: &Cluster) {
        let name = cluster.name.name.to_string();
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
        }
        let source = self.source(cluster.name.span);
        self.model.clusters.push(isospin_model::Cluster { name, members, source });
    }

    fn cluster_member(&mut self, member: &ClusterMember) -> Vec<Member> {
        let proctype = match self.symbols.meaning(&member.name) {
            Some(Meaning::Proctype(ProctypeId(id))) => ProcTypeId(id as u16),
            // The model numbers its clusters as the text does.
            Some(Meaning::Cluster(ClusterId(id))) => {
                return self.model.clusters.get(id).map_or(Vec::new(), |c| c.members.clone());
            }
            _ => {
                self.undeclared(&member.name);
                return Vec::new();
            }
        };
        let Some(number) = &member.number else {
            return vec![Member { proctype, pid: None }];
        };
        match self.symbols.constant(number).map(u8::try_from) {
            Some(Ok(pid)) if pid < 255 => vec![Member { proctype, pid: Some(Pid(pid)) }],
            _ => {
                self.error(number.span, "a process has a number from 0 to 254");
                Vec::new()
            }
        }
    }
}
