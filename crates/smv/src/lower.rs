//! From instances to the parts of a relation.

mod assign;
mod circular;

use isospin_relation::{
    Duty, ExprId, Kind, Obligation, Part, Place, Property, Relation, Specification, Support,
};
use isospin_source::{Diagnostic, SourceMap, Span};

use crate::elaborate::Time;
use crate::flatten::{Flattener, Result, ScopeId};
use crate::lints;
use crate::syntax::{Element, Expr, Ident, SpecKind, Tree};
use crate::Options;
use assign::Assignments;

/// The relation of a model, the places that it names, and what is to be said about the model.
pub(crate) fn lower(
    tree: &Tree,
    sources: &SourceMap,
    options: &Options,
) -> (Relation, Vec<Span>, Vec<Diagnostic>) {
    let mut flattener = Flattener::new(tree, sources, options);
    if flattener.instantiate().is_ok() {
        flattener.sections();
    }
    (flattener.relation, flattener.places, flattener.diagnostics)
}

impl Flattener<'_> {
    fn sections(&mut self) {
        let mut assignments = Assignments::default();
        for scope in 0..self.scopes.len() {
            for element in self.scopes[scope].elements.clone() {
                // What is wrong was reported; the other sections are looked at all the same.
                let _: Result<()> = self.section(scope, element, &mut assignments);
            }
        }
        self.assignments(assignments);
    }

    fn section(
        &mut self,
        scope: ScopeId,
        element: &Element,
        assignments: &mut Assignments,
    ) -> Result<()> {
        match element {
            Element::Define { name, .. } => {
                let (owner, text) = self.owner(scope, &name.text);
                let item = self.lookup(owner, &text, name.span)?;
                if let crate::flatten::Item::Value(_, expr) = item {
                    let name = self.qualified(owner, &text);
                    self.relation.definitions.push((name, expr));
                }
                Ok(())
            }
            Element::Assign { kind, target, value } => {
                self.assignment(scope, *kind, *target, *value, assignments)
            }
            Element::Init(expr) => {
                let root = self.truth(*expr, scope)?;
                self.about_states("an initial condition", root, *expr)?;
                let parts = self.parts(root, self.tree.span(*expr));
                self.relation.init.extend(parts);
                Ok(())
            }
            Element::Invar(expr) => {
                let root = self.truth(*expr, scope)?;
                self.about_states("an invariant", root, *expr)?;
                let parts = self.parts(root, self.tree.span(*expr));
                self.relation.invariants.extend(parts);
                Ok(())
            }
            Element::Trans(expr) => {
                let root = self.truth(*expr, scope)?;
                let parts = self.parts(root, self.tree.span(*expr));
                self.relation.transitions.extend(parts);
                Ok(())
            }
            Element::Justice(expr) => {
                let part = self.fairness(scope, *expr)?;
                self.relation.justice.push(part);
                Ok(())
            }
            Element::Compassion(first, second) => {
                let pair = (self.fairness(scope, *first)?, self.fairness(scope, *second)?);
                // What happens infinitely often is looked for among states; of inputs there could
                // be others each time.
                self.about_states("COMPASSION", pair.0.expr, *first)?;
                self.about_states("COMPASSION", pair.1.expr, *second)?;
                self.relation.compassion.push(pair);
                Ok(())
            }
            Element::Spec { kind, name, formulas, span } => {
                self.specification(scope, *kind, name.as_ref(), formulas, *span)
            }
            Element::Variable { .. } | Element::Constants(_) | Element::Isa(_) => Ok(()),
        }
    }

    fn fairness(&mut self, scope: ScopeId, expr: Expr) -> Result<Part> {
        let root = self.truth(expr, scope)?;
        let support = Support::of(&self.relation.expressions, root);
        if support.writes().next().is_some() {
            return self.error(self.tree.span(expr), "a fairness condition cannot have a `next`");
        }
        let place = self.place(self.tree.span(expr));
        self.has_value(root, place);
        Ok(Part { expr: root, place })
    }

    /// The conjuncts of what has to be true, each a part.
    pub(crate) fn parts(&mut self, root: ExprId, span: Span) -> Vec<Part> {
        let place = self.place(span);
        self.has_value(root, place);
        let conjuncts = self.relation.expressions.conjuncts(root);
        conjuncts.into_iter().map(|expr| Part { expr, place }).collect()
    }

    /// Demands that an expression has a value.
    pub(crate) fn has_value(&mut self, root: ExprId, place: Option<Place>) {
        let defined = self.relation.expressions.defined(root);
        if self.relation.expressions.as_constant(defined) != Some(1) {
            let duty = Duty::Defined(root);
            self.relation.obligations.push(Obligation { expr: defined, duty, place });
        }
    }

    /// Refuses next values and inputs.
    fn about_states(&mut self, what: &str, root: ExprId, expr: Expr) -> Result<()> {
        let support = Support::of(&self.relation.expressions, root);
        let span = self.tree.span(expr);
        if support.writes().next().is_some() {
            return self.error(span, format!("{what} cannot have a `next`"));
        }
        let mut reads = support.reads();
        let input = reads.find(|v| self.relation.variable(*v).kind == Kind::Input);
        if let Some(input) = input {
            let name = &self.relation.variable(input).name;
            let message = format!("{what} is about states, and `{name}` is an input");
            return self.error(span, message);
        }
        Ok(())
    }

    fn specification(
        &mut self,
        scope: ScopeId,
        kind: SpecKind,
        name: Option<&Ident>,
        formulas: &[Expr],
        span: Span,
    ) -> Result<()> {
        let property = match (kind, formulas) {
            (SpecKind::Psl, _) => {
                let message = "this specification is not checked: PSL is not supported";
                let warning = Diagnostic::warning(lints::PSL, span, message);
                self.diagnostics.push(warning.help("LTLSPEC has past operators too"));
                return Ok(());
            }
            (SpecKind::Ctl, [f]) => {
                let formula = self.formula(*f, scope, Time::Branching)?;
                for atom in formula.atoms().collect::<Vec<_>>() {
                    self.about_states("a formula of branching time", atom, *f)?;
                }
                Property::Ctl(formula)
            }
            (SpecKind::Ltl, [f]) => Property::Ltl(self.formula(*f, scope, Time::Linear)?),
            (SpecKind::Invariant, [f]) => {
                let node = self.tree.node(*f);
                if node.temporal.linear || node.temporal.branching {
                    let message = "an invariant has no temporal operators";
                    return self.error(node.span, message);
                }
                Property::Invariant(self.truth(*f, scope)?)
            }
            (_, [from, to]) => {
                let from = self.formula(*from, scope, Time::Branching)?;
                let to = self.formula(*to, scope, Time::Branching)?;
                Property::Compute { longest: kind == SpecKind::Longest, from, to }
            }
            _ => return self.error(span, "this specification is incomplete"),
        };
        let place = self.place(span);
        let atoms: Vec<ExprId> = match &property {
            Property::Ctl(f) | Property::Ltl(f) => f.atoms().collect(),
            Property::Invariant(expr) => vec![*expr],
            Property::Compute { from, to, .. } => from.atoms().chain(to.atoms()).collect(),
        };
        for atom in atoms {
            self.has_value(atom, place);
        }
        let words: Vec<&str> = self.sources.text(span).split_whitespace().collect();
        let mut text = words.join(" ");
        if !self.scopes[scope].path.is_empty() {
            text = format!("{text} IN {}", self.scopes[scope].path);
        }
        let name = name.map(|name| self.qualified(scope, &name.text));
        self.relation.specifications.push(Specification { name, text, property, place });
        Ok(())
    }
}
