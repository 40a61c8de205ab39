//! How text came to stand where it was parsed.

use crate::{Name, Span};

/// What a person takes for the place of text that an expansion brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// Its use: the text replaced it before anything was parsed, as a macro's does.
    Macro,
    /// The definition's body: that was put in for a call, as an inline's is.
    Inline,
}

/// One use of a macro or one call of an inline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// Whose place counts.
    pub kind: ExpansionKind,
    /// What the language calls it, to be read between "in this" and the name: `expansion of
    /// macro`.
    pub what: &'static str,
    /// The name that was used.
    pub name: Name,
    /// Where it was used; its own expansion is the next one outwards.
    pub call: Span,
    /// Where its name is defined; [`Span::NONE`] for a macro of the command line.
    pub definition: Span,
}
