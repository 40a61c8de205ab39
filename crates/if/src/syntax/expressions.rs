//! Expressions. From weak to strong: `? :`, `or`, `and`, comparisons, `+ - ^`, `* / %`, operators
//! with one operand.

use super::ast::{Binary, Expr, ExprKind, Unary};
use super::lexer::Token;
use super::parser::{Parser, Read};

/// The operators with two operands, by strength, weak ones first.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("or", Binary::Or), ("||", Binary::Or)],
    &[("and", Binary::And), ("&&", Binary::And)],
    &[
        ("=", Binary::Equal),
        ("<>", Binary::NotEqual),
        ("<=", Binary::LessEqual),
        (">=", Binary::GreaterEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("+", Binary::Add), ("-", Binary::Subtract), ("^", Binary::Concat)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Modulo)],
];

/// Where comparisons stand in [`LEVELS`].
const COMPARISONS: usize = 2;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Read<Expr> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Read<Expr> {
        let start = self.span();
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let then = self.expr()?;
        self.expect(":")?;
        let otherwise = self.expr()?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, span: self.since(start) })
    }

    /// A comparison: one of the constraints that `and` connects.
    pub(super) fn comparison(&mut self) -> Read<Expr> {
        self.nested(|me| me.binary(COMPARISONS))
    }

    fn binary(&mut self, level: usize) -> Read<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let start = self.span();
        let mut left = self.binary(level + 1)?;
        loop {
            let found = operators.iter().find(|(text, _)| match self.peek() {
                Token::Sign(sign) => sign == text,
                Token::Word(word) => word == text,
                _ => false,
            });
            let Some(&(_, op)) = found else { return Ok(left) };
            self.advance();
            self.count_operator()?;
            let right = self.binary(level + 1)?;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = Expr { kind, span: self.since(start) };
        }
    }

    /// What operators with two operands stand between; also where values are stored.
    pub(super) fn operand(&mut self) -> Read<Expr> {
        self.nested(Self::unary)
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        let op = match self.peek() {
            Token::Word(word) => match word.as_str() {
                "not" => Some(Unary::Not),
                "active" => Some(Unary::Active),
                "timeval" => Some(Unary::TimeValue),
                "length" => Some(Unary::Length),
                _ => None,
            },
            Token::Sign("-") => Some(Unary::Negate),
            Token::Sign("!") => Some(Unary::Not),
            _ => None,
        };
        if let Some(op) = op {
            self.advance();
            let operand = self.operand()?;
            let kind = ExprKind::Unary(op, Box::new(operand));
            return Ok(Expr { kind, span: self.since(start) });
        }
        if self.is_word("exists") || self.is_word("forall") {
            return self.quantified();
        }
        self.postfix()
    }

    fn quantified(&mut self) -> Read<Expr> {
        let start = self.span();
        let all = self.is_word("forall");
        self.advance();
        let name = self.ident("a variable")?;
        let ty = Box::new(self.ty()?);
        self.expect(":")?;
        let body = Box::new(self.expr()?);
        let kind = ExprKind::Quantified { all, name, ty, body };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn postfix(&mut self) -> Read<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        loop {
            let kind = if self.accept(".") {
                ExprKind::Field(Box::new(expr), self.ident("a field")?)
            } else if self.accept("@") {
                ExprKind::At(Box::new(expr), self.ident("a state")?)
            } else if self.accept("[") {
                let first = Box::new(self.expr()?);
                let kind = if self.accept(":") {
                    let last = Box::new(self.expr()?);
                    ExprKind::Slice(Box::new(expr), first, last)
                } else {
                    ExprKind::Index(Box::new(expr), first)
                };
                self.expect("]")?;
                kind
            } else {
                return Ok(expr);
            };
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Number(value) => {
                self.advance();
                ExprKind::Number(value)
            }
            Token::Real => {
                self.advance();
                ExprKind::Real
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expr()?;
                self.expect(")")?;
                inner.kind
            }
            Token::Sign("{") => {
                self.advance();
                let name = self.ident("a process or a route")?;
                self.expect("}")?;
                // `{lock}0.p` is a variable of `{lock}0`.
                let of = self.nested(Self::primary)?;
                ExprKind::Cast(name, Box::new(of))
            }
            Token::Word(word) => {
                let literal = match word.as_str() {
                    "true" => Some(ExprKind::Bool(true)),
                    "false" => Some(ExprKind::Bool(false)),
                    "self" => Some(ExprKind::SelfPid),
                    "nil" => Some(ExprKind::Nil),
                    "void" => Some(ExprKind::Void),
                    _ => None,
                };
                match literal {
                    Some(literal) => {
                        self.advance();
                        literal
                    }
                    None => {
                        let name = self.ident("an expression")?;
                        if self.is_sign("(") {
                            self.arguments()?;
                            ExprKind::Call(name)
                        } else {
                            ExprKind::Name(name.name)
                        }
                    }
                }
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }
}
