//! Properties: formulas of linear temporal logic whose atoms speak of a system in its own names.
//!
//! ```text
//! formula = formula ("<->" | "->" | "||" | "&&" | "U" | "W" | "R" | "V") formula
//!         | ("[]" | "<>" | "X" | "!") formula | "(" formula ")" | atom
//! ```
//!
//! An atom is an expression of IF: `{station}0@critical`, `{p}0.x > 3`, `length {p}0 = 0`. Before an
//! operand `<>` means *eventually*, between two it means *not equal*.

use isospin_model::{Formula, SourceRef, Temporal};
use isospin_source::{Diagnostic, SourceMap, Span};

use crate::elaborate::{property, Elaborated};
use crate::lower::{observe, Lowered};
use crate::system::Expr;

/// Formulas nested deeper than this are refused.
const MAX_DEPTH: u32 = 200;

/// Operators with two operands, weak ones first; `true` for those that group to the right.
const LEVELS: &[&[&str]] = &[&["<->"], &["->"], &["||"], &["&&"], &["U", "W", "R", "V"]];

/// A formula as it was read, before there is a model: atoms are numbered.
pub struct Read {
    name: String,
    text: String,
    source: SourceRef,
    temporal: Temporal,
    atoms: Vec<Expr>,
}

impl Read {
    /// What its atoms look at.
    pub fn atoms(&self) -> &[Expr] {
        &self.atoms
    }

    /// The formula about a model.
    pub fn formula(self, sources: &SourceMap, known: &Elaborated, lowered: &Lowered) -> Formula {
        let Read { name, text, source, mut temporal, atoms } = self;
        let observed = |k: usize| observe(sources, &known.system, lowered, &atoms[k]);
        resolve(&mut temporal, &observed);
        Formula { name, text, source, temporal }
    }
}

/// Puts expressions where their numbers are.
fn resolve(formula: &mut Temporal, observed: &dyn Fn(usize) -> isospin_model::Expr) {
    match formula {
        Temporal::Const(_) => {}
        Temporal::Atom { expr, .. } => {
            if let isospin_model::Expr::Const(k) = expr {
                *expr = observed(*k as usize);
            }
        }
        Temporal::Not(a) | Temporal::Next(a) | Temporal::Always(a) | Temporal::Eventually(a) => {
            resolve(a, observed);
        }
        Temporal::And(a, b)
        | Temporal::Or(a, b)
        | Temporal::Implies(a, b)
        | Temporal::Equivalent(a, b)
        | Temporal::Until(a, b)
        | Temporal::WeakUntil(a, b)
        | Temporal::Release(a, b) => {
            resolve(a, observed);
            resolve(b, observed);
        }
    }
}

/// Reads a formula that starts at `start` among all sources.
pub fn read(
    sources: &SourceMap,
    known: &Elaborated,
    name: &str,
    text: &str,
    start: u32,
    errors: &mut Vec<Diagnostic>,
) -> Option<Read> {
    let mut reader = Reader { text, at: 0, start, depth: 0, known, atoms: Vec::new(), errors };
    let temporal = reader.binary(0)?;
    reader.blanks();
    if reader.at < text.len() {
        reader.wrong("an operator or the end of the formula");
        return None;
    }
    let at = sources.location(Span::new(start, start + 1));
    let file = sources.file_index(Span::new(start, start + 1)).unwrap_or(0) as u32;
    let source = SourceRef { file, line: at.line as u32, column: at.column as u32 };
    let (name, text, atoms) = (name.to_owned(), text.trim().to_owned(), reader.atoms);
    Some(Read { name, text, source, temporal, atoms })
}

