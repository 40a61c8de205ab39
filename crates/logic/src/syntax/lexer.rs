//! Text to tokens, with every bracket matched.

use std::ops::Range;

use crate::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Quoted,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `!`
    Not,
    And,
    Or,
    Implies,
    Equivalent,
    /// A bracket that opens, with the index of its partner.
    Open(usize),
    Close,
    /// An operator between two operands inside an expression.
    Infix,
    /// `-`, which may also stand before an operand.
    Minus,
    /// `~`
    Complement,
    /// `.`, `@` or `:`, followed by a name.
    Member,
    /// `?` or `??`
    Receive,
    Comma,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// Symbols, the longer ones before their prefixes.
const SYMBOLS: &[(&str, Kind)] = &[
    ("<->", Kind::Equivalent),
    ("[]", Kind::Always),
    ("<>", Kind::Eventually),
    ("->", Kind::Implies),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("/\\", Kind::And),
    ("\\/", Kind::Or),
    ("==", Kind::Infix),
    ("!=", Kind::Infix),
    ("<=", Kind::Infix),
    (">=", Kind::Infix),
    ("<<", Kind::Infix),
    (">>", Kind::Infix),
    ("??", Kind::Receive),
    ("?", Kind::Receive),
    ("!", Kind::Not),
    ("<", Kind::Infix),
    (">", Kind::Infix),
    ("+", Kind::Infix),
    ("*", Kind::Infix),
    ("/", Kind::Infix),
    ("%", Kind::Infix),
    ("&", Kind::Infix),
    ("|", Kind::Infix),
    ("^", Kind::Infix),
    ("-", Kind::Minus),
    ("~", Kind::Complement),
    (".", Kind::Member),
    ("@", Kind::Member),
    (":", Kind::Member),
    (",", Kind::Comma),
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    let mut tokens = Vec::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        let byte = bytes[at];
        let kind = if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if rest.starts_with("/*") {
            let end = rest
                .find("*/")
                .ok_or_else(|| Error::syntax(start, "this comment is never closed"))?;
            at += end + 2;
            continue;
        } else if byte.is_ascii_alphabetic() || byte == b'_' {
            at += run(rest, |b| b.is_ascii_alphanumeric() || b == b'_');
            Kind::Word
        } else if byte.is_ascii_digit() {
            at += run(rest, |b| b.is_ascii_digit());
            Kind::Number
        } else if byte == b'\'' || byte == b'"' {
            at += quoted(rest, byte)
                .ok_or_else(|| Error::syntax(start, "this quote is never closed"))?;
            Kind::Quoted
        } else if let Some((symbol, kind)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s)) {
            at += symbol.len();
            *kind
        } else if let b'(' | b'[' | b'{' = byte {
            at += 1;
            open.push((tokens.len(), byte));
            Kind::Open(usize::MAX)
        } else if let b')' | b']' | b'}' = byte {
            at += 1;
            close(&mut tokens, &mut open, byte, start)?;
            Kind::Close
        } else if byte == b'=' {
            return Err(Error::syntax(start, "'=' assigns; '==' compares"));
        } else {
            let stray = rest.chars().next().unwrap_or_default();
            return Err(Error::syntax(start, format!("'{stray}' cannot stand in a formula")));
        };
        tokens.push(Token { kind, span: start..at });
    }
    match open.pop() {
        Some((index, byte)) => Err(Error::syntax(
            tokens[index].span.start,
            format!("this '{}' is never closed", byte as char),
        )),
        None => Ok(tokens),
    }
}

fn run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !belongs(byte)).unwrap_or(text.len())
}

fn quoted(text: &str, quote: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at < bytes.len()).then_some(at + 1)
}

fn close(
    tokens: &mut [Token],
    open: &mut Vec<(usize, u8)>,
    byte: u8,
    at: usize,
) -> Result<(), Error> {
    let wanted = match byte {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    };
    match open.pop() {
        Some((index, opener)) if opener == wanted => {
            tokens[index].kind = Kind::Open(tokens.len());
            Ok(())
        }
        _ => {
            Err(Error::syntax(at, format!("nothing is open for this '{}' to close", byte as char)))
        }
    }
}
