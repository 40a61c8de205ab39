//! Tokens: what the preprocessor hands to the parser.

use isospin_source::{Name, Span};

/// A token with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where its text stands, and which expansion brought it.
    pub span: Span,
    /// Whether it is the first on its line once directives and macros are
    /// gone; the end of a line can end a statement.
    pub newline_before: bool,
    /// Whether white space (or a line's start) comes before it.
    pub space_before: bool,
}

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Word(Name),
    /// Decimal digits, as written.
    Number(Name),
    /// What is between double quotes, escapes as written.
    Str(Name),
    /// What is between single quotes, escapes as written.
    Char(Name),
    /// An operator or a bracket.
    Punct(Punct),
    /// A character that means nothing here.
    Unknown(char),
    /// The end of the input.
    End,
}

macro_rules! puncts {
    ($($variant:ident = $text:literal,)*) => {
        /// An operator or a bracket.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Punct { $($variant,)* }

        impl Punct {
            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $(Punct::$variant => $text,)* }
            }
        }
    };
}

puncts! {
    LeftBrace = "{", RightBrace = "}", LeftParen = "(", RightParen = ")",
    LeftBracket = "[", RightBracket = "]",
    Semicolon = ";", Comma = ",", Colon = ":", DoubleColon = "::",
    Dot = ".", DotDot = "..", At = "@", Arrow = "->",
    Plus = "+", PlusPlus = "++", Minus = "-", MinusMinus = "--",
    Star = "*", Slash = "/", Percent = "%",
    Ampersand = "&", AndAnd = "&&", Bar = "|", OrOr = "||", Caret = "^", Tilde = "~",
    Less = "<", LessEqual = "<=", ShiftLeft = "<<",
    Greater = ">", GreaterEqual = ">=", ShiftRight = ">>",
    Assign = "=", Equal = "==", Bang = "!", NotEqual = "!=", BangBang = "!!",
    Question = "?", QuestionQuestion = "??",
    Hash = "#", HashHash = "##",
}

impl Punct {
    /// The longest operator or bracket at the start of the text.
    pub fn at_start_of(text: &[u8]) -> Option<Punct> {
        use Punct::*;
        let second = text.get(1).copied().unwrap_or(0);
        // The first that matches the second byte, or else the one-byte operator.
        let (pairs, single): (&[(u8, Punct)], Option<Punct>) = match text.first()? {
            b'{' => (&[], Some(LeftBrace)),
            b'}' => (&[], Some(RightBrace)),
            b'(' => (&[], Some(LeftParen)),
            b')' => (&[], Some(RightParen)),
            b'[' => (&[], Some(LeftBracket)),
            b']' => (&[], Some(RightBracket)),
            b';' => (&[], Some(Semicolon)),
            b',' => (&[], Some(Comma)),
            b':' => (&[(b':', DoubleColon)], Some(Colon)),
            b'.' => (&[(b'.', DotDot)], Some(Dot)),
            b'@' => (&[], Some(At)),
            b'+' => (&[(b'+', PlusPlus)], Some(Plus)),
            b'-' => (&[(b'>', Arrow), (b'-', MinusMinus)], Some(Minus)),
            b'*' => (&[], Some(Star)),
            b'/' => (&[], Some(Slash)),
            b'%' => (&[], Some(Percent)),
            b'&' => (&[(b'&', AndAnd)], Some(Ampersand)),
            b'|' => (&[(b'|', OrOr)], Some(Bar)),
            b'^' => (&[], Some(Caret)),
            b'~' => (&[], Some(Tilde)),
            b'<' => (&[(b'<', ShiftLeft), (b'=', LessEqual)], Some(Less)),
            b'>' => (&[(b'>', ShiftRight), (b'=', GreaterEqual)], Some(Greater)),
            b'=' => (&[(b'=', Equal)], Some(Assign)),
            b'!' => (&[(b'=', NotEqual), (b'!', BangBang)], Some(Bang)),
            b'?' => (&[(b'?', QuestionQuestion)], Some(Question)),
            b'#' => (&[(b'#', HashHash)], Some(Hash)),
            _ => (&[], None),
        };
        pairs.iter().find(|(byte, _)| *byte == second).map_or(single, |(_, punct)| Some(*punct))
    }
}

impl Token {
    /// Whether it is that operator or bracket.
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&Name> {
        match &self.kind {
            TokenKind::Word(name) => Some(name),
            _ => None,
        }
    }
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            TokenKind::Word(text) | TokenKind::Number(text) => f.write_str(text),
            TokenKind::Str(text) => write!(f, "\"{text}\""),
            TokenKind::Char(text) => write!(f, "'{text}'"),
            TokenKind::Punct(punct) => f.write_str(punct.text()),
            TokenKind::Unknown(c) => write!(f, "{c}"),
            TokenKind::End => f.write_str("end of file"),
        }
    }
}

/// Whether white space must stand between two tokens: because some does, or
/// because they come from different places and would run into each other.
pub(crate) fn apart(left: &Token, right: &Token) -> bool {
    let wordy = |t: &Token| matches!(t.kind, TokenKind::Word(_) | TokenKind::Number(_));
    let adjacent = left.span.expansion == right.span.expansion && left.span.end == right.span.start;
    right.space_before || right.newline_before || (wordy(left) && wordy(right)) || !adjacent
}

/// The tokens as text, on one line.
pub fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && apart(&tokens[i - 1], token) {
            text.push(' ');
        }
        text.push_str(&token.to_string());
    }
    text
}
