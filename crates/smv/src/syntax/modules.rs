//! Modules and their sections.

use super::lexer::Token;
use super::parser::{Parser, Result};
use super::tree::{AssignKind, Element, Expr, ExprKind, Ident, Module, SpecKind, VarKind};

impl Parser {
    /// One module.
    pub(super) fn module(&mut self) -> Result<()> {
        self.expect_keyword("MODULE")?;
        let name = self.ident("the name of a module")?;
        let mut parameters = Vec::new();
        if self.eat("(") && !self.eat(")") {
            parameters.push(self.ident("the name of a parameter")?);
            while self.eat(",") {
                parameters.push(self.ident("the name of a parameter")?);
            }
            self.expect(")")?;
        }
        let mut elements = Vec::new();
        loop {
            let Token::Keyword(section) = *self.peek() else {
                if *self.peek() == Token::End {
                    break;
                }
                return self.unexpected("a section such as `VAR` or `ASSIGN`, or a module");
            };
            if section == "MODULE" {
                break;
            }
            self.section(section, &mut elements)?;
        }
        self.tree.modules.push(Module { name, parameters, elements });
        Ok(())
    }

    fn section(&mut self, section: &'static str, elements: &mut Vec<Element>) -> Result<()> {
        let start = self.span();
        match section {
            "VAR" | "IVAR" | "FROZENVAR" => {
                self.bump();
                let kind = match section {
                    "VAR" => VarKind::State,
                    "IVAR" => VarKind::Input,
                    _ => VarKind::Frozen,
                };
                self.variables(kind, elements)
            }
            "DEFINE" | "MDEFINE" => {
                self.bump();
                while matches!(self.peek(), Token::Name(_)) {
                    let name = self.declared_name()?;
                    self.expect(":=")?;
                    let body = self.expression()?;
                    self.expect(";")?;
                    elements.push(Element::Define { name, body });
                }
                Ok(())
            }
            "CONSTANTS" => {
                self.bump();
                let mut names = Vec::new();
                while let Token::Name(_) | Token::Number(_) = self.peek() {
                    if let Token::Name(_) = self.peek() {
                        names.push(self.ident("a constant")?);
                    } else {
                        self.bump();
                    }
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect(";")?;
                elements.push(Element::Constants(names));
                Ok(())
            }
            "ASSIGN" => {
                self.bump();
                self.assignments(elements)
            }
            "INIT" | "TRANS" | "INVAR" | "FAIRNESS" | "JUSTICE" => {
                self.bump();
                let expr = self.expression()?;
                self.eat(";");
                elements.push(match section {
                    "INIT" => Element::Init(expr),
                    "TRANS" => Element::Trans(expr),
                    "INVAR" => Element::Invar(expr),
                    _ => Element::Justice(expr),
                });
                Ok(())
            }
            "COMPASSION" => {
                self.bump();
                self.expect("(")?;
                let first = self.expression()?;
                self.expect(",")?;
                let second = self.expression()?;
                self.expect(")")?;
                self.eat(";");
                elements.push(Element::Compassion(first, second));
                Ok(())
            }
            "SPEC" | "CTLSPEC" | "LTLSPEC" | "INVARSPEC" | "PSLSPEC" | "COMPUTE" => {
                self.bump();
                self.specification(section, elements)
            }
            "ISA" => {
                self.bump();
                let name = self.ident("the name of a module")?;
                self.eat(";");
                elements.push(Element::Isa(name));
                Ok(())
            }
            _ => {
                let message = format!("`{section}` is not supported");
                self.fail(start, message)
            }
        }
    }

    /// A name that is declared, which may look like an element or something in an instance:
    /// `bit[0]`, `left.ack`.
    fn declared_name(&mut self) -> Result<Ident> {
        let mut name = self.ident("a name")?;
        loop {
            if self.eat(".") {
                let part = self.ident("a name")?;
                name.text = format!("{}.{}", name.text, part.text);
            } else if self.eat("[") {
                let sign = if self.eat("-") { "-" } else { "" };
                let Token::Number(index) = self.bump() else {
                    return self.unexpected("a number");
                };
                self.expect("]")?;
                name.text = format!("{}[{sign}{index}]", name.text);
            } else {
                name.span = self.since(name.span);
                return Ok(name);
            }
        }
    }

    fn variables(&mut self, kind: VarKind, elements: &mut Vec<Element>) -> Result<()> {
        while matches!(self.peek(), Token::Name(_)) {
            let name = self.declared_name()?;
            self.expect(":")?;
            let of = self.type_of()?;
            self.expect(";")?;
            elements.push(Element::Variable { kind, name, of });
        }
        Ok(())
    }

    fn assignments(&mut self, elements: &mut Vec<Element>) -> Result<()> {
        loop {
            let kind = match self.peek() {
                Token::Keyword("init") => AssignKind::Init,
                Token::Keyword("next") => AssignKind::Next,
                Token::Name(_) | Token::Keyword("self") => AssignKind::Current,
                _ => return Ok(()),
            };
            let target = if kind == AssignKind::Current {
                self.target()?
            } else {
                self.bump();
                self.expect("(")?;
                let target = self.target()?;
                self.expect(")")?;
                target
            };
            self.expect(":=")?;
            let value = self.expression()?;
            self.expect(";")?;
            elements.push(Element::Assign { kind, target, value });
        }
    }

    /// What is assigned to: a name, with elements.
    fn target(&mut self) -> Result<Expr> {
        let expr = self.additive()?;
        let node = self.tree.node(expr);
        if matches!(node.kind, ExprKind::Name(_) | ExprKind::Dot(..) | ExprKind::Index(..)) {
            return Ok(expr);
        }
        let span = node.span;
        self.fail(span, "only a variable can be assigned to")
    }

    fn specification(&mut self, section: &str, elements: &mut Vec<Element>) -> Result<()> {
        let mut name: Option<Ident> = None;
        if self.eat_keyword("NAME") {
            name = Some(self.ident("a name")?);
            while self.eat(".") {
                let rest = self.ident("a name")?;
                if let Some(name) = &mut name {
                    name.text = format!("{}.{}", name.text, rest.text);
                }
            }
            self.expect(":=")?;
        }
        let start = self.span();
        let (kind, formulas) = match section {
            "PSLSPEC" => {
                // What PSL says is not understood; it ends where the next section begins.
                while !self.at_section() {
                    self.bump();
                }
                (SpecKind::Psl, Vec::new())
            }
            "COMPUTE" => {
                let kind = if self.eat_keyword("MAX") {
                    SpecKind::Longest
                } else {
                    self.expect_keyword("MIN")?;
                    SpecKind::Shortest
                };
                self.expect("[")?;
                let from = self.expression()?;
                self.expect(",")?;
                let to = self.expression()?;
                self.expect("]")?;
                (kind, vec![from, to])
            }
            "LTLSPEC" => (SpecKind::Ltl, vec![self.expression()?]),
            "INVARSPEC" => (SpecKind::Invariant, vec![self.expression()?]),
            _ => (SpecKind::Ctl, vec![self.expression()?]),
        };
        let span = self.since(start);
        self.eat(";");
        elements.push(Element::Spec { kind, name, formulas, span });
        Ok(())
    }

    fn at_section(&self) -> bool {
        match self.peek() {
            Token::End => true,
            Token::Keyword(word) => {
                word.len() > 2
                    && word.bytes().all(|b| b.is_ascii_uppercase())
                    && !matches!(*word, "TRUE" | "FALSE" | "EBF" | "ABF" | "EBG" | "ABG")
            }
            _ => false,
        }
    }
}
