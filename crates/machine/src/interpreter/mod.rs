//! The reference interpreter.
//!
//! | file | what it defines |
//! | --- | --- |
//! | `context.rs` | a process about to do something in a state |
//! | `eval.rs` | the values of expressions and places |
//! | `channel.rs` | sending, receiving, polling |
//! | `event.rs` | trace assertions |
//! | `process.rs` | starting and ending processes, priorities, who may move |
//! | `action.rs` | when an action is enabled and what it does |
//! | `print.rs` | what `printf` prints |

mod action;
mod channel;
mod context;
mod eval;
mod event;
mod print;
mod process;

use std::sync::Arc;

use isospin_model::time::OFF;
use isospin_model::{Action, ChannelTypeId, EdgeId, Expr, Kind, Model, Pid, Shape};

use crate::fault::{Fault, RuntimeError};
use crate::machine::{Machine, Truth};
use crate::step::{Move, Partner, Step};
use crate::successors::Successors;
use action::Outcome;
pub(crate) use action::DET_STEP_LIMIT;
use context::{Context, Handshake};

/// What the model printed during a step, in order.
pub type Messages = String;

/// Executes a model by walking its expressions.
pub struct Interpreter {
    model: Arc<Model>,
    shape: Shape,
    work: Vec<u8>,
    atoms: Vec<Expr>,
    values: Vec<Truth>,
}

impl Interpreter {
    /// A machine for `model`.
    pub fn new(model: Arc<Model>) -> Interpreter {
        Interpreter {
            model,
            shape: Shape::default(),
            work: Vec::new(),
            atoms: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The value of an expression in a state, as seen by process `pid` (or by an observer, for
    /// whom no process is its own).
    pub fn eval(
        &mut self,
        state: &[u8],
        pid: Option<usize>,
        timeout: bool,
        expr: &Expr,
    ) -> Result<i32, RuntimeError> {
        self.observe(state);
        let mut context = Context::new(&self.model, &mut self.work, &mut self.shape, timeout);
        context.pid = pid;
        context.eval(expr)
    }

    fn observe(&mut self, state: &[u8]) {
        self.work.clear();
        self.work.extend_from_slice(state);
        self.shape.read(&self.model, state);
    }

    /// Takes one given step from `state`, which is changed in place; says what is wrong with the
    /// step and what it printed. `None` if the step cannot be taken there.
    pub fn take(
        &mut self,
        state: &mut Vec<u8>,
        step: Step,
        timeout: bool,
    ) -> Option<(Option<Fault>, Messages)> {
        let by = match step {
            Step::Process(by) => by,
            Step::Time(passing) => {
                let fault = crate::time::take(&self.model, state, passing)?;
                return Some((fault, Messages::new()));
            }
        };
        let mut out = Successors::default();
        self.steps(state, by.pid, timeout, &mut out);
        let chosen = *out.list().iter().find(|s| s.step == step)?;
        let messages = self.messages(state, by, timeout);
        if !matches!(chosen.fault, Some(Fault::Runtime(_))) {
            state.clear();
            state.extend_from_slice(out.state(&chosen));
        }
        Some((chosen.fault, messages))
    }

    /// Whether a process can do anything in a state, a rendez-vous included.
    pub fn can_move(&mut self, state: &[u8], pid: Pid, timeout: bool) -> bool {
        let mut out = Successors::default();
        self.steps(state, pid, timeout, &mut out);
        !out.is_empty()
    }

    /// What a step prints.
    fn messages(&mut self, state: &[u8], step: Move, timeout: bool) -> Messages {
        let model = Arc::clone(&self.model);
        let mut messages = Messages::new();
        self.work.clear();
        self.work.extend_from_slice(state);
        self.shape.read(&model, state);
        let Some(&(ty, _)) = self.shape.frames.get(step.pid.index()) else {
            return messages;
        };
        let edge = &model.proctypes[ty.index()].automaton.edges[step.edge.index()];
        if step.partner.is_none() {
            let mut context = Context::new(&model, &mut self.work, &mut self.shape, timeout);
            context.pid = Some(step.pid.index());
            context.messages = Some(&mut messages);
            // A fault was reported by `steps` already; here only the text matters.
            let _ = context.perform(&edge.action);
        }
        messages
    }
}

/// Evaluates expressions of processes in a state, without executing anything.
#[derive(Debug, Default)]
pub struct Evaluator {
    shape: Shape,
    work: Vec<u8>,
}

impl Evaluator {
    /// Looks at a state.
    pub fn observe(&mut self, model: &Model, state: &[u8]) {
        self.work.clear();
        self.work.extend_from_slice(state);
        self.shape.read(model, state);
    }

    /// Looks at a state that has processes of the same types as the one observed last.
    pub fn observe_alike(&mut self, state: &[u8]) {
        self.work.clear();
        self.work.extend_from_slice(state);
    }

    /// The value of an expression of process `pid` in the state observed last, which is one of
    /// `model`.
    pub fn value(&mut self, model: &Model, pid: usize, expr: &Expr) -> Result<i32, RuntimeError> {
        let mut context = Context::new(model, &mut self.work, &mut self.shape, false);
        context.pid = Some(pid);
        context.eval(expr)
    }
}

impl Machine for Interpreter {
    fn model(&self) -> &Model {
        &self.model
    }

    fn initial(&mut self, state: &mut Vec<u8>) -> Result<(), RuntimeError> {
        let model = Arc::clone(&self.model);
        state.clear();
        state.resize(model.layout.frames as usize, 0);
        self.shape.read(&model, state);
        let mut context = Context::new(&model, state, &mut self.shape, false);
        for init in &model.initializers {
            let value = context.eval(&init.value)?;
            context.store(&init.place, value)?;
        }
        for activation in &model.initial {
            // Parameters of a process that nobody starts are 0, and timers are off.
            let proctype = &model.proctypes[activation.proctype.index()];
            let parameters = proctype.frame.slots.iter().take(proctype.parameters as usize);
            let args: Vec<i32> =
                parameters.map(|s| if s.ty.kind == Kind::Timer { OFF } else { 0 }).collect();
            context.start(activation.proctype, &args, activation.priority)?;
        }
        Ok(())
    }

    fn steps(&mut self, state: &[u8], by: Pid, timeout: bool, out: &mut Successors) {
        let (pid, first) = (by.index(), out.len());
        let model = Arc::clone(&self.model);
        self.reset(&model, state);
        let mut context = Context::new(&model, &mut self.work, &mut self.shape, timeout);
        context.pid = Some(pid);
        match context.may_move(pid) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let step = Step::alone(by, EdgeId(0));
                return out.push(step, Some(Fault::Runtime(error)), None, state);
            }
        }
        let (ty, _) = context.shape.frames[pid];
        let automaton = &model.proctypes[ty.index()].automaton;
        let location = context.location(pid);
        let ids = automaton.locations[location.index()].edge_ids();

        // `taken`: some edge before this one could be taken, so `else` cannot.
        let mut taken = false;
        let mut escape = 0;
        for (edge, id) in automaton.edges_of(location).iter().zip(ids) {
            if escape > 0 && edge.escape != escape {
                break;
            }
            if matches!(edge.action, Action::Else) && taken {
                continue;
            }
            self.reset(&model, state);
            let mut context = Context::new(&model, &mut self.work, &mut self.shape, timeout);
            context.pid = Some(pid);
            let step = Move { pid: by, edge: id, partner: None };
            let before = out.len();
            match context.perform(&edge.action) {
                Ok(Outcome::Blocked) => {}
                Ok(Outcome::Done { fault }) => {
                    if !matches!(edge.action, Action::End) {
                        context.arrive(pid, edge);
                    }
                    context.set_last(pid);
                    let control = edge.atomic.then_some(by);
                    out.push(Step::Process(step), fault, control, &self.work);
                }
                Ok(Outcome::Handshake(handshake)) => {
                    context.arrive(pid, edge);
                    context.set_last(pid);
                    let sent = self.work.clone();
                    self.receivers(&model, &sent, step, handshake, timeout, out);
                }
                Err(error) => {
                    out.push(Step::Process(step), Some(Fault::Runtime(error)), None, state);
                }
            }
            if out.len() > before {
                taken = true;
                escape = edge.escape;
            }
        }
        if model.has_deterministic() {
            self.reset(&model, state);
            let frames = &self.shape.frames;
            let has_none = |p: Pid| model.proctypes[frames[p.index()].0.index()].deterministic;
            out.forbid_choices(first, has_none);
        }
    }

    fn watch(&mut self, atoms: &[Expr]) {
        self.atoms = atoms.to_vec();
    }

    fn watched(&mut self, state: &[u8], timeout: bool) -> &[Truth] {
        self.observe(state);
        self.values.clear();
        for atom in &self.atoms {
            let mut context = Context::new(&self.model, &mut self.work, &mut self.shape, timeout);
            self.values.push(Truth::of(context.eval(atom)));
        }
        &self.values
    }
}

impl Interpreter {
    fn reset(&mut self, model: &Model, state: &[u8]) {
        self.work.clear();
        self.work.extend_from_slice(state);
        self.shape.read(model, state);
    }

