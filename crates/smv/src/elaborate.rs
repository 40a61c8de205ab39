//! Expressions: typed, and written as expressions of the relation.

mod formula;
mod operators;
mod sets;
mod words;

use std::rc::Rc;

use isospin_relation::{ExprId, Node, Trouble};
use isospin_source::Diagnostic;

pub(crate) use formula::Time;
pub(crate) use sets::SetNode;

use crate::flatten::{Flattener, Item, Result, ScopeId};
use crate::syntax::{Expr, ExprKind};
use crate::types::Ty;

/// Definitions may be nested at most so deeply.
const MAX_CALLS: u32 = 30_000;

impl Flattener<'_> {
    /// What an expression stands for in an instance.
    pub(crate) fn item(&mut self, expr: Expr, scope: ScopeId) -> Result<Item> {
        if self.depth == MAX_CALLS {
            return self.error(self.tree.span(expr), "this is nested too deeply");
        }
        self.depth += 1;
        let item = self.item_here(expr, scope);
        self.depth -= 1;
        item
    }

    fn item_here(&mut self, expr: Expr, scope: ScopeId) -> Result<Item> {
        let tree = self.tree;
        let node = tree.node(expr);
        let span = node.span;
        if let ExprKind::Index(..) | ExprKind::Dot(..) = &node.kind {
            if let Some(item) = self.complex(expr, scope) {
                return item;
            }
        }
        let table = &mut self.relation.expressions;
        match &node.kind {
            ExprKind::True => Ok(Item::Value(Ty::Boolean, table.truth(true))),
            ExprKind::False => Ok(Item::Value(Ty::Boolean, table.truth(false))),
            ExprKind::Number(number) => Ok(Item::Value(Ty::Integer, table.integer(*number))),
            ExprKind::Word { signed, width, bits } => {
                let ty = Ty::Word { signed: *signed, width: *width };
                Ok(Item::Value(ty, table.constant(*bits as i64, ty.sort())))
            }
            ExprKind::Name(name) => self.lookup(scope, name, span),
            ExprKind::SelfName => Ok(Item::Instance(scope)),
            ExprKind::Dot(owner, name) => match self.item(*owner, scope)? {
                Item::Instance(inner) => self.lookup_inside(inner, &name.text, name.span),
                Item::Array(low, items) => match name.text.parse::<i64>() {
                    Ok(index) => self.element(low, &items, index, span),
                    Err(_) => self.error(name.span, "an array has no names inside"),
                },
                _ => {
                    let message = format!("only an instance of a module has a `{}`", name.text);
                    self.error(name.span, message)
                }
            },
            ExprKind::Index(array, index) => self.index(*array, *index, scope, span),
            ExprKind::Slice(word, high, low) => self.slice(*word, *high, *low, scope, span),
            ExprKind::Unary(operator, operand) => self.unary(operator, *operand, scope, span),
            ExprKind::Binary(operator, left, right) => {
                self.binary(operator, *left, *right, scope, span)
            }
            ExprKind::Choose(condition, yes, no) => {
                let condition = self.truth(*condition, scope)?;
                let (yes_item, no_item) = (self.item(*yes, scope)?, self.item(*no, scope)?);
                self.choose(condition, yes_item, no_item, span)
            }
            ExprKind::Case(branches) => self.case(branches, scope, span),
            ExprKind::Set(values) => self.set(values, scope, span),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.constant(*low, scope)?, self.constant(*high, scope)?);
                if low > high {
                    return self.error(span, format!("the range {low}..{high} is empty"));
                }
                Ok(Item::Set(Ty::Integer, self.add_set(SetNode::Range(low, high))))
            }
            ExprKind::Array(values) => {
                let items: Result<Vec<Item>> =
                    values.iter().map(|value| self.item(*value, scope)).collect();
                Ok(Item::Array(0, Rc::new(items?)))
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments, scope, span),
            ExprKind::Next(inner) => {
                let item = self.item(*inner, scope)?;
                self.shifted(item, span)
            }
            ExprKind::Temporal(operator, ..) => {
                let message = format!("the temporal operator `{operator}` cannot stand here");
                self.error(span, message)
            }
        }
    }

    /// What was declared under a name that looks like an element or something in an instance.
    fn complex(&mut self, expr: Expr, scope: ScopeId) -> Option<Result<Item>> {
        // The components from the end, until an instance is met in which the rest is a name.
        let tree = self.tree;
        let (mut at, mut suffix) = (expr, String::new());
        loop {
            match &tree.node(at).kind {
                ExprKind::Name(name) => {
                    let key = format!("{name}{suffix}");
                    let declared =
                        self.scopes[scope].complex && self.scopes[scope].names.contains_key(&key);
                    return declared.then(|| self.lookup(scope, &key, tree.span(expr)));
                }
                ExprKind::Index(array, index) => {
                    let ExprKind::Number(index) = tree.node(*index).kind else { return None };
                    suffix = format!("[{index}]{suffix}");
                    at = *array;
                }
                ExprKind::Dot(owner, name) => {
                    suffix = format!("{}{suffix}", name.text);
                    if suffix.contains('[') && self.scopes.iter().any(|s| s.complex) {
                        if let Ok(Item::Instance(inner)) = self.quiet(*owner, scope) {
                            if self.scopes[inner].names.contains_key(&suffix) {
                                return Some(self.lookup(inner, &suffix, tree.span(expr)));
                            }
                        }
                    }
                    suffix = format!(".{suffix}");
                    at = *owner;
                }
                _ => return None,
            }
        }
    }

    /// What an expression stands for, without a word if it stands for nothing.
    fn quiet(&mut self, expr: Expr, scope: ScopeId) -> Result<Item> {
        let before = self.diagnostics.len();
        let item = self.item(expr, scope);
        self.diagnostics.truncate(before);
        item
    }

    /// What a name stands for in another instance: symbolic constants are not inside one.
    fn lookup_inside(
        &mut self,
        scope: ScopeId,
        name: &str,
        span: isospin_source::Span,
    ) -> Result<Item> {
        if self.scopes[scope].names.contains_key(name) || name == "running" {
            return self.lookup(scope, name, span);
        }
        let path = self.scopes[scope].path.clone();
        let of = if path.is_empty() { "main".into() } else { path };
        let message = format!("there is no `{name}` in `{of}`");
        let mut diagnostic = Diagnostic::error(span, message);
        let known: Vec<&str> = self.scopes[scope].names.keys().map(String::as_str).collect();
        if let Some(near) = isospin_source::nearest(name, known.into_iter()) {
            diagnostic = diagnostic.help(format!("there is `{near}`"));
        }
        self.report(diagnostic)
    }

    /// The same about the next state.
    fn shifted(&mut self, item: Item, span: isospin_source::Span) -> Result<Item> {
        match item {
            Item::Value(ty, expr) => {
                let support = isospin_relation::Support::of(&self.relation.expressions, expr);
                if support.writes().next().is_some() {
                    return self.error(span, "a `next` stands inside a `next`");
                }
                let input = |v| self.relation.variable(v).kind == isospin_relation::Kind::Input;
                if support.reads().any(input) {
                    return self.error(span, "an input has no next value");
                }
                Ok(Item::Value(ty, self.relation.expressions.shifted(expr)))
            }
            Item::Array(low, items) => {
                let items: Result<Vec<Item>> =
                    items.iter().map(|item| self.shifted(item.clone(), span)).collect();
                Ok(Item::Array(low, Rc::new(items?)))
            }
            _ => self.error(span, "only values have next values"),
        }
    }

    /// A single value.
    pub(crate) fn value(&mut self, expr: Expr, scope: ScopeId) -> Result<(Ty, ExprId)> {
        let item = self.item(expr, scope)?;
        self.single(item, self.tree.span(expr))
    }

    pub(crate) fn single(
        &mut self,
        item: Item,
        span: isospin_source::Span,
    ) -> Result<(Ty, ExprId)> {
        match item {
            Item::Value(ty, expr) => Ok((ty, expr)),
            Item::Set(..) => self.error(span, "this is a set, and a single value is needed"),
            Item::Array(..) => self.error(span, "this is an array, and a value is needed"),
            Item::Instance(scope) => {
                // An instance may have the name of a symbolic constant that was declared later.
                if let Some((number, _)) = self.symbols.get(&self.scopes[scope].path) {
                    let value = isospin_relation::SYMBOL_BASE + *number as i64;
                    return Ok((Ty::Symbolic, self.relation.expressions.integer(value)));
                }
                self.error(span, "this is an instance, and a value is needed")
            }
        }
    }

    /// A truth value.
    pub(crate) fn truth(&mut self, expr: Expr, scope: ScopeId) -> Result<ExprId> {
        let value = self.value(expr, scope)?;
        match self.as_truth(value) {
            Some(expr) => Ok(expr),
            None => {
                let span = self.tree.span(expr);
                let message = format!("this is {}, and a truth value is needed", value.0.words());
                let diagnostic = Diagnostic::error(span, message);
                let diagnostic = self.explain_old(diagnostic, value);
                self.report(diagnostic)
            }
        }
    }

    /// A truth value, or a number that stands for one in the old dialect.
    pub(crate) fn as_truth(&mut self, value: (Ty, ExprId)) -> Option<ExprId> {
        match value {
            (Ty::Boolean, expr) => Some(expr),
            (Ty::Integer, expr) if self.options.old_booleans => {
                let number = self.relation.expressions.as_constant(expr)?;
                (number == 0 || number == 1).then(|| self.relation.expressions.truth(number == 1))
            }
            _ => None,
        }
    }

    /// Adds what to do where 0 or 1 stands for a truth value.
    pub(crate) fn explain_old(&self, diagnostic: Diagnostic, value: (Ty, ExprId)) -> Diagnostic {
        let constant = self.relation.expressions.as_constant(value.1);
        if value.0 == Ty::Integer && matches!(constant, Some(0 | 1)) {
            let word = if constant == Some(1) { "TRUE" } else { "FALSE" };
            let help = format!("write {word}; --old-booleans accepts 0 and 1 for FALSE and TRUE");
            return diagnostic.help(help);
        }
        diagnostic
    }

    /// An integer that is known.
    pub(crate) fn constant(&mut self, expr: Expr, scope: ScopeId) -> Result<i64> {
        let span = self.tree.span(expr);
        match self.value(expr, scope)? {
            (Ty::Integer, id) => match self.relation.expressions.node(id) {
                Node::Constant(value) => Ok(value),
                _ => self.error(span, "this has to be a constant"),
            },
            (Ty::Word { .. }, _) => self.error(span, "this has to be an integer, not a word"),
            (ty, _) => {
                let message = format!("this is {}, and an integer constant is needed", ty.words());
                self.error(span, message)
            }
        }
    }

    /// Something that has no value, for a reason.
    pub(crate) fn undefined(
        &mut self,
        trouble: Trouble,
        ty: Ty,
        span: isospin_source::Span,
    ) -> ExprId {
        let place = self.place(span);
        self.relation.troubles.push((trouble, place));
        let reason = self.relation.troubles.len() as u32 - 1;
        self.relation.expressions.undefined(reason, ty.sort())
    }
}
