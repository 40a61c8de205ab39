//! Macro expansion, with hide sets so that no macro expands inside itself.

use super::hide::{self, hides, intersection, union, with, HideSet};
use super::{
    Preprocessor, MAX_ARGUMENT_NESTING, MAX_EXPANSIONS, MAX_MACRO_CHAIN, MAX_MACRO_DEPTH,
    MAX_TOKENS,
};
use crate::syntax::token::{text_of, Punct, Token, TokenKind};
use isospin_limits::{check, check_many};
use isospin_source::{Diagnostic, Expansion, ExpansionId, ExpansionKind, Name, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// A macro's definition.
#[derive(Clone)]
pub(super) struct Macro {
    pub name: Span,
    /// The parameters of a function-like macro.
    pub params: Option<Vec<Name>>,
    /// Whether the last parameter takes all the arguments that are left.
    pub variadic: bool,
    pub body: Rc<[Token]>,
}

impl Macro {
    /// Whether both are written the same way, white space apart.
    pub fn same_as(&self, other: &Macro) -> bool {
        self.params == other.params
            && self.body.len() == other.body.len()
            && self.body.iter().zip(other.body.iter()).all(|(a, b)| a.kind == b.kind)
    }
}

/// A token on its way through the expansion.
#[derive(Clone)]
struct Hidden {
    token: Token,
    hide: HideSet,
}

impl From<Token> for Hidden {
    fn from(token: Token) -> Self {
        Hidden { token, hide: None }
    }
}

/// The arguments of a call, the hide set of its `)`, and the call's place.
struct Call {
    args: Vec<Vec<Hidden>>,
    hide: HideSet,
    span: Span,
    /// Whether the call goes over several lines.
    lines: bool,
}

/// Where the tokens to expand come from: first the stack (last one first),
/// then, for the model itself, the files.
struct Input {
    stack: Vec<Hidden>,
    files: bool,
    depth: usize,
}

impl Preprocessor<'_> {
    /// Expands all that the files contain.
    pub(super) fn expand_files(&mut self) -> Vec<Token> {
        let mut input = Input { stack: Vec::new(), files: true, depth: 0 };
        let expanded = self.expand(&mut input);
        expanded.into_iter().map(|h| h.token).collect()
    }

    /// Expands the tokens of a line.
    pub(super) fn expand_line(&mut self, line: Vec<Token>) -> Vec<Token> {
        let mut input = Input {
            stack: line.into_iter().rev().map(Hidden::from).collect(),
            files: false,
            depth: 0,
        };
        let expanded = self.expand(&mut input);
        expanded.into_iter().map(|h| h.token).collect()
    }

    fn pull(&mut self, input: &mut Input) -> Option<Hidden> {
        check();
        if self.stopped {
            return None;
        }
        match input.stack.pop() {
            None if input.files => self.next_from_files().map(Hidden::from),
            next => next,
        }
    }

    fn expand(&mut self, input: &mut Input) -> Vec<Hidden> {
        let mut output: Vec<Hidden> = Vec::new();
        // What the next token inherits from a macro that left nothing behind.
        let mut newline = false;
        let mut space = false;
        while let Some(mut next) = self.pull(input) {
            next.token.newline_before |= std::mem::take(&mut newline);
            next.token.space_before |= std::mem::take(&mut space);
            if let TokenKind::Word(name) = &next.token.kind {
                let name = name.clone();
                if !hides(&next.hide, &name) {
                    if let Some(lines) = self.try_expand(&name, &next, input) {
                        match input.stack.last_mut() {
                            Some(first) if !lines.empty => {
                                first.token.newline_before = next.token.newline_before;
                                first.token.space_before = next.token.space_before;
                            }
                            _ => {
                                newline = next.token.newline_before;
                                space = next.token.space_before;
                            }
                        }
                        // The lines that the arguments stood on end after the call.
                        if lines.several {
                            if let Some(after) = lines.after(input) {
                                after.token.newline_before = true;
                            } else if input.files {
                                self.line_ended = true;
                            }
                        }
                        continue;
                    }
                }
            }
            self.tokens_made += 1;
            if self.tokens_made > MAX_TOKENS {
                let outer = self.sources.written(next.token.span);
                self.stop(
                    outer,
                    format!(
                        "the model has more than {MAX_TOKENS} tokens once its macros are expanded"
                    ),
                );
                break;
            }
            output.push(next);
        }
        output
    }

    /// Puts the macro's replacement on the stack, if the name is one's and,
    /// for a function-like macro, arguments follow.
    fn try_expand(&mut self, name: &Name, at: &Hidden, input: &mut Input) -> Option<Replaced> {
        let Some(definition) = self.macros.get(name) else {
            return self.predefined(name, at, input);
        };
        let definition = definition.clone();
        if hide::count(&at.hide) >= MAX_MACRO_CHAIN {
            let outer = self.sources.written(at.token.span);
            self.stop(outer, format!("macros use macros more than {MAX_MACRO_CHAIN} deep"));
            return None;
        }
        let Some(params) = &definition.params else {
            let expansion = self.expansion(name, at.token.span, definition.name);
            let body =
                definition.body.iter().map(|t| Hidden { token: moved(t, expansion), hide: None });
            let hide = with(&at.hide, name);
            return Some(self.push(input, body.collect(), &hide, false));
        };
        let open = self.pull(input)?;
        if !open.token.is(Punct::LeftParen) {
            input.stack.push(open);
            return None;
        }
        let call = match self.arguments(name, at, input) {
            Ok(call) => call,
            Err(()) => return Some(self.push(input, Vec::new(), &None, false)),
        };
        let Some(args) = self.fit(name, &definition, params, call.args, call.span) else {
            // A number in its place keeps the parser from complaining as well.
            let zero = Token {
                kind: TokenKind::Number(self.intern("0")),
                span: call.span,
                ..at.token.clone()
            };
            return Some(self.push(input, vec![zero.into()], &None, call.lines));
        };
        let expansion = self.expansion(name, call.span, definition.name);
        let body = self.substitute(&definition, params, args, expansion, input.depth);
        let hide = with(&intersection(&at.hide, &call.hide), name);
        Some(self.push(input, body, &hide, call.lines))
    }

    fn push(
        &mut self,
        input: &mut Input,
        body: Vec<Hidden>,
        hide: &HideSet,
        several: bool,
    ) -> Replaced {
        let replaced = Replaced { empty: body.is_empty(), several, below: input.stack.len() };
        for mut hidden in body.into_iter().rev() {
            hidden.hide = union(&hidden.hide, hide);
            input.stack.push(hidden);
        }
        replaced
    }

    fn expansion(&mut self, name: &Name, call: Span, definition: Span) -> ExpansionId {
        self.expansions += 1;
        if self.expansions > MAX_EXPANSIONS {
            let outer = self.sources.written(call);
            self.stop(outer, format!("macros are used more than {MAX_EXPANSIONS} times"));
        }
        self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            what: "expansion of macro",
            name: name.clone(),
            call,
            definition,
        })
    }

    /// `__LINE__`, `__FILE__`, and the macro that says who reads.
    fn predefined(&mut self, name: &Name, at: &Hidden, input: &mut Input) -> Option<Replaced> {
        let kind = match &**name {
            "__LINE__" => {
                let line = self.sources.location(self.sources.written(at.token.span)).line;
                TokenKind::Number(self.intern(&line.to_string()))
            }
            "__FILE__" => {
                let file = self.sources.location(self.sources.written(at.token.span)).file;
                TokenKind::Str(self.intern(&file))
            }
            super::ISOSPIN => TokenKind::Number(self.intern("1")),
            _ => return None,
        };
        let token = Token { kind, ..at.token.clone() };
        Some(self.push(input, vec![token.into()], &None, false))
    }

    /// The arguments up to the `)`, whose `(` has been read.
    fn arguments(&mut self, name: &Name, at: &Hidden, input: &mut Input) -> Result<Call, ()> {
        let mut args = vec![Vec::new()];
        let mut nesting = 0usize;
        let mut lines = false;
        while let Some(mut next) = self.pull(input) {
            lines |= next.token.newline_before;
            match &next.token.kind {
                TokenKind::Punct(Punct::LeftParen) if nesting >= MAX_ARGUMENT_NESTING => {
                    let outer = self.sources.written(next.token.span);
                    let message = format!(
                        "parentheses are nested more than {MAX_ARGUMENT_NESTING} deep in the \
                         arguments of macro `{name}`"
                    );
                    self.stop(outer, message);
                    return Err(());
                }
                TokenKind::Punct(Punct::LeftParen) => nesting += 1,
                TokenKind::Punct(Punct::RightParen) if nesting == 0 => {
                    return Ok(Call {
                        args,
                        hide: next.hide,
                        span: self.sources.join(at.token.span, next.token.span),
                        lines,
                    });
                }
                TokenKind::Punct(Punct::RightParen) => nesting -= 1,
                TokenKind::Punct(Punct::Comma) if nesting == 0 => {
                    args.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            next.token.space_before |= next.token.newline_before;
            next.token.newline_before = false;
            args.last_mut().expect("one argument at least").push(next);
        }
        if !self.stopped {
            let message = format!("the arguments of macro `{name}` have no closing parenthesis");
            self.report(Diagnostic::error(at.token.span, message));
        }
        Err(())
    }

    /// As many arguments as parameters, or a message.
    fn fit(
        &mut self,
        name: &Name,
        definition: &Macro,
        params: &[Name],
        mut args: Vec<Vec<Hidden>>,
        span: Span,
    ) -> Option<Vec<Vec<Hidden>>> {
        if params.is_empty() && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        if definition.variadic {
            while args.len() > params.len() {
                let last = args.pop().expect("more arguments than parameters");
                let into = args.last_mut().expect("one parameter at least");
                into.push(Hidden::from(Token {
                    kind: TokenKind::Punct(Punct::Comma),
                    span,
                    newline_before: false,
                    space_before: false,
                }));
                into.extend(last);
            }
            if args.len() + 1 == params.len() {
                args.push(Vec::new());
            }
        }
        if args.len() == params.len() {
            return Some(args);
        }
        let message = format!(
            "macro `{name}` takes {} but {} given",
            count(params.len(), "argument"),
            match args.len() {
                1 => "1 is".to_owned(),
                n => format!("{n} are"),
            },
        );
        self.report(
            Diagnostic::error(span, message).note_at(definition.name, "the macro is defined here"),
        );
        None
    }

    /// The body with the arguments put in, `#` and `##` done.
    fn substitute(
        &mut self,
        definition: &Macro,
        params: &[Name],
        args: Vec<Vec<Hidden>>,
        expansion: ExpansionId,
        depth: usize,
    ) -> Vec<Hidden> {
        let body = &definition.body;
        let positions: HashMap<&Name, usize> =
            params.iter().enumerate().map(|(k, name)| (name, k)).collect();
        let parameter = |token: &Token| positions.get(token.word()?).copied();
        let mut expanded: Vec<Option<Vec<Hidden>>> = vec![None; args.len()];
        let mut output: Vec<Hidden> = Vec::new();
        let (mut i, mut before) = (0, 0);
        while i < body.len() {
            let token = &body[i];
            let pasted_next = body.get(i + 1).is_some_and(|t| t.is(Punct::HashHash));
            if token.is(Punct::Hash) {
                if let Some(arg) = body.get(i + 1).and_then(parameter) {
                    output.push(self.quote(&args[arg], token, expansion));
                    i += 2;
                    continue;
                }
            }
            if token.is(Punct::HashHash) && i + 1 < body.len() {
                let right = match parameter(&body[i + 1]) {
                    Some(arg) => args[arg].clone(),
                    None => vec![moved(&body[i + 1], expansion).into()],
                };
                self.paste(&mut output, right);
                i += 2;
                continue;
            }
            check_many(1 + (output.len() - before) as u32);
            before = output.len();
            match parameter(token) {
                // Next to `##` an argument goes in as it was written.
                Some(arg) if pasted_next => output.extend(args[arg].iter().cloned()),
                Some(arg) => {
                    if expanded[arg].is_none() {
                        expanded[arg] = Some(self.expand_argument(&args[arg], depth));
                    }
                    let mut tokens = expanded[arg].clone().unwrap_or_default();
                    if let Some(first) = tokens.first_mut() {
                        first.token.space_before = token.space_before;
                    }
                    output.extend(tokens);
                }
                None => output.push(moved(token, expansion).into()),
            }
            i += 1;
            if output.len() > MAX_TOKENS {
                let span = self.sources.written(definition.name);
                self.stop(span, "this macro expands without end".into());
                break;
            }
        }
        output
    }

    fn expand_argument(&mut self, arg: &[Hidden], depth: usize) -> Vec<Hidden> {
        if depth >= MAX_MACRO_DEPTH {
            let span = arg.first().map_or(Span::NONE, |h| h.token.span);
            let message =
                format!("macro calls are nested more than {MAX_MACRO_DEPTH} deep in arguments");
            self.stop(span, message);
            return Vec::new();
        }
        let mut input =
            Input { stack: arg.iter().rev().cloned().collect(), files: false, depth: depth + 1 };
        self.expand(&mut input)
    }

    /// `#parameter`: the argument's text as a string.
    fn quote(&mut self, arg: &[Hidden], at: &Token, expansion: ExpansionId) -> Hidden {
        let tokens: Vec<Token> = arg.iter().map(|h| h.token.clone()).collect();
        let text = text_of(&tokens).replace('\\', "\\\\").replace('"', "\\\"");
        let kind = TokenKind::Str(self.intern(&text));
        Hidden::from(Token { kind, ..moved(at, expansion) })
    }

    /// `left ## right`: joins the last token so far with the first to come.
    fn paste(&mut self, output: &mut Vec<Hidden>, right: Vec<Hidden>) {
        let mut right = right.into_iter();
        if let Some(first) = right.next() {
            match output.last_mut() {
                None => output.push(first),
                Some(last) => {
                    let text = format!("{}{}", last.token, first.token);
                    let mut lexed = super::lexer::lex(&text, 0, &mut self.names, usize::MAX);
                    match (lexed.tokens.pop(), lexed.tokens.is_empty()) {
                        (Some(one), true) => last.token.kind = one.kind,
                        _ => output.push(first),
                    }
                }
            }
        }
        output.extend(right);
    }
}

/// What became of a macro's use.
struct Replaced {
    /// It left nothing behind.
    empty: bool,
    /// Its arguments stood on several lines.
    several: bool,
    /// How many tokens of the stack are not its own.
    below: usize,
}

impl Replaced {
    /// The token after the replacement, if it is on the stack.
    fn after<'i>(&self, input: &'i mut Input) -> Option<&'i mut Hidden> {
        input.stack[..self.below].last_mut()
    }
}

/// A token of a macro's body, in an expansion of the macro.
fn moved(token: &Token, expansion: ExpansionId) -> Token {
    Token { span: token.span.within(expansion), newline_before: false, ..token.clone() }
}

fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
