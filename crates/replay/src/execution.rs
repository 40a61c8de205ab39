//! Walking a model step by step on the reference interpreter.
//!
//! This is the only place outside the searches that knows who may move next: the process inside an
//! atomic sequence alone, as long as it can; time, only when nobody can move, unless the model says
//! otherwise; what waits for `timeout`, only when nothing else can happen.

use std::fmt;
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, Move, Passing, RuntimeError, Step, Successors};
use isospin_model::time::least_left;
use isospin_model::{Action, Model, Pid, Shape};

/// Longer waits than this are not looked at unit by unit.
const MAX_UNITS: u32 = 1_000;

/// A step that can be taken now, and what follows it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The step.
    pub step: Step,
    /// What is wrong with it, if anything is.
    pub fault: Option<Fault>,
    /// Who goes on alone afterwards.
    pub control: Option<Pid>,
    /// Whether it can be taken only because nothing else could be.
    pub timeout: bool,
    /// The state that follows. Means nothing after a run-time error.
    pub state: Vec<u8>,
}

/// A trail's step that cannot be taken where the trail says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The step's number, from 1.
    pub step: usize,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} cannot be taken there", self.step)
    }
}

impl std::error::Error for Misfit {}

/// A model in some state on the way.
pub struct Execution {
    machine: Interpreter,
    model: Arc<Model>,
    state: Vec<u8>,
    control: Option<Pid>,
    /// How much time has passed; under abstraction, how often.
    time: u64,
    out: Successors,
}

impl Execution {
    /// The model at its start. Its start may already be in error.
    pub fn new(model: Arc<Model>) -> Result<Execution, RuntimeError> {
        let mut machine = Interpreter::new(Arc::clone(&model));
        let mut state = Vec::new();
        machine.initial(&mut state)?;
        Ok(Execution { machine, model, state, control: None, time: 0, out: Successors::default() })
    }

    /// The state.
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// The process that goes on alone, if it can.
    pub fn control(&self) -> Option<Pid> {
        self.control
    }

    /// Whether the execution is inside an atomic sequence: the process in control can go on.
    pub fn is_inside(&mut self) -> bool {
        let count = self.machine.process_count(&self.state);
        let held = self.control.filter(|pid| pid.index() < count);
        held.is_some_and(|pid| self.machine.can_move(&self.state, pid, false))
    }

    /// How much time has passed since the start; under abstraction, how often.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// How much time passes in a step; under abstraction it is not known, and counts as one.
    pub fn units(&self, step: Step) -> u64 {
        match step {
            Step::Process(_) => 0,
            Step::Time(Passing::Units(units)) => units.into(),
            Step::Time(Passing::Expiring(_)) => 1,
        }
    }

    /// The interpreter, to evaluate expressions with.
    pub fn machine(&mut self) -> &mut Interpreter {
        &mut self.machine
    }

    /// Goes to a state that was visited before, at that time.
    pub fn restore(&mut self, state: Vec<u8>, control: Option<Pid>, time: u64) {
        self.state = state;
        self.control = control;
        self.time = time;
    }

    /// Everything that can happen now, the oldest process first.
    pub fn choices(&mut self) -> Vec<Choice> {
        self.out.clear();
        let count = self.machine.process_count(&self.state);
        if let Some(pid) = self.control {
            if pid.index() < count {
                self.find(pid.index(), false);
            }
        }
        let mut timeout = false;
        let mut open = false;
        if self.out.is_empty() {
            (0..count).for_each(|pid| self.find(pid, false));
            // Where time is open, it says itself where it passes.
            open = self.model.time.as_ref().is_some_and(|t| t.open);
        }
        if self.out.is_empty() || open {
            self.machine.tick(&self.state, &mut self.out);
        }
        if self.out.is_empty() {
            timeout = true;
            (0..count).for_each(|pid| self.find(pid, true));
        }
        self.out
            .list()
            .iter()
            .map(|s| Choice {
                step: s.step,
                fault: s.fault,
                control: s.control,
                timeout,
                state: self.out.state(s).to_vec(),
            })
            .collect()
    }

    fn find(&mut self, pid: usize, timeout: bool) {
        self.machine.steps(&self.state, Pid::at(pid), timeout, &mut self.out);
    }

    /// The choice for a given step, if it can be taken now.
    pub fn choice(&mut self, step: Step) -> Option<Choice> {
        let Step::Process(by) = step else { return self.passing(step) };
        let count = self.machine.process_count(&self.state);
        let pid = by.pid.index();
        if pid >= count {
            return None;
        }
        // Asking only the one process is what keeps long trails fast.
        if self.control.is_none_or(|c| c == by.pid) {
            self.out.clear();
            self.find(pid, false);
            if let Some(s) = self.out.list().iter().find(|s| s.step == step) {
                return Some(Choice {
                    step,
                    fault: s.fault,
                    control: s.control,
                    timeout: false,
                    state: self.out.state(s).to_vec(),
                });
            }
        }
        self.choices().into_iter().find(|c| c.step == step)
    }

    /// The choice in which time passes as the step says: unit by unit, while nothing else can
    /// happen.
    fn passing(&mut self, step: Step) -> Option<Choice> {
        let choices = self.choices();
        if let Some(choice) = choices.iter().find(|c| c.step == step) {
            return Some(choice.clone());
        }
        let Step::Time(Passing::Units(units)) = step else { return None };
        let before = (self.state.clone(), self.control, self.time);
        let mut passed = 0;
        while passed < units {
            let choices = self.choices();
            let Some(tick) = choices.iter().find(|c| c.step == Step::units(1)) else { break };
            // Of a very long wait, only the moments are looked at before and in which a timer
            // expires.
            let left = units - passed;
            let next = match least_left(&self.model, &self.state) {
                Some(least) if left > MAX_UNITS && least > 2 => (least - 1).min(left),
                _ => 1,
            };
            match next {
                1 => self.take(tick),
                _ => drop(self.machine.take(&mut self.state, Step::units(next), true)),
            }
            passed += next;
        }
        let state = self.state.clone();
        self.restore(before.0, before.1, before.2);
        (passed == units && passed > 0).then_some(Choice {
            step,
            fault: None,
            control: None,
            timeout: false,
            state,
        })
    }

    /// What a choice prints, taken now.
    pub fn printed(&mut self, choice: &Choice) -> String {
        let alone = choice.step.process().filter(|by| by.partner.is_none());
        if !alone.is_some_and(|by| self.may_print(*by)) {
            return String::new();
        }
        let mut state = self.state.clone();
        self.machine
            .take(&mut state, choice.step, choice.timeout)
            .map_or_else(String::new, |(_, printed)| printed)
    }

    fn may_print(&self, step: Move) -> bool {
        let mut shape = Shape::default();
        shape.read(&self.model, &self.state);
        let Some(&(ty, _)) = shape.frames.get(step.pid.index()) else {
            return false;
        };
        let edges = &self.model.proctypes[ty.index()].automaton.edges;
        edges.get(step.edge.index()).is_some_and(|edge| {
            matches!(
                edge.action,
                Action::Print { .. } | Action::PrintSymbol(_) | Action::DetStep(_)
            )
        })
    }

    /// Takes a choice. After a run-time error the state stays as it is.
    pub fn take(&mut self, choice: &Choice) {
        if !matches!(choice.fault, Some(Fault::Runtime(_))) {
            self.state.clone_from(&choice.state);
            self.control = choice.control;
            self.time += self.units(choice.step);
        }
    }
}
