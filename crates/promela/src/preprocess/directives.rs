//! The directives: `#define`, `#if`, `#include` and their kin.

use super::expand::Macro;
use super::{condition, Condition, Preprocessor, MAX_INCLUDE_DEPTH, MAX_MACROS};
use crate::lints;
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_source::{Diagnostic, Name, Span};
use std::collections::HashSet;
use std::io;
use std::path::{Component, Path, PathBuf};

impl Preprocessor<'_> {
    /// Obeys the directive on the line, whose first token is `#`.
    pub(super) fn directive(&mut self, line: &[Token]) {
        let hash = line[0].span;
        // `#` alone is nothing, and `# 12 "file"` is left over from another preprocessor.
        let Some(name) = line.get(1).and_then(|t| t.word()) else {
            return;
        };
        let name_span = line[1].span;
        let span = self.sources.join(hash, name_span);
        let rest = &line[2..];
        match &**name {
            "if" | "ifdef" | "ifndef" => {
                let skipped = self.skipping();
                let holds = !skipped && self.condition_holds(name, span, rest);
                self.conditions.push(Condition {
                    span,
                    active: holds,
                    done: holds || skipped,
                    otherwise: None,
                });
            }
            "elif" | "else" | "endif" => self.next_branch(name, span, rest),
            _ if self.skipping() => {}
            "define" => self.define(span, rest),
            "undef" => match rest.first().and_then(|t| t.word()) {
                Some(macro_name) => {
                    self.macros.remove(macro_name);
                }
                None => self.report(Diagnostic::error(span, "`#undef` needs a macro's name")),
            },
            "include" => self.include(span, rest),
            "error" => {
                let text = self.line_text(rest);
                self.report(Diagnostic::error(span, format!("#error {text}")));
            }
            "warning" => {
                let text = self.line_text(rest);
                let message = format!("#warning {text}");
                self.report(Diagnostic::warning(lints::USER_WARNING, span, message));
            }
            "line" | "ident" | "pragma" => {}
            _ => self.report(
                Diagnostic::error(span, format!("there is no directive `#{name}`")).help(
                    "the directives are #define, #undef, #if, #ifdef, #ifndef, #elif, #else, \
                     #endif, #include, #error and #warning",
                ),
            ),
        }
    }

    /// The line's text as it was written.
    fn line_text(&self, tokens: &[Token]) -> String {
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => {
                let span = self.sources.join(first.span, last.span);
                self.sources.text(span).to_owned()
            }
            _ => String::new(),
        }
    }

    fn next_branch(&mut self, name: &Name, span: Span, rest: &[Token]) {
        let floor = self.open.last().map_or(0, |f| f.conditions);
        if self.conditions.len() <= floor {
            self.report(Diagnostic::error(span, format!("`#{name}` without an `#if`")));
            return;
        }
        if name == "endif" {
            self.conditions.pop();
            return;
        }
        let condition = self.conditions.last().expect("a condition is open");
        if let Some(earlier) = condition.otherwise {
            let opened = condition.span;
            self.report(
                Diagnostic::error(span, format!("`#{name}` after `#else`"))
                    .note_at(opened, "the condition starts here")
                    .note_at(earlier, "its `#else` is here"),
            );
            return;
        }
        let done = condition.done;
        let holds = match &**name {
            "else" => !done,
            _ => !done && self.condition_holds(name, span, rest),
        };
        let condition = self.conditions.last_mut().expect("a condition is open");
        condition.active = holds;
        condition.done |= holds;
        if name == "else" {
            condition.otherwise = Some(span);
        }
    }

    fn condition_holds(&mut self, name: &Name, span: Span, rest: &[Token]) -> bool {
        if matches!(&**name, "ifdef" | "ifndef") {
            let Some(macro_name) = rest.first().and_then(|t| t.word()) else {
                self.report(Diagnostic::error(span, format!("`#{name}` needs a macro's name")));
                return false;
            };
            return self.is_defined(macro_name) == (name == "ifdef");
        }
        let tokens = self.replace_defined(rest);
        let tokens = self.expand_line(tokens);
        match condition::evaluate(&tokens, span) {
            Ok(value) => value != 0,
            Err(diagnostic) => {
                self.report(*diagnostic);
                false
            }
        }
    }

    /// Whether a macro is there: one that was defined, or the one that says who reads.
    fn is_defined(&self, name: &Name) -> bool {
        self.macros.contains_key(name) || &**name == super::ISOSPIN
    }

    /// `defined NAME` and `defined(NAME)` become 1 or 0 before macros expand.
    fn replace_defined(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut output = Vec::with_capacity(tokens.len());
        let mut i = 0;
        while i < tokens.len() {
            let length = match &tokens[i..] {
                [defined, name, ..] if is_defined(defined) && name.word().is_some() => 2,
                [defined, open, name, close, ..]
                    if is_defined(defined)
                        && open.is(Punct::LeftParen)
                        && name.word().is_some()
                        && close.is(Punct::RightParen) =>
                {
                    4
                }
                _ => 1,
            };
            let mut token = tokens[i].clone();
            if length > 1 {
                let name = tokens[i + length / 2].word().expect("a name was seen");
                let known = self.is_defined(name);
                token.kind = TokenKind::Number(self.intern(if known { "1" } else { "0" }));
            }
            output.push(token);
            i += length;
        }
        output
    }

    fn define(&mut self, span: Span, rest: &[Token]) {
        let Some(name) = rest.first().and_then(|t| t.word()).cloned() else {
            let at = rest.first().map_or(span, |t| t.span);
            self.report(Diagnostic::error(at, "`#define` needs a macro's name"));
            return;
        };
        if name == "defined" {
            self.report(Diagnostic::error(rest[0].span, "`defined` cannot be a macro's name"));
            return;
        }
        let (params, variadic, body) = match rest.get(1) {
            Some(open) if open.is(Punct::LeftParen) && !open.space_before => {
                match parameters(&rest[2..]) {
                    Some((params, variadic, used)) => (Some(params), variadic, &rest[2 + used..]),
                    None => {
                        let message = format!("the parameters of macro `{name}` are malformed");
                        self.report(
                            Diagnostic::error(open.span, message).help("write them as `(a, b, c)`"),
                        );
                        return;
                    }
                }
            }
            _ => (None, false, &rest[1..]),
        };
        let definition = Macro { name: rest[0].span, params, variadic, body: body.into() };
        if let Some(earlier) = self.macros.get(&name) {
            if !earlier.same_as(&definition) {
                let first = earlier.name;
                let message = format!("macro `{name}` is defined a second time, differently");
                self.report(
                    Diagnostic::warning(lints::MACRO_REDEFINED, rest[0].span, message)
                        .note_at(first, "first defined here"),
                );
            }
        }
        self.macros.insert(name, definition);
        if self.macros.len() > MAX_MACROS {
            self.stop(rest[0].span, format!("there are more than {MAX_MACROS} macros"));
        }
    }

    fn include(&mut self, span: Span, rest: &[Token]) {
        let expanded;
        let rest = if rest.first().is_some_and(|t| t.word().is_some()) {
            expanded = self.expand_line(rest.to_vec());
            &expanded
        } else {
            rest
        };
        let (wanted, system) = match rest.first().map(|t| &t.kind) {
            Some(TokenKind::Str(path)) => (path.to_string(), false),
            Some(TokenKind::Punct(Punct::Less | Punct::ShiftLeft | Punct::LessEqual)) => {
                let text = self.line_text(rest);
                match text[1..].split_once('>') {
                    Some((path, _)) => (path.to_owned(), true),
                    None => {
                        self.report(Diagnostic::error(span, "this `#include` has no closing `>`"));
                        return;
                    }
                }
            }
            _ => {
                self.report(
                    Diagnostic::error(span, "`#include` needs a file's name")
                        .help("write `#include \"file\"` or `#include <file>`"),
                );
                return;
            }
        };
        let place = self.sources.join(span, rest[0].span);
        if self.open.len() >= MAX_INCLUDE_DEPTH {
            self.too_deep(place);
            return;
        }
        self.include_file(&wanted, system, place);
    }

    fn too_deep(&mut self, place: Span) {
        let current = self.open.last().map(|f| f.path.clone());
        let again = self.open.iter().filter(|f| Some(&f.path) == current.as_ref());
        let message = match current.as_ref() {
            Some(path) if again.count() > 1 => {
                format!("`{}` includes itself without end", path.display())
            }
            _ => format!("files include files more than {MAX_INCLUDE_DEPTH} deep"),
        };
        self.stop(place, message);
    }

    fn include_file(&mut self, wanted: &str, system: bool, place: Span) {
        let here =
            self.open.last().and_then(|f| f.path.parent()).unwrap_or(Path::new("")).to_owned();
        let mut dirs = vec![here];
        dirs.extend(self.options.include_dirs.iter().cloned());
        if system {
            dirs.rotate_left(1);
        }
        let mut problem: Option<io::Error> = None;
        for dir in dirs {
            let path = tidy(&dir.join(wanted));
            if let Some(tokens) = self.lexed.get(&path).cloned() {
                self.reopen(&path, tokens);
                return;
            }
            match (self.reader)(&path) {
                Ok(bytes) => {
                    self.enter(&path, bytes, place);
                    return;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => problem = problem.or(Some(error)),
            }
        }
        let why = match problem {
            Some(error) => error.to_string(),
            None => "there is no such file".to_owned(),
        };
        let mut diagnostic = Diagnostic::error(place, format!("cannot include `{wanted}`: {why}"));
        if self.options.include_dirs.is_empty() {
            diagnostic = diagnostic.help("`-I DIR` names a directory to look in");
        }
        self.report(diagnostic);
    }
}

fn is_defined(token: &Token) -> bool {
    token.word().is_some_and(|w| w == "defined")
}

/// The parameters up to the `)`, whether the last takes all the rest, and how
/// many tokens they are.
fn parameters(tokens: &[Token]) -> Option<(Vec<Name>, bool, usize)> {
    let (mut params, mut seen) = (Vec::new(), HashSet::new());
    if tokens.first()?.is(Punct::RightParen) {
        return Some((params, false, 1));
    }
    let mut i = 0;
    loop {
        // `...` is lexed as `..` and `.`.
        if tokens.get(i)?.is(Punct::DotDot) && tokens.get(i + 1)?.is(Punct::Dot) {
            params.push("__VA_ARGS__".into());
            let closed = tokens.get(i + 2)?.is(Punct::RightParen);
            return closed.then_some((params, true, i + 3));
        }
        let name = tokens.get(i)?.word()?;
        if !seen.insert(name) {
            return None;
        }
        params.push(name.clone());
        let separator = tokens.get(i + 1)?;
        i += 2;
        if separator.is(Punct::RightParen) {
            return Some((params, false, i));
        }
        if !separator.is(Punct::Comma) {
            return None;
        }
    }
}

/// The path without `.` and without `dir/..`, so that one file has one name.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
