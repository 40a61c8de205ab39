//! From the tree to a system: names, types, and what is wrong with either.
//!
//! | file | what it does |
//! | --- | --- |
//! | `types.rs` | constants and types |
//! | `names.rs` | what names mean where |
//! | `expressions.rs`, `places.rs` | expressions and where values are stored |
//! | `routes.rs` | signals and routes |
//! | `processes.rs` | processes, states, transitions |
//! | `statements.rs` | statements |
//! | `properties.rs` | expressions of properties, which may look everywhere |

mod expressions;
mod names;
mod places;
mod processes;
mod properties;
mod routes;
mod statements;
mod types;

use isospin_source::{Diagnostic, Span};

use crate::syntax::ast;
use crate::system::System;
use names::Names;

pub use names::Names as Symbols;
pub use properties::property;

/// What a system means, and what is wrong with it.
pub struct Elaborated {
    /// The system.
    pub system: System,
    /// What its names mean.
    pub symbols: Symbols,
}

/// Understands a tree.
pub fn elaborate(tree: &ast::System, errors: &mut Vec<Diagnostic>) -> Elaborated {
    let mut me = Elaborator {
        system: System { name: tree.name.clone(), ..System::default() },
        names: Names::default(),
        scope: Scope::default(),
        bound: Vec::new(),
        errors,
    };
    me.declare(tree);
    Elaborated { system: me.system, symbols: me.names }
}

/// Whose declarations are seen.
#[derive(Clone, Copy, Default)]
struct Scope {
    process: Option<usize>,
    /// Whether a property is read, which is nobody's.
    property: bool,
}

struct Elaborator<'d> {
    system: System,
    names: Names,
    scope: Scope,
    /// The variables of quantifiers and choices that are seen, by name.
    bound: Vec<names::Bound>,
    errors: &'d mut Vec<Diagnostic>,
}

impl Elaborator<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }
}
