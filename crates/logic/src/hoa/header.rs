//! The header of an automaton: what comes before `--BODY--`.

use super::expression::Expressions;
use super::lexer::{Token, Tokens};
use crate::atoms::{AtomTable, MAX_ATOMS};
use crate::error::Error;
use crate::formula::MAX_DEPTH;

/// What the body needs to know.
pub(super) struct Header {
    pub atoms: AtomTable,
    pub states: Option<usize>,
    pub starts: Vec<(usize, usize)>,
    /// The number of sets that the acceptance condition declares.
    pub declared: usize,
    /// The sets that must be visited infinitely often; none where no run is accepting.
    pub required: Option<Vec<usize>>,
    pub expressions: Expressions,
}

impl Header {
    pub fn read(tokens: &mut Tokens<'_>) -> Result<Self, Error> {
        let mut header = Header {
            atoms: AtomTable::new(),
            states: None,
            starts: Vec::new(),
            declared: 0,
            required: None,
            expressions: Expressions::new(),
        };
        let mut acceptance = false;
        match (tokens.next(), tokens.next()) {
            (Some(Token::Header(name)), Some(Token::Word(version))) if name == "HOA" => {
                if version != "v1" {
                    let message = format!("version '{version}' is not read; 'v1' is");
                    return Err(tokens.error(&message));
                }
            }
            _ => return Err(tokens.error_at(0, "expected 'HOA: v1'")),
        }
        loop {
            let at = tokens.offset();
            let name = match tokens.next() {
                Some(Token::Header(name)) => name,
                Some(Token::Body) => break,
                Some(_) => return Err(tokens.error_at(at, "expected a header or '--BODY--'")),
                None => return Err(tokens.error_at(at, "the text ends before '--BODY--'")),
            };
            match name.as_str() {
                "States" => header.states = Some(tokens.number("the number of states")?),
                "Start" => {
                    let at = tokens.offset();
                    let state = tokens.number("an initial state")?;
                    if tokens.peek() == Some(&Token::Symbol('&')) {
                        return Err(tokens.error(ALTERNATION));
                    }
                    header.starts.push((state, at));
                }
                "AP" => header.read_atoms(tokens)?,
                "Alias" => {
                    let Some(Token::Alias(alias)) = tokens.next() else {
                        return Err(tokens.error_at(at, "'Alias:' needs a name such as '@a'"));
                    };
                    let function = header.expressions.read(tokens)?;
                    if header.expressions.aliases.insert(alias.clone(), function).is_some() {
                        let message = format!("the alias '@{alias}' is defined twice");
                        return Err(tokens.error_at(at, &message));
                    }
                }
                "Acceptance" => {
                    acceptance = true;
                    header.read_acceptance(tokens)?;
                }
                // A header whose name starts with a capital may change the meaning.
                _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    let message = format!("the header '{name}:' is not supported");
                    return Err(tokens.error_at(at, &message));
                }
                _ => {
                    let goes_on = |token: &Token| {
                        !matches!(token, Token::Header(_) | Token::Body | Token::End | Token::Abort)
                    };
                    while tokens.peek().is_some_and(goes_on) {
                        tokens.next();
                    }
                }
            }
        }
        if !acceptance {
            return Err(tokens.error("the header has no 'Acceptance:'"));
        }
        Ok(header)
    }

    fn read_atoms(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Error> {
        let at = tokens.offset();
        let count = tokens.number("the number of propositions")?;
        if self.expressions.atoms.is_some() {
            return Err(tokens.error_at(at, "'AP:' occurs twice"));
        }
        if count > MAX_ATOMS {
            let message = format!("{count} propositions are too many; {MAX_ATOMS} are supported");
            return Err(tokens.error_at(at, &message));
        }
        for index in 0..count {
            let at = tokens.offset();
            let Some(Token::Text(text)) = tokens.next() else {
                let message = format!("expected proposition {index} of {count} in quotes");
                return Err(tokens.error_at(at, &message));
            };
            if self.atoms.intern(&text, at..at + text.len())? != index {
                return Err(tokens.error_at(at, &format!("the proposition '{text}' occurs twice")));
            }
        }
        self.expressions.atoms = Some(count);
        Ok(())
    }

    fn read_acceptance(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Error> {
        self.declared = tokens.number("the number of acceptance sets")?;
        let mut required = Some(Vec::new());
        self.read_condition(tokens, &mut required, 0)?;
        if let Some(sets) = &mut required {
            sets.sort_unstable();
            sets.dedup();
            if sets.len() > 64 {
                return Err(tokens.error("more than 64 acceptance sets are not supported"));
            }
        }
        self.required = required;
        Ok(())
    }

    /// A conjunction of `Inf(n)`, `t` and `f`; nothing else is Büchi acceptance.
    fn read_condition(
        &self,
        tokens: &mut Tokens<'_>,
        required: &mut Option<Vec<usize>>,
        depth: usize,
    ) -> Result<(), Error> {
        loop {
            let at = tokens.offset();
            match tokens.next() {
                Some(Token::Symbol('(')) if depth < MAX_DEPTH => {
                    self.read_condition(tokens, required, depth + 1)?;
                    tokens.expect(')')?;
                }
                Some(Token::Word(word)) if word == "t" => {}
                Some(Token::Word(word)) if word == "f" => *required = None,
                Some(Token::Word(word)) if word == "Inf" => {
                    tokens.expect('(')?;
                    if tokens.peek() == Some(&Token::Symbol('!')) {
                        return Err(tokens.error(NOT_BUCHI));
                    }
                    let at = tokens.offset();
                    let set = tokens.number("an acceptance set")?;
                    tokens.expect(')')?;
                    if set >= self.declared {
                        let message = format!("acceptance set {set} is not declared");
                        return Err(tokens.error_at(at, &message));
                    }
                    if let Some(sets) = required {
                        sets.push(set);
                    }
                }
                Some(Token::Word(word)) if word == "Fin" => {
                    return Err(tokens.error_at(at, NOT_BUCHI));
                }
                _ => return Err(tokens.error_at(at, "expected an acceptance condition")),
            }
            if tokens.peek() == Some(&Token::Symbol('|')) {
                return Err(tokens.error(NOT_BUCHI));
            }
            if !tokens.take('&') {
                return Ok(());
            }
        }
    }
}

pub(super) const ALTERNATION: &str =
    "a conjunction of states makes the automaton alternating, which is not supported";

const NOT_BUCHI: &str =
    "the acceptance is neither Büchi nor generalised Büchi: only 'Inf(n)' joined by '&' is supported";
