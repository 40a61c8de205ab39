//! Where values are stored.

use isospin_source::{Diagnostic, Span};

use super::names::Meaning;
use super::Elaborator;
use crate::syntax::ast;
use crate::system::{Access, Base, Expr, ExprKind, Owner, Place, Type};

impl Elaborator<'_> {
    /// A variable or a part of one.
    pub(super) fn place(&mut self, written: &ast::Expr) -> Option<Place> {
        let span = written.span;
        match &written.kind {
            ast::ExprKind::Name(name) => self.variable(name, span),
            ast::ExprKind::Field(of, field) => match &of.kind {
                ast::ExprKind::Cast(owner, number) => self.remote(owner, number, field, span),
                _ => self.field(of, field, span),
            },
            ast::ExprKind::Index(of, index) => {
                let mut place = self.place(of)?;
                let index = self.numeric(index);
                let (len, element) = match &place.ty {
                    Type::Array(len, element) => (*len, (**element).clone()),
                    Type::Wrong => return None,
                    other => {
                        let found = self.describe(other);
                        self.error(of.span, format!("this is {found}, which has no elements"));
                        return None;
                    }
                };
                if let ExprKind::Const(c) = index.kind {
                    if c < 0 || c as u32 >= len {
                        let message =
                            format!("index {c} is out of range: the array has {len} elements");
                        self.error(index.span, message);
                        return None;
                    }
                }
                place.path.push(Access::Index(index));
                place.ty = element;
                place.span = span;
                Some(place)
            }
            _ => {
                self.error(span, "a variable is needed here");
                None
            }
        }
    }

    fn variable(&mut self, name: &str, span: Span) -> Option<Place> {
        let local =
            self.scope.process.and_then(|p| self.names.processes[p].get(name).map(|m| (p, m)));
        if let Some((process, (Meaning::Variable(number), _))) = local {
            let ty = self.system.processes[process].variables[*number].ty.clone();
            return Some(Place { base: Base::Local(*number), path: Vec::new(), ty, span });
        }
        if let Some((Meaning::Variable(number), _)) = self.names.system.get(name) {
            let ty = self.system.globals[*number].ty.clone();
            return Some(Place { base: Base::Global(*number), path: Vec::new(), ty, span });
        }
        let test = |m: &Meaning| matches!(m, Meaning::Variable(_) | Meaning::Const(..));
        self.unknown(name, span, "a variable", test);
        None
    }

    fn field(&mut self, of: &ast::Expr, field: &ast::Ident, span: Span) -> Option<Place> {
        let mut place = self.place(of)?;
        let record = match &place.ty {
            Type::Record(record) => *record,
            Type::Wrong => return None,
            Type::Pid => {
                let error = Diagnostic::error(span, "it is not known what kind of process this is")
                    .help(format!("say which it is: `({{process}} ..).{}`", field.name));
                self.errors.push(error);
                return None;
            }
            other => {
                let found = self.describe(other);
                self.error(of.span, format!("this is {found}, which has no fields"));
                return None;
            }
        };
        let fields = &self.system.records[record].fields;
        let Some(number) = fields.iter().position(|(name, _)| *name == field.name) else {
            let names: Vec<&str> = fields.iter().map(|(n, _)| n.as_str()).collect();
            let message = format!("the record has no field `{}`", field.name);
            let error =
                Diagnostic::error(field.span, message).did_you_mean(&field.name, names.into_iter());
            self.errors.push(error);
            return None;
        };
        place.ty = fields[number].1.clone();
        place.path.push(Access::Field(number));
        place.span = span;
        Some(place)
    }

    /// `({P} e).x`.
    fn remote(
        &mut self,
        owner: &ast::Ident,
        number: &ast::Expr,
        field: &ast::Ident,
        span: Span,
    ) -> Option<Place> {
        let Some(Owner::Process(process)) = self.owner(owner) else { return None };
        let pid = self.instance(process, number)?;
        let Some((Meaning::Variable(variable), _)) = self.names.processes[process].get(&field.name)
        else {
            let of = &self.system.processes[process];
            let names: Vec<String> = of.variables.iter().map(|v| v.name.clone()).collect();
            let message = format!("the process `{}` has no variable `{}`", of.name, field.name);
            let error = Diagnostic::error(field.span, message)
                .did_you_mean(&field.name, names.iter().map(String::as_str));
            self.errors.push(error);
            return None;
        };
        let found = &self.system.processes[process].variables[*variable];
        let (ty, public, declared) = (found.ty.clone(), found.public, found.span);
        if !public && !self.scope.property {
            let message = format!("`{}` is a private variable of `{}`", field.name, owner.name);
            let error = Diagnostic::error(field.span, message)
                .note_at(declared, "it is declared here, without `public`");
            self.errors.push(error);
            return None;
        }
        let base = Base::Remote(process, Box::new(pid), *variable);
        Some(Place { base, path: Vec::new(), ty, span })
    }

    /// The pid of an instance, given by its number or by a pid.
    pub(super) fn instance(&mut self, process: usize, number: &ast::Expr) -> Option<Expr> {
        let number = self.expr(number);
        let span = number.span;
        match &number.ty {
            Type::Pid => Some(number),
            Type::Wrong => None,
            ty if ty.is_number() => {
                let kind = ExprKind::Instance(Owner::Process(process), Box::new(number));
                Some(Expr { kind, ty: Type::Pid, span })
            }
            other => {
                let found = self.describe(other);
                self.error(span, format!("the number of an instance is needed, not {found}"));
                None
            }
        }
    }
}
