//! Tokens to terms, by precedence climbing.

use super::expression::{reach, starts_temporal, temporal_inside};
use super::lexer::{tokens, Kind, Token};
use crate::atoms::AtomTable;
use crate::error::Error;
use crate::formula::{Formula, Store, Term, MAX_DEPTH, MAX_TERMS};

/// How strongly the binary operators bind. Spin has two grammars; both group to the left, and in
/// both `U`, `W`, `V` and `R` bind more strongly than the boolean operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precedence {
    /// As in an `ltl` block: `&&` before `||` before `->` and `<->`.
    #[default]
    Graded,
    /// As on Spin's command line (`-f`): all boolean operators alike.
    Flat,
}

#[derive(Clone, Copy)]
enum Binary {
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}

impl Binary {
    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "U" | "until" | "stronguntil" => Binary::Until,
            "W" | "weakuntil" => Binary::WeakUntil,
            "V" | "R" | "release" => Binary::Release,
            "implies" => Binary::Implies,
            "equivalent" => Binary::Equivalent,
            "and" => Binary::And,
            "or" => Binary::Or,
            _ => return None,
        })
    }

    fn level(self, precedence: Precedence) -> u8 {
        match (self, precedence) {
            (Binary::Until | Binary::WeakUntil | Binary::Release, _) => 3,
            (_, Precedence::Flat) => 0,
            (Binary::And, _) => 2,
            (Binary::Or, _) => 1,
            (Binary::Implies | Binary::Equivalent, _) => 0,
        }
    }
}

#[derive(Clone, Copy)]
enum Prefix {
    Not,
    Next,
    Always,
    Eventually,
}

fn prefix_of_word(word: &str) -> Option<Prefix> {
    Some(match word {
        "not" => Prefix::Not,
        "X" | "next" => Prefix::Next,
        "always" => Prefix::Always,
        "eventually" => Prefix::Eventually,
        _ => return None,
    })
}

pub(super) fn is_prefix_word(word: &str) -> bool {
    prefix_of_word(word).is_some()
}

pub(super) fn is_binary_word(word: &str) -> bool {
    Binary::of_word(word).is_some()
}

