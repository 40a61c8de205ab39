//! Instantiation: variables get their names and domains, modules their instances.

use std::rc::Rc;

use isospin_relation::{Domain, Kind, VarId, Variable};
use isospin_source::{nearest, Diagnostic, Span};

use super::{Binding, Flattener, Item, Result, Scope, ScopeId};
use crate::syntax::{Element, Expr, ExprKind, Ident, Module, Type, VarKind};
use crate::types::Ty;

/// Instances are nested at most so deeply.
const MAX_INSTANCES: usize = 1 << 20;

/// Arrays have at most so many elements.
const MAX_ELEMENTS: i64 = 1 << 20;

impl<'t> Flattener<'t> {
    /// Instantiates the model from `main` on.
    pub(crate) fn instantiate(&mut self) -> Result<()> {
        let tree = self.tree;
        for (k, module) in tree.modules.iter().enumerate() {
            let name = &module.name;
            if let Some(first) = tree.modules[..k].iter().find(|m| m.name.text == name.text) {
                let message = format!("there are two modules called `{}`", name.text);
                let first = first.name.span;
                let twice = Diagnostic::error(name.span, message);
                return self.report(twice.note_at(first, "the first one is here"));
            }
        }
        let Some(main) = tree.modules.iter().find(|m| m.name.text == "main") else {
            return self.error(Span::NONE, "there is no module called `main`");
        };
        if let Some(parameter) = main.parameters.first() {
            return self.error(parameter.span, "the module `main` cannot have parameters");
        }
        let elements = self.elements(main, &mut Vec::new())?;
        self.scope(String::new(), elements, 0);
        let declared = self.declare(0, &mut vec![&main.name.text]);
        let declared = self.defined_elsewhere().and(declared);
        self.selector();
        declared
    }

    fn scope(&mut self, path: String, elements: Vec<&'t Element>, process: usize) -> ScopeId {
        let names = Default::default();
        self.scopes.push(Scope { path, elements, names, complex: false, process });
        self.scopes.len() - 1
    }

