//! Assignments that depend on themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use isospin_relation::{Mention, Support, VarId};
use isospin_source::{Diagnostic, Span};

use super::assign::Assignments;
use crate::flatten::Flattener;

/// What depends on what, and where it is assigned.
type Dependencies = BTreeMap<VarId, (Vec<VarId>, Span)>;

impl Flattener<'_> {
    /// Reports values that are needed for themselves: in one state, or in the next one.
    pub(crate) fn circular(&mut self, all: &Assignments) {
        let mut now = Dependencies::new();
        for (&variable, assigned) in &all.current {
            let reads = self.mentioned(assigned.set).0;
            now.insert(variable, (reads, assigned.span));
        }
        self.cycle(&now);
        let mut next = Dependencies::new();
        for (&variable, list) in &all.next {
            let writes = list.iter().flat_map(|a| self.mentioned(a.set).1).collect();
            next.insert(variable, (writes, list[0].span));
        }
        self.cycle(&next);
        for (&variable, assigned) in &all.init {
            let reads = self.mentioned(assigned.set).0;
            now.insert(variable, (reads, assigned.span));
        }
        self.cycle(&now);
    }

    /// The variables whose value now, and whose next value, a set mentions.
    fn mentioned(&mut self, set: usize) -> (Vec<VarId>, Vec<VarId>) {
        // Membership of a constant mentions what the set does and nothing else.
        let nothing = self.relation.expressions.integer(0);
        let expr = self.member(nothing, set);
        let support = Support::of(&self.relation.expressions, expr);
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for mention in support.0 {
            match mention {
                Mention::Current(v) => reads.push(v),
                Mention::Next(v) => writes.push(v),
            }
        }
        (reads, writes)
    }

    /// Reports the first variable that depends on itself.
    fn cycle(&mut self, dependencies: &Dependencies) {
        let mut done: BTreeSet<VarId> = BTreeSet::new();
        for &start in dependencies.keys() {
            // Depth first: the variables on the way, each with what is still to be looked at.
            let mut way: Vec<(VarId, usize)> = vec![(start, 0)];
            let mut on_way: HashMap<VarId, ()> = HashMap::from([(start, ())]);
            while let Some((variable, at)) = way.last_mut() {
                let next = match dependencies.get(variable) {
                    Some((list, _)) if !done.contains(variable) => list.get(*at).copied(),
                    _ => None,
                };
                *at += 1;
                match next {
                    Some(next) if on_way.contains_key(&next) => {
                        let span = dependencies.get(&next).map_or(Span::NONE, |(_, span)| *span);
                        let name = &self.relation.variable(next).name;
                        let message = format!("the value of `{name}` depends on itself");
                        self.diagnostics.push(Diagnostic::error(span, message));
                        return;
                    }
                    Some(next) => {
                        way.push((next, 0));
                        on_way.insert(next, ());
                    }
                    None => {
                        done.insert(*variable);
                        on_way.remove(variable);
                        way.pop();
                    }
                }
            }
        }
    }
}
