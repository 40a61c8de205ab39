//! Source text and what is said about it, for every front end: files and places in them, how
//! text came to stand where it stands, diagnostics with levels, and how they are shown.
//!
//! - [`SourceMap`]: files, [`Span`]s, [`Expansion`]s, [`Location`]s;
//! - [`Diagnostic`]: errors and warnings with their places;
//! - [`Lint`], [`LintLevels`]: the kinds of warnings, which each language declares with
//!   [`lints!`], and what happens with each;
//! - [`render`]: diagnostics as text, in the style of rustc;
//! - [`nearest`]: the name that was probably meant;
//! - [`visible`]: text of others, made harmless for a terminal.
//!
//! Nothing here knows a language, and nothing here reads files.
#![forbid(unsafe_code)]

mod diagnostic;
mod expansion;
mod file;
mod lint;
mod map;
mod name;
mod render;
mod span;
mod suggest;
mod visible;

pub use diagnostic::{sort, Diagnostic, Note, Severity};
pub use expansion::{Expansion, ExpansionKind};
pub use file::{Location, SourceFile};
pub use lint::{Level, Lint, LintLevels};
pub use map::{Excerpt, SourceMap, MAX_SOURCE_BYTES};
pub use name::Name;
pub use render::{render, Style, MAX_SHOWN};
pub use span::{ExpansionId, Span};
pub use suggest::nearest;
pub use visible::visible;