/// Reads a formula.
pub(crate) fn parse(text: &str, precedence: Precedence) -> Result<Formula, Error> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        text,
        tokens: &tokens,
        at: 0,
        precedence,
        store: Store::new(),
        atoms: AtomTable::new(),
    };
    let root = parser.binary(0, 0)?;
    match tokens.get(parser.at) {
        None => Ok(Formula::from_parts(parser.store, root, parser.atoms)),
        Some(token) => {
            let text = &text[token.span.clone()];
            Err(Error::syntax(token.span.start, format!("expected an operator before '{text}'")))
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    precedence: Precedence,
    store: Store,
    atoms: AtomTable,
}

impl Parser<'_> {
    fn binary(&mut self, minimum: u8, depth: usize) -> Result<Term, Error> {
        let mut left = self.unary(depth)?;
        while let Some(operator) = self.binary_operator() {
            let level = operator.level(self.precedence);
            if level < minimum {
                break;
            }
            let position = self.position();
            self.at += 1;
            let right = self.binary(level + 1, depth)?;
            left = match operator {
                Binary::And => self.store.and([left, right]),
                Binary::Or => self.store.or([left, right]),
                Binary::Implies => self.store.implies(left, right),
                Binary::Equivalent => self.store.equivalent(left, right),
                Binary::Until => self.store.until(left, right),
                Binary::WeakUntil => self.store.weak_until(left, right),
                Binary::Release => self.store.release(left, right),
            };
            self.check_size(left, position)?;
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Term, Error> {
        let position = self.position();
        if depth > MAX_DEPTH {
            return Err(Error::TooDeep { at: position });
        }
        let Some(token) = self.tokens.get(self.at) else {
            return Err(Error::syntax(position, "the formula ends where an operand is expected"));
        };
        let prefix = match token.kind {
            Kind::Always => Some(Prefix::Always),
            Kind::Eventually => Some(Prefix::Eventually),
            Kind::Not => Some(Prefix::Not),
            Kind::Word if starts_temporal(self.text, self.tokens, self.at) => {
                prefix_of_word(self.word(self.at))
            }
            _ => None,
        };
        match (prefix, token.kind) {
            (Some(Prefix::Not), Kind::Not) if self.is_opaque() => self.atom(),
            (Some(prefix), _) => {
                self.at += 1;
                let inner = self.unary(depth + 1)?;
                let term = match prefix {
                    Prefix::Not => self.store.not(inner),
                    Prefix::Next => self.store.next(inner),
                    Prefix::Always => self.store.globally(inner),
                    Prefix::Eventually => self.store.finally(inner),
                };
                self.check_size(term, position)?;
                Ok(term)
            }
            (None, Kind::Open(partner)) if self.word(self.at) != "[" && !self.is_opaque() => {
                self.at += 1;
                let inner = self.binary(0, depth + 1)?;
                if self.at != partner {
                    let found = self.word(self.at);
                    let message = format!("expected an operator before '{found}'");
                    return Err(Error::syntax(self.position(), message));
                }
                self.at += 1;
                Ok(inner)
            }
            _ => self.atom(),
        }
    }

    /// Whether what starts here is an expression with operators of its own, such as `!x == 1`,
    /// where the sign or bracket at its start belongs to the expression.
    fn is_opaque(&self) -> bool {
        reach(self.text, self.tokens, self.at).operators
    }

    fn atom(&mut self) -> Result<Term, Error> {
        let from = self.at;
        let found = reach(self.text, self.tokens, from);
        if let Some(broken) = found.broken {
            return Err(self.broken(broken, found.operators));
        }
        if let Some(inside) = temporal_inside(self.text, self.tokens, from, found.end) {
            return Err(self.broken(inside, true));
        }
        self.at = found.end;
        if found.end == from + 1 {
            match (self.tokens[from].kind, self.word(from)) {
                (Kind::Word, "true") => return Ok(Store::TRUE),
                (Kind::Word, "false") => return Ok(Store::FALSE),
                (Kind::Number, digits) => {
                    let zero = digits.bytes().all(|digit| digit == b'0');
                    return Ok(if zero { Store::FALSE } else { Store::TRUE });
                }
                _ => {}
            }
        }
        let span = self.tokens[from].span.start..self.tokens[found.end - 1].span.end;
        let words: Vec<_> = (from..found.end).map(|index| self.word(index)).collect();
        let atom = self.atoms.intern_as(words.join(" "), &self.text[span.clone()], span)?;
        Ok(self.store.literal(atom, true))
    }

    fn broken(&self, at: usize, inside: bool) -> Error {
        let Some(token) = self.tokens.get(at) else {
            let end = self.text.len();
            return Error::syntax(end, "the formula ends where an operand is expected");
        };
        let word = self.word(at);
        let temporal = matches!(token.kind, Kind::Always | Kind::Eventually | Kind::Equivalent)
            || is_prefix_word(word)
            || is_binary_word(word);
        let message = if inside && temporal {
            format!("the operator '{word}' cannot stand inside an expression")
        } else {
            format!("expected an operand before '{word}'")
        };
        Error::syntax(token.span.start, message)
    }

    fn binary_operator(&self) -> Option<Binary> {
        match self.tokens.get(self.at)?.kind {
            Kind::And => Some(Binary::And),
            Kind::Or => Some(Binary::Or),
            Kind::Implies => Some(Binary::Implies),
            Kind::Equivalent => Some(Binary::Equivalent),
            Kind::Word => Binary::of_word(self.word(self.at)),
            _ => None,
        }
    }

    fn check_size(&self, term: Term, at: usize) -> Result<(), Error> {
        if self.store.depth(term) > MAX_DEPTH {
            return Err(Error::TooDeep { at });
        }
        if self.store.len() > MAX_TERMS {
            return Err(Error::TooLarge { what: "subformulas", limit: MAX_TERMS });
        }
        Ok(())
    }

    fn word(&self, index: usize) -> &str {
        &self.text[self.tokens[index].span.clone()]
    }

    fn position(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |token| token.span.start)
    }
}
