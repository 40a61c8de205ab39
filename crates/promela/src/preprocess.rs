//! The preprocessor: directives and macros, files to tokens.
//!
//! It works on tokens rather than on text, so that every token keeps its place
//! and the chain of expansions that brought it. Everything that could grow
//! without bound is bounded, each with a message of its own.

mod condition;
mod directives;
mod expand;
mod hide;
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
    /// Formulas that are given beside the model, each of which is read as one formula and nothing
    /// else. The model's macros mean in them what they mean at its end.
    pub formulas: Vec<String>,
}

/// What the preprocessor hands to the parser. The last token of a list is always
/// [`TokenKind::End`].
#[derive(Debug)]
pub struct Preprocessed {
    /// The tokens of the model.
    pub tokens: Vec<Token>,
    /// The tokens of each formula that was given beside it; missing after what ended the input.
    pub formulas: Vec<Vec<Token>>,
    /// The files in which these formulas stand, by their positions in the source map.
    pub formula_files: Vec<usize>,
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
/// The files of a model may have this many tokens together, skipped ones counted.
const MAX_TOKENS_WRITTEN: usize = 3_000_000;
/// There may be this many macros.
const MAX_MACROS: usize = 200_000;
/// Macros may use macros to this depth.
pub const MAX_MACRO_CHAIN: usize = 1000;
/// Parentheses may be nested to this depth in the arguments of a macro.
const MAX_ARGUMENT_NESTING: usize = 1000;

/// Reads the root file and all that it includes into tokens, and the formulas beside it.
pub fn preprocess(
    sources: &mut SourceMap,
    root: &Path,
    options: &Options,
    reader: ReadFile<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Preprocessed {
    let mut preprocessor = Preprocessor {
        sources,
        reader,
        options,
        diagnostics,
        names: HashSet::new(),
        macros: HashMap::new(),
        open: Vec::new(),
        conditions: Vec::new(),
        lexed: HashMap::new(),
        tokens_written: 0,
        tokens_read: 0,
        tokens_made: 0,
        expansions: 0,
        stopped: false,
        line_ended: false,
        end: Span::NONE,
    };
    let tokens = preprocessor.run(root);
    let (formulas, formula_files) = preprocessor.formulas();
    Preprocessed { tokens, formulas, formula_files }
}

/// A file that is being read.
struct OpenFile {
    path: PathBuf,
    tokens: Rc<Vec<Token>>,
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
    /// The files that are being read, each included by the one before.
    open: Vec<OpenFile>,
    conditions: Vec<Condition>,
    lexed: HashMap<PathBuf, Rc<Vec<Token>>>,
    tokens_written: usize,
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
        tokens.push(end_at(self.end));
        tokens
    }

    /// The tokens of the formulas that are given beside the model, and their files. A directive
    /// is no directive there, and a macro's arguments end with the formula.
    fn formulas(&mut self) -> (Vec<Vec<Token>>, Vec<usize>) {
        let (mut formulas, mut files) = (Vec::new(), Vec::new());
        for (k, text) in self.options.formulas.iter().enumerate() {
            let path = PathBuf::from(format!("<{}>", formula_name(k)));
            let Some((file, tokens)) = self.lex_file(&path, text.clone().into_bytes(), Span::NONE)
            else {
                break;
            };
            let mut tokens = self.expand_line(tokens);
            if self.stopped {
                break;
            }
            let end = self.sources.files()[file].end();
            tokens.push(end_at(Span::new(end, end)));
            formulas.push(tokens);
            files.push(file);
        }
        (formulas, files)
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
        let Some((index, tokens)) = self.lex_file(path, bytes, from) else {
            return;
        };
        if self.end == Span::NONE {
            let end = self.sources.files()[index].end();
            self.end = Span::new(end, end);
        }
        let tokens = Rc::new(tokens);
        self.lexed.insert(path.to_owned(), tokens.clone());
        self.reopen(path, tokens);
    }

    /// Adds a file and splits it into tokens; nothing if there is no room for it.
    fn lex_file(&mut self, path: &Path, bytes: Vec<u8>, from: Span) -> Option<(usize, Vec<Token>)> {
        let Some(index) = self.sources.add_file(path, bytes) else {
            self.stop(from, "the source files are too large together".into());
            return None;
        };
        let file = &self.sources.files()[index];
        let room = MAX_TOKENS_WRITTEN - self.tokens_written;
        let mut lexed = lexer::lex(file.text(), file.start(), &mut self.names, room);
        self.diagnostics.append(&mut lexed.diagnostics);
        if let Some(rest) = lexed.rest {
            let message = format!("the model has more than {MAX_TOKENS_WRITTEN} tokens");
            self.stop(rest, message);
            return None;
        }
        self.tokens_written += lexed.tokens.len();
        Some((index, lexed.tokens))
    }

    fn reopen(&mut self, path: &Path, tokens: Rc<Vec<Token>>) {
        self.open.push(OpenFile {
            path: path.to_owned(),
            tokens,
            next: 0,
            conditions: self.conditions.len(),
        });
    }

    /// The next token of the files that no directive swallows.
    fn next_from_files(&mut self) -> Option<Token> {
        loop {
            isospin_limits::check();
            if self.stopped {
                return None;
            }
            let file = self.open.last_mut()?;
            let Some(token) = file.tokens.get(file.next) else {
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
                let line = file.take_line();
                self.directive(&line);
                continue;
            }
            file.next += 1;
            if self.conditions.last().is_none_or(|c| c.active) {
                let mut token = token.clone();
                token.newline_before |= std::mem::take(&mut self.line_ended);
                return Some(token);
            }
        }
    }

    fn leave(&mut self) {
        if let Some(file) = self.open.pop() {
            for condition in self.conditions.split_off(file.conditions.min(self.conditions.len())) {
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

impl OpenFile {
    /// The tokens from here to the end of the line, without the first (`#`).
    fn take_line(&mut self) -> Vec<Token> {
        let start = self.next;
        let rest = &self.tokens[start + 1..];
        let length = rest.iter().position(|t| t.newline_before).unwrap_or(rest.len());
        self.next = start + 1 + length;
        self.tokens[start..self.next].to_vec()
    }
}

/// What stands behind the last token.
fn end_at(span: Span) -> Token {
    Token { kind: TokenKind::End, span, newline_before: true, space_before: true }
}

/// The name of the formula with this position, from 0, among those beside the model.
pub fn formula_name(position: usize) -> String {
    if position == 0 {
        "formula".to_owned()
    } else {
        format!("formula_{}", position + 1)
    }
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
