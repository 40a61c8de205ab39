//! Making a model smaller while something stays true of it.

use crate::tree::{Piece, Text};

/// The smallest text that greedy deletion reaches from `text` with `interesting` true all the way.
/// At most `budget` candidates are tried.
pub fn shrink(text: &Text, budget: usize, mut interesting: impl FnMut(&Text) -> bool) -> Text {
    let mut best = text.clone();
    let mut left = budget;
    loop {
        let mut progress = false;
        // What is tried is numbered, and the numbers move as the text shrinks: after a success the
        // same number means the next candidate.
        let mut at = 0;
        while let Some(candidate) = candidate(&best, at) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if candidate != best && interesting(&candidate) {
                best = candidate;
                progress = true;
            } else {
                at += 1;
            }
        }
        if !progress {
            return best;
        }
    }
}

/// The `number`-th way to make the text smaller.
fn candidate(text: &Text, number: usize) -> Option<Text> {
    let mut pieces = text.pieces.clone();
    let mut left = number;
    edit(&mut pieces, &mut left).then_some(Text { pieces })
}

/// Applies the edit that `left` counts down to; says whether there is one. Large deletions come
/// first: a whole piece, then its shell, then what is inside, then parts of lines.
fn edit(pieces: &mut Vec<Piece>, left: &mut usize) -> bool {
    for at in 0..pieces.len() {
        if take(left) {
            pieces.remove(at);
            return true;
        }
        if let Piece::Group { inner, .. } = &mut pieces[at] {
            if take(left) {
                let inner = std::mem::take(inner);
                pieces.splice(at..=at, inner);
                return true;
            }
            if edit(inner, left) {
                return true;
            }
        }
    }
    for piece in pieces.iter_mut() {
        let line = match piece {
            Piece::Line(line) => line,
            Piece::Group { open, .. } => open,
        };
        for simpler in simpler_lines(line) {
            if take(left) {
                *line = simpler;
                return true;
            }
        }
    }
    false
}

fn take(left: &mut usize) -> bool {
    let now = *left == 0;
    *left = left.saturating_sub(1);
    now
}

/// Simpler forms of a line: a label dropped, a parenthesised expression made a constant or one of
/// its operands, the whole statement made `skip`.
fn simpler_lines(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    if let Some((label, rest)) = line.split_once(": ") {
        if label.chars().all(|c| c.is_ascii_alphanumeric()) {
            out.push(rest.to_owned());
        }
    }
    if line.ends_with(';') && !line.starts_with("skip") && !line.starts_with('}') {
        out.push("skip;".to_owned());
    }
    for (open, _) in line.match_indices('(') {
        let Some(close) = matching(&line[open..]) else {
            continue;
        };
        let (inside, after) = (&line[open + 1..open + close], &line[open + close + 1..]);
        let before = &line[..open];
        if inside.is_empty() || inside == "0" || inside == "1" {
            continue;
        }
        for constant in ["(1)", "(0)"] {
            out.push(format!("{before}{constant}{after}"));
        }
        let mut depth = 0;
        for (at, c) in inside.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ' ' if depth == 0 => {
                    out.push(format!("{before}({}){after}", &inside[..at]));
                    out.push(format!("{before}({}){after}", &inside[at + 1..]));
                }
                _ => {}
            }
        }
    }
    out
}

/// The position of the parenthesis that closes the one at the start.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let body = ["a;", "b;", "(x && (y > 3));", "c;"].map(Piece::line);
        let text = Text {
            pieces: vec![
                Piece::line("decl;"),
                Piece::group("{", vec![Piece::group("if", body.to_vec(), "fi")], "}"),
            ],
        };
        let small = shrink(&text, 1000, |t| t.to_string().contains("y > 3"));
        assert_eq!(small.to_string(), "((y > 3));\n");
    }
}
