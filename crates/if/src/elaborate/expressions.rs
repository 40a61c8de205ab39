//! Expressions.

use isospin_source::Span;

use super::names::{Bound, Meaning};
use super::Elaborator;
use crate::syntax::ast;
use crate::system::{Binary, Expr, ExprKind, Owner, Type};

impl Elaborator<'_> {
    fn wrong(span: Span) -> Expr {
        Expr { kind: ExprKind::Const(0), ty: Type::Wrong, span }
    }

    fn refused(&mut self, span: Span, message: impl Into<String>) -> Expr {
        self.error(span, message);
        Self::wrong(span)
    }

    /// An expression, with constants computed.
    pub(super) fn expr(&mut self, written: &ast::Expr) -> Expr {
        isospin_limits::check();
        let span = written.span;
        let made = |kind, ty| Expr { kind, ty, span };
        match &written.kind {
            ast::ExprKind::Number(n) => match i32::try_from(*n) {
                Ok(n) => made(ExprKind::Const(n), Type::Integer),
                Err(_) => self.refused(span, "the number is too large: integers have 32 bits"),
            },
            ast::ExprKind::Bool(b) => made(ExprKind::Const(i32::from(*b)), Type::Boolean),
            ast::ExprKind::Nil => made(ExprKind::Nil, Type::Pid),
            ast::ExprKind::SelfPid if self.scope.process.is_some() => {
                made(ExprKind::SelfPid, Type::Pid)
            }
            ast::ExprKind::SelfPid => self.refused(span, "`self` means nothing outside a process"),
            ast::ExprKind::Real => self.refused(span, "numbers with a fraction are not supported"),
            ast::ExprKind::Void => self.refused(span, "`void` is not a value"),
            ast::ExprKind::Name(name) => self.name(name, written),
            ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => {
                let Some(place) = self.place(written) else { return Self::wrong(span) };
                let ty = place.ty.clone();
                made(ExprKind::Read(place), ty)
            }
            ast::ExprKind::Slice(..) => self.refused(span, "parts of strings are not supported"),
            ast::ExprKind::Call(name) => self.call(&name.name, span),
            ast::ExprKind::Cast(name, of) => self.cast(name, of, span),
            ast::ExprKind::At(of, state) => self.at(of, state, span),
            ast::ExprKind::Quantified { all, name, ty, body } => {
                self.quantified(*all, name, ty, body, span)
            }
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ast::ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                if !self.fits(&then.ty, &otherwise.ty) {
                    let (a, b) = (self.describe(&then.ty), self.describe(&otherwise.ty));
                    return self.refused(span, format!("it is {a} or {b}: that is no one type"));
                }
                let ty = if then.ty == otherwise.ty { then.ty.clone() } else { Type::Integer };
                let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
                made(ExprKind::Conditional(parts.0, parts.1, parts.2), ty)
            }
        }
    }

    fn name(&mut self, name: &str, written: &ast::Expr) -> Expr {
        let span = written.span;
        if let Some(bound) = self.bound.iter().rev().find(|b| b.name == name) {
            return Expr { kind: ExprKind::Bound(bound.number), ty: bound.ty.clone(), span };
        }
        if let Some(Meaning::Const(value, ty)) = self.meaning(name) {
            let kind = if *ty == Type::Pid { ExprKind::Nil } else { ExprKind::Const(*value) };
            return Expr { kind, ty: ty.clone(), span };
        }
        let Some(place) = self.place(written) else { return Self::wrong(span) };
        let ty = place.ty.clone();
        Expr { kind: ExprKind::Read(place), ty, span }
    }

    fn call(&mut self, name: &str, span: Span) -> Expr {
        match self.meaning(name) {
            Some(Meaning::Procedure { code: true }) => self
                .refused(span, format!("the procedure `{name}` is C text, which is not executed")),
            Some(Meaning::Procedure { code: false }) => self
                .refused(span, format!("the procedure `{name}` has no body, so it has no value")),
            _ => {
                self.unknown(name, span, "a procedure", |m| matches!(m, Meaning::Procedure { .. }));
                Self::wrong(span)
            }
        }
    }

    /// What `{N}` names instances of.
    pub(super) fn owner(&mut self, name: &ast::Ident) -> Option<Owner> {
        match self.meaning(&name.name) {
            Some(Meaning::Process(process)) => Some(Owner::Process(*process)),
            Some(Meaning::Route(route)) => Some(Owner::Route(*route)),
            _ => {
                let test = |m: &Meaning| matches!(m, Meaning::Process(_) | Meaning::Route(_));
                self.unknown(&name.name, name.span, "a process or route", test);
                None
            }
        }
    }

    fn cast(&mut self, name: &ast::Ident, of: &ast::Expr, span: Span) -> Expr {
        let owner = self.owner(name);
        let of = self.expr(of);
        let Some(owner) = owner else { return Self::wrong(span) };
        if of.ty == Type::Pid {
            return Expr { span, ..of };
        }
        if !of.ty.is_number() {
            let found = self.describe(&of.ty);
            return self
                .refused(of.span, format!("the number of an instance is needed, not {found}"));
        }
        Expr { kind: ExprKind::Instance(owner, Box::new(of)), ty: Type::Pid, span }
    }

    fn quantified(
        &mut self,
        all: bool,
        name: &ast::Ident,
        ty: &ast::Type,
        body: &ast::Expr,
        span: Span,
    ) -> Expr {
        let Some((number, low, high)) = self.bind(name, ty) else { return Self::wrong(span) };
        let body = self.truth(body);
        self.bound.pop();
        let kind = ExprKind::Quantified { all, bound: number, low, high, body: Box::new(body) };
        Expr { kind, ty: Type::Boolean, span }
    }

    /// Binds a name to all values of a type, until it is taken off `bound` again.
    pub(super) fn bind(&mut self, name: &ast::Ident, ty: &ast::Type) -> Option<(usize, i32, i32)> {
        let (meant, written) = (self.ty(ty, ""), ty.span);
        let (low, high) = match &meant {
            Type::Enum(e) => (0, self.system.enumerations[*e].literals.len() as i32 - 1),
            ty => match ty.bounds() {
                Some(bounds) => bounds,
                None => {
                    if meant != Type::Wrong {
                        let found = self.describe(&meant);
                        let message = format!("{found} has too many values to try them all");
                        self.error(written, message);
                    }
                    return None;
                }
            },
        };
        let number = self.bound.last().map_or(0, |b| b.number + 1);
        self.bound.push(Bound { name: name.name.clone(), ty: meant, number });
        Some((number, low, high))
    }

    fn unary(&mut self, op: ast::Unary, operand: &ast::Expr, span: Span) -> Expr {
        match op {
            ast::Unary::Not => {
                let operand = self.truth(operand);
                match operand.kind {
                    ExprKind::Const(c) => {
                        Expr { kind: ExprKind::Const(i32::from(c == 0)), ty: Type::Boolean, span }
                    }
                    _ => Expr { kind: ExprKind::Not(Box::new(operand)), ty: Type::Boolean, span },
                }
            }
            ast::Unary::Negate => {
                let operand = self.numeric(operand);
                match operand.kind {
                    ExprKind::Const(c) => {
                        Expr { kind: ExprKind::Const(c.wrapping_neg()), ty: Type::Integer, span }
                    }
                    _ => {
                        Expr { kind: ExprKind::Negate(Box::new(operand)), ty: Type::Integer, span }
                    }
                }
            }
            ast::Unary::Active | ast::Unary::TimeValue => {
                let Some(place) = self.clock(operand) else { return Self::wrong(span) };
                if op == ast::Unary::Active {
                    return Expr { kind: ExprKind::Active(place), ty: Type::Boolean, span };
                }
                Expr { kind: ExprKind::TimeValue(place), ty: Type::Integer, span }
            }
            ast::Unary::Length => self.length(operand, span),
        }
    }

    /// A place that is a clock.
    pub(super) fn clock(&mut self, written: &ast::Expr) -> Option<crate::system::Place> {
        let place = self.place(written)?;
        match place.ty {
            Type::Clock => Some(place),
            Type::Wrong => None,
            _ => {
                let found = self.describe(&place.ty);
                self.error(written.span, format!("a clock is needed here, and this is {found}"));
                None
            }
        }
    }

    fn binary(&mut self, op: Binary, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        use Binary::*;
        let (a, b, ty) = match op {
            And | Or => (self.truth(left), self.truth(right), Type::Boolean),
            Add | Subtract | Multiply | Divide | Modulo => {
                (self.numeric(left), self.numeric(right), Type::Integer)
            }
            Concat => return self.refused(span, "strings are not supported, so there is no `^`"),
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual => {
                let (a, b) = (self.expr(left), self.expr(right));
                if !self.comparable(op, &a, &b) {
                    let (x, y) = (self.describe(&a.ty), self.describe(&b.ty));
                    return self.refused(span, format!("{x} and {y} cannot be compared like this"));
                }
                (a, b, Type::Boolean)
            }
        };
        if let (ExprKind::Const(x), ExprKind::Const(y)) = (&a.kind, &b.kind) {
            match compute(op, *x, *y) {
                Some(value) => return Expr { kind: ExprKind::Const(value), ty, span },
                None => return self.refused(span, "this divides by zero"),
            }
        }
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
    }

    fn comparable(&self, op: Binary, a: &Expr, b: &Expr) -> bool {
        let order = !matches!(op, Binary::Equal | Binary::NotEqual);
        match (&a.ty, &b.ty) {
            (Type::Wrong, _) | (_, Type::Wrong) => true,
            (Type::Clock, ty) | (ty, Type::Clock) => ty.is_number() && op != Binary::NotEqual,
            (x, y) if x.is_number() && y.is_number() => true,
            (Type::Enum(x), Type::Enum(y)) => x == y,
            (Type::Record(_) | Type::Array(..), _) => !order && self.fits(&a.ty, &b.ty),
            (x, y) => !order && x == y,
        }
    }

    /// A truth value.
    pub(super) fn truth(&mut self, written: &ast::Expr) -> Expr {
        let value = self.expr(written);
        if !matches!(value.ty, Type::Boolean | Type::Wrong) {
            let found = self.describe(&value.ty);
            return self
                .refused(written.span, format!("a truth value is needed here, not {found}"));
        }
        value
    }

    /// A number.
    pub(super) fn numeric(&mut self, written: &ast::Expr) -> Expr {
        let value = self.expr(written);
        if !value.ty.is_number() {
            let found = self.describe(&value.ty);
            let message = if value.ty == Type::Clock {
                "a clock is not a number: `timeval` gives its value".to_owned()
            } else {
                format!("a number is needed here, not {found}")
            };
            return self.refused(written.span, message);
        }
        value
    }

    /// A value for a place of this type.
    pub(super) fn value_for(&mut self, written: &ast::Expr, ty: &Type) -> Expr {
        let value = self.expr(written);
        if !self.fits(&value.ty, ty) {
            let (found, wanted) = (self.describe(&value.ty), self.describe(ty));
            return self.refused(written.span, format!("{wanted} is needed here, not {found}"));
        }
        if let (ExprKind::Const(c), Some((low, high))) = (&value.kind, ty.bounds()) {
            if !(low..=high).contains(c) {
                let message = format!("{c} is outside the range {low} .. {high}");
                return self.refused(written.span, message);
            }
        }
        value
    }
}

fn compute(op: Binary, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => a.checked_div(b)?,
        Binary::Modulo => a.checked_rem(b)?,
        Binary::Less => i32::from(a < b),
        Binary::LessEqual => i32::from(a <= b),
        Binary::Greater => i32::from(a > b),
        Binary::GreaterEqual => i32::from(a >= b),
        Binary::Equal => i32::from(a == b),
        Binary::NotEqual => i32::from(a != b),
        Binary::And => i32::from(a != 0 && b != 0),
        Binary::Or => i32::from(a != 0 || b != 0),
        Binary::Concat => return None,
    })
}
