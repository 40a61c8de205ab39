//! Fewer levels; other levels.

use super::plan::{operation, Keep, Move, Plan, MOVE, PROJECT};
use super::table::{List, Lists, Stop};

impl Lists {
    /// The plan of a projection: what becomes of each level.
    pub fn projection(&mut self, levels: &[Keep]) -> Plan {
        self.plans.keep.plan(levels, Keep::No)
    }

    /// The plan of a move to another space.
    pub fn relocation(&mut self, moves: &[Move]) -> Plan {
        self.plans.moves.plan(moves, Move::Keep)
    }

    /// The vectors of `list`, whose first level is the plan's level `level`, without the levels that
    /// go.
    pub fn project(&mut self, list: List, plan: Plan, level: usize) -> Result<List, Stop> {
        self.project_at(list, plan.0 + level as u32)
    }

    fn project_at(&mut self, list: List, at: u32) -> Result<List, Stop> {
        if list.is_empty() {
            return Ok(list);
        }
        if at >= self.plans.keep.ends[at as usize] {
            return Ok(List::END);
        }
        let step = self.plans.keep.steps[at as usize];
        if let Keep::Equal(value) = step {
            let mut rest = list;
            while !rest.is_empty() && self.node(rest).value < value {
                rest = self.node(rest).right;
            }
            if rest.is_empty() || self.node(rest).value > value {
                return Ok(List::EMPTY);
            }
            return self.project_at(self.node(rest).down, at + 1);
        }
        let key = [operation(PROJECT, at), list.0, 0, 0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let (mut rest, mut all) = (list, List::EMPTY);
        let base = self.scratch.len();
        while !rest.is_empty() {
            let node = self.node(rest);
            let down = self.project_at(node.down, at + 1)?;
            if step == Keep::Yes {
                self.push_part(node.value, down);
            } else {
                all = self.union(all, down)?;
            }
            rest = node.right;
        }
        if step == Keep::Yes {
            all = self.build(base)?;
        }
        Ok(self.remember(key, all))
    }

    /// The vectors of `list` in another space: levels go, or come with a value.
    pub fn relocate(&mut self, list: List, plan: Plan) -> Result<List, Stop> {
        self.relocate_at(list, plan.0)
    }

    fn relocate_at(&mut self, list: List, at: u32) -> Result<List, Stop> {
        if list.is_empty() || at >= self.plans.moves.ends[at as usize] {
            return Ok(list);
        }
        let step = self.plans.moves.steps[at as usize];
        let key = [operation(MOVE, at), list.0, 0, 0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let base = self.scratch.len();
        if let Move::Insert(value) = step {
            let down = self.relocate_at(list, at + 1)?;
            let result = self.make(value, down, List::EMPTY)?;
            return Ok(self.remember(key, result));
        }
        let (mut rest, mut all) = (list, List::EMPTY);
        while !rest.is_empty() {
            let node = self.node(rest);
            let down = self.relocate_at(node.down, at + 1)?;
            if step == Move::Keep {
                self.push_part(node.value, down);
            } else {
                all = self.union(all, down)?;
            }
            rest = node.right;
        }
        if step == Move::Keep {
            all = self.build(base)?;
        }
        Ok(self.remember(key, all))
    }
}