    /// The second half of a rendez-vous: `sent` is the state in which the sender has moved and the
    /// message waits to be taken. Only receives can happen, so an escape whose guard is something
    /// else does not keep a process from receiving.
    fn receivers(
        &mut self,
        model: &Model,
        sent: &[u8],
        sender: Move,
        handshake: Handshake,
        timeout: bool,
        out: &mut Successors,
    ) {
        self.reset(model, sent);
        for pid in (0..self.shape.frames.len()).rev() {
            if pid == sender.pid.index() {
                continue;
            }
            self.reset(model, sent);
            let mut context = Context::new(model, &mut self.work, &mut self.shape, timeout);
            context.pid = Some(pid);
            if !matches!(context.may_move(pid), Ok(true)) {
                continue;
            }
            let (ty, _) = context.shape.frames[pid];
            let automaton = &model.proctypes[ty.index()].automaton;
            let location = context.location(pid);
            let ids = automaton.locations[location.index()].edge_ids();
            let mut escape = 0;
            for (edge, id) in automaton.edges_of(location).iter().zip(ids) {
                if escape > 0 && edge.escape != escape {
                    break;
                }
                self.reset(model, sent);
                let mut context = Context::new(model, &mut self.work, &mut self.shape, timeout);
                context.pid = Some(pid);
                context.handshake = Some(handshake.clone());
                let partner = Some(Partner { pid: Pid::at(pid), edge: id });
                let step = Step::Process(Move { partner, ..sender });
                match context.perform(&edge.action) {
                    Ok(Outcome::Done { fault }) => {
                        context.arrive(pid, edge);
                        context.set_last(pid);
                        let control = edge.atomic.then_some(Pid::at(pid));
                        out.push(step, fault, control, &self.work);
                        escape = edge.escape;
                    }
                    Ok(_) => {}
                    Err(error) => out.push(step, Some(Fault::Runtime(error)), None, sent),
                }
            }
        }
    }
}

/// Where a channel is and what it can hold.
#[derive(Clone, Copy, Debug)]
struct Channel {
    id: u32,
    ty: ChannelTypeId,
    offset: usize,
}
