//! Directives of the C preprocessor, where a model uses them: `#define`, with parameters or without,
//! `#undef`, `#if` of a number or of `defined`, `#ifdef`, `#ifndef`, `#else`, `#endif`. Everything
//! in the text that comes out knows its place in the text that went in.

mod expand;

use isospin_source::{Diagnostic, Span};

use expand::{Macro, Macros};

/// Text without directives, with macros replaced.
pub(crate) struct Preprocessed {
    /// The text.
    pub(crate) text: String,
    /// From where in the text which place of the source: places count on from there, or, inside
    /// what a macro stands for, are that of the macro's name.
    places: Vec<(usize, usize, bool)>,
}

impl Preprocessed {
    fn unchanged(text: String) -> Preprocessed {
        Preprocessed { text, places: vec![(0, 0, true)] }
    }

    /// Where a place of the text was written, counted from the beginning of the source.
    fn source(&self, at: usize) -> usize {
        let index = self.places.partition_point(|(from, ..)| *from <= at).saturating_sub(1);
        match self.places.get(index) {
            Some((from, source, true)) => source + at.saturating_sub(*from),
            Some((_, source, false)) => *source,
            None => at,
        }
    }

    /// A span of the text as one of the source that begins at `start`.
    pub(crate) fn place(&self, span: Span, start: u32) -> Span {
        if self.places.len() <= 1 {
            return span;
        }
        let from = self.source((span.start - start) as usize);
        let to = self.source((span.end - start) as usize);
        Span::new(start + from as u32, start + to.max(from) as u32)
    }

    /// Copies text that stands at a place of the source.
    fn copy(&mut self, text: &str, source: usize) {
        self.places.push((self.text.len(), source, true));
        self.text.push_str(text);
    }

    /// Writes what a macro at a place of the source stands for.
    fn replace(&mut self, text: &str, source: usize) {
        self.places.push((self.text.len(), source, false));
        self.text.push_str(text);
    }
}

fn is_directive(line: &str) -> bool {
    let words = ["define", "undef", "ifdef", "ifndef", "else", "endif", "if", "elif", "include"];
    line.trim_start().strip_prefix('#').is_some_and(|rest| {
        let word = rest.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next();
        word.is_some_and(|word| words.contains(&word))
    })
}

/// The text without directives and with macros replaced.
pub(crate) fn preprocess(
    text: String,
    start: u32,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Preprocessed {
    if defines.is_empty() && !text.lines().any(is_directive) {
        return Preprocessed::unchanged(text);
    }
    let mut macros = Macros::default();
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        macros.define(name.trim(), Macro { parameters: None, text: value.trim().to_owned() });
    }
    let mut out = Preprocessed { text: String::with_capacity(text.len()), places: Vec::new() };
    // For every open conditional, whether its text counts and whether an `else` came.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let line = logical_line(&text[at..]);
        let span = Span::new(start + at as u32, start + (at + line.trim_end().len()) as u32);
        let counts = open.iter().all(|(counts, _)| *counts);
        let mut wrong = |message: &str| diagnostics.push(Diagnostic::error(span, message));
        if is_directive(line) {
            if let Err(why) = directive(line, counts, &mut macros, &mut open) {
                wrong(why);
            }
            let ends = line.bytes().filter(|b| *b == b'\n').count();
            out.copy(&"\n".repeat(ends), at + line.len() - ends);
        } else if counts {
            let parts = macros.expanded(line).unwrap_or_else(|why| {
                wrong(why);
                Vec::new()
            });
            for part in parts {
                match part.replaced {
                    Some(text) => out.replace(&text, at + part.at),
                    None => out.copy(part.text, at + part.at),
                }
            }
        } else if line.ends_with('\n') {
            out.copy("\n", at + line.len() - 1);
        }
        at += line.len();
    }
    if !open.is_empty() {
        let end = Span::new(start + at as u32, start + at as u32);
        diagnostics.push(Diagnostic::error(end, "an `#if` or `#ifdef` has no `#endif`"));
    }
    out
}

/// A line; a directive's goes on after a backslash.
fn logical_line(text: &str) -> &str {
    let end = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at + 1);
    let mut length = end(0);
    while is_directive(&text[..length])
        && length < text.len()
        && text[..length].trim_end_matches(['\n', '\r']).ends_with('\\')
    {
        length = end(length);
    }
    &text[..length]
}

