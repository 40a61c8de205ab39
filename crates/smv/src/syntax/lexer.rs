//! Tokens. Identifiers may contain `-`, `$` and `#`, as NuSMV's do: `x-1` is a name.

use isospin_source::{Diagnostic, Span};

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// An identifier.
    Name(String),
    /// A reserved word.
    Keyword(&'static str),
    /// An operator or a separator.
    Sign(&'static str),
    /// An integer.
    Number(i64),
    /// A word constant.
    Word {
        /// Whether it is signed.
        signed: bool,
        /// Its width.
        width: u32,
        /// Its bits.
        bits: u64,
    },
    /// The end of the text.
    End,
}

const KEYWORDS: &[&str] = &[
    "MODULE",
    "DEFINE",
    "MDEFINE",
    "CONSTANTS",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "PSLSPEC",
    "COMPUTE",
    "NAME",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "ASSIGN",
    "CONSTRAINT",
    "SIMPWFF",
    "CTLWFF",
    "LTLWFF",
    "PSLWFF",
    "COMPWFF",
    "IN",
    "MIN",
    "MAX",
    "MIRROR",
    "PRED",
    "PREDICATES",
    "process",
    "array",
    "of",
    "boolean",
    "integer",
    "real",
    "word",
    "word1",
    "bool",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "uwconst",
    "swconst",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "A",
    "U",
    "S",
    "V",
    "T",
    "BU",
    "EBF",
    "ABF",
    "EBG",
    "ABG",
    "case",
    "esac",
    "mod",
    "next",
    "init",
    "union",
    "in",
    "xor",
    "xnor",
    "self",
    "TRUE",
    "FALSE",
    "count",
    "abs",
    "max",
    "min",
    "toint",
    "READ",
    "WRITE",
    "CONSTARRAY",
    "FUN",
    "clock",
    "floor",
    "typeof",
];

/// The words of which each is reserved only where a later dialect is meant.
const LATER: &[&str] = &["FUN", "clock", "floor", "typeof", "CONSTARRAY"];

const SIGNS: &[&str] = &[
    "<->", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", "?", "=", "<", ">", "+", "-", "*", "/", "&", "|", "!", ".",
];

/// The tokens of a text that begins at `start`.
pub(crate) fn lex(text: &str, start: u32) -> (Vec<(Token, Span)>, Vec<Diagnostic>) {
    let bytes = text.as_bytes();
    let (mut tokens, mut diagnostics, mut at) = (Vec::new(), Vec::new(), 0);
    let span = |from: usize, to: usize| Span::new(start + from as u32, start + to as u32);
    while at < bytes.len() {
        let rest = &text[at..];
        let from = at;
        if bytes[at].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/--") {
            match comment.find("--/") {
                Some(length) => at += length + 6,
                None => {
                    let place = span(at, at + 3);
                    diagnostics.push(Diagnostic::error(place, "this comment has no end"));
                    at = bytes.len();
                }
            }
        } else if bytes[at] == b'#' && rest.starts_with("# ") && at_line_start(text, at) {
            // What a preprocessor leaves: `# 12 "file"`.
            at += rest.find('\n').unwrap_or(rest.len());
        } else if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
            let length = rest
                .bytes()
                .position(|b| !(b.is_ascii_alphanumeric() || b"_$#-".contains(&b)))
                .unwrap_or(rest.len());
            at += length;
            tokens.push((name(&rest[..length]), span(from, at)));
        } else if bytes[at] == b'"' && rest[1..].contains('"') {
            // Names of any characters, as other programs write them.
            at += rest[1..].find('"').unwrap_or(0) + 2;
            tokens.push((Token::Name(rest[..at - from].to_owned()), span(from, at)));
        } else if bytes[at].is_ascii_digit() {
            let (token, length) = number(rest);
            at += length;
            match token {
                Ok(token) => tokens.push((token, span(from, at))),
                Err(message) => {
                    diagnostics.push(Diagnostic::error(span(from, at), message));
                    tokens.push((Token::Number(0), span(from, at)));
                }
            }
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            at += sign.len();
            tokens.push((Token::Sign(sign), span(from, at)));
        } else {
            let character = rest.chars().next().unwrap_or(' ');
            at += character.len_utf8();
            let message = format!("the character `{character}` has no meaning here");
            diagnostics.push(Diagnostic::error(span(from, at), message));
        }
    }
    tokens.push((Token::End, span(at, at)));
    (tokens, diagnostics)
}

