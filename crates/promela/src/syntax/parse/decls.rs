//! Declarations of variables, mtypes and typedefs.

use super::{Parse, Parser};
use crate::syntax::ast::{
    BinaryOp, ChannelInit, Declarator, Expr, ExprKind, Initializer, MtypeDecl, Type, TypeKind,
    Typedef, UnaryOp, VarDecl, Visibility,
};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, TokenKind};
use isospin_source::{Diagnostic, Span};

/// Whether the keyword starts a declaration.
pub(super) fn starts_type(keyword: Keyword) -> bool {
    basic_type(keyword).is_some() || visibility(keyword).is_some()
}

fn visibility(keyword: Keyword) -> Option<Visibility> {
    Some(match keyword {
        Keyword::Hidden => Visibility::Hidden,
        Keyword::Show => Visibility::Show,
        Keyword::Local => Visibility::Local,
        _ => return None,
    })
}

fn basic_type(keyword: Keyword) -> Option<TypeKind> {
    Some(match keyword {
        Keyword::Bit => TypeKind::Bit,
        Keyword::Bool => TypeKind::Bool,
        Keyword::Byte => TypeKind::Byte,
        Keyword::Pid => TypeKind::Pid,
        Keyword::Short => TypeKind::Short,
        Keyword::Int => TypeKind::Int,
        Keyword::Unsigned => TypeKind::Unsigned,
        Keyword::Chan => TypeKind::Chan,
        Keyword::Mtype => TypeKind::Mtype(None),
        _ => return None,
    })
}

/// A declaration is of variables or of an mtype's names.
pub(super) enum Declared {
    Variables(VarDecl),
    Mtype(MtypeDecl),
}

