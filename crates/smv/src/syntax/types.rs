//! The types of variables.

use super::lexer::Token;
use super::parser::{Parser, Result};
use super::tree::Type;

impl Parser {
    /// A type.
    pub(super) fn type_of(&mut self) -> Result<Type> {
        let span = self.span();
        match self.peek().clone() {
            Token::Keyword("boolean") => {
                self.bump();
                Ok(Type::Boolean)
            }
            Token::Keyword(word @ ("integer" | "real")) => {
                self.bump();
                Ok(Type::Unsupported(word, span))
            }
            Token::Keyword(word @ ("word" | "unsigned" | "signed")) => {
                self.bump();
                if word != "word" {
                    self.expect_keyword("word")?;
                }
                self.expect("[")?;
                let width = self.additive()?;
                self.expect("]")?;
                Ok(Type::Word { signed: word == "signed", width })
            }
            Token::Keyword("array") => {
                self.bump();
                if self.is_keyword("word") || self.is_keyword("integer") {
                    return self.fail(
                        span,
                        "arrays without bounds have infinite domains, which are not supported",
                    );
                }
                let low = self.additive()?;
                self.expect("..")?;
                let high = self.additive()?;
                self.expect_keyword("of")?;
                let of = Box::new(self.nested(Self::type_of)?);
                Ok(Type::Array { low, high, of })
            }
            Token::Keyword("process") => {
                self.bump();
                self.instance(true)
            }
            Token::Sign("{") => {
                self.bump();
                Ok(Type::Enumeration(self.list("}")?))
            }
            // A name begins a module's instance, unless it is the first bound of a range.
            Token::Name(_) => {
                let is_bound = matches!(
                    self.peek_second(),
                    Token::Sign(".." | "+" | "-" | "*" | "/" | "." | "[") | Token::Keyword("mod")
                );
                if is_bound {
                    self.range_type()
                } else {
                    self.instance(false)
                }
            }
            _ => self.range_type(),
        }
    }

    fn range_type(&mut self) -> Result<Type> {
        let low = self.additive()?;
        self.expect("..")?;
        Ok(Type::Range(low, self.additive()?))
    }

    fn instance(&mut self, process: bool) -> Result<Type> {
        let module = self.ident("the name of a module")?;
        let mut arguments = Vec::new();
        if self.eat("(") && !self.eat(")") {
            arguments = self.list(")")?;
        }
        Ok(Type::Instance { process, module, arguments })
    }
}
