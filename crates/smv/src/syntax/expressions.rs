//! Expressions, in the order of NuSMV's precedences: from `->`, which binds least, to names.

use super::lexer::Token;
use super::parser::{Parser, Result};
use super::tree::{Expr, ExprKind};

/// The words that are called like functions.
const FUNCTIONS: &[&str] = &[
    "word1", "bool", "signed", "unsigned", "extend", "resize", "sizeof", "uwconst", "swconst",
    "count", "abs", "max", "min", "toint",
];

impl Parser {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.nested(|p| {
            let start = p.span();
            let mut operands = vec![p.iff()?];
            while p.eat("->") {
                operands.push(p.iff()?);
            }
            let mut right = operands.pop().expect("one was pushed");
            while let Some(left) = operands.pop() {
                right = p.add(ExprKind::Binary("->", left, right), p.since(start))?;
            }
            Ok(right)
        })
    }

    /// A chain of operators of one level, from the left.
    fn chain(
        &mut self,
        signs: &[&'static str],
        words: &[&'static str],
        operand: fn(&mut Self) -> Result<Expr>,
    ) -> Result<Expr> {
        let start = self.span();
        let mut left = operand(self)?;
        loop {
            let operator = match self.peek() {
                Token::Sign(sign) if signs.contains(sign) => *sign,
                Token::Keyword(word) if words.contains(word) => *word,
                _ => return Ok(left),
            };
            self.bump();
            let right = operand(self)?;
            let span = self.since(start);
            left = match operator {
                "U" | "V" | "S" | "T" => {
                    self.add(ExprKind::Temporal(operator, vec![left, right], None), span)?
                }
                _ => self.add(ExprKind::Binary(operator, left, right), span)?,
            };
        }
    }

    fn iff(&mut self) -> Result<Expr> {
        self.chain(&["<->"], &[], Self::choice)
    }

    fn choice(&mut self) -> Result<Expr> {
        let start = self.span();
        let condition = self.or()?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        self.add(ExprKind::Choose(condition, yes, no), self.since(start))
    }

    fn or(&mut self) -> Result<Expr> {
        self.chain(&["|"], &["xor", "xnor"], Self::and)
    }

    fn and(&mut self) -> Result<Expr> {
        self.chain(&["&"], &[], Self::until)
    }

    fn until(&mut self) -> Result<Expr> {
        self.chain(&[], &["U", "V", "S", "T"], Self::temporal)
    }

    /// Temporal operators with one operand, which reach as far as comparisons do.
    fn temporal(&mut self) -> Result<Expr> {
        let start = self.span();
        let operator = match self.peek() {
            Token::Keyword(word) => *word,
            // `! AG p` and `! G p`: the negation of a temporal formula reaches as far as that does.
            Token::Sign("!") if self.starts_temporal() => "!",
            _ => return self.relational(),
        };
        match operator {
            "!" => {
                self.bump();
                let operand = self.nested(Self::temporal)?;
                self.add(ExprKind::Unary("!", operand), self.since(start))
            }
            "EX" | "AX" | "EF" | "AF" | "EG" | "AG" | "X" | "Y" | "Z" | "F" | "G" | "H" | "O" => {
                self.bump();
                let bounds = if self.is_sign("[") && matches!(operator, "F" | "G" | "H" | "O") {
                    self.bump();
                    let low = self.additive()?;
                    self.expect(",")?;
                    let high = self.additive()?;
                    self.expect("]")?;
                    Some((low, high))
                } else {
                    None
                };
                let operand = self.nested(Self::temporal)?;
                self.add(ExprKind::Temporal(operator, vec![operand], bounds), self.since(start))
            }
            "EBF" | "ABF" | "EBG" | "ABG" => {
                self.bump();
                let bounds = self.bounds()?;
                let operand = self.nested(Self::temporal)?;
                let kind = ExprKind::Temporal(operator, vec![operand], Some(bounds));
                self.add(kind, self.since(start))
            }
            "A" | "E" => {
                self.bump();
                self.expect("[")?;
                let left = self.nested(Self::path_operand)?;
                let bounds = if self.eat_keyword("BU") {
                    Some(self.bounds()?)
                } else {
                    self.expect_keyword("U")?;
                    None
                };
                let right = self.expression()?;
                self.expect("]")?;
                let name = match (operator, bounds.is_some()) {
                    ("A", false) => "AU",
                    ("E", false) => "EU",
                    ("A", true) => "ABU",
                    (_, _) => "EBU",
                };
                self.add(ExprKind::Temporal(name, vec![left, right], bounds), self.since(start))
            }
            _ => self.relational(),
        }
    }

    /// The left operand inside `A [ f U g ]`, where `U` does not belong to `f`.
    fn path_operand(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut operands = vec![self.path_iff()?];
        while self.eat("->") {
            operands.push(self.path_iff()?);
        }
        let mut right = operands.pop().expect("one was pushed");
        while let Some(left) = operands.pop() {
            right = self.add(ExprKind::Binary("->", left, right), self.since(start))?;
        }
        Ok(right)
    }

    fn path_iff(&mut self) -> Result<Expr> {
        self.chain(&["<->"], &[], Self::path_or)
    }

    fn path_or(&mut self) -> Result<Expr> {
        self.chain(&["|"], &["xor", "xnor"], Self::path_and)
    }

    fn path_and(&mut self) -> Result<Expr> {
        self.chain(&["&"], &[], Self::temporal)
    }

    /// Whether a temporal operator follows the negations here.
    fn starts_temporal(&self) -> bool {
        let mut ahead = 0;
        while matches!(self.token_at(ahead), Token::Sign("!")) {
            ahead += 1;
        }
        matches!(
            self.token_at(ahead),
            Token::Keyword(
                "EX" | "AX"
                    | "EF"
                    | "AF"
                    | "EG"
                    | "AG"
                    | "X"
                    | "Y"
                    | "Z"
                    | "F"
                    | "G"
                    | "H"
                    | "O"
                    | "EBF"
                    | "ABF"
                    | "EBG"
                    | "ABG"
                    | "A"
                    | "E"
            )
        )
    }

    fn bounds(&mut self) -> Result<(Expr, Expr)> {
        let low = self.additive()?;
        self.expect("..")?;
        Ok((low, self.additive()?))
    }

    fn relational(&mut self) -> Result<Expr> {
        self.chain(&["=", "!=", "<", ">", "<=", ">="], &[], Self::member)
    }

    fn member(&mut self) -> Result<Expr> {
        self.chain(&[], &["in"], Self::union)
    }

    fn union(&mut self) -> Result<Expr> {
        self.chain(&[], &["union"], Self::range)
    }

    /// A set given by its bounds, or what binds more.
    fn range(&mut self) -> Result<Expr> {
        let start = self.span();
        let low = self.shift()?;
        if !self.eat("..") {
            return Ok(low);
        }
        let high = self.shift()?;
        self.add(ExprKind::Range(low, high), self.since(start))
    }

    fn shift(&mut self) -> Result<Expr> {
        self.chain(&["<<", ">>"], &[], Self::additive)
    }

    pub(super) fn additive(&mut self) -> Result<Expr> {
        self.chain(&["+", "-"], &[], Self::multiplicative)
    }

    fn multiplicative(&mut self) -> Result<Expr> {
        self.chain(&["*", "/"], &["mod"], Self::concatenation)
    }

    fn concatenation(&mut self) -> Result<Expr> {
        self.chain(&["::"], &[], Self::unary)
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.span();
        for sign in ["!", "-"] {
            if self.eat(sign) {
                let operand = self.nested(Self::unary)?;
                return self.add(ExprKind::Unary(sign, operand), self.since(start));
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        loop {
            if self.eat(".") {
                let name = match self.peek() {
                    // `a.1` is how old models name the elements of arrays.
                    Token::Number(number) => {
                        let (text, span) = (number.to_string(), self.span());
                        self.bump();
                        super::tree::Ident { text, span }
                    }
                    _ => self.ident("a name after `.`")?,
                };
                expr = self.add(ExprKind::Dot(expr, name), self.since(start))?;
            } else if self.eat("[") {
                let index = self.additive()?;
                expr = if self.eat(":") {
                    let low = self.additive()?;
                    self.expect("]")?;
                    self.add(ExprKind::Slice(expr, index, low), self.since(start))?
                } else {
                    self.expect("]")?;
                    self.add(ExprKind::Index(expr, index), self.since(start))?
                };
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Name(name) => {
                self.bump();
                ExprKind::Name(name)
            }
            Token::Number(number) => {
                self.bump();
                ExprKind::Number(number)
            }
            Token::Word { signed, width, bits } => {
                self.bump();
                ExprKind::Word { signed, width, bits }
            }
            Token::Keyword("TRUE") => {
                self.bump();
                ExprKind::True
            }
            Token::Keyword("FALSE") => {
                self.bump();
                ExprKind::False
            }
            Token::Keyword("self") => {
                self.bump();
                ExprKind::SelfName
            }
            Token::Keyword("case") => self.case()?,
            Token::Keyword("next") => {
                self.bump();
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                ExprKind::Next(inner)
            }
            Token::Keyword(word) if FUNCTIONS.contains(&word) => {
                self.bump();
                self.expect("(")?;
                let arguments = self.list(")")?;
                ExprKind::Call(word, arguments)
            }
            Token::Sign("(") => {
                self.bump();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Sign("{") => {
                self.bump();
                ExprKind::Set(self.list("}")?)
            }
            Token::Sign("[") => {
                self.bump();
                ExprKind::Array(self.list("]")?)
            }
            _ => return self.unexpected("an expression"),
        };
        self.add(kind, self.since(start))
    }

    /// Expressions with commas between them, at least one, to the closing bracket.
    pub(super) fn list(&mut self, end: &str) -> Result<Vec<Expr>> {
        let mut list = vec![self.expression()?];
        while self.eat(",") {
            list.push(self.expression()?);
        }
        self.expect(end)?;
        Ok(list)
    }

    fn case(&mut self) -> Result<ExprKind> {
        self.bump();
        let mut branches = Vec::new();
        while !self.eat_keyword("esac") {
            let condition = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            self.expect(";")?;
            branches.push((condition, value));
        }
        if branches.is_empty() {
            let span = self.last_span();
            return self.fail(span, "a case needs a branch");
        }
        Ok(ExprKind::Case(branches))
    }
}
