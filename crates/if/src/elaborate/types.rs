//! Constants and types.

use isospin_source::Span;

use super::names::Meaning;
use super::Elaborator;
use crate::syntax::ast;
use crate::system::{Enumeration, ExprKind, Record, Type};

/// No array is longer.
const MAX_LENGTH: i32 = 65_535;

impl Elaborator<'_> {
    pub(super) fn constant(&mut self, constant: &ast::Const) {
        let value = self.expr(&constant.value);
        let (number, ty) = match value.kind {
            ExprKind::Const(number) => (number, value.ty),
            ExprKind::Nil => (0, Type::Pid),
            _ if value.ty == Type::Wrong => (0, Type::Wrong),
            _ => {
                let message = format!("the value of `{}` is not constant", constant.name.name);
                self.error(constant.value.span, message);
                (0, Type::Wrong)
            }
        };
        self.define(&constant.name.name, constant.name.span, Meaning::Const(number, ty));
    }

    pub(super) fn type_declaration(&mut self, declared: &ast::TypeDecl) {
        let name = &declared.name.name;
        let ty = self.ty(&declared.definition, name);
        self.define(name, declared.name.span, Meaning::Type(ty));
    }

    /// A type; `name` is what it is called, if it is declared here.
    pub(super) fn ty(&mut self, written: &ast::Type, name: &str) -> Type {
        match &written.kind {
            ast::TypeKind::Named(name) => self.named_type(name, written.span),
            ast::TypeKind::Enum(literals) => {
                let number = self.system.enumerations.len();
                let names = literals.iter().map(|l| l.name.clone()).collect();
                let name = name.to_owned();
                self.system.enumerations.push(Enumeration { name, literals: names });
                if literals.len() > 255 {
                    self.error(written.span, "an enumeration has at most 255 literals");
                }
                for (value, literal) in literals.iter().enumerate() {
                    let meaning = Meaning::Const(value as i32, Type::Enum(number));
                    self.define(&literal.name, literal.span, meaning);
                }
                Type::Enum(number)
            }
            ast::TypeKind::Range(low, high) => {
                let (a, b) = (self.number(low), self.number(high));
                match (a, b) {
                    (Some(low), Some(high)) if low <= high => Type::Range(low, high),
                    (Some(low), Some(high)) => {
                        let message = format!("the range {low} .. {high} is empty");
                        self.error(written.span, message);
                        Type::Wrong
                    }
                    _ => Type::Wrong,
                }
            }
            ast::TypeKind::Record(fields) => {
                let fields: Vec<(String, Type)> =
                    fields.iter().map(|(n, t)| (n.name.clone(), self.ty(t, ""))).collect();
                self.system.records.push(Record { name: name.to_owned(), fields });
                Type::Record(self.system.records.len() - 1)
            }
            ast::TypeKind::Array(size, of) => {
                let of = self.ty(of, "");
                match self.number(size) {
                    Some(size @ 1..=MAX_LENGTH) => Type::Array(size as u32, Box::new(of)),
                    Some(other) => {
                        let message =
                            format!("an array has 1 to {MAX_LENGTH} elements, not {other}");
                        self.error(size.span, message);
                        Type::Wrong
                    }
                    None => Type::Wrong,
                }
            }
            ast::TypeKind::String(..) => {
                self.refuse(written.span, "strings", "use an array and a length of its own")
            }
            ast::TypeKind::Tree => self.refuse(written.span, "trees", "use an array"),
            ast::TypeKind::Abstract => {
                self.refuse(written.span, "abstract types", "their meaning is C text elsewhere")
            }
        }
    }

    fn named_type(&mut self, name: &str, span: Span) -> Type {
        if let Some(Meaning::Type(ty)) = self.meaning(name) {
            return ty.clone();
        }
        match name {
            "integer" => Type::Integer,
            "boolean" => Type::Boolean,
            "pid" => Type::Pid,
            "clock" => Type::Clock,
            "real" => self.refuse(span, "numbers of type real", "use a range of integers"),
            _ => {
                let basic = ["integer", "boolean", "pid", "clock"];
                let known = self.seen(|m| matches!(m, Meaning::Type(_)));
                let names = basic.into_iter().chain(known.iter().map(String::as_str));
                let error =
                    isospin_source::Diagnostic::error(span, format!("there is no type `{name}`"))
                        .did_you_mean(name, names);
                self.errors.push(error);
                Type::Wrong
            }
        }
    }

    fn refuse(&mut self, span: Span, what: &str, advice: &str) -> Type {
        let message = format!("{what} are not supported");
        self.errors.push(isospin_source::Diagnostic::error(span, message).help(advice));
        Type::Wrong
    }

    /// A constant number.
    pub(super) fn number(&mut self, expr: &ast::Expr) -> Option<i32> {
        let value = self.expr(expr);
        match value.kind {
            ExprKind::Const(number) if value.ty.is_number() => Some(number),
            _ if value.ty == Type::Wrong => None,
            _ => {
                self.error(expr.span, "a constant number is needed here");
                None
            }
        }
    }

    /// A type in words.
    pub(super) fn describe(&self, ty: &Type) -> String {
        match ty {
            Type::Integer => "an integer".to_owned(),
            Type::Boolean => "a truth value".to_owned(),
            Type::Pid => "a pid".to_owned(),
            Type::Clock => "a clock".to_owned(),
            Type::Range(low, high) => format!("a number {low} .. {high}"),
            Type::Enum(e) => format!("a literal of `{}`", self.system.enumerations[*e].name),
            Type::Record(r) => format!("a record `{}`", self.system.records[*r].name),
            Type::Array(n, _) => format!("an array of {n} elements"),
            Type::Wrong => "something wrong".to_owned(),
        }
    }

    /// Whether a value of one type can be stored in a place of the other.
    pub(super) fn fits(&self, value: &Type, place: &Type) -> bool {
        match (value, place) {
            (Type::Wrong, _) | (_, Type::Wrong) => true,
            (a, b) if a.is_number() && b.is_number() => true,
            (Type::Array(n, a), Type::Array(m, b)) => n == m && self.fits(a, b),
            (a, b) => a == b,
        }
    }
}
