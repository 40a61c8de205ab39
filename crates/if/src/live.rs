//! Which variables and which parameters of signals matter: whether a value can ever decide what
//! happens, or is looked at by a property.
//!
//! A variable matters if a guard, a condition, an index or an address reads it, or if it goes into
//! something that matters. A parameter of a signal matters if some process stores it in a variable
//! that does. What goes to the environment matters to nobody.

use std::collections::HashSet;

use crate::system::{
    Access, Base, Expr, ExprKind, Place, Statement, StatementKind, System, Transition,
};

/// A variable: whose it is, and which.
type Key = (Option<usize>, usize);

/// What matters.
#[derive(Clone, Debug, Default)]
pub struct Live {
    variables: HashSet<Key>,
    parameters: HashSet<(usize, usize)>,
    /// Whether everything does.
    all: bool,
}

impl Live {
    /// Everything matters.
    pub fn all() -> Live {
        Live { all: true, ..Live::default() }
    }

    /// What matters in a system of which properties look at these expressions.
    pub fn of(system: &System, properties: &[Expr]) -> Live {
        let mut live = Live::default();
        for property in properties {
            live.read(property, None);
        }
        loop {
            let before = (live.variables.len(), live.parameters.len());
            for (number, process) in system.processes.iter().enumerate() {
                for state in &process.states {
                    state.tpc.iter().for_each(|e| live.read(e, Some(number)));
                    state.transitions.iter().for_each(|t| live.transition(system, t, number));
                }
            }
            if before == (live.variables.len(), live.parameters.len()) {
                return live;
            }
        }
    }

    /// Whether a parameter of a signal matters.
    pub fn parameter(&self, signal: usize, parameter: usize) -> bool {
        self.all || self.parameters.contains(&(signal, parameter))
    }

    /// Whether a variable matters.
    pub fn variable(&self, process: Option<usize>, variable: usize) -> bool {
        self.all || self.variables.contains(&(process, variable))
    }

    fn transition(&mut self, system: &System, transition: &Transition, process: usize) {
        let me = Some(process);
        transition.provided.iter().chain(&transition.when).for_each(|e| self.read(e, me));
        if let Some(input) = &transition.input {
            for (k, place) in input.places.iter().enumerate() {
                self.indices(place, me);
                if self.variables.contains(&key(place, me)) {
                    self.parameters.insert((input.signal, k));
                }
            }
        }
        self.statements(system, &transition.body, me);
    }

    fn statements(&mut self, system: &System, statements: &[Statement], me: Option<usize>) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Skip | StatementKind::Informal(_) | StatementKind::Release(_) => {}
                StatementKind::Reset(place) => self.indices(place, me),
                StatementKind::Assign(place, value) => {
                    self.indices(place, me);
                    // What may be out of range decides whether there is an error.
                    let checked = place.ty.bounds().is_some() && value.ty != place.ty;
                    if checked || fails(value) || self.variables.contains(&key(place, me)) {
                        self.read(value, me);
                    }
                }
                StatementKind::Set(place, value) => {
                    self.indices(place, me);
                    self.read(value, me);
                }
                StatementKind::Output { signal, args, via, to } => {
                    via.iter().chain(to).for_each(|e| self.read(e, me));
                    let types = &system.signals[*signal].parameters;
                    for (k, arg) in args.iter().enumerate() {
                        let checked = types[k].bounds().is_some() && arg.ty != types[k];
                        if checked || fails(arg) || self.parameters.contains(&(*signal, k)) {
                            self.read(arg, me);
                        }
                    }
                }
                StatementKind::Fork { place, process, args } => {
                    place.iter().for_each(|p| self.indices(p, me));
                    for (k, arg) in args.iter().enumerate() {
                        if fails(arg) || self.variables.contains(&(Some(*process), k)) {
                            self.read(arg, me);
                        }
                    }
                }
                StatementKind::Kill(e) => self.read(e, me),
                StatementKind::If { condition, then, otherwise } => {
                    self.read(condition, me);
                    self.statements(system, then, me);
                    self.statements(system, otherwise, me);
                }
                StatementKind::While { condition, body } => {
                    self.read(condition, me);
                    self.statements(system, body, me);
                }
            }
        }
    }

    fn indices(&mut self, place: &Place, me: Option<usize>) {
        for access in &place.path {
            if let Access::Index(index) = access {
                self.read(index, me);
            }
        }
        if let Base::Remote(_, pid, _) = &place.base {
            self.read(pid, me);
        }
    }

    fn read(&mut self, expr: &Expr, me: Option<usize>) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Nil | ExprKind::SelfPid | ExprKind::Bound(_) => {}
            ExprKind::Read(place) | ExprKind::Active(place) | ExprKind::TimeValue(place) => {
                self.variables.insert(key(place, me));
                self.indices(place, me);
            }
            ExprKind::Instance(_, e)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::At(_, e, _)
            | ExprKind::Waiting(_, e) => self.read(e, me),
            ExprKind::Binary(_, a, b) => {
                self.read(a, me);
                self.read(b, me);
            }
            ExprKind::Conditional(a, b, c) => {
                [a, b, c].into_iter().for_each(|e| self.read(e, me));
            }
            ExprKind::Quantified { body, .. } => self.read(body, me),
        }
    }
}

fn key(place: &Place, me: Option<usize>) -> Key {
    match &place.base {
        Base::Global(variable) => (None, *variable),
        Base::Local(variable) => (me, *variable),
        Base::Remote(process, _, variable) => (Some(*process), *variable),
    }
}

/// Whether it may be an error to compute a value, which then decides something.
fn fails(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Nil | ExprKind::SelfPid | ExprKind::Bound(_) => false,
        ExprKind::Read(place) => {
            let computed =
                |a: &Access| matches!(a, Access::Index(i) if !matches!(i.kind, ExprKind::Const(_)));
            place.path.iter().any(computed) || matches!(place.base, Base::Remote(..))
        }
        ExprKind::Active(_) => false,
        ExprKind::TimeValue(_) => true,
        ExprKind::Instance(_, e) | ExprKind::Not(e) | ExprKind::Negate(e) => fails(e),
        ExprKind::Binary(op, a, b) => {
            use crate::system::Binary::{Divide, Modulo};
            matches!(op, Divide | Modulo) || fails(a) || fails(b)
        }
        ExprKind::Conditional(a, b, c) => fails(a) || fails(b) || fails(c),
        ExprKind::Quantified { body, .. } => fails(body),
        ExprKind::At(..) | ExprKind::Waiting(..) => false,
    }
}
