//! Text of others, made harmless for a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with its control characters written out, as in `\x1b`: nothing that a model prints or
/// is called can steer a terminal. Newlines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out_except_for_newlines_and_tabs() {
        assert_eq!(visible("a\x1b[31mb\r\x7f\u{9b}"), "a\\x1b[31mb\\x0d\\x7f\\x9b");
        assert_eq!(visible("a\tb\nc"), "a\tb\nc");
    }

    #[test]
    fn text_without_control_characters_is_not_copied() {
        assert!(matches!(visible("é → \\x1b\n"), Cow::Borrowed("é → \\x1b\n")));
    }
}
