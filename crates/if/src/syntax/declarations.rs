//! Systems, constants, types, signals and routes.

use isospin_source::Diagnostic;

use super::ast::{
    Const, Expr, Item, Parameter, Procedure, Route, Signal, System, Type, TypeDecl, TypeKind, Var,
};
use super::lexer::Token;
use super::parser::{Parser, Read};

/// Where a declaration may begin again after an error.
const STARTS: &[&str] = &[
    "const",
    "type",
    "var",
    "procedure",
    "resource",
    "signal",
    "signalroute",
    "priorityrule",
    "process",
    "endsystem",
    "state",
    "endprocess",
    "pure",
    "cut",
    "intrusive",
];

impl Parser<'_> {
    pub(super) fn system(&mut self) -> System {
        let mut system = System::default();
        if self.expect_word("system").is_err() {
            return system;
        }
        match self.ident("the system's name") {
            Ok(name) => system.name = name.name,
            Err(_) => self.recover(STARTS),
        }
        self.semicolon();
        while *self.peek() != Token::End && !self.is_word("endsystem") {
            match self.item() {
                Ok(item) => system.items.push(item),
                Err(_) => self.go_on(),
            }
        }
        if self.expect_word("endsystem").is_ok() {
            self.semicolon();
            if *self.peek() != Token::End {
                self.expected("the end of the text after `endsystem;`");
            }
        }
        system
    }

    /// Goes on at the next declaration.
    pub(super) fn go_on(&mut self) {
        let stuck = self.span();
        self.recover(STARTS);
        if self.span() == stuck {
            self.advance();
        }
    }

    fn item(&mut self) -> Read<Item> {
        let Token::Word(word) = self.peek().clone() else {
            return Err(self.expected("a declaration"));
        };
        match word.as_str() {
            "const" => self.constant(),
            "type" => self.type_declaration(),
            "var" => self.variable(),
            "procedure" => self.procedure(),
            "signal" => self.signal(),
            "signalroute" => self.route(),
            "process" => self.process().map(Item::Process),
            "resource" => {
                self.advance();
                let names = self.idents("a resource")?;
                self.semicolon();
                Ok(Item::Resource(names))
            }
            "priorityrule" => {
                self.advance();
                let name = self.ident("the rule's name")?;
                self.recover(&[]);
                Ok(Item::PriorityRule(name))
            }
            "pure" | "cut" | "intrusive" | "observer" => {
                let message = "observers are not read: state what they say as a formula (`--ltl`)";
                self.errors.push(Diagnostic::error(self.span(), message));
                while *self.peek() != Token::End && !self.accept_word("endobserver") {
                    self.advance();
                }
                self.accept(";");
                self.item_or_end()
            }
            _ => Err(self.expected(
                "a declaration: `const`, `type`, `var`, `procedure`, `resource`, `signal`, \
                 `signalroute`, `priorityrule` or `process`",
            )),
        }
    }

    /// After something that was refused: the next declaration, if there is one.
    fn item_or_end(&mut self) -> Read<Item> {
        if self.is_word("endsystem") || *self.peek() == Token::End {
            return Ok(Item::Resource(Vec::new()));
        }
        self.nested(Self::item)
    }

    pub(super) fn constant(&mut self) -> Read<Item> {
        self.advance();
        let name = self.ident("the constant's name")?;
        self.expect("=")?;
        let value = self.expr()?;
        self.semicolon();
        Ok(Item::Const(Const { name, value }))
    }

    pub(super) fn type_declaration(&mut self) -> Read<Item> {
        self.advance();
        let name = self.ident("the type's name")?;
        self.expect("=")?;
        let definition = self.ty()?;
        self.semicolon();
        Ok(Item::Type(TypeDecl { name, definition }))
    }

    pub(super) fn ty(&mut self) -> Read<Type> {
        self.nested(Self::ty_here)
    }

    fn ty_here(&mut self) -> Read<Type> {
        let start = self.span();
        let kind = if self.accept_word("enum") {
            let names = self.idents("a literal")?;
            self.expect_word("endenum")?;
            TypeKind::Enum(names)
        } else if self.accept_word("range") {
            let low = self.operand()?;
            self.expect("..")?;
            TypeKind::Range(low, self.operand()?)
        } else if self.accept_word("record") {
            let mut fields = Vec::new();
            while !self.accept_word("endrecord") {
                let name = self.ident("a field or `endrecord`")?;
                let ty = self.ty()?;
                self.semicolon();
                fields.push((name, ty));
            }
            TypeKind::Record(fields)
        } else if self.accept_word("array") {
            let (size, of) = self.sized()?;
            TypeKind::Array(size, of)
        } else if self.accept_word("string") {
            let (size, of) = self.sized()?;
            TypeKind::String(size, of)
        } else if self.accept_word("tree") {
            self.expect("[")?;
            self.expr()?;
            self.expect(",")?;
            self.expr()?;
            self.expect("]")?;
            self.expect_word("of")?;
            self.ty()?;
            TypeKind::Tree
        } else if self.accept_word("abstract") {
            while *self.peek() != Token::End && !self.accept_word("endabstract") {
                self.advance();
            }
            TypeKind::Abstract
        } else {
            TypeKind::Named(self.ident("a type")?.name)
        };
        Ok(Type { kind, span: self.since(start) })
    }

    fn sized(&mut self) -> Read<(Expr, Box<Type>)> {
        self.expect("[")?;
        let size = self.expr()?;
        self.expect("]")?;
        self.expect_word("of")?;
        Ok((size, Box::new(self.ty()?)))
    }

    pub(super) fn variable(&mut self) -> Read<Item> {
        self.advance();
        let name = self.ident("the variable's name")?;
        let ty = self.ty()?;
        let value = if self.accept(":=") { Some(self.expr()?) } else { None };
        let public = self.accept_word("public");
        if !public {
            self.accept_word("private");
        }
        self.semicolon();
        Ok(Item::Var(Var { name, ty, value, public }))
    }

    /// `fpar in x T, ..;` if it stands here.
    pub(super) fn parameters(&mut self) -> Read<Vec<Parameter>> {
        let mut all = Vec::new();
        if !self.accept_word("fpar") {
            return Ok(all);
        }
        loop {
            let _ = ["in", "inout", "out"].iter().any(|mode| self.accept_word(mode));
            let name = self.ident("a parameter")?;
            let ty = self.ty()?;
            all.push(Parameter { name, ty });
            if !self.accept(",") {
                break;
            }
        }
        self.semicolon();
        Ok(all)
    }

    pub(super) fn procedure(&mut self) -> Read<Item> {
        self.advance();
        let name = self.ident("the procedure's name")?;
        self.semicolon();
        let parameters = self.parameters()?;
        let mut returns = None;
        if self.accept_word("returns") {
            returns = Some(self.ty()?);
            self.semicolon();
        }
        let mut code = None;
        while *self.peek() != Token::End && !self.is_word("endprocedure") {
            if *self.peek() == Token::Code {
                code = Some(self.span());
                self.advance();
            } else {
                return Err(self.expected("C text or `endprocedure`"));
            }
        }
        self.expect_word("endprocedure")?;
        self.semicolon();
        Ok(Item::Procedure(Procedure { name, parameters, returns, code }))
    }

    fn signal(&mut self) -> Read<Item> {
        self.advance();
        let name = self.ident("the signal's name")?;
        let mut parameters = Vec::new();
        if self.accept("(") && !self.accept(")") {
            parameters.push(self.ty()?);
            while self.accept(",") {
                parameters.push(self.ty()?);
            }
            self.expect(")")?;
        }
        self.semicolon();
        Ok(Item::Signal(Signal { name, parameters }))
    }

    fn route(&mut self) -> Read<Item> {
        self.advance();
        let name = self.ident("the route's name")?;
        let count = self.count()?;
        let options = self.options();
        self.expect_word("from")?;
        let from = self.ident("a process or `env`")?;
        self.expect_word("to")?;
        let to = self.ident("a process or `env`")?;
        self.expect_word("with")?;
        let signals = self.idents("a signal")?;
        self.semicolon();
        Ok(Item::Route(Route { name, count, options, from, to, signals }))
    }

    /// `(c)`.
    pub(super) fn count(&mut self) -> Read<Expr> {
        self.expect("(")?;
        let count = self.expr()?;
        self.expect(")")?;
        Ok(count)
    }
}
