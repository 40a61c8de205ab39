//! The stream of tokens as the grammar sees it: bodies of inlines spliced in,
//! and separators added and dropped.
//!
//! Promela lets most semicolons go, and Spin decides token by token which:
//! the end of a line is a semicolon after a token that can end a statement
//! (inside a body and outside parentheses), `else` and `}` are followed by one
//! where nothing else separates, and a separator before `}` or before another
//! separator does not count. The parser tells the reader where it is.

use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_source::Span;

/// What the rules about separators distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// A separator: `;` or `->`.
    Separator,
    RightBrace,
    Else,
    /// A token after which the end of a line ends the statement.
    Ender,
    /// `fi`, after which the same holds, and before which `else` needs nothing.
    Fi,
    /// Words before which `}` needs no separator: `proctype`, `init`, `never`,
    /// `::`, `od`, `unless`.
    AfterBrace,
    /// `od`, which is both.
    Od,
    End,
    Other,
}

/// A list of tokens that is being read.
struct TokenList {
    tokens: std::vec::IntoIter<Token>,
    /// Whether it is the body of an inline.
    inline: bool,
}

/// Reads tokens, adding and dropping separators.
pub(super) struct Reader {
    lists: Vec<TokenList>,
    waiting: Option<Token>,
    held: Option<Token>,
    /// The last token that was handed out; `Other` after an added separator.
    last: Class,
    /// The last token that was read, for the ends of lines.
    last_read: Class,
    last_span: Span,
    end: Token,
    /// Inside a body or a typedef, where the end of a line may end a statement.
    pub in_body: bool,
    /// How many parentheses are open.
    pub parens: usize,
    /// Inside an ltl formula, where `->` is an operator.
    pub in_formula: bool,
    /// Inside the parentheses of a `for`, where `in` is a keyword.
    pub in_for: bool,
    /// The names that the grammar knows.
    pub names: Names,
}

/// The names that the grammar has to know to read on.
#[derive(Default)]
pub(super) struct Names {
    pub typedefs: std::collections::HashSet<isospin_source::Name>,
    pub proctypes: std::collections::HashSet<isospin_source::Name>,
    pub inlines:
        std::collections::HashMap<isospin_source::Name, std::rc::Rc<super::inlines::Inline>>,
}

impl Names {
    /// Whether the word cannot be a variable's name.
    fn reserved(&self, word: &str) -> bool {
        self.typedefs.contains(word)
            || self.proctypes.contains(word)
            || self.inlines.contains_key(word)
    }
}

impl Reader {
    pub fn new(tokens: Vec<Token>, names: Names) -> Self {
        let end = tokens.last().cloned().unwrap_or(Token {
            kind: TokenKind::End,
            span: Span::NONE,
            newline_before: true,
            space_before: true,
        });
        Reader {
            lists: vec![TokenList { tokens: tokens.into_iter(), inline: false }],
            waiting: None,
            held: None,
            last: Class::Other,
            last_read: Class::Other,
            last_span: Span::NONE,
            end,
            in_body: false,
            parens: 0,
            in_formula: false,
            in_for: false,
            names,
        }
    }

    /// Whether the tokens come from the body of an inline.
    pub fn in_inline(&self) -> bool {
        self.lists.last().is_some_and(|f| f.inline)
    }

    /// Goes on with the body of an inline.
    pub fn splice(&mut self, body: Vec<Token>) {
        debug_assert!(self.waiting.is_none() && self.held.is_none());
        self.lists.push(TokenList { tokens: body.into_iter(), inline: true });
        self.last_read = Class::Separator;
    }

    /// Ends the input here, after an error that cannot be recovered from.
    pub fn stop(&mut self) {
        self.lists.clear();
        self.waiting = None;
        self.held = None;
    }

    /// The next token without any rule: for texts that are not Promela (yet).
    pub fn raw(&mut self) -> Token {
        let token = match self.held.take().or_else(|| self.waiting.take()) {
            Some(token) => token,
            None => self.pull(),
        };
        self.last_span = token.span;
        let class = self.class(&token);
        self.last = class;
        self.last_read = class;
        token
    }

    /// Whether the token after the one that was handed out last is `punct`,
    /// with nothing between.
    pub fn follows(&self, punct: Punct) -> bool {
        let next = match (&self.held, &self.waiting) {
            (Some(token), _) | (None, Some(token)) => Some(token),
            (None, None) => self.lists.last().and_then(|f| f.tokens.as_slice().first()),
        };
        next.is_some_and(|t| t.is(punct) && !t.space_before)
    }

    /// Whether an index follows the token that was handed out last, rather than `[]`.
    pub fn index_follows(&self) -> bool {
        let rest = self.lists.last().map_or(&[][..], |f| f.tokens.as_slice());
        let second = match (&self.held, &self.waiting) {
            (None, None) => rest.get(1),
            _ => rest.first(),
        };
        self.follows(Punct::LeftBracket) && !second.is_some_and(|t| t.is(Punct::RightBracket))
    }

