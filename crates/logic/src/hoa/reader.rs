//! The body of an automaton, and the automaton.

use super::header::{Header, ALTERNATION};
use super::lexer::{Token, Tokens};
use crate::automaton::{GeneralizedBuchi, MarkedEdge};
use crate::bdd::Bdd;
use crate::error::Error;
use crate::label::{Cube, Label};

/// The most states that an automaton may have.
const MAX_STATES: usize = 1 << 20;

/// The most propositions with which edges may leave out their labels.
const MAX_IMPLICIT: usize = 16;

/// Reads an automaton in HOA v1.
///
/// Several initial states become one, which has the edges of all. The result's marks are on edges;
/// [`GeneralizedBuchi::as_buchi`] takes them back to the states where that is where they were.
pub fn read_hoa(text: &str) -> Result<GeneralizedBuchi, Error> {
    let mut tokens = Tokens::of(text)?;
    let header = Header::read(&mut tokens)?;
    Reader { tokens, header, states: Vec::new() }.read()
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    header: Header,
    /// The edges of each state that is defined so far.
    states: Vec<Option<Vec<MarkedEdge>>>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<GeneralizedBuchi, Error> {
        let mut used: Vec<(usize, usize)> = self.header.starts.clone();
        if self.header.states.is_some_and(|count| count > MAX_STATES) {
            return Err(self.tokens.error(&format!("more than {MAX_STATES} states")));
        }
        loop {
            let at = self.tokens.offset();
            match self.tokens.next() {
                Some(Token::Header(name)) if name == "State" => self.read_state(&mut used)?,
                Some(Token::End) => break,
                Some(Token::Abort) => {
                    return Err(self.tokens.error_at(at, "the automaton was aborted"));
                }
                Some(_) => return Err(self.tokens.error_at(at, "expected 'State:' or '--END--'")),
                None => return Err(self.tokens.error_at(at, "the text ends before '--END--'")),
            }
        }
        if self.tokens.peek().is_some() {
            return Err(self.tokens.error("something follows '--END--'; one automaton is read"));
        }
        for &(state, at) in &used {
            if !matches!(self.states.get(state), Some(Some(_))) {
                let message = format!("state {state} is used but not defined");
                return Err(self.tokens.error_at(at, &message));
            }
        }
        let mut edges: Vec<Vec<MarkedEdge>> =
            self.states.into_iter().map(Option::unwrap_or_default).collect();
        let initial = match self.header.starts[..] {
            [(state, _)] => state,
            _ => {
                let starts = self.header.starts.iter();
                let union = starts.flat_map(|&(state, _)| edges[state].clone()).collect();
                edges.push(union);
                edges.len() - 1
            }
        };
        Ok(GeneralizedBuchi {
            atoms: self.header.atoms,
            initial,
            // Where no run is accepting, a set that no edge belongs to says so.
            sets: self.header.required.as_ref().map_or(1, Vec::len) as u32,
            edges,
        })
    }

    fn read_state(&mut self, used: &mut Vec<(usize, usize)>) -> Result<(), Error> {
        let label = self.read_label()?;
        let at = self.tokens.offset();
        let state = self.tokens.number("the number of a state")?;
        if self.header.states.is_some_and(|count| state >= count) || state >= MAX_STATES {
            let message = format!("state {state} is not among those that 'States:' declares");
            return Err(self.tokens.error_at(at, &message));
        }
        if let Some(Token::Text(_)) = self.tokens.peek() {
            self.tokens.next();
        }
        let marks = self.read_marks()?;
        let mut edges: Vec<(Option<Bdd>, usize, u64)> = Vec::new();
        while let Some(Token::Symbol('[') | Token::Number(_)) = self.tokens.peek() {
            let here = self.tokens.offset();
            let edge_label = self.read_label()?;
            if label.is_some() && edge_label.is_some() {
                let message = "a state with a label cannot have labels on its edges";
                return Err(self.tokens.error_at(here, message));
            }
            let target_at = self.tokens.offset();
            let to = self.tokens.number("the number of a state")?;
            if self.tokens.peek() == Some(&Token::Symbol('&')) {
                return Err(self.tokens.error(ALTERNATION));
            }
            used.push((to, target_at));
            edges.push((label.or(edge_label), to, marks | self.read_marks()?));
        }
        let implicit = edges.iter().filter(|edge| edge.0.is_none()).count();
        if implicit > 0 && implicit < edges.len() {
            return Err(self.tokens.error_at(at, "some edges of this state have labels, some not"));
        }
        let edges = if implicit > 0 { self.implicit(edges, at)? } else { self.explicit(edges)? };
        if self.states.len() <= state {
            self.states.resize(state + 1, None);
        }
        match self.states[state].replace(edges) {
            None => Ok(()),
            Some(_) => Err(self.tokens.error_at(at, &format!("state {state} is defined twice"))),
        }
    }

    fn explicit(
        &mut self,
        edges: Vec<(Option<Bdd>, usize, u64)>,
    ) -> Result<Vec<MarkedEdge>, Error> {
        let mut result = Vec::new();
        for (label, to, marks) in edges {
            let label = self.header.expressions.label(label.unwrap_or(Bdd::FALSE))?;
            if !label.cubes.is_empty() {
                result.push(MarkedEdge { label, to, marks });
            }
        }
        Ok(result)
    }

    /// Edges without labels are one for each valuation, in the order of their numbers.
    fn implicit(
        &self,
        edges: Vec<(Option<Bdd>, usize, u64)>,
        at: usize,
    ) -> Result<Vec<MarkedEdge>, Error> {
        let atoms = self.header.atoms.len();
        if atoms > MAX_IMPLICIT || edges.len() != 1 << atoms {
            let message = format!(
                "edges without labels must be one for each of the valuations of {atoms} propositions"
            );
            return Err(self.tokens.error_at(at, &message));
        }
        let all = (1u64 << atoms) - 1;
        let edge = |(valuation, (_, to, marks)): (usize, (Option<Bdd>, usize, u64))| {
            let positive = valuation as u64;
            let cube = Cube { positive, negative: all & !positive };
            MarkedEdge { label: Label { cubes: vec![cube] }, to, marks }
        };
        Ok(edges.into_iter().enumerate().map(edge).collect())
    }

    fn read_label(&mut self) -> Result<Option<Bdd>, Error> {
        if !self.tokens.take('[') {
            return Ok(None);
        }
        let function = self.header.expressions.read(&mut self.tokens)?;
        self.tokens.expect(']')?;
        Ok(Some(function))
    }

    /// The acceptance sets in braces, as marks numbered in the order of the condition's sets.
    fn read_marks(&mut self) -> Result<u64, Error> {
        let mut marks = 0;
        if !self.tokens.take('{') {
            return Ok(marks);
        }
        while !self.tokens.take('}') {
            let at = self.tokens.offset();
            let set = self.tokens.number("an acceptance set or '}'")?;
            if set >= self.header.declared {
                let message = format!("acceptance set {set} is not declared");
                return Err(self.tokens.error_at(at, &message));
            }
            if let Some(required) = &self.header.required {
                if let Ok(number) = required.binary_search(&set) {
                    marks |= 1 << number;
                }
            }
        }
        Ok(marks)
    }
}
