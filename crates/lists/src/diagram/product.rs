//! What follows a set under a relation.

use super::plan::{operation, Plan, Touch, PRODUCT};
use super::table::{List, Lists, Stop};

/// Among the values that a relation writes without having looked: what was there stays.
pub const COPY: u32 = u32::MAX;

impl Lists {
    /// The plan of a relation: what it does with each level.
    pub fn relation(&mut self, levels: &[Touch]) -> Plan {
        self.plans.touch.plan(levels, Touch::No)
    }

    /// What follows the vectors of `list`, whose first level is the plan's level `level`, under a
    /// relation that touches no level before it.
    pub fn product(
        &mut self,
        list: List,
        relation: List,
        plan: Plan,
        level: usize,
    ) -> Result<List, Stop> {
        self.product_at(list, relation, plan.0 + level as u32)
    }

    fn product_at(&mut self, list: List, relation: List, at: u32) -> Result<List, Stop> {
        if list.is_empty() || relation.is_empty() {
            return Ok(List::EMPTY);
        }
        if at >= self.plans.touch.ends[at as usize] {
            return Ok(list);
        }
        let key = [operation(PRODUCT, at), list.0, relation.0, 0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let base = self.scratch.len();
        let result = match self.plans.touch.steps[at as usize] {
            Touch::No => {
                let mut rest = list;
                while !rest.is_empty() {
                    let node = self.node(rest);
                    let down = self.product_at(node.down, relation, at + 1)?;
                    self.push_part(node.value, down);
                    rest = node.right;
                }
                self.build(base)?
            }
            Touch::Read => {
                let (mut rest, mut pairs) = (list, relation);
                while let Some((here, pair)) = self.meet(&mut rest, &mut pairs) {
                    let down =
                        self.product_at(self.node(here).down, self.node(pair).down, at + 1)?;
                    self.push_part(self.node(here).value, down);
                }
                self.build(base)?
            }
            Touch::Both => {
                let (mut rest, mut pairs) = (list, relation);
                while let Some((here, pair)) = self.meet(&mut rest, &mut pairs) {
                    let (here, mut written) = (self.node(here), self.node(pair).down);
                    while !written.is_empty() {
                        let write = self.node(written);
                        let down = self.product_at(here.down, write.down, at + 1)?;
                        self.push_part(write.value, down);
                        written = write.right;
                    }
                }
                self.gather(base)?
            }
            Touch::Write => {
                let mut rest = list;
                while !rest.is_empty() {
                    let (here, mut written) = (self.node(rest), relation);
                    while !written.is_empty() {
                        let write = self.node(written);
                        let down = self.product_at(here.down, write.down, at + 1)?;
                        let value = if write.value == COPY { here.value } else { write.value };
                        self.push_part(value, down);
                        written = write.right;
                    }
                    rest = here.right;
                }
                self.gather(base)?
            }
        };
        Ok(self.remember(key, result))
    }

    /// The next nodes of two lists that have the same value; the lists go on behind them.
    #[inline]
    pub(super) fn meet(&self, a: &mut List, b: &mut List) -> Option<(List, List)> {
        while !a.is_empty() && !b.is_empty() {
            let (here, there) = (*a, *b);
            let (l, r) = (self.node(here), self.node(there));
            if l.value <= r.value {
                *a = l.right;
            }
            if r.value <= l.value {
                *b = r.right;
            }
            if l.value == r.value {
                return Some((here, there));
            }
        }
        None
    }
}
