//! The preprocessor: directives and macros, files to tokens.
//!
//! It works on tokens rather than on text, so that every token keeps its place
//! and the chain of expansions that brought it. Everything that could grow
//! without bound is bounded, each with a message of its own.

mod condition;
mod directives;
mod expand;
mod lexer;

use crate::syntax::token::{Token, TokenKind};
use expand::Macro;
use isospin_source::{Diagnostic, Name, SourceMap, Span};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How files are read; the caller decides what a path means.
pub type ReadFile<'a> = &'a mut dyn FnMut(&Path) -> io::Result<Vec<u8>>;

/// What the command line says to the preprocessor.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D NAME` and `-D NAME=VALUE`, without the `-D`.
    pub defines: Vec<String>,
    /// `-I DIR`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// Formulas of the command line. They are read behind the model, as `ltl` blocks in a file
    /// named `<formula>`, so that the model's macros mean something in them.
    pub formulas: Vec<String>,
}

/// Files may include files to this depth.
pub const MAX_INCLUDE_DEPTH: usize = 64;
/// Macro calls may stand in arguments of macro calls to this depth.
pub const MAX_MACRO_DEPTH: usize = 128;
/// The macro that tells Isospin from Spin: it is 1, and Spin does not know it.
pub(crate) const ISOSPIN: &str = "__ISOSPIN__";
/// A model may have this many tokens once its macros are expanded.
pub const MAX_TOKENS: usize = 2_000_000;
/// Macros may be used this many times, uses inside macros counted.
pub const MAX_EXPANSIONS: usize = 500_000;
/// The preprocessor may read this many tokens, skipped ones and repeatedly
/// included ones counted.
const MAX_TOKENS_READ: usize = 20_000_000;

/// Reads the root file and all that it includes into tokens. The last token is
/// always [`TokenKind::End`].
pub fn preprocess(
    sources: &mut SourceMap,
    root: &Path,
    options: &Options,
    reader: ReadFile<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor {
        sources,
        reader,
        options,
        diagnostics,
        names: HashSet::new(),
        macros: HashMap::new(),
        frames: Vec::new(),
        conditions: Vec::new(),
        lexed: HashMap::new(),
        tokens_read: 0,
        tokens_made: 0,
        expansions: 0,
        stopped: false,
        line_ended: false,
        end: Span::NONE,
    };
    preprocessor.run(root)
}

/// A file that is being read.
struct Frame {
    path: PathBuf,
    tokens: Rc<[Token]>,
    next: usize,
    /// How many conditions were open when the file was entered.
    conditions: usize,
}

/// An `#if` whose `#endif` has not come yet.
struct Condition {
    span: Span,
    /// Whether the text is read now.
    active: bool,
    /// Whether an earlier branch was read, or the surrounding text is skipped.
    done: bool,
    /// The `#else`, once it has come.
    otherwise: Option<Span>,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    reader: ReadFile<'a>,
    options: &'a Options,
    diagnostics: &'a mut Vec<Diagnostic>,
    names: HashSet<Name>,
    macros: HashMap<Name, Macro>,
    frames: Vec<Frame>,
    conditions: Vec<Condition>,
    lexed: HashMap<PathBuf, Rc<[Token]>>,
    tokens_read: usize,
    tokens_made: usize,
    expansions: usize,
    /// A bound was exceeded; no more tokens come.
    stopped: bool,
    /// The next token of the files counts as the first on its line.
    line_ended: bool,
    /// The end of the root file.
    end: Span,
}