fn directive(
    line: &str,
    counts: bool,
    macros: &mut Macros,
    open: &mut Vec<(bool, bool)>,
) -> Result<(), &'static str> {
    let joined = line.replace("\\\r\n", " ").replace("\\\n", " ");
    let rest = joined.trim().trim_start_matches('#').trim_start();
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (word, rest) = (&rest[..length], rest[length..].trim());
    let name = || rest.split_whitespace().next().unwrap_or_default();
    match word {
        "define" | "undef" if !counts => {}
        "define" => {
            let (name, meaning) = Macro::read(rest)?;
            macros.define(name, meaning);
        }
        "undef" => macros.forget(name()),
        "ifdef" => open.push((macros.knows(name()), false)),
        "ifndef" => open.push((!macros.knows(name()), false)),
        // What does not count is not evaluated.
        "if" => {
            let condition = if counts { macros.condition(rest) } else { Ok(false) };
            open.push((condition == Ok(true), false));
            condition?;
        }
        "else" => match open.last_mut() {
            Some((counts, seen)) if !*seen => (*counts, *seen) = (!*counts, true),
            _ => return Err("this `#else` belongs to no `#if`"),
        },
        "endif" => {
            open.pop().ok_or("this `#endif` belongs to no `#if`")?;
        }
        "include" => return Err("`#include` is not supported: a model is one file"),
        _ => {
            return Err("of the preprocessor's directives, `#define`, `#undef`, `#if`, `#ifdef`, \
                        `#ifndef`, `#else` and `#endif` are supported")
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> (Preprocessed, Vec<String>) {
        let mut diagnostics = Vec::new();
        let out = preprocess(text.to_owned(), 1, &[], &mut diagnostics);
        (out, diagnostics.into_iter().map(|d| d.message).collect())
    }

    fn check(text: &str, expected: &str) {
        let (out, diagnostics) = run(text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(out.text.trim(), expected);
    }

    #[test]
    fn names_are_replaced_and_conditions_decide() {
        check("#define N 3\nx : 0..N;", "x : 0..3;");
        check("#ifdef A\nx\n#else\ny\n#endif", "y");
        check("#define A\n#ifdef A\nx\n#else\ny\n#endif", "x");
        check("#define N 2\n#if N\nx\n#else\ny\n#endif", "x");
        check("#if defined(N)\nx\n#else\ny\n#endif", "y");
    }

    #[test]
    fn parameters_are_replaced_by_what_is_given() {
        check("#define both(a, b) (a & b)\nboth(x, f(y, z))", "(x & f(y, z))");
        check("#define twice(a) both(a, a)\n#define both(a, b) (a & b)\ntwice(x)", "(x & x)");
        check("#define keep(v) \\\n  next(v) = v\nkeep(p) & keep", "next(p) = p & keep");
        check("#define N() 3\n#define N2 N()\nN2", "3");
        check("#define x x + 1\nx", "x + 1");
    }

    #[test]
    fn a_text_without_directives_is_left_alone() {
        check("# not one\nMODULE main", "# not one\nMODULE main");
    }

    #[test]
    fn everything_knows_where_it_was_written() {
        let text = "#define LONG something much longer\nLONG x LONG\ny";
        let (out, _) = run(text);
        for name in ["x", "y"] {
            let at = out.text.rfind(name).unwrap();
            assert_eq!(out.source(at), text.rfind(name).unwrap(), "{name}");
        }
        assert_eq!(out.source(out.text.find("much").unwrap()), text.find("LONG x").unwrap());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("#else", "this `#else` belongs to no `#if`"),
            ("#ifdef A", "an `#if` or `#ifdef` has no `#endif`"),
            ("#define f(a\nx", "the macro's parameters do not end"),
            ("#define f(a) a\nf(1, 2)", "a macro is used with another number of parameters"),
            ("#define f(a) a\nf(1", "the parameters of a macro do not end on this line"),
            ("#if x +\n#endif", "only a number, a name or `defined(NAME)` can stand here"),
        ] {
            assert_eq!(run(text).1, [expected], "{text}");
        }
    }
}
