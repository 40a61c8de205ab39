//! The system's declarations; processes, states and transitions.

use std::collections::HashMap;

use isospin_source::Diagnostic;

use super::names::Meaning;
use super::{Elaborator, Scope};
use crate::syntax::ast::{self, Ident, Item};
use crate::system::{
    Deadline, Expr, Input, Next, Pace, Process, Reach, Route, State, Transition, Type, Variable,
};

/// What is inherited from the states around a state.
#[derive(Clone, Default)]
struct Around<'t> {
    tpc: Vec<&'t ast::Expr>,
    save: Vec<&'t Ident>,
    transitions: Vec<&'t ast::Transition>,
}

/// A state that contains no others, with what it inherits.
struct Leaf<'t> {
    state: &'t ast::State,
    around: Around<'t>,
}

impl Elaborator<'_> {
    pub(super) fn declare(&mut self, tree: &ast::System) {
        self.declare_names(tree);
        for item in &tree.items {
            match item {
                Item::Const(constant) => self.constant(constant),
                Item::Type(declared) => self.type_declaration(declared),
                _ => {}
            }
        }
        for item in &tree.items {
            match item {
                Item::Signal(signal) => self.signal_declaration(signal),
                Item::Var(var) => {
                    let number = self.system.globals.len();
                    if let Some(variable) = self.variable_declaration(var, number) {
                        self.system.globals.push(variable);
                    }
                }
                Item::PriorityRule(name) => {
                    self.error(name.span, "priority rules are not supported");
                }
                _ => {}
            }
        }
        // Processes see each other's variables.
        let processes = || {
            tree.items.iter().filter_map(|item| match item {
                Item::Process(process) => Some(process),
                _ => None,
            })
        };
        for (number, process) in processes().enumerate() {
            self.process_variables(number, process);
        }
        let routes = tree.items.iter().filter_map(|item| match item {
            Item::Route(route) => Some(route),
            _ => None,
        });
        for (number, route) in routes.enumerate() {
            self.route(number, route);
        }
        for (number, process) in processes().enumerate() {
            self.process_states(number, process);
        }
        self.scope = Scope::default();
    }

    /// Names of processes, routes, resources and procedures can be used before they are declared.
    fn declare_names(&mut self, tree: &ast::System) {
        for item in &tree.items {
            match item {
                Item::Process(process) => {
                    let number = self.system.processes.len();
                    self.system.processes.push(Process {
                        name: process.name.name.clone(),
                        count: 0,
                        parameters: process.parameters.len(),
                        variables: Vec::new(),
                        states: Vec::new(),
                        start: 0,
                        span: process.name.span,
                    });
                    self.names.processes.push(HashMap::new());
                    self.names.states.push(HashMap::new());
                    self.define(&process.name.name, process.name.span, Meaning::Process(number));
                }
                Item::Route(route) => {
                    let number = self.system.routes.len();
                    self.system.routes.push(Route {
                        name: route.name.name.clone(),
                        count: 1,
                        from: None,
                        to: None,
                        signals: Vec::new(),
                        multiset: false,
                        lossy: false,
                        reach: Reach::Peer,
                        pace: Pace::Urgent,
                        span: route.name.span,
                    });
                    self.define(&route.name.name, route.name.span, Meaning::Route(number));
                }
                Item::Resource(names) => {
                    for name in names {
                        let number = self.system.resources.len();
                        self.system.resources.push(name.name.clone());
                        self.define(&name.name, name.span, Meaning::Resource(number));
                    }
                }
                Item::Procedure(procedure) => self.procedure(procedure),
                _ => {}
            }
        }
    }

    fn procedure(&mut self, procedure: &ast::Procedure) {
        let name = &procedure.name;
        if let Some(code) = procedure.code {
            let message = format!("the procedure `{}` is C text, which is not executed", name.name);
            self.error(code, message);
        }
        self.define(&name.name, name.span, Meaning::Procedure { code: procedure.code.is_some() });
    }

    fn variable_declaration(&mut self, var: &ast::Var, number: usize) -> Option<Variable> {
        let ty = self.ty(&var.ty, "");
        let value = var.value.as_ref().map(|value| self.value_for(value, &ty));
        let constant = value.as_ref().is_none_or(|v| {
            v.ty == Type::Wrong
                || matches!(
                    v.kind,
                    crate::system::ExprKind::Const(_) | crate::system::ExprKind::Nil
                )
        });
        if !constant {
            self.error(var.name.span, "what a variable starts with has to be constant");
        }
        let (name, span) = (var.name.name.clone(), var.name.span);
        self.define(&name, span, Meaning::Variable(number));
        Some(Variable { name, ty, value, public: var.public, span })
    }

    fn process_variables(&mut self, number: usize, process: &ast::Process) {
        self.scope = Scope::default();
        let count = self.count(&process.count, 0);
        self.system.processes[number].count = count;
        self.scope.process = Some(number);
        for item in &process.items {
            match item {
                Item::Const(constant) => self.constant(constant),
                Item::Type(declared) => self.type_declaration(declared),
                Item::Procedure(procedure) => self.procedure(procedure),
                _ => {}
            }
        }
        let mut variables: Vec<Variable> = Vec::new();
        for parameter in &process.parameters {
            let ty = self.ty(&parameter.ty, "");
            let (name, span) = (parameter.name.name.clone(), parameter.name.span);
            self.define(&name, span, Meaning::Variable(variables.len()));
            variables.push(Variable { name, ty, value: None, public: false, span });
        }
        for item in &process.items {
            if let Item::Var(var) = item {
                variables.extend(self.variable_declaration(var, variables.len()));
            }
        }
        self.system.processes[number].variables = variables;
    }

    fn process_states(&mut self, number: usize, process: &ast::Process) {
        self.scope = Scope { process: Some(number), property: false };
        let states: Vec<&ast::State> = process
            .items
            .iter()
            .filter_map(|item| match item {
                Item::State(state) => Some(state),
                _ => None,
            })
            .collect();
        let mut leaves = Vec::new();
        for state in &states {
            self.leaves(number, state, Around::default(), &mut leaves);
        }
        let mut found = Vec::new();
        for leaf in &leaves {
            let state = self.state(number, leaf);
            found.push(state);
        }
        let start = self.start_of(number, &states, &process.name);
        let of = &mut self.system.processes[number];
        of.states = found;
        of.start = start.unwrap_or(0);
    }

    /// The states within a state that contain no others, and the names of all.
    fn leaves<'t>(
        &mut self,
        process: usize,
        state: &'t ast::State,
        mut around: Around<'t>,
        out: &mut Vec<Leaf<'t>>,
    ) {
        let first = out.len();
        if state.states.is_empty() {
            out.push(Leaf { state, around });
        } else {
            around.tpc.extend(&state.tpc);
            around.save.extend(&state.save);
            around.transitions.extend(&state.transitions);
            for inner in &state.states {
                self.leaves(process, inner, around.clone(), out);
            }
        }
        let mut leaves: Vec<usize> = (first..out.len()).collect();
        // Whoever goes to a state with others inside goes to the one that is marked.
        let marked = |s: &&ast::State| s.options.iter().any(|o| o.name == "start");
        if let Some(inner) = state.states.iter().find(marked) {
            let into = self.names.states[process][&inner.name.name][0];
            leaves.retain(|leaf| *leaf != into);
            leaves.insert(0, into);
        }
        let name = state.name.name.clone();
        if self.names.states[process].insert(name.clone(), leaves).is_some() {
            self.error(state.name.span, format!("there are two states `{name}`"));
        }
        for option in &state.options {
            if !matches!(option.name.as_str(), "start" | "stable" | "unstable") {
                let message = format!("there is no option `#{}` of states", option.name);
                let error = Diagnostic::error(option.span, message)
                    .did_you_mean(&option.name, ["start", "stable", "unstable"].into_iter());
                self.errors.push(error);
            }
        }
    }

    /// The leaf in which one starts among these states: in the one marked so, and so on inwards.
    fn start_of(&mut self, process: usize, states: &[&ast::State], owner: &Ident) -> Option<usize> {
        let marked: Vec<&&ast::State> =
            states.iter().filter(|s| s.options.iter().any(|o| o.name == "start")).collect();
        let first = match marked[..] {
            [one] => *one,
            [] if states.is_empty() => return None,
            [] => {
                let message = format!("no state of `{}` is marked `#start`", owner.name);
                self.error(owner.span, message);
                return None;
            }
            [_, second, ..] => {
                let message = format!("a second state of `{}` is marked `#start`", owner.name);
                self.error(second.name.span, message);
                return None;
            }
        };
        if first.states.is_empty() {
            let leaves = self.names.states[process].get(&first.name.name);
            return leaves.and_then(|l| l.first().copied());
        }
        let inner: Vec<&ast::State> = first.states.iter().collect();
        self.start_of(process, &inner, &first.name)
    }

    fn state(&mut self, process: usize, leaf: &Leaf<'_>) -> State {
        let written = leaf.state;
        let own = written.transitions.iter();
        let all: Vec<&ast::Transition> =
            own.chain(leaf.around.transitions.iter().copied()).collect();
        let tpc = written.tpc.iter().chain(leaf.around.tpc.iter().copied());
        let tpc: Vec<Expr> = tpc.map(|t| self.truth(t)).collect();
        let mut save = Vec::new();
        for signal in written.save.iter().chain(leaf.around.save.iter().copied()) {
            save.extend(self.signal(&signal.name, signal.span));
        }
        let here = self.names.states[process][&written.name.name][0];
        let transitions: Vec<Transition> =
            all.into_iter().filter_map(|t| self.transition(process, here, t)).collect();
        for transition in &transitions {
            if let Some(input) = &transition.input {
                if save.contains(&input.signal) {
                    let name = self.system.signals[input.signal].name.clone();
                    let message = format!("the state saves `{name}`, so it cannot take it");
                    self.error(input.span, message);
                }
            }
        }
        State {
            name: written.name.name.clone(),
            unstable: written.options.iter().any(|o| o.name == "unstable"),
            tpc,
            save,
            transitions,
            span: written.name.span,
        }
    }

    fn transition(
        &mut self,
        process: usize,
        here: usize,
        written: &ast::Transition,
    ) -> Option<Transition> {
        let before = self.bound.len();
        let made = self.transition_here(process, here, written);
        self.bound.truncate(before);
        made
    }

    fn transition_here(
        &mut self,
        process: usize,
        here: usize,
        written: &ast::Transition,
    ) -> Option<Transition> {
        let mut choices = Vec::new();
        for choice in &written.choices {
            if choice.all {
                let message = "a transition cannot be taken for all values: use `exists`";
                self.error(choice.name.span, message);
                return None;
            }
            choices.push(self.bind(&choice.name, &choice.ty)?);
        }
        if let Some(span) = written.priority {
            self.error(span, "priorities of transitions are not supported");
        }
        let deadline = match &written.deadline {
            None => Deadline::Eager,
            Some(word) => match word.name.as_str() {
                "eager" => Deadline::Eager,
                "delayable" => Deadline::Delayable,
                "lazy" => Deadline::Lazy,
                other => {
                    let error =
                        Diagnostic::error(word.span, format!("there is no deadline `{other}`"))
                            .did_you_mean(other, ["eager", "delayable", "lazy"].into_iter());
                    self.errors.push(error);
                    Deadline::Eager
                }
            },
        };
        let mut acquire = Vec::new();
        for name in &written.acquire {
            acquire.extend(self.resource(&name.name, name.span));
        }
        let provided = written.provided.as_ref().map(|e| self.truth(e));
        let when: Vec<Expr> = written.when.iter().map(|e| self.truth(e)).collect();
        let input = match &written.input {
            Some(input) => Some(self.input(input)?),
            None => None,
        };
        let body = self.statements(&written.body);
        let next = match &written.next {
            ast::Next::Stop(_) => Next::Stop,
            ast::Next::Same(_) => Next::State(here),
            ast::Next::State(name) => self.next_state(process, name)?,
        };
        Some(Transition {
            choices,
            deadline,
            acquire,
            provided,
            when,
            input,
            body,
            next,
            span: written.span,
        })
    }

    /// A state to go to: its first leaf, or the one that is marked.
    fn next_state(&mut self, process: usize, name: &Ident) -> Option<Next> {
        let Some(leaves) = self.names.states[process].get(&name.name) else {
            let names: Vec<String> = self.names.states[process].keys().cloned().collect();
            let message = format!("there is no state `{}`", name.name);
            let error = Diagnostic::error(name.span, message)
                .did_you_mean(&name.name, names.iter().map(String::as_str));
            self.errors.push(error);
            return None;
        };
        leaves.first().map(|leaf| Next::State(*leaf))
    }

    fn input(&mut self, written: &ast::Input) -> Option<Input> {
        let signal = self.signal(&written.signal.name, written.signal.span)?;
        let wanted = self.system.signals[signal].parameters.clone();
        if wanted.len() != written.places.len() {
            let message = format!(
                "`{}` has {} parameters, and {} are taken",
                written.signal.name,
                wanted.len(),
                written.places.len()
            );
            self.error(written.span, message);
            return None;
        }
        let mut places = Vec::new();
        for (expr, ty) in written.places.iter().zip(&wanted) {
            let place = self.place(expr)?;
            if !self.fits(ty, &place.ty) {
                let (found, into) = (self.describe(ty), self.describe(&place.ty));
                self.error(expr.span, format!("{found} cannot be stored in {into}"));
            }
            places.push(place);
        }
        Some(Input { signal, places, span: written.span })
    }
}
