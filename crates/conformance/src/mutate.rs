//! Mutants: texts that somebody wrote, changed a little. Most are no models, some are, and none
//! may bring a program down.

use crate::rng::Rng;

/// Longer mutants are cut off.
const MAX_LEN: usize = 200_000;

/// Numbers at which something changes.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "31",
    "32",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "99999999999999999999",
];

/// Words and signs of Promela.
const TOKENS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "chan",
    "d_step",
    "do",
    "od",
    "else",
    "empty",
    "enabled",
    "eval",
    "fi",
    "for",
    "full",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "np_",
    "of",
    "pc_value",
    "pid",
    "printf",
    "priority",
    "proctype",
    "provided",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "notrace",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "_",
    "_pid",
    "_nr_pr",
    "_last",
    "true",
    "false",
    "STDIN",
    "D_proctype",
    "local",
    "c_code",
    "timer",
    "set",
    "expire",
    "scalarset",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    "->",
    "::",
    ":",
    ",",
    "!",
    "!!",
    "?",
    "??",
    "?<",
    ">",
    "<",
    "<=",
    ">=",
    "==",
    "!=",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "&&",
    "||",
    "<<",
    ">>",
    "++",
    "--",
    ".",
    "..",
    "@",
    "#define",
    "#include",
    "#if",
    "#ifdef",
    "#endif",
    "#else",
    "##",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "<>",
    "[]",
    "U",
    "X",
    "W",
    "V",
    "\0",
    "\u{1b}",
    "é",
];

/// A piece of text: a word, a number, blanks, or one sign.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| {
            if first.is_alphanumeric() || first == '_' {
                c.is_alphanumeric() || c == '_'
            } else {
                first.is_whitespace() && c.is_whitespace()
            }
        };
        let mut end = rest.find(|c| !same(c)).unwrap_or(rest.len());
        if end == 0 {
            end = first.len_utf8();
        }
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// The text changed in one to four places, with pieces of itself, of `other`, and of `words`.
fn changed(rng: &mut Rng, text: &str, other: &str, words: &[&str]) -> String {
    let mut all: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
    let theirs = pieces(other);
    for _ in 0..rng.between(1, 4) {
        let at = rng.below(all.len() + 1);
        let here = at.min(all.len().saturating_sub(1));
        let piece = match rng.below(4) {
            0 if !theirs.is_empty() => (*rng.pick(&theirs)).to_owned(),
            1 if !all.is_empty() => rng.pick(&all).clone(),
            2 => (*rng.pick(NUMBERS)).to_owned(),
            _ => (*rng.pick(words)).to_owned(),
        };
        match rng.below(10) {
            0 | 1 if !all.is_empty() => drop(all.remove(here)),
            2 if !all.is_empty() => all[here] = piece,
            3 if !all.is_empty() => {
                let there = rng.below(all.len());
                all.swap(here, there);
            }
            4 if !all.is_empty() => {
                // A stretch, away.
                let end = (here + rng.between(2, 40)).min(all.len());
                drop(all.drain(here..end));
            }
            5 if !all.is_empty() => {
                // A stretch, twice or often.
                let end = (here + rng.between(2, 60)).min(all.len());
                let stretch: Vec<String> = all[here..end].to_vec();
                for _ in 0..*rng.pick(&[1, 1, 2, 50]) {
                    drop(all.splice(here..here, stretch.iter().cloned()));
                }
            }
            6 if !theirs.is_empty() => {
                let from = rng.below(theirs.len());
                let end = (from + rng.between(2, 60)).min(theirs.len());
                let stretch = theirs[from..end].iter().map(|p| (*p).to_owned());
                drop(all.splice(at..at, stretch));
            }
            7 if rng.chance(10) => {
                // Deeper than anybody writes.
                let (open, close) = *rng.pick(&[("(", ")"), ("{", "}"), ("!", ""), ("[", "]")]);
                let depth = *rng.pick(&[10, 200, 5_000]);
                all.insert(at, format!("{} {piece} {}", open.repeat(depth), close.repeat(depth)));
            }
            8 if rng.chance(10) => all.truncate(at),
            _ => all.insert(at, piece),
        }
    }
    let mut text = all.concat();
    let mut end = text.len().min(MAX_LEN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// Signs that can stand in each other's place.
const ALIKE: &[&[&str]] =
    &[&["+", "-", "*", "/", "%", "^"], &["<", ">"], &["!", "?"], &[";", ","], &["&", "|"]];

/// The text with one to four pieces replaced by others of the same sort, so that most of what was a
/// model still is one: a number by a number, a word by another of the text's words, a sign by one
/// that can stand in its place.
fn gently_changed(rng: &mut Rng, text: &str) -> String {
    let mut all = pieces(text);
    let is_word = |p: &str| p.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let words: Vec<&str> = all.iter().copied().filter(|p| is_word(p)).collect();
    for _ in 0..rng.between(1, 4) {
        // Blanks and brackets are many, and are left alone.
        for _ in 0..20 {
            if all.is_empty() {
                break;
            }
            let at = rng.below(all.len());
            let piece = all[at];
            let by = if piece.starts_with(|c: char| c.is_ascii_digit()) {
                *rng.pick(NUMBERS)
            } else if is_word(piece) && rng.chance(30) {
                *rng.pick(&words)
            } else if let Some(alike) = ALIKE.iter().find(|alike| alike.contains(&piece)) {
                *rng.pick(alike)
            } else {
                continue;
            };
            all[at] = by;
            break;
        }
    }
    all.concat()
}

/// A mutant of a model, with pieces of another. Half of them are changed so gently that many are
/// models.
pub fn mutant(rng: &mut Rng, text: &str, other: &str) -> String {
    if rng.chance(60) {
        gently_changed(rng, text)
    } else {
        changed(rng, text, other, TOKENS)
    }
}

/// A mutant of a text that is no model: as [`mutant`], with this language's words.
pub fn mutant_with(rng: &mut Rng, text: &str, other: &str, words: &[&str]) -> String {
    changed(rng, text, other, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        let text = "byte x1 = é+2;\n  do\n:: true od";
        assert_eq!(pieces(text).concat(), text);
        assert_eq!(pieces("x1+=\n 2"), ["x1", "+", "=", "\n ", "2"]);
    }

    #[test]
    fn the_same_seed_gives_the_same_mutant_and_most_differ_from_the_text() {
        let text = "active proctype P() { byte x; do :: x < 3 -> x++ :: else -> break od }";
        let of = |seed| mutant(&mut Rng::new(seed), text, "init { skip }");
        assert_eq!(of(3), of(3));
        let same = (0..200).filter(|&seed| of(seed) == text).count();
        assert!(same < 20, "{same}");
    }
}
