//! Sets: choices of values, in assignments, after `in`, and inside cases.

use std::collections::HashMap;

use isospin_relation::{Binary, Domain, ExprId, Node, Trouble, VarId};
use isospin_source::{Diagnostic, Span};

use crate::flatten::{Flattener, Item, Result, ScopeId};
use crate::syntax::Expr;
use crate::types::Ty;

/// A set over smaller ones, which have smaller numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SetNode {
    One(ExprId),
    Range(i64, i64),
    Union(usize, usize),
    Choose(ExprId, usize, usize),
}

impl Flattener<'_> {
    pub(crate) fn add_set(&mut self, node: SetNode) -> usize {
        self.sets.push(node);
        self.sets.len() - 1
    }

    /// A value or a set as a set.
    pub(crate) fn as_set(&mut self, item: Item, span: Span) -> Result<(Ty, usize)> {
        match item {
            Item::Set(ty, set) => Ok((ty, set)),
            other => {
                let (ty, expr) = self.single(other, span)?;
                Ok((ty, self.add_set(SetNode::One(expr))))
            }
        }
    }

    /// `{a, b, c}`; with one element it is that element.
    pub(crate) fn set(&mut self, values: &[Expr], scope: ScopeId, span: Span) -> Result<Item> {
        let mut whole: Option<Item> = None;
        for &value in values {
            let item = self.item(value, scope)?;
            whole = Some(match whole {
                None => item,
                Some(before) => self.union(before, item, span)?,
            });
        }
        whole.map_or_else(|| self.error(span, "a set needs an element"), Ok)
    }

    pub(crate) fn union(&mut self, left: Item, right: Item, span: Span) -> Result<Item> {
        let (left, right) = self.alike(left, right);
        let (a, left) = self.as_set(left, span)?;
        let (b, right) = self.as_set(right, span)?;
        if a.is_word() || b.is_word() {
            return self.error(span, "there are no sets of words");
        }
        let Some(ty) = a.join(b) else {
            let message = format!("{} and {} cannot be in one set", a.words(), b.words());
            return self.error(span, message);
        };
        Ok(Item::Set(ty, self.add_set(SetNode::Union(left, right))))
    }

    /// In the old dialect, 0 and 1 beside a truth value are truth values.
    pub(crate) fn alike(&mut self, left: Item, right: Item) -> (Item, Item) {
        let is_truth =
            |item: &Item| matches!(item, Item::Value(Ty::Boolean, _) | Item::Set(Ty::Boolean, _));
        let as_truth = |this: &mut Self, item: Item| match item {
            Item::Value(ty, expr) => match this.as_truth((ty, expr)) {
                Some(truth) => Item::Value(Ty::Boolean, truth),
                None => item,
            },
            Item::Set(Ty::Integer, set) if this.options.old_booleans => {
                this.truths(set).map_or(item, |set| Item::Set(Ty::Boolean, set))
            }
            other => other,
        };
        match (is_truth(&left), is_truth(&right)) {
            (true, false) => {
                let right = as_truth(self, right);
                (left, right)
            }
            (false, true) => (as_truth(self, left), right),
            _ => (left, right),
        }
    }

    /// A set of 0 and 1 as truth values.
    fn truths(&mut self, set: usize) -> Option<usize> {
        let mut images: HashMap<usize, usize> = HashMap::new();
        for old in self.reached_sets(set) {
            let node = match self.sets[old] {
                SetNode::One(expr) => SetNode::One(self.as_truth((Ty::Integer, expr))?),
                SetNode::Range(0, 1) => {
                    let no = self.relation.expressions.truth(false);
                    let yes = self.relation.expressions.truth(true);
                    let (no, yes) =
                        (self.add_set(SetNode::One(no)), self.add_set(SetNode::One(yes)));
                    SetNode::Union(no, yes)
                }
                SetNode::Range(..) => return None,
                SetNode::Union(a, b) => SetNode::Union(images[&a], images[&b]),
                SetNode::Choose(c, a, b) => SetNode::Choose(c, images[&a], images[&b]),
            };
            let image = self.add_set(node);
            images.insert(old, image);
        }
        images.get(&set).copied()
    }

    /// One of two items, by a condition.
    pub(crate) fn choose(
        &mut self,
        condition: ExprId,
        yes: Item,
        no: Item,
        span: Span,
    ) -> Result<Item> {
        let (yes, no) = self.alike(yes, no);
        if let (Item::Value(a, yes), Item::Value(b, no)) = (&yes, &no) {
            if let Some(ty) = a.join(*b) {
                let chosen = self.relation.expressions.choose(condition, *yes, *no);
                return Ok(Item::Value(ty, chosen));
            }
            let message = format!("one side is {}, the other {}", a.words(), b.words());
            let diagnostic = Diagnostic::error(span, message);
            let diagnostic = self.explain_old(diagnostic, (*a, *yes));
            let diagnostic = self.explain_old(diagnostic, (*b, *no));
            return self.report(diagnostic);
        }
        let (a, yes) = self.as_set(yes, span)?;
        let (b, no) = self.as_set(no, span)?;
        let Some(ty) = a.join(b) else {
            let message = format!("one side is {}, the other {}", a.words(), b.words());
            return self.error(span, message);
        };
        Ok(Item::Set(ty, self.add_set(SetNode::Choose(condition, yes, no))))
    }

    /// A case: the first branch whose condition is true.
    pub(crate) fn case(
        &mut self,
        branches: &[(Expr, Expr)],
        scope: ScopeId,
        span: Span,
    ) -> Result<Item> {
        let mut understood = Vec::new();
        let mut failure = None;
        for &(condition, value) in branches {
            let condition = self.truth(condition, scope);
            let item = self.item(value, scope);
            match (condition, item) {
                (Ok(condition), Ok(item)) => understood.push((condition, item, value)),
                (Err(error), _) | (_, Err(error)) => failure = Some(error),
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
        let table = &self.relation.expressions;
        let total = understood.last().is_some_and(|(c, ..)| table.as_constant(*c) == Some(1));
        let mut whole = match understood.last() {
            Some((_, item, _)) if total => item.clone(),
            Some((_, item, _)) => {
                let ty = match item {
                    Item::Value(ty, _) | Item::Set(ty, _) => *ty,
                    _ => return self.error(span, "a case chooses between values"),
                };
                let nothing = self.undefined(Trouble::NoCase, ty, span);
                Item::Value(ty, nothing)
            }
            None => return self.error(span, "a case needs a branch"),
        };
        let rest = understood.len() - total as usize;
        for (condition, item, value) in understood[..rest].iter().rev() {
            whole = self.choose(*condition, item.clone(), whole, self.tree.span(*value))?;
        }
        Ok(whole)
    }

    /// The sets that a set is made of, smaller ones first.
    fn reached_sets(&self, set: usize) -> Vec<usize> {
        let (mut stack, mut seen) = (vec![set], std::collections::BTreeSet::new());
        while let Some(set) = stack.pop() {
            if seen.insert(set) {
                if let SetNode::Union(a, b) | SetNode::Choose(_, a, b) = self.sets[set] {
                    stack.extend([a, b]);
                }
            }
        }
        seen.into_iter().collect()
    }

    /// Folds a set from its parts.
    fn fold(
        &mut self,
        set: usize,
        mut leaf: impl FnMut(&mut Self, SetNode) -> ExprId,
        join: Binary,
    ) -> ExprId {
        let mut images: HashMap<usize, ExprId> = HashMap::new();
        for part in self.reached_sets(set) {
            let image = match self.sets[part] {
                node @ (SetNode::One(_) | SetNode::Range(..)) => leaf(self, node),
                SetNode::Union(a, b) => {
                    self.relation.expressions.binary(join, images[&a], images[&b])
                }
                SetNode::Choose(c, a, b) => {
                    self.relation.expressions.choose(c, images[&a], images[&b])
                }
            };
            images.insert(part, image);
        }
        images[&set]
    }

    /// Whether a value is in a set.
    pub(crate) fn member(&mut self, value: ExprId, set: usize) -> ExprId {
        let leaf = |this: &mut Self, node| match node {
            SetNode::One(expr) => {
                let table = &mut this.relation.expressions;
                match table.node(expr) {
                    // Undefined as a value, so undefined as an answer.
                    Node::Undefined(reason) => table.undefined(reason, Ty::Boolean.sort()),
                    _ => table.equal(value, expr),
                }
            }
            SetNode::Range(low, high) => this.between(value, low, high),
            _ => this.relation.expressions.truth(false),
        };
        self.fold(set, leaf, Binary::Or)
    }

    /// Whether every element of a set is in another.
    pub(crate) fn subset(&mut self, values: usize, set: usize) -> ExprId {
        let leaf = |this: &mut Self, node| match node {
            SetNode::One(expr) => this.member(expr, set),
            SetNode::Range(low, high) => {
                let mut all = this.relation.expressions.truth(true);
                for value in low..=high {
                    let value = this.relation.expressions.integer(value);
                    let inside = this.member(value, set);
                    all = this.relation.expressions.and(all, inside);
                }
                all
            }
            _ => this.relation.expressions.truth(true),
        };
        self.fold(values, leaf, Binary::And)
    }

    fn between(&mut self, value: ExprId, low: i64, high: i64) -> ExprId {
        let table = &mut self.relation.expressions;
        let (low, high) = (table.integer(low), table.integer(high));
        let above = table.binary(Binary::LessEqual, low, value);
        let below = table.binary(Binary::LessEqual, value, high);
        table.and(above, below)
    }

    /// Whether everything in a set lies in a variable's domain.
    pub(crate) fn fits(&mut self, variable: VarId, set: usize) -> ExprId {
        let leaf = |this: &mut Self, node| match node {
            SetNode::One(expr) => this.inside(variable, expr),
            SetNode::Range(low, high) => {
                let domain = &this.relation.variable(variable).domain;
                let all =
                    high - low < domain.size() as i64 && (low..=high).all(|v| domain.contains(v));
                this.relation.expressions.truth(all)
            }
            _ => this.relation.expressions.truth(true),
        };
        self.fold(set, leaf, Binary::And)
    }

    fn inside(&mut self, variable: VarId, expr: ExprId) -> ExprId {
        let domain = self.relation.variable(variable).domain.clone();
        let table = &mut self.relation.expressions;
        let known = match table.node(expr) {
            Node::Constant(value) => Some(domain.contains(value)),
            Node::Undefined(_) => Some(true),
            Node::Current(v) | Node::Next(v) => {
                let other = &self.relation.variable(v).domain;
                let contained = match (other, &domain) {
                    (Domain::Range(a, b), Domain::Range(low, high)) => low <= a && b <= high,
                    (Domain::Values(values), _) => values.iter().all(|v| domain.contains(*v)),
                    (a, b) => a == b,
                };
                contained.then_some(true)
            }
            _ => None,
        };
        if let Some(known) = known {
            return self.relation.expressions.truth(known);
        }
        match domain {
            Domain::Boolean | Domain::Word { .. } => self.relation.expressions.truth(true),
            Domain::Range(low, high) => self.between(expr, low, high),
            Domain::Values(values) => {
                let table = &mut self.relation.expressions;
                let mut any = table.truth(false);
                for value in values {
                    let constant = table.integer(value);
                    let same = table.equal(expr, constant);
                    any = table.or(any, same);
                }
                any
            }
        }
    }
}