impl Parser<'_> {
    /// Whether a declaration comes next.
    pub(super) fn at_declaration(&mut self) -> bool {
        match self.keyword() {
            Some(keyword) => starts_type(keyword),
            None => self.at_timer_type() || self.at_scalarset_type() || self.at_typedef_name(),
        }
    }

    fn at_typedef_name(&mut self) -> bool {
        self.peek();
        let Some(TokenKind::Word(word)) = self.current.as_ref().map(|t| &t.kind) else {
            return false;
        };
        self.reader.names.typedefs.contains(word)
    }

    /// A declaration of variables; names of an mtype are an error here.
    pub(super) fn variables(&mut self) -> Parse<VarDecl> {
        match self.declaration()? {
            Declared::Variables(decl) => Ok(decl),
            Declared::Mtype(decl) => {
                Err(self.error(decl.span, "the names of an mtype can be declared only globally"))
            }
        }
    }

    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let start = self.here();
        let visibility = self.keyword().and_then(visibility);
        if visibility.is_some() {
            self.bump();
        }
        let ty_start = self.here();
        let kind = match self.keyword().and_then(basic_type) {
            Some(kind) => {
                self.bump();
                kind
            }
            None if self.at_timer_type() => {
                self.bump();
                TypeKind::Timer
            }
            None if self.at_scalarset_type() => self.scalarset_type()?,
            None if self.at_typedef_name() => TypeKind::Named(self.ident("a type")?),
            None => return Err(self.unexpected("a type")),
        };
        if matches!(kind, TypeKind::Mtype(_)) {
            return self.mtype(start, ty_start, visibility);
        }
        let ty = Type { span: ty_start, kind };
        self.rest_of_variables(start, visibility, ty)
    }

    /// What follows the word `mtype`.
    fn mtype(&mut self, start: Span, ty_start: Span, vis: Option<Visibility>) -> Parse<Declared> {
        let subtype =
            if self.eat(Punct::Colon) { Some(self.ident("the name of the mtype")?) } else { None };
        let ty = Type { span: self.since(ty_start), kind: TypeKind::Mtype(subtype.clone()) };
        if !self.at(Punct::Assign) && !self.at(Punct::LeftBrace) {
            return self.rest_of_variables(start, vis, ty);
        }
        self.eat(Punct::Assign);
        self.expect(Punct::LeftBrace)?;
        let mut names = vec![self.ident("a name")?];
        while !self.at(Punct::RightBrace) {
            if !self.eat(Punct::Comma) {
                names.push(self.ident("a name, `,` or `}`")?);
            }
        }
        self.bump();
        let span = self.since(start);
        if vis.is_some() {
            self.error(start, "the names of an mtype cannot be hidden, shown or local");
        }
        Ok(Declared::Mtype(MtypeDecl { span, subtype, names }))
    }

    fn rest_of_variables(
        &mut self,
        start: Span,
        visibility: Option<Visibility>,
        ty: Type,
    ) -> Parse<Declared> {
        let mut vars = vec![self.declarator()?];
        while self.eat(Punct::Comma) {
            if self.at_declaration() {
                let span = self.here();
                let diagnostic = Diagnostic::error(span, "declarations are separated by `;`")
                    .label("a type after a comma")
                    .help("write `int a; byte b, c`");
                return Err(self.report(diagnostic));
            }
            vars.push(self.declarator()?);
        }
        Ok(Declared::Variables(VarDecl { span: self.since(start), visibility, ty, vars }))
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        let name = self.ident("the name of a variable")?;
        if self.reader.names.typedefs.contains(&name.name) {
            let message = format!("`{}` is a typedef and cannot be a variable too", name.name);
            self.error(name.span, message);
        }
        let mut width = None;
        let mut size = None;
        if self.eat(Punct::Colon) {
            width = match self.constant() {
                Some((constant, span)) => Some(Expr { span, kind: ExprKind::Const(constant) }),
                None => return Err(self.unexpected("the width in bits")),
            };
        } else if self.eat(Punct::LeftBracket) {
            size = Some(self.const_expr()?);
            self.expect(Punct::RightBracket)?;
            if self.at(Punct::LeftBracket) {
                let span = self.here();
                let diagnostic = Diagnostic::error(span, "an array has one dimension only")
                    .help("declare a typedef with an array in it, and an array of that typedef");
                return Err(self.report(diagnostic));
            }
        }
        let init = if self.eat(Punct::Assign) { Some(self.initializer()?) } else { None };
        Ok(Declarator { span: self.since(name.span), name, width, size, init })
    }

    fn initializer(&mut self) -> Parse<Initializer> {
        let start = self.here();
        if self.eat(Punct::LeftBrace) {
            let mut items = vec![self.const_expr()?];
            while self.eat(Punct::Comma) {
                items.push(self.const_expr()?);
            }
            self.expect(Punct::RightBrace)?;
            let span = self.since(start);
            return Ok(Initializer::List { span, items });
        }
        if !self.eat(Punct::LeftBracket) {
            return Ok(Initializer::Expr(self.expr()?));
        }
        let capacity = self.const_expr()?;
        self.expect(Punct::RightBracket)?;
        if !self.eat_keyword(Keyword::Of) {
            return Err(self.unexpected("`of`"));
        }
        self.expect(Punct::LeftBrace)?;
        let mut fields = vec![self.field_type()?];
        while self.eat(Punct::Comma) {
            fields.push(self.field_type()?);
        }
        self.expect(Punct::RightBrace)?;
        Ok(Initializer::Channel(ChannelInit { span: self.since(start), capacity, fields }))
    }

    /// The type of a message's field.
    fn field_type(&mut self) -> Parse<Type> {
        let start = self.here();
        let kind = match self.keyword().and_then(basic_type) {
            Some(TypeKind::Unsigned) => {
                self.bump();
                self.error(start, "a message cannot have a field of type unsigned");
                TypeKind::Unsigned
            }
            Some(TypeKind::Mtype(_)) => {
                self.bump();
                let subtype = if self.eat(Punct::Colon) {
                    Some(self.ident("the name of the mtype")?)
                } else {
                    None
                };
                TypeKind::Mtype(subtype)
            }
            Some(kind) => {
                self.bump();
                kind
            }
            None if self.at_timer_type() => {
                self.bump();
                let diagnostic = Diagnostic::error(start, "a message cannot have a timer in it")
                    .help("send a number, and set the timer where it is received");
                return Err(self.report(diagnostic));
            }
            None if self.at_scalarset_type() => self.scalarset_type()?,
            None if self.at_typedef_name() => TypeKind::Named(self.ident("a type")?),
            None => return Err(self.unexpected("the type of a field")),
        };
        Ok(Type { span: self.since(start), kind })
    }

    /// An expression of constants, or a single name that may be a variable's.
    pub(super) fn const_expr(&mut self) -> Parse<Expr> {
        let expr = self.expr()?;
        if let Some(span) = not_constant(&expr) {
            self.error(span, "a constant is needed here");
        }
        Ok(expr)
    }

    /// `typedef name { ... }`
    pub(super) fn typedef(&mut self) -> Parse<Typedef> {
        let start = self.bump().span;
        let name = self.ident("the name of the type")?;
        self.expect(Punct::LeftBrace)?;
        self.reader.in_body = true;
        let mut fields = vec![self.variables()?];
        while self.eat(Punct::Semicolon) {
            while self.eat(Punct::Semicolon) {}
            if self.at(Punct::RightBrace) {
                break;
            }
            fields.push(self.variables()?);
        }
        self.expect(Punct::RightBrace)?;
        self.reader.in_body = false;
        if !self.reader.names.typedefs.insert(name.name.clone()) {
            let message = format!("typedef `{}` is defined a second time", name.name);
            self.error(name.span, message);
        }
        Ok(Typedef { span: self.since(start), name, fields })
    }
}

/// The first part that keeps an expression from being constant.
fn not_constant(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Error => None,
        ExprKind::Var(var) if var.as_name().is_some() => None,
        ExprKind::Unary(UnaryOp::Negate, operand) => not_constant(operand),
        ExprKind::Binary(
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem,
            a,
            b,
        ) => not_constant(a).or_else(|| not_constant(b)),
        _ => Some(expr.span),
    }
}
