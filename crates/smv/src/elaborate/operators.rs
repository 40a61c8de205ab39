//! Operators and array elements.

use isospin_relation::{Binary, ExprId, Trouble, Unary};
use isospin_source::{Diagnostic, Span};

use super::SetNode;
use crate::flatten::{Flattener, Item, Result, ScopeId};
use crate::syntax::Expr;
use crate::types::Ty;

/// The elements of a range on the left of `in` are looked at one by one.
const MAX_RANGE: i64 = 10_000;

impl Flattener<'_> {
    pub(crate) fn unary(
        &mut self,
        operator: &str,
        operand: Expr,
        scope: ScopeId,
        span: Span,
    ) -> Result<Item> {
        let value = self.value(operand, scope)?;
        let operation = if operator == "!" { Unary::Not } else { Unary::Minus };
        let value = match (operation, value) {
            (Unary::Not, (ty, expr)) if ty.is_word() => (ty, expr),
            (Unary::Not, value) => match self.as_truth(value) {
                Some(expr) => (Ty::Boolean, expr),
                None => {
                    let wrong = format!("`!` cannot be applied to {}", value.0.words());
                    let diagnostic = self.explain_old(Diagnostic::error(span, wrong), value);
                    return self.report(diagnostic);
                }
            },
            (_, (ty, expr)) if ty == Ty::Integer || ty.is_word() => (ty, expr),
            (_, (ty, _)) => {
                return self.error(span, format!("`-` cannot be applied to {}", ty.words()));
            }
        };
        Ok(Item::Value(value.0, self.relation.expressions.unary(operation, value.1)))
    }

    pub(crate) fn binary(
        &mut self,
        operator: &'static str,
        left: Expr,
        right: Expr,
        scope: ScopeId,
        span: Span,
    ) -> Result<Item> {
        if matches!(operator, "union" | "in") {
            let (a, b) = (self.item(left, scope)?, self.item(right, scope)?);
            if operator == "union" {
                return self.union(a, b, span);
            }
            return self.is_in(a, b, span);
        }
        let (left, right) = (self.item(left, scope), self.item(right, scope));
        let (left, right) = self.alike(left?, right?);
        let (a, b) = (self.single(left, span)?, self.single(right, span)?);
        match operator {
            "&" | "|" | "xor" | "xnor" | "->" | "<->" => self.logical(operator, a, b, span),
            "=" | "!=" => {
                if !a.0.is_comparable(b.0) {
                    return self.mismatch(operator, a, b, span);
                }
                let equal = self.relation.expressions.equal(a.1, b.1);
                let expr =
                    if operator == "=" { equal } else { self.relation.expressions.not(equal) };
                Ok(Item::Value(Ty::Boolean, expr))
            }
            "<" | ">" | "<=" | ">=" => {
                if a.0 != b.0 || !(a.0 == Ty::Integer || a.0.is_word()) {
                    return self.mismatch(operator, a, b, span);
                }
                let table = &mut self.relation.expressions;
                let expr = match operator {
                    "<" => table.binary(Binary::Less, a.1, b.1),
                    ">" => table.binary(Binary::Less, b.1, a.1),
                    "<=" => table.binary(Binary::LessEqual, a.1, b.1),
                    _ => table.binary(Binary::LessEqual, b.1, a.1),
                };
                Ok(Item::Value(Ty::Boolean, expr))
            }
            "+" | "-" | "*" | "/" | "mod" => self.arithmetic(operator, a, b, span),
            _ => self.bits(operator, a, b, span),
        }
    }

    fn logical(
        &mut self,
        operator: &str,
        a: (Ty, ExprId),
        b: (Ty, ExprId),
        span: Span,
    ) -> Result<Item> {
        let (ty, a, b) = match (self.as_truth(a), self.as_truth(b)) {
            (Some(a), Some(b)) => (Ty::Boolean, a, b),
            _ if a.0 == b.0 && a.0.is_word() => (a.0, a.1, b.1),
            _ => return self.mismatch(operator, a, b, span),
        };
        let table = &mut self.relation.expressions;
        let expr = match operator {
            "&" => table.and(a, b),
            "|" => table.or(a, b),
            "xor" => table.binary(Binary::Xor, a, b),
            "->" => table.implies(a, b),
            _ if ty == Ty::Boolean => table.equal(a, b),
            _ => {
                let different = table.binary(Binary::Xor, a, b);
                table.not(different)
            }
        };
        Ok(Item::Value(ty, expr))
    }

    fn arithmetic(
        &mut self,
        operator: &str,
        a: (Ty, ExprId),
        b: (Ty, ExprId),
        span: Span,
    ) -> Result<Item> {
        if a.0 != b.0 || !(a.0 == Ty::Integer || a.0.is_word()) {
            return self.mismatch(operator, a, b, span);
        }
        let operation = match operator {
            "+" => Binary::Add,
            "-" => Binary::Subtract,
            "*" => Binary::Multiply,
            "/" => Binary::Divide,
            _ => Binary::Remainder,
        };
        let mut expr = self.relation.expressions.binary(operation, a.1, b.1);
        if matches!(operation, Binary::Divide | Binary::Remainder) {
            let table = &mut self.relation.expressions;
            let zero = table.constant(0, b.0.sort());
            let is_zero = table.equal(b.1, zero);
            let nothing = self.undefined(Trouble::DivisionByZero, a.0, span);
            expr = self.relation.expressions.choose(is_zero, nothing, expr);
        }
        Ok(Item::Value(a.0, expr))
    }

    fn is_in(&mut self, left: Item, right: Item, span: Span) -> Result<Item> {
        let (left, right) = self.alike(left, right);
        let (ty, values) = self.as_set(left, span)?;
        let (elements, set) = self.as_set(right, span)?;
        if !ty.is_comparable(elements) {
            let message = format!("{} cannot be in a set of {}", ty.words(), elements.words());
            return self.error(span, message);
        }
        if matches!(self.sets[values], SetNode::Range(low, high) if high - low > MAX_RANGE) {
            return self.error(span, "this range is too large on the left of `in`");
        }
        Ok(Item::Value(Ty::Boolean, self.subset(values, set)))
    }

    pub(crate) fn mismatch<T>(
        &mut self,
        operator: &str,
        a: (Ty, ExprId),
        b: (Ty, ExprId),
        span: Span,
    ) -> Result<T> {
        let message =
            format!("`{operator}` cannot be applied to {} and {}", a.0.words(), b.0.words());
        let diagnostic = Diagnostic::error(span, message);
        let diagnostic = self.explain_old(diagnostic, a);
        let diagnostic = self.explain_old(diagnostic, b);
        self.report(diagnostic)
    }

    /// One element of an array.
    pub(crate) fn element(
        &mut self,
        low: i64,
        items: &[Item],
        index: i64,
        span: Span,
    ) -> Result<Item> {
        let at = index.checked_sub(low).and_then(|at| usize::try_from(at).ok());
        match at.and_then(|at| items.get(at)) {
            Some(item) => Ok(item.clone()),
            None => {
                let high = low + items.len() as i64 - 1;
                let message =
                    format!("the array has no element {index}, its bounds are {low}..{high}");
                self.error(span, message)
            }
        }
    }

    /// An element of an array; where the index is not a constant, one of all of them.
    pub(crate) fn index(
        &mut self,
        array: Expr,
        index: Expr,
        scope: ScopeId,
        span: Span,
    ) -> Result<Item> {
        let (low, items) = match self.item(array, scope)? {
            Item::Array(low, items) => (low, items),
            _ => return self.error(self.tree.span(array), "this is not an array"),
        };
        let (ty, mut position) = self.value(index, scope)?;
        if ty.is_word() {
            position = self.relation.expressions.unary(Unary::ToInteger, position);
        } else if ty != Ty::Integer {
            let message = format!("an index is an integer, not {}", ty.words());
            return self.error(self.tree.span(index), message);
        }
        if let Some(constant) = self.relation.expressions.as_constant(position) {
            return self.element(low, &items, constant, span);
        }
        self.pick(low, &items, position, span)
    }

    fn pick(&mut self, low: i64, items: &[Item], position: ExprId, span: Span) -> Result<Item> {
        if let Some(Item::Array(first, inner)) = items.first() {
            // Of an array of arrays, the array of the elements that are picked.
            let (first, length) = (*first, inner.len());
            let mut picked = Vec::new();
            for k in 0..length {
                let column: Option<Vec<Item>> = items
                    .iter()
                    .map(|row| match row {
                        Item::Array(_, inner) => inner.get(k).cloned(),
                        _ => None,
                    })
                    .collect();
                let Some(column) = column else {
                    return self.error(span, "the rows of this array have different lengths");
                };
                picked.push(self.pick(low, &column, position, span)?);
            }
            return Ok(Item::Array(first, std::rc::Rc::new(picked)));
        }
        let Some(Item::Value(ty, _)) = items.first() else {
            return self
                .error(span, "only elements that are values can be picked by an expression");
        };
        let mut whole = Item::Value(*ty, self.undefined(Trouble::OutsideBounds, *ty, span));
        for (k, item) in items.iter().enumerate().rev() {
            let table = &mut self.relation.expressions;
            let constant = table.integer(low + k as i64);
            let here = table.equal(position, constant);
            whole = self.choose(here, item.clone(), whole, span)?;
        }
        Ok(whole)
    }
}