struct Reader<'r> {
    text: &'r str,
    at: usize,
    start: u32,
    depth: u32,
    known: &'r Elaborated,
    atoms: Vec<Expr>,
    errors: &'r mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    fn wrong(&mut self, expected: &str) {
        let span = self.span(self.at, (self.at + 1).min(self.text.len().max(self.at)));
        self.errors.push(Diagnostic::error(span, format!("expected {expected} here")));
    }

    /// Whether an operator stands here; letters must not be part of a name.
    fn is(&self, operator: &str) -> bool {
        let Some(after) = self.rest().strip_prefix(operator) else { return false };
        let word = operator.chars().all(char::is_alphabetic);
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        !(word && after.starts_with(goes_on))
    }

    fn accept(&mut self, operator: &str) -> bool {
        self.blanks();
        let found = self.is(operator);
        if found {
            self.at += operator.len();
        }
        found
    }

    fn binary(&mut self, level: usize) -> Option<Temporal> {
        isospin_limits::check();
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let left = self.binary(level + 1)?;
        let Some(operator) = operators.iter().find(|op| self.accept(op)) else {
            return Some(left);
        };
        if self.depth >= MAX_DEPTH {
            self.wrong("a formula that is nested less deeply");
            return None;
        }
        self.depth += 1;
        let right = self.binary(level);
        self.depth -= 1;
        let (left, right) = (Box::new(left), Box::new(right?));
        Some(match *operator {
            "<->" => Temporal::Equivalent(left, right),
            "->" => Temporal::Implies(left, right),
            "||" => Temporal::Or(left, right),
            "&&" => Temporal::And(left, right),
            "U" => Temporal::Until(left, right),
            "W" => Temporal::WeakUntil(left, right),
            _ => Temporal::Release(left, right),
        })
    }

    fn unary(&mut self) -> Option<Temporal> {
        if self.depth >= MAX_DEPTH {
            self.wrong("a formula that is nested less deeply");
            return None;
        }
        self.depth += 1;
        let made = self.unary_here();
        self.depth -= 1;
        made
    }

    fn unary_here(&mut self) -> Option<Temporal> {
        if self.accept("[]") {
            return Some(Temporal::Always(Box::new(self.unary()?)));
        }
        if self.accept("<>") {
            return Some(Temporal::Eventually(Box::new(self.unary()?)));
        }
        if self.accept("X") {
            return Some(Temporal::Next(Box::new(self.unary()?)));
        }
        if self.accept("!") {
            return Some(Temporal::Not(Box::new(self.unary()?)));
        }
        self.blanks();
        let here = self.at;
        if self.rest().starts_with('(') {
            // A formula between parentheses, unless an expression begins with them.
            let complaints = self.errors.len();
            self.at += 1;
            let inner = self.binary(0);
            if inner.is_some() && self.accept(")") && self.ends() {
                return inner;
            }
            self.errors.truncate(complaints);
            self.at = here;
        }
        self.atom()
    }

    /// Whether an operand ends here.
    fn ends(&mut self) -> bool {
        self.blanks();
        let rest = self.rest();
        rest.is_empty()
            || rest.starts_with(')')
            || LEVELS.iter().flat_map(|l| *l).any(|op| self.is(op))
    }

    fn atom(&mut self) -> Option<Temporal> {
        let from = self.at;
        let mut depth = 0u32;
        while let Some(c) = self.rest().chars().next() {
            if depth == 0 && self.at > from && self.ends_atom() {
                break;
            }
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            self.at += c.len_utf8();
        }
        let text = self.text[from..self.at].trim_end();
        if text.is_empty() {
            self.wrong("an expression");
            return None;
        }
        match text {
            "true" => return Some(Temporal::Const(true)),
            "false" => return Some(Temporal::Const(false)),
            _ => {}
        }
        let meant = property(self.known, text, self.start + from as u32, self.errors)?;
        let expr = isospin_model::Expr::Const(self.atoms.len() as i32);
        self.atoms.push(meant);
        Some(Temporal::Atom { expr, text: text.to_owned() })
    }

    /// Whether an operator of formulas stands here, within an atom's text.
    fn ends_atom(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        LEVELS.iter().flat_map(|l| *l).any(|op| {
            let word = op.chars().all(char::is_alphabetic);
            self.is(op) && !(word && in_word)
        })
    }
}