    /// A module's sections, with those of modules that it inherits.
    fn elements(
        &mut self,
        module: &'t Module,
        above: &mut Vec<&'t str>,
    ) -> Result<Vec<&'t Element>> {
        if above.contains(&module.name.text.as_str()) {
            let message = format!("the module `{}` contains itself", module.name.text);
            return self.error(module.name.span, message);
        }
        above.push(&module.name.text);
        let mut elements = Vec::new();
        for element in &module.elements {
            if let Element::Isa(name) = element {
                let inherited = self.module(name)?;
                elements.extend(self.elements(inherited, above)?);
            } else {
                elements.push(element);
            }
        }
        above.pop();
        Ok(elements)
    }

    fn module(&mut self, name: &Ident) -> Result<&'t Module> {
        let tree = self.tree;
        if let Some(module) = tree.modules.iter().find(|m| m.name.text == name.text) {
            return Ok(module);
        }
        let message = format!("there is no module called `{}`", name.text);
        let mut diagnostic = Diagnostic::error(name.span, message);
        let known: Vec<&str> = tree.modules.iter().map(|m| m.name.text.as_str()).collect();
        if let Some(near) = nearest(&name.text, known.into_iter()) {
            diagnostic = diagnostic.help(format!("there is `{near}`"));
        }
        self.report(diagnostic)
    }

    fn bind(&mut self, scope: ScopeId, name: &Ident, binding: Binding) -> Result<()> {
        if let Some((old, first)) = self.scopes[scope].names.get(&name.text) {
            let (first, was) = (*first, matches!(old, Binding::Parameter(..)));
            let message = format!("`{}` is declared twice", name.text);
            let note = if was { "it is a parameter" } else { "the first time is here" };
            return self.report(Diagnostic::error(name.span, message).note_at(first, note));
        }
        self.scopes[scope].complex |= name.text.contains(['[', '.']);
        self.scopes[scope].names.insert(name.text.clone(), (binding, name.span));
        Ok(())
    }

    /// Declares what an instance's sections declare: definitions first, which types may use.
    fn declare(&mut self, scope: ScopeId, above: &mut Vec<&'t str>) -> Result<()> {
        let elements = self.scopes[scope].elements.clone();
        let mut result = Ok(());
        for element in &elements {
            match element {
                Element::Define { name, body } if !name.text.contains('.') => {
                    result = self.bind(scope, name, Binding::Define(*body, scope)).and(result);
                }
                Element::Constants(names) => {
                    for name in names {
                        self.symbol(&name.text, name.span);
                    }
                }
                _ => {}
            }
        }
        for element in &elements {
            if let Element::Variable { kind, name, of } = element {
                let declared = self.variable(scope, *kind, name, of, above);
                result = declared.and(result);
            }
        }
        result
    }

    fn variable(
        &mut self,
        scope: ScopeId,
        kind: VarKind,
        name: &Ident,
        of: &'t Type,
        above: &mut Vec<&'t str>,
    ) -> Result<()> {
        self.collision(scope, name)?;
        let path = self.qualified(scope, &name.text);
        let item = self.of_type(scope, kind, path, of, above)?;
        self.bind(scope, name, Binding::Item(item))
    }

    fn of_type(
        &mut self,
        scope: ScopeId,
        kind: VarKind,
        path: String,
        of: &'t Type,
        above: &mut Vec<&'t str>,
    ) -> Result<Item> {
        let (domain, ty) = match of {
            Type::Boolean => (Domain::Boolean, Ty::Boolean),
            Type::Range(low, high) => {
                let (a, b) = (self.constant(*low, scope)?, self.constant(*high, scope)?);
                if a > b {
                    let message = format!("the range {a}..{b} is empty");
                    return self.error(self.tree.span(*low), message);
                }
                (Domain::Range(a, b), Ty::Integer)
            }
            Type::Enumeration(values) => self.enumeration(scope, values)?,
            Type::Word { signed, width } => {
                let bits = self.constant(*width, scope)?;
                if !(1..=64).contains(&bits) {
                    let message = format!("a word has 1 to 64 bits, not {bits}");
                    return self.error(self.tree.span(*width), message);
                }
                let (signed, width) = (*signed, bits as u32);
                (Domain::Word { signed, width }, Ty::Word { signed, width })
            }
            Type::Array { low, high, of } => {
                let (a, b) = (self.constant(*low, scope)?, self.constant(*high, scope)?);
                if a > b || b - a >= MAX_ELEMENTS {
                    let message = format!("an array cannot have the bounds {a}..{b}");
                    return self.error(self.tree.span(*low), message);
                }
                let mut items = Vec::new();
                for index in a..=b {
                    let path = format!("{path}[{index}]");
                    items.push(self.of_type(scope, kind, path, of, above)?);
                }
                return Ok(Item::Array(a, Rc::new(items)));
            }
            Type::Instance { process, module, arguments } => {
                if kind != VarKind::State {
                    let message = "an instance of a module is declared in a `VAR` section";
                    return self.error(module.span, message);
                }
                let made = self.instance(scope, path, *process, module, arguments, above)?;
                return Ok(Item::Instance(made));
            }
            Type::Unsupported(what, span) => {
                let message = format!("`{what}` has an infinite domain, which is not supported");
                return self.error(*span, message);
            }
        };
        let kind = match kind {
            VarKind::State => Kind::State,
            VarKind::Input => Kind::Input,
            VarKind::Frozen => Kind::Frozen,
        };
        let id = VarId(self.relation.variables.len() as u32);
        self.relation.variables.push(Variable { name: path, domain, kind });
        Ok(Item::Value(ty, self.relation.current(id)))
    }

    fn enumeration(&mut self, scope: ScopeId, values: &[Expr]) -> Result<(Domain, Ty)> {
        let mut found = Vec::new();
        let (mut integers, mut symbols, mut truths) = (false, false, false);
        for &value in values {
            let (node, span) = (&self.tree.node(value).kind, self.tree.span(value));
            let value = match node {
                ExprKind::Name(name) => {
                    symbols = true;
                    self.symbol(name, span)
                }
                ExprKind::True | ExprKind::False => {
                    truths = true;
                    continue;
                }
                ExprKind::Range(low, high) => {
                    integers = true;
                    let (a, b) = (self.constant(*low, scope)?, self.constant(*high, scope)?);
                    if a > b || b - a >= MAX_ELEMENTS {
                        let message = format!("an enumeration cannot have the range {a}..{b}");
                        return self.error(span, message);
                    }
                    let known: std::collections::HashSet<i64> = found.iter().copied().collect();
                    found.extend((a..=b).filter(|v| !known.contains(v)));
                    continue;
                }
                _ => {
                    integers = true;
                    self.constant(value, scope)?
                }
            };
            if !found.contains(&value) {
                found.push(value);
            }
        }
        if truths {
            let span = self.tree.span(values[0]);
            if integers || symbols || found.len() > 2 {
                return self.error(span, "TRUE and FALSE cannot be mixed with other values");
            }
            return Ok((Domain::Boolean, Ty::Boolean));
        }
        let ty = match (integers, symbols) {
            (true, true) => Ty::Mixed,
            (true, false) => Ty::Integer,
            _ => Ty::Symbolic,
        };
        Ok((Domain::Values(found), ty))
    }

    fn instance(
        &mut self,
        scope: ScopeId,
        path: String,
        process: bool,
        name: &Ident,
        arguments: &[Expr],
        above: &mut Vec<&'t str>,
    ) -> Result<ScopeId> {
        let module = self.module(name)?;
        if above.contains(&module.name.text.as_str()) || self.scopes.len() > MAX_INSTANCES {
            let message = format!("the module `{}` contains itself", module.name.text);
            return self.error(name.span, message);
        }
        if module.parameters.len() != arguments.len() {
            let (wanted, given) = (module.parameters.len(), arguments.len());
            let message = format!(
                "the module `{}` has {wanted} parameter{}, but {given} {} given",
                module.name.text,
                if wanted == 1 { "" } else { "s" },
                if given == 1 { "is" } else { "are" },
            );
            let wrong = Diagnostic::error(name.span, message);
            return self.report(wrong.note_at(module.name.span, "it is declared here"));
        }
        let elements = self.elements(module, &mut Vec::new())?;
        let owner = if process {
            self.processes.push(path.clone());
            self.processes.len() - 1
        } else {
            self.scopes[scope].process
        };
        let made = self.scope(path, elements, owner);
        for (parameter, actual) in module.parameters.iter().zip(arguments) {
            self.bind(made, parameter, Binding::Parameter(*actual, scope))?;
        }
        above.push(&module.name.text);
        let declared = self.declare(made, above);
        above.pop();
        declared.map(|()| made)
    }

    /// A name of `main` cannot be a symbolic constant that was declared before.
    fn collision(&mut self, scope: ScopeId, name: &Ident) -> Result<()> {
        match self.symbols.get(&name.text) {
            Some((_, symbol)) if scope == 0 => {
                let (symbol, message) = (*symbol, format!("`{}` is declared twice", name.text));
                let twice = Diagnostic::error(name.span, message);
                self.report(twice.note_at(symbol, "it is a symbolic constant here"))
            }
            _ => Ok(()),
        }
    }

    /// Definitions of names in other instances, when these are there: `left.ack := q.out`.
    fn defined_elsewhere(&mut self) -> Result<()> {
        let mut result = Ok(());
        for scope in 0..self.scopes.len() {
            for element in self.scopes[scope].elements.clone() {
                let Element::Define { name, body } = element else { continue };
                if !name.text.contains('.') {
                    continue;
                }
                let (owner, text) = self.owner(scope, &name.text);
                let name = Ident { text, span: name.span };
                result = self.bind(owner, &name, Binding::Define(*body, scope)).and(result);
            }
        }
        result
    }

    /// The input that says which process moves.
    fn selector(&mut self) {
        if self.processes.len() == 1 {
            return;
        }
        let mut values = Vec::new();
        for name in self.processes.clone() {
            let number = self.relation.symbols.len() as i64;
            self.relation.symbols.push(name);
            values.push(isospin_relation::SYMBOL_BASE + number);
        }
        let id = VarId(self.relation.variables.len() as u32);
        self.relation.variables.push(Variable {
            name: "_process_selector_".into(),
            domain: Domain::Values(values),
            kind: Kind::Input,
        });
        self.relation.selector = Some(id);
    }
}