fn at_line_start(text: &str, at: usize) -> bool {
    text[..at].rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
}

fn name(text: &str) -> Token {
    match KEYWORDS.iter().find(|k| **k == text) {
        Some(keyword) if !LATER.contains(keyword) => Token::Keyword(keyword),
        _ => Token::Name(text.to_owned()),
    }
}

/// A number, or a word like `0ud8_12` or `0b4_1010`, and its length.
fn number(rest: &str) -> (Result<Token, String>, usize) {
    let length = rest.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
    let whole =
        rest.bytes().position(|b| !(b.is_ascii_alphanumeric() || b == b'_')).unwrap_or(rest.len());
    let letters: String = rest[length..].chars().take(2).collect();
    let is_word = &rest[..length] == "0"
        && letters.starts_with(['u', 's', 'b', 'o', 'd', 'h', 'B', 'O', 'D', 'H']);
    if is_word {
        return (word(&rest[1..whole]), whole);
    }
    let token = match rest[..length].parse::<i64>() {
        Ok(value) if value <= i32::MAX as i64 * 2 => Ok(Token::Number(value)),
        _ => Err("this number is too large".to_owned()),
    };
    (token, length)
}

fn word(text: &str) -> Result<Token, String> {
    let wrong = || format!("`0{text}` is not a word constant; write it as in `0ud8_12`");
    let mut rest = text;
    let signed = rest.starts_with('s');
    if signed || rest.starts_with('u') {
        rest = &rest[1..];
    }
    let base = match rest.chars().next().map(|c| c.to_ascii_lowercase()) {
        Some('b') => 2,
        Some('o') => 8,
        Some('d') => 10,
        Some('h') => 16,
        _ => return Err(wrong()),
    };
    let (width, digits) = match rest[1..].split_once('_') {
        Some((width, digits)) => (width, digits.replace('_', "")),
        None => ("", rest[1..].to_owned()),
    };
    let bits = u64::from_str_radix(&digits, base).map_err(|_| wrong())?;
    let implied = match base {
        2 => digits.len() as u32,
        8 => 3 * digits.len() as u32,
        16 => 4 * digits.len() as u32,
        _ => 0,
    };
    let width = if width.is_empty() { implied } else { width.parse().map_err(|_| wrong())? };
    if !(1..=64).contains(&width) {
        return Err("a word has 1 to 64 bits".into());
    }
    if width < 64 && bits >> width != 0 {
        return Err(format!("this number does not fit into {width} bits"));
    }
    Ok(Token::Word { signed, width, bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text, 1).0.into_iter().map(|(t, _)| t).collect()
    }

    #[test]
    fn a_minus_inside_a_name_belongs_to_it() {
        let name = Token::Name("and-gate".into());
        assert_eq!(tokens("and-gate -- x"), [name, Token::End]);
    }

    #[test]
    fn words_have_widths_and_bases() {
        assert_eq!(tokens("0sb4_1010")[0], Token::Word { signed: true, width: 4, bits: 10 });
        assert_eq!(tokens("0h_ff")[0], Token::Word { signed: false, width: 8, bits: 255 });
        assert_eq!(lex("0ub2_111", 1).1.len(), 1);
    }

    #[test]
    fn ranges_are_two_numbers() {
        let expected = [Token::Number(0), Token::Sign(".."), Token::Number(3), Token::End];
        assert_eq!(tokens("0..3 /-- gone --/"), expected);
    }
}
