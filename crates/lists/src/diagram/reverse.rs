//! What comes before a set under a relation.

use super::plan::{operation, Plan, Touch, REVERSE};
use super::product::COPY;
use super::table::{List, Lists, Stop};

impl Lists {
    /// The vectors of `among` that a relation takes to a vector of `list`.
    pub fn before(
        &mut self,
        list: List,
        relation: List,
        plan: Plan,
        among: List,
    ) -> Result<List, Stop> {
        self.before_at(list, relation, plan.0, among)
    }

    fn before_at(
        &mut self,
        list: List,
        relation: List,
        at: u32,
        among: List,
    ) -> Result<List, Stop> {
        if list.is_empty() || relation.is_empty() || among.is_empty() {
            return Ok(List::EMPTY);
        }
        if at >= self.plans.touch.ends[at as usize] {
            return self.intersect(list, among);
        }
        let key = [operation(REVERSE, at), list.0, relation.0, among.0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let base = self.scratch.len();
        let (mut targets, mut sources) = (list, among);
        match self.plans.touch.steps[at as usize] {
            Touch::No => {
                while let Some((target, source)) = self.meet(&mut targets, &mut sources) {
                    let (target, source) = (self.node(target), self.node(source));
                    let down = self.before_at(target.down, relation, at + 1, source.down)?;
                    self.push_part(source.value, down);
                }
            }
            Touch::Read => {
                while let Some((target, source)) = self.meet(&mut targets, &mut sources) {
                    let (target, source) = (self.node(target), self.node(source));
                    if let Some(read) = self.find(relation, source.value) {
                        let down = self.before_at(target.down, read, at + 1, source.down)?;
                        self.push_part(source.value, down);
                    }
                }
            }
            Touch::Both => {
                let mut pairs = relation;
                while let Some((pair, source)) = self.meet(&mut pairs, &mut sources) {
                    let (mut written, source) = (self.node(pair).down, self.node(source));
                    let mut targets = list;
                    while let Some((write, target)) = self.meet(&mut written, &mut targets) {
                        let (write, target) = (self.node(write), self.node(target));
                        let down = self.before_at(target.down, write.down, at + 1, source.down)?;
                        self.push_part(source.value, down);
                    }
                }
            }
            Touch::Write => {
                while !sources.is_empty() {
                    let (source, mut written) = (self.node(sources), relation);
                    while !written.is_empty() {
                        let write = self.node(written);
                        let value = if write.value == COPY { source.value } else { write.value };
                        if let Some(target) = self.find(list, value) {
                            let down = self.before_at(target, write.down, at + 1, source.down)?;
                            self.push_part(source.value, down);
                        }
                        written = write.right;
                    }
                    sources = source.right;
                }
            }
        }
        let result = self.gather(base)?;
        Ok(self.remember(key, result))
    }
}
