//! Directives of the C preprocessor, where a model uses them: `#define` of names without
//! parameters, `#undef`, `#ifdef`, `#ifndef`, `#else`, `#endif`. The text keeps its places: what
//! is a directive or left out becomes blank.

use isospin_source::{Diagnostic, Span};
use std::collections::HashMap;

/// The text without directives and with macros replaced where the replacement fits the place.
pub(crate) fn preprocess(
    text: String,
    start: u32,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let is_directive = |line: &str| {
        let rest = line.trim_start();
        rest.strip_prefix('#').is_some_and(|rest| {
            let word = rest.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next();
            matches!(
                word,
                Some("define" | "undef" | "ifdef" | "ifndef" | "else" | "endif" | "if" | "include")
            )
        })
    };
    if defines.is_empty() && !text.lines().any(is_directive) {
        return text;
    }
    let mut macros: HashMap<String, String> = HashMap::new();
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        macros.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    let mut out = String::with_capacity(text.len());
    // For every open conditional, whether its text counts and whether an `else` came.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = Span::new(start + at as u32, start + (at + line.trim_end().len()) as u32);
        at += line.len();
        let counts = open.iter().all(|(counts, _)| *counts);
        if is_directive(line) {
            directive(line, span, counts, &mut macros, &mut open, diagnostics);
            blank(&mut out, line);
        } else if counts {
            replace(&mut out, line, &macros);
        } else {
            blank(&mut out, line);
        }
    }
    if !open.is_empty() {
        let end = Span::new(start + at as u32, start + at as u32);
        diagnostics.push(Diagnostic::error(end, "an `#ifdef` has no `#endif`"));
    }
    out
}

fn blank(out: &mut String, line: &str) {
    out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

fn directive(
    line: &str,
    span: Span,
    counts: bool,
    macros: &mut HashMap<String, String>,
    open: &mut Vec<(bool, bool)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let rest = line.trim().trim_start_matches('#').trim_start();
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (name, value) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let mut wrong = |message: &str| diagnostics.push(Diagnostic::error(span, message));
    match word {
        "define" if name.contains('(') => wrong("macros with parameters are not supported"),
        "define" if counts => {
            macros.insert(name.to_owned(), value.trim().to_owned());
        }
        "undef" if counts => {
            macros.remove(name);
        }
        "define" | "undef" => {}
        "ifdef" => open.push((macros.contains_key(name), false)),
        "ifndef" => open.push((!macros.contains_key(name), false)),
        "else" => match open.last_mut() {
            Some((counts, seen)) if !*seen => (*counts, *seen) = (!*counts, true),
            _ => wrong("this `#else` belongs to no `#ifdef`"),
        },
        "endif" => {
            if open.pop().is_none() {
                wrong("this `#endif` belongs to no `#ifdef`");
            }
        }
        _ => wrong("of the preprocessor's directives, only `#define` of plain names, `#undef`, `#ifdef`, `#ifndef`, `#else` and `#endif` are supported"),
    }
}

/// Copies a line with names replaced by what they stand for, macros inside macros too.
fn replace(out: &mut String, line: &str, macros: &HashMap<String, String>) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = line.to_owned();
    // A macro that names itself is replaced once; chains are as long as there are macros.
    for _ in 0..=macros.len().min(100) {
        let (mut next, mut rest, mut changed) = (String::new(), text.as_str(), false);
        while let Some(first) = rest.chars().next() {
            let comment = rest.starts_with("--");
            let length = if comment {
                rest.len()
            } else if is_name(first) {
                rest.find(|c| !is_name(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            match macros.get(&rest[..length]) {
                Some(value) if value != &rest[..length] => {
                    next.push_str(value);
                    changed = true;
                }
                _ => next.push_str(&rest[..length]),
            }
            rest = &rest[length..];
        }
        text = next;
        if !changed {
            break;
        }
    }
    out.push_str(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut diagnostics = Vec::new();
        let out = preprocess(text.to_owned(), 1, &[], &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(out.trim(), expected);
    }

    #[test]
    fn names_are_replaced_and_conditions_decide() {
        check("#define N 3\nx : 0..N;", "x : 0..3;");
        check("#ifdef A\nx\n#else\ny\n#endif", "y");
        check("#define A\n#ifdef A\nx\n#else\ny\n#endif", "x");
    }

    #[test]
    fn a_text_without_directives_is_left_alone() {
        check("# not one\nMODULE main", "# not one\nMODULE main");
    }
}