impl Preprocessor<'_> {
    fn run(&mut self, root: &Path) -> Vec<Token> {
        // Pushed first, so read last: the command line's formulas.
        if !self.options.formulas.is_empty() {
            let text = formula_blocks(&self.options.formulas);
            self.enter(Path::new("<formula>"), text.into_bytes(), Span::NONE);
            self.end = Span::NONE;
        }
        match (self.reader)(root) {
            Ok(bytes) => self.enter(root, bytes, Span::NONE),
            Err(error) => self.report(Diagnostic::error(
                Span::NONE,
                format!("cannot read `{}`: {error}", root.display()),
            )),
        }
        // Pushed last, so read first: the command line's macros.
        if !self.options.defines.is_empty() {
            let text = command_line(&self.options.defines);
            self.enter(Path::new("<command line>"), text.into_bytes(), Span::NONE);
        }
        let mut tokens = self.expand_files();
        // Half a model would only give rise to messages about the other half.
        if self.stopped {
            tokens.clear();
        }
        tokens.push(Token {
            kind: TokenKind::End,
            span: self.end,
            newline_before: true,
            space_before: true,
        });
        tokens
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Says that a bound was exceeded, once, and ends the input.
    fn stop(&mut self, span: Span, message: String) {
        if !self.stopped {
            self.stopped = true;
            self.report(Diagnostic::error(span, message));
        }
    }

    /// Starts to read a file; `from` is what included it.
    fn enter(&mut self, path: &Path, bytes: Vec<u8>, from: Span) {
        let Some(index) = self.sources.add_file(path, bytes) else {
            self.stop(from, "the source files are too large together".into());
            return;
        };
        let file = &self.sources.files()[index];
        let (start, text) = (file.start(), file.text().clone());
        let mut lexed = lexer::lex(&text, start, &mut self.names);
        self.diagnostics.append(&mut lexed.diagnostics);
        if self.end == Span::NONE {
            let end = start + text.len() as u32;
            self.end = Span::new(end, end);
        }
        let tokens: Rc<[Token]> = lexed.tokens.into();
        self.lexed.insert(path.to_owned(), tokens.clone());
        self.push_frame(path, tokens);
    }

    fn push_frame(&mut self, path: &Path, tokens: Rc<[Token]>) {
        self.frames.push(Frame {
            path: path.to_owned(),
            tokens,
            next: 0,
            conditions: self.conditions.len(),
        });
    }

    /// The next token of the files that no directive swallows.
    fn next_from_files(&mut self) -> Option<Token> {
        loop {
            if self.stopped {
                return None;
            }
            let frame = self.frames.last_mut()?;
            let Some(token) = frame.tokens.get(frame.next) else {
                self.leave();
                continue;
            };
            self.tokens_read += 1;
            if self.tokens_read > MAX_TOKENS_READ {
                let span = token.span;
                self.stop(
                    span,
                    format!("more than {MAX_TOKENS_READ} tokens were read; included files repeat without end?"),
                );
                return None;
            }
            if token.newline_before && token.is(crate::syntax::token::Punct::Hash) {
                let line = frame.take_line();
                self.directive(&line);
                continue;
            }
            frame.next += 1;
            if self.conditions.last().is_none_or(|c| c.active) {
                let mut token = token.clone();
                token.newline_before |= std::mem::take(&mut self.line_ended);
                return Some(token);
            }
        }
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for condition in self.conditions.split_off(frame.conditions.min(self.conditions.len()))
            {
                self.diagnostics.push(
                    Diagnostic::error(condition.span, "this condition has no `#endif`")
                        .label("opened here"),
                );
            }
        }
    }

    fn skipping(&self) -> bool {
        self.conditions.last().is_some_and(|c| !c.active)
    }

    fn intern(&mut self, text: &str) -> Name {
        lexer::intern(&mut self.names, text)
    }
}

impl Frame {
    /// The tokens from here to the end of the line, without the first (`#`).
    fn take_line(&mut self) -> Vec<Token> {
        let start = self.next;
        let rest = &self.tokens[start + 1..];
        let length = rest.iter().position(|t| t.newline_before).unwrap_or(rest.len());
        self.next = start + 1 + length;
        self.tokens[start..self.next].to_vec()
    }
}

/// The name of the formula of the command line with this position, from 0.
pub fn formula_name(position: usize) -> String {
    match position {
        0 => "formula".to_owned(),
        k => format!("formula_{}", k + 1),
    }
}

/// The command line's formulas as a file, one `ltl` block a line.
fn formula_blocks(formulas: &[String]) -> String {
    let mut text = String::new();
    for (k, formula) in formulas.iter().enumerate() {
        let formula = formula.replace(['\n', '\r'], " ");
        text.push_str(&format!("ltl {} {{ {formula} }}\n", formula_name(k)));
    }
    text
}

/// The command line's macros as a file of directives.
fn command_line(defines: &[String]) -> String {
    let mut text = String::new();
    for define in defines {
        let define = define.replace(['\n', '\r', '\\'], " ");
        let (name, value) = define.split_once('=').unwrap_or((&define, "1"));
        text.push_str(&format!("#define {name} {value}\n"));
    }
    text
}
