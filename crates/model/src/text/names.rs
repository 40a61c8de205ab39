//! How names, strings and operators are spelled, for writer and reader alike.

use crate::expr::BinaryOp;
use crate::layout::{ChannelInstance, Slot};

/// Words that mean something where a name could stand. A name that is one of them stands in quotes.
const KEYWORDS: &[&str] = &[
    // Expressions and patterns.
    "_",
    "_last",
    "_nr_pr",
    "_pid",
    "channel",
    "empty",
    "enabled",
    "eval",
    "full",
    "if",
    "len",
    "none",
    "np_",
    "pc_value",
    "poll",
    "priority",
    "run",
    "timeout",
    // Actions.
    "any",
    "assert",
    "copy",
    "d_step",
    "else",
    "exit",
    "fail",
    "past",
    "print",
    "printm",
    "receive",
    "send",
    "set_priority",
    "skip",
    "sorted",
    "when",
    // What follows locations and edges.
    "accept",
    "atomic",
    "delayable",
    "end",
    "escape",
    "lazy",
    "location",
    "node",
    "number",
    "progress",
    "reset",
    "statement",
];

/// Whether a word can be no name.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether a name can stand as it is.
fn is_plain(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter)
        && name.chars().all(|c| letter(c) || c.is_ascii_digit())
        && !is_keyword(name)
}

/// A name as it is written.
pub(super) fn spelled(name: &str) -> String {
    if is_plain(name) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A string in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The name of a channel as it is written: `q`, `q[2]` or `a[1].q`, and in quotes anything else.
pub(super) fn spelled_channel(name: &str) -> String {
    let is_part = |part: &str| match part.split_once('[') {
        None => is_plain(part),
        Some((name, index)) => {
            let index = index.strip_suffix(']');
            is_plain(name) && index.is_some_and(is_index)
        }
    };
    if name.split('.').all(is_part) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Whether the text is a number as it is written.
fn is_index(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|k| k.to_string() == text)
}

/// How tightly an operator binds; more is tighter.
pub(super) fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 1,
        BinaryOp::And => 2,
        BinaryOp::BitOr => 3,
        BinaryOp::BitXor => 4,
        BinaryOp::BitAnd => 5,
        BinaryOp::Equal | BinaryOp::NotEqual => 6,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 7,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 8,
        BinaryOp::Add | BinaryOp::Subtract => 9,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => 10,
    }
}

/// The first variable of this name and, if one is given, at this offset.
pub(super) fn find_slot<'s, N: AsRef<str>>(
    slots: &'s [Slot],
    path: &[N],
    offset: Option<u32>,
) -> Option<&'s Slot> {
    slots.iter().find(|slot| {
        slot.path.len() == path.len()
            && slot.path.iter().zip(path).all(|(s, name)| s.name == name.as_ref())
            && offset.is_none_or(|at| at == slot.offset)
    })
}

/// The position of the first channel of this name.
pub(super) fn find_channel(channels: &[ChannelInstance], name: &str) -> Option<usize> {
    channels.iter().position(|c| c.name == name)
}

/// An array of channels: the position of its first element, and how many follow each other.
pub(super) fn find_channels(channels: &[ChannelInstance], base: &str) -> Option<(usize, usize)> {
    let first = find_channel(channels, &format!("{base}[0]"))?;
    let named = |(k, c): (usize, &ChannelInstance)| c.name == format!("{base}[{k}]");
    let len = channels[first..].iter().enumerate().take_while(|&(k, c)| named((k, c))).count();
    Some((first, len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ChannelTypeId;

    #[test]
    fn names_that_are_words_or_no_names_stand_in_quotes() {
        assert_eq!(spelled("x1"), "x1");
        assert_eq!(spelled("end"), "\"end\"");
        assert_eq!(spelled("1x"), "\"1x\"");
        assert_eq!(spelled(""), "\"\"");
        assert_eq!(spelled_channel("a[1].q"), "a[1].q");
        assert_eq!(spelled_channel("a[01]"), "\"a[01]\"");
        assert_eq!(spelled_channel("a[1"), "\"a[1\"");
    }

    #[test]
    fn an_array_of_channels_is_as_long_as_its_names_go_on() {
        let named =
            |name: &str| ChannelInstance { name: name.to_owned(), ty: ChannelTypeId(0), offset: 0 };
        let channels = ["q", "a[0]", "a[1]", "a[0]"].map(named);
        assert_eq!(find_channels(&channels, "a"), Some((1, 2)));
        assert_eq!(find_channels(&channels, "q"), None);
        assert_eq!(find_channel(&channels, "a[1]"), Some(2));
    }
}
