//! Label expressions: boolean functions of the atomic propositions.

use std::collections::HashMap;

use super::lexer::{Token, Tokens};
use crate::bdd::{Bdd, Manager};
use crate::error::Error;
use crate::formula::MAX_DEPTH;
use crate::label::{Cube, Label};

/// What label expressions may refer to, and the functions that they become.
pub(super) struct Expressions {
    pub bdds: Manager,
    /// The number of propositions, once the header has said it.
    pub atoms: Option<usize>,
    pub aliases: HashMap<String, Bdd>,
}

impl Expressions {
    pub fn new() -> Self {
        Self { bdds: Manager::new(), atoms: None, aliases: HashMap::new() }
    }

    /// Reads an expression.
    pub fn read(&mut self, tokens: &mut Tokens<'_>) -> Result<Bdd, Error> {
        self.sum(tokens, 0)
    }

    fn sum(&mut self, tokens: &mut Tokens<'_>, depth: usize) -> Result<Bdd, Error> {
        let mut result = self.product(tokens, depth)?;
        while tokens.take('|') {
            let more = self.product(tokens, depth)?;
            result = self.bdds.or(result, more)?;
        }
        Ok(result)
    }

    fn product(&mut self, tokens: &mut Tokens<'_>, depth: usize) -> Result<Bdd, Error> {
        let mut result = self.factor(tokens, depth)?;
        while tokens.take('&') {
            let more = self.factor(tokens, depth)?;
            result = self.bdds.and(result, more)?;
        }
        Ok(result)
    }

    fn factor(&mut self, tokens: &mut Tokens<'_>, depth: usize) -> Result<Bdd, Error> {
        if depth > MAX_DEPTH {
            return Err(tokens.error(&format!("the label nests more than {MAX_DEPTH} deep")));
        }
        let at = tokens.offset();
        match tokens.next() {
            Some(Token::Symbol('!')) => {
                let inner = self.factor(tokens, depth + 1)?;
                self.bdds.not(inner)
            }
            Some(Token::Symbol('(')) => {
                let inner = self.sum(tokens, depth + 1)?;
                tokens.expect(')')?;
                Ok(inner)
            }
            Some(Token::Word(word)) if word == "t" => Ok(Bdd::TRUE),
            Some(Token::Word(word)) if word == "f" => Ok(Bdd::FALSE),
            Some(Token::Alias(name)) => match self.aliases.get(&name) {
                Some(&function) => Ok(function),
                None => Err(tokens.error_at(at, &format!("the alias '@{name}' is not defined"))),
            },
            Some(Token::Number(atom)) => match self.atoms {
                Some(count) if atom < count => self.bdds.literal(atom as u32, true),
                Some(count) => Err(tokens.error_at(
                    at,
                    &format!("there is no proposition {atom}: 'AP:' declares {count}"),
                )),
                None => {
                    Err(tokens.error_at(at, "propositions are used before 'AP:' declares them"))
                }
            },
            _ => Err(tokens.error_at(at, "expected a label expression")),
        }
    }

    /// A function as a label.
    pub fn label(&mut self, function: Bdd) -> Result<Label, Error> {
        let products = self.bdds.products(function)?;
        let cube = |product: Vec<(u32, bool)>| {
            let mut cube = Cube::TRUE;
            for (atom, positive) in product {
                let side = if positive { &mut cube.positive } else { &mut cube.negative };
                *side |= 1 << atom;
            }
            cube
        };
        Ok(Label { cubes: products.into_iter().map(cube).collect() })
    }
}
