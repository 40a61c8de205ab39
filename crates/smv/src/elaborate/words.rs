//! Words, conversions and functions.

use isospin_relation::{Binary, ExprId, Trouble, Unary};
use isospin_source::Span;

use crate::flatten::{Flattener, Item, Result, ScopeId};
use crate::syntax::Expr;
use crate::types::Ty;

impl Flattener<'_> {
    /// Shifts and concatenation.
    pub(crate) fn bits(
        &mut self,
        operator: &'static str,
        a: (Ty, ExprId),
        b: (Ty, ExprId),
        span: Span,
    ) -> Result<Item> {
        let Ty::Word { width, .. } = a.0 else {
            return self.mismatch(operator, a, b, span);
        };
        if operator == "::" {
            let Ty::Word { width: other, .. } = b.0 else {
                return self.mismatch(operator, a, b, span);
            };
            if width + other > 64 {
                return self.error(span, "a word has at most 64 bits");
            }
            let ty = Ty::Word { signed: false, width: width + other };
            let expr = self.relation.expressions.binary(Binary::Concatenate, a.1, b.1);
            return Ok(Item::Value(ty, expr));
        }
        if b.0 != Ty::Integer && !b.0.is_word() {
            return self.mismatch(operator, a, b, span);
        }
        let table = &mut self.relation.expressions;
        let by = if b.0.is_word() { table.unary(Unary::ToInteger, b.1) } else { b.1 };
        let operation = if operator == "<<" { Binary::ShiftLeft } else { Binary::ShiftRight };
        let shifted = table.binary(operation, a.1, by);
        let (zero, most) = (table.integer(0), table.integer(width as i64));
        let above = table.binary(Binary::LessEqual, zero, by);
        let below = table.binary(Binary::LessEqual, by, most);
        let inside = table.and(above, below);
        let nothing = self.undefined(Trouble::OutsideBounds, a.0, span);
        Ok(Item::Value(a.0, self.relation.expressions.choose(inside, shifted, nothing)))
    }

    /// `word[high:low]`.
    pub(crate) fn slice(
        &mut self,
        word: Expr,
        high: Expr,
        low: Expr,
        scope: ScopeId,
        span: Span,
    ) -> Result<Item> {
        let (ty, expr) = self.value(word, scope)?;
        let Ty::Word { width, .. } = ty else {
            return self.error(span, format!("bits of {} cannot be selected", ty.words()));
        };
        let (high, low) = (self.constant(high, scope)?, self.constant(low, scope)?);
        if low < 0 || low > high || high >= width as i64 {
            let message = format!("the bits {high}:{low} are not inside a word of {width} bits");
            return self.error(span, message);
        }
        let (high, low) = (high as u32, low as u32);
        let ty = Ty::Word { signed: false, width: high - low + 1 };
        let expr = self.relation.expressions.unary(Unary::Select { high, low }, expr);
        Ok(Item::Value(ty, expr))
    }

    /// A function that the language has.
    pub(crate) fn call(
        &mut self,
        name: &'static str,
        arguments: &[Expr],
        scope: ScopeId,
        span: Span,
    ) -> Result<Item> {
        if name == "count" {
            return self.count(arguments, scope);
        }
        let mut values = Vec::new();
        for &argument in arguments {
            values.push(self.value(argument, scope)?);
        }
        let wanted = match name {
            "extend" | "resize" | "uwconst" | "swconst" | "max" | "min" => 2,
            _ => 1,
        };
        if values.len() != wanted {
            let message = format!("`{name}` takes {wanted} argument(s), not {}", values.len());
            return self.error(span, message);
        }
        let (ty, expr) = values[0];
        let table = &mut self.relation.expressions;
        let second = values.get(1).map(|(ty, e)| (*ty, *e, table.as_constant(*e)));
        match (name, ty, second) {
            ("word1", Ty::Boolean, _) => {
                let to = Unary::Resize { signed: false, width: 1 };
                Ok(Item::Value(Ty::Word { signed: false, width: 1 }, table.unary(to, expr)))
            }
            ("bool", Ty::Word { width: 1, .. } | Ty::Integer, _) => {
                Ok(Item::Value(Ty::Boolean, table.unary(Unary::ToBoolean, expr)))
            }
            ("bool", Ty::Boolean, _) => Ok(Item::Value(Ty::Boolean, expr)),
            ("toint", Ty::Boolean | Ty::Word { .. }, _) => {
                Ok(Item::Value(Ty::Integer, table.unary(Unary::ToInteger, expr)))
            }
            ("toint", Ty::Integer, _) => Ok(Item::Value(Ty::Integer, expr)),
            ("signed" | "unsigned", Ty::Word { width, .. }, _) => {
                let signed = name == "signed";
                let ty = Ty::Word { signed, width };
                Ok(Item::Value(ty, table.unary(Unary::Reinterpret { signed }, expr)))
            }
            ("sizeof", Ty::Word { width, .. }, _) => {
                Ok(Item::Value(Ty::Integer, table.integer(width as i64)))
            }
            ("abs", Ty::Integer, _) => {
                let zero = table.integer(0);
                let less = table.binary(Binary::Less, expr, zero);
                let minus = table.unary(Unary::Minus, expr);
                Ok(Item::Value(Ty::Integer, table.choose(less, minus, expr)))
            }
            ("max" | "min", _, Some((other, second, _)))
                if other == ty && (ty == Ty::Integer || ty.is_word()) =>
            {
                let less = table.binary(Binary::Less, expr, second);
                let (yes, no) = if name == "max" { (second, expr) } else { (expr, second) };
                Ok(Item::Value(ty, table.choose(less, yes, no)))
            }
            ("extend" | "resize", Ty::Word { signed, width }, Some((Ty::Integer, _, Some(by)))) => {
                let new = if name == "extend" { width as i64 + by } else { by };
                if !(1..=64).contains(&new) || by < 0 {
                    return self.error(span, format!("a word has 1 to 64 bits, not {new}"));
                }
                let (ty, to) = (
                    Ty::Word { signed, width: new as u32 },
                    Unary::Resize { signed, width: new as u32 },
                );
                Ok(Item::Value(ty, table.unary(to, expr)))
            }
            ("uwconst" | "swconst", Ty::Integer, Some((Ty::Integer, _, Some(width)))) => {
                let (signed, value) = (name == "swconst", table.as_constant(expr));
                let (Some(value), true) = (value, (1..=64).contains(&width)) else {
                    return self.error(span, "a word constant needs a value and 1 to 64 bits");
                };
                let ty = Ty::Word { signed, width: width as u32 };
                let bits = value & isospin_relation::operators::mask(width as u32) as i64;
                Ok(Item::Value(ty, table.constant(bits, ty.sort())))
            }
            _ => {
                let types: Vec<String> = values.iter().map(|(ty, _)| ty.words()).collect();
                let message = format!("`{name}` cannot be applied to {}", types.join(" and "));
                self.error(span, message)
            }
        }
    }

    /// How many of some truth values are true.
    fn count(&mut self, arguments: &[Expr], scope: ScopeId) -> Result<Item> {
        let mut sum = self.relation.expressions.integer(0);
        for &argument in arguments {
            let truth = self.truth(argument, scope)?;
            let table = &mut self.relation.expressions;
            let number = table.unary(Unary::ToInteger, truth);
            sum = table.binary(Binary::Add, sum, number);
        }
        Ok(Item::Value(Ty::Integer, sum))
    }
}
