//! How far an expression of the modelling language reaches between two operators of the logic.

use super::lexer::{Kind, Token};
use super::parser::{is_binary_word, is_prefix_word};

/// What [`reach`] found.
pub(super) struct Reach {
    /// The first token after the expression.
    pub end: usize,
    /// Whether an arithmetic or relational operator stands at its top level.
    pub operators: bool,
    /// The token where an operand is missing, or a temporal operator takes its place.
    pub broken: Option<usize>,
}

/// Follows the expression that starts at a token.
pub(super) fn reach(text: &str, tokens: &[Token], start: usize) -> Reach {
    let mut at = start;
    let mut operators = false;
    let kind = |index: usize| tokens.get(index).map(|token| token.kind);
    loop {
        // Here an operand is expected.
        match kind(at) {
            Some(Kind::Not) => {
                at += 1;
                continue;
            }
            Some(Kind::Minus | Kind::Complement) => {
                operators = true;
                at += 1;
                continue;
            }
            Some(Kind::Number | Kind::Quoted) => at += 1,
            Some(Kind::Open(partner)) if &text[tokens[at].span.clone()] != "[" => at = partner + 1,
            Some(Kind::Word) => {
                if starts_temporal(text, tokens, at) {
                    return Reach { end: at, operators, broken: Some(at) };
                }
                at = after_postfixes(text, tokens, at + 1);
            }
            _ => return Reach { end: at, operators, broken: Some(at) },
        }
        // And here an operator, if the expression goes on.
        match kind(at) {
            Some(Kind::Infix | Kind::Minus) => {
                operators = true;
                at += 1;
            }
            _ => return Reach { end: at, operators, broken: None },
        }
    }
}

/// Skips what may follow a name: indices, arguments, fields, labels, message tests, C code.
fn after_postfixes(text: &str, tokens: &[Token], mut at: usize) -> usize {
    let kind = |index: usize| tokens.get(index).map(|token| token.kind);
    let c_code = &text[tokens[at - 1].span.clone()] == "c_expr";
    loop {
        match (kind(at), kind(at + 1)) {
            (Some(Kind::Open(partner)), _) => {
                if &text[tokens[at].span.clone()] == "{" && !c_code {
                    return at;
                }
                at = partner + 1;
            }
            (Some(Kind::Member), Some(Kind::Word)) => at += 2,
            (Some(Kind::Receive), Some(Kind::Open(partner))) => at = partner + 1,
            _ => return at,
        }
    }
}

/// Whether the word at this token is a prefix operator of the logic rather than a name.
pub(super) fn starts_temporal(text: &str, tokens: &[Token], at: usize) -> bool {
    let follows = tokens.get(at + 1).is_some_and(|next| match next.kind {
        Kind::Word => !is_binary_word(&text[next.span.clone()]),
        Kind::Open(_) => &text[next.span.clone()] != "[",
        Kind::Number | Kind::Quoted | Kind::Always | Kind::Eventually | Kind::Not => true,
        _ => false,
    });
    follows && is_prefix_word(&text[tokens[at].span.clone()])
}

/// The first operator of the logic among the tokens of an expression, where none may stand.
///
/// Inside C code anything goes.
pub(super) fn temporal_inside(
    text: &str,
    tokens: &[Token],
    from: usize,
    to: usize,
) -> Option<usize> {
    let mut at = from;
    while at < to {
        let word = &text[tokens[at].span.clone()];
        match tokens[at].kind {
            Kind::Always | Kind::Eventually | Kind::Equivalent => return Some(at),
            Kind::Word if word == "c_expr" => {
                if let Some(Kind::Open(partner)) = tokens.get(at + 1).map(|token| token.kind) {
                    at = partner;
                }
            }
            Kind::Word if is_prefix_word(word) && starts_temporal(text, tokens, at) => {
                return Some(at)
            }
            Kind::Word if is_binary_word(word) && at > from => {
                let before = tokens[at - 1].kind;
                if matches!(before, Kind::Word | Kind::Number | Kind::Quoted | Kind::Close) {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
