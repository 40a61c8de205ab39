//! Text into tokens.

use super::TextError;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a word of the language.
    Word(String),
    /// A number without sign.
    Number(u64),
    /// A string, without quotes and escapes.
    Text(String),
    /// Anything else.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it stands, from the start of the text.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

/// The longest first.
const SIGNS: [&str; 38] = [
    "<->", "->", "<<", ">>", "<=", ">=", "<>", "==", "!=", "&&", "||", "::", "+", "-", "*", "/",
    "%", "&", "|", "^", "~", "!", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".",
    "@", "#", "?",
];

/// Where a byte of the text is, for people.
pub(super) fn error_at(text: &str, at: usize, message: impl Into<String>) -> TextError {
    let before = &text[..at.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |k| k + 1);
    TextError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.into(),
    }
}

/// All tokens of a text, the end included.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, TextError> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let token = if c.is_ascii_digit() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            at += digits;
            let number = rest[..digits].parse();
            Token::Number(number.map_err(|_| error_at(text, start, "a number that is too large"))?)
        } else if c.is_ascii_alphabetic() || c == '_' {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let len = rest.find(|c: char| !part(c)).unwrap_or(rest.len());
            at += len;
            Token::Word(rest[..len].to_owned())
        } else if c == '"' {
            let (value, len) = string(text, at)?;
            at += len;
            Token::Text(value)
        } else {
            let Some(sign) = SIGNS.into_iter().find(|s| rest.starts_with(s)) else {
                return Err(error_at(text, at, format!("`{c}` means nothing here")));
            };
            at += sign.len();
            Token::Sign(sign)
        };
        all.push(Placed { token, start, end: at });
    }
    all.push(Placed { token: Token::End, start: at, end: at });
    Ok(all)
}

/// The string that starts at `start`, and how many bytes it takes.
fn string(text: &str, start: usize) -> Result<(String, usize), TextError> {
    let mut value = String::new();
    let mut chars = text[start + 1..].char_indices();
    while let Some((k, c)) = chars.next() {
        match c {
            '"' => return Ok((value, k + 2)),
            '\n' => break,
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some(c @ ('"' | '\\')) => value.push(c),
                Some('u') => value.push(escaped(text, start + 1 + k, &mut chars)?),
                _ => return Err(error_at(text, start + 1 + k, "an escape that means nothing")),
            },
            c => value.push(c),
        }
    }
    Err(error_at(text, start, "a string that is not closed in its line"))
}

/// What follows `\u`: a number in braces.
fn escaped(text: &str, at: usize, chars: &mut std::str::CharIndices) -> Result<char, TextError> {
    let wrong = || error_at(text, at, "an escape that means no character");
    let mut digits = String::new();
    for (k, (_, c)) in chars.enumerate() {
        match c {
            '{' if k == 0 => {}
            '}' => {
                let number = u32::from_str_radix(&digits, 16).map_err(|_| wrong())?;
                return char::from_u32(number).ok_or_else(wrong);
            }
            c if c.is_ascii_hexdigit() && k > 0 && digits.len() < 6 => digits.push(c),
            _ => break,
        }
    }
    Err(wrong())
}

#[cfg(test)]
mod tests {
    use super::super::names::quoted;
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        tokens(text).expect("tokens").into_iter().map(|p| p.token).collect()
    }

    #[test]
    fn signs_are_as_long_as_they_can_be() {
        let signs: Vec<Token> = ["<->", "->", "<", "-"].map(Token::Sign).to_vec();
        assert_eq!(kinds("<->-> < - // comment <"), [&signs[..], &[Token::End]].concat());
    }

    #[test]
    fn strings_are_read_as_they_are_written() {
        for text in ["", "a b", "\"\\\n\t", "\u{1}\u{7f}é\r", "// no comment"] {
            assert_eq!(kinds(&quoted(text)), [Token::Text(text.to_owned()), Token::End]);
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        for (text, line, column) in [
            ("a\n  $", 2, 3),
            ("\"é\" \"x", 1, 5),
            ("99999999999999999999999", 1, 1),
            ("\"\\q\"", 1, 2),
            ("\"\\u{110000}\"", 1, 2),
            ("\"\\u{1234567}\"", 1, 2),
        ] {
            let error = tokens(text).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        }
    }
}