    /// The tokens up to the `}` that closes a `{` just read; none is consumed.
    pub fn up_to_brace(&self) -> Vec<Token> {
        let rest = match self.lists.last() {
            Some(list) => list.tokens.as_slice(),
            None => &[],
        };
        let mut braces = 0usize;
        let length = rest.iter().position(|token| {
            braces += usize::from(token.is(Punct::LeftBrace));
            if token.is(Punct::RightBrace) {
                if braces == 0 {
                    return true;
                }
                braces -= 1;
            }
            token.kind == TokenKind::End
        });
        rest[..length.unwrap_or(rest.len())].to_vec()
    }

    fn pull(&mut self) -> Token {
        while let Some(list) = self.lists.last_mut() {
            match list.tokens.next() {
                Some(token) => return token,
                None => {
                    self.lists.pop();
                }
            }
        }
        self.end.clone()
    }

    /// The next token after the rule about the ends of lines.
    fn lex(&mut self) -> Token {
        let token = match self.waiting.take() {
            Some(token) => token,
            None => self.pull(),
        };
        if token.newline_before && self.in_body && self.parens == 0 && self.line_ends(&token) {
            self.last_read = Class::Separator;
            self.waiting = Some(token);
            return self.separator();
        }
        self.last_span = token.span;
        self.last_read = self.class(&token);
        token
    }

    fn line_ends(&self, next: &Token) -> bool {
        match self.last_read {
            // Meant for `unless`, but Spin looks at the first letter alone.
            Class::RightBrace => !next.word().is_some_and(|w| w.starts_with('u')),
            Class::Else | Class::Fi | Class::Od | Class::Ender => true,
            _ => false,
        }
    }

    /// The next token of the grammar.
    pub fn next(&mut self) -> Token {
        let mut token;
        if let Some(held) = self.held.take() {
            self.last_read = self.class(&held);
            token = held;
        } else {
            token = self.lex();
            let class = self.class(&token);
            let added = match self.last {
                Class::Else => !matches!(class, Class::Separator | Class::Fi),
                Class::RightBrace => !matches!(
                    class,
                    Class::AfterBrace
                        | Class::Od
                        | Class::Fi
                        | Class::RightBrace
                        | Class::Separator
                        | Class::End
                ),
                _ => false,
            };
            if added {
                let separator = self.separator();
                self.held = Some(token);
                self.last = Class::Other;
                self.last_read = Class::Separator;
                return separator;
            }
            if class == Class::Separator {
                let next = self.lex();
                if matches!(self.class(&next), Class::RightBrace | Class::Separator) {
                    token = next;
                } else {
                    self.held = Some(next);
                }
            }
        }
        self.last = self.class(&token);
        token
    }

    fn separator(&self) -> Token {
        Token {
            kind: TokenKind::Punct(Punct::Semicolon),
            span: self.last_span.after(),
            newline_before: false,
            space_before: false,
        }
    }

    fn class(&self, token: &Token) -> Class {
        match &token.kind {
            TokenKind::Punct(punct) => match punct {
                Punct::Semicolon => Class::Separator,
                Punct::Arrow if !self.in_formula => Class::Separator,
                Punct::RightBrace => Class::RightBrace,
                Punct::DoubleColon => Class::AfterBrace,
                Punct::RightParen | Punct::RightBracket | Punct::PlusPlus | Punct::MinusMinus => {
                    Class::Ender
                }
                _ => Class::Other,
            },
            TokenKind::Number(_) | TokenKind::Char(_) => Class::Ender,
            TokenKind::Word(word) => match Keyword::from_word(word) {
                Some(keyword) => match keyword {
                    Keyword::Else => Class::Else,
                    Keyword::Fi => Class::Fi,
                    Keyword::Od => Class::Od,
                    Keyword::Proctype | Keyword::Init | Keyword::Never | Keyword::Unless => {
                        Class::AfterBrace
                    }
                    Keyword::Break
                    | Keyword::CCode
                    | Keyword::CExpr
                    | Keyword::CDecl
                    | Keyword::True
                    | Keyword::False
                    | Keyword::Skip => Class::Ender,
                    Keyword::In if !self.in_for => Class::Ender,
                    // Spin puts parentheses around it, except in inlines.
                    Keyword::Timeout if !self.in_inline() => Class::Ender,
                    _ => Class::Other,
                },
                None if self.names.reserved(word) => Class::Other,
                None => Class::Ender,
            },
            TokenKind::End => Class::End,
            TokenKind::Str(_) | TokenKind::Unknown(_) => Class::Other,
        }
    }
}
