//! What happened in a step, told in the model's own names.

use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Passing, RuntimeError, Step};
use isospin_model::{EdgeId, Model, Pid, Shape, SourceRef};

use crate::changes::{changes, Change};
use crate::exchange::{exchanges, Exchange};
use crate::names::Names;
use isospin_replay::{Choice, Execution, Misfit};

/// One process's part in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The process; nobody where time passes.
    pub pid: Option<Pid>,
    /// Its type's name.
    pub proctype: String,
    /// Where the statement stands.
    pub source: SourceRef,
    /// The statement as written.
    pub text: String,
    /// What the process is called.
    pub name: String,
}

/// What stands in the place of a process type where time passes.
pub const TIME: &str = "time";

impl Part {
    /// `P[2]`, or `time`.
    pub fn process(&self) -> String {
        match self.pid {
            Some(_) => self.name.clone(),
            None => self.proctype.clone(),
        }
    }
}

/// One step and what it did.
#[derive(Clone, Debug)]
pub struct Story {
    /// Its number, from 1.
    pub number: usize,
    /// How much time has passed before it.
    pub time: u64,
    /// The step itself.
    pub step: Step,
    /// Who took it, and what.
    pub part: Part,
    /// The receiver, when it is a rendez-vous.
    pub partner: Option<Part>,
    /// What has a new value.
    pub changes: Vec<Change>,
    /// What was sent and received.
    pub exchanges: Vec<Exchange>,
    /// What was printed.
    pub printed: String,
    /// Processes that started.
    pub started: Vec<(Pid, String)>,
    /// The process that ended.
    pub ended: Option<Pid>,
    /// Whether it happened because nothing else could.
    pub timeout: bool,
    /// What is wrong with it.
    pub fault: Option<Fault>,
}

impl Story {
    /// The story of a choice that is about to be taken.
    pub fn of(names: &Names, execution: &mut Execution, choice: &Choice, number: usize) -> Story {
        let before = execution.state().to_vec();
        let failed = matches!(choice.fault, Some(Fault::Runtime(_)));
        let after = if failed { &before } else { &choice.state };
        let (mut old, mut new) = (Shape::default(), Shape::default());
        old.read(&names.model, &before);
        new.read(&names.model, after);
        let (was, is) = (old.frames.len(), new.frames.len());
        Story {
            number,
            time: execution.time(),
            step: choice.step,
            part: match choice.step {
                Step::Process(by) => part(names, &old, &before, by.pid, by.edge),
                Step::Time(passing) => time_part(passing),
            },
            partner: choice.step.partner().map(|p| part(names, &old, &before, p.pid, p.edge)),
            changes: if failed { Vec::new() } else { changes(names, &before, after) },
            exchanges: if failed {
                Vec::new()
            } else {
                exchanges(names, execution.machine(), &before, after, choice.step)
            },
            printed: execution.printed(choice),
            started: (was..is)
                .map(|pid| (Pid::at(pid), names.proctype(new.frames[pid].0).to_owned()))
                .collect(),
            ended: choice.step.pid().filter(|_| is < was),
            timeout: choice.timeout,
            fault: choice.fault,
        }
    }
}

fn time_part(passing: Passing) -> Part {
    let text = match passing {
        Passing::Expiring(_) => "some time passes".to_owned(),
        Passing::Units(1) => "tick".to_owned(),
        Passing::Units(units) => format!("{units} ticks"),
    };
    let name = TIME.to_owned();
    Part { pid: None, proctype: TIME.to_owned(), source: SourceRef::default(), text, name }
}

fn part(names: &Names, shape: &Shape, state: &[u8], pid: Pid, edge: EdgeId) -> Part {
    let Some(&(ty, frame)) = shape.frames.get(pid.index()) else {
        return Part {
            pid: Some(pid),
            proctype: "?".to_owned(),
            source: SourceRef::default(),
            text: String::new(),
            name: "?".to_owned(),
        };
    };
    let proctype = &names.model.proctypes[ty.index()];
    let at = proctype.frame.location(state, frame as usize);
    let (source, text) = match proctype.automaton.edges.get(edge.index()) {
        Some(edge) if edge.from == at => (edge.source, statement(&edge.text)),
        // The machine looked at no edge: the clause that lets the process move failed.
        _ => (proctype.source, "provided clause".to_owned()),
    };
    let name = names.process(ty, pid.index());
    Part { pid: Some(pid), proctype: proctype.name.clone(), source, text, name }
}

/// A statement for people.
pub fn statement(text: &str) -> String {
    match text {
        "-end-" => "end of the process".to_owned(),
        text => text.to_owned(),
    }
}

/// A finished execution: where it ended.
pub struct Retold {
    /// The model in the last state.
    pub execution: Execution,
    /// What is wrong with the last step.
    pub fault: Option<Fault>,
}

/// Why a list of steps cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untellable {
    /// The model cannot even start.
    Start(RuntimeError),
    /// A step does not fit.
    Misfit(Misfit),
}

/// Executes `steps` from the start and calls `hear` with each step's story.
pub fn retell(
    names: &Names,
    steps: &[Step],
    hear: &mut dyn FnMut(Story),
) -> Result<Retold, Untellable> {
    let model: Arc<Model> = Arc::clone(&names.model);
    let mut execution = Execution::new(model).map_err(Untellable::Start)?;
    let mut fault = None;
    for (k, step) in steps.iter().enumerate() {
        let misfit = Untellable::Misfit(Misfit { step: k + 1 });
        if matches!(fault, Some(Fault::Runtime(_))) {
            return Err(misfit);
        }
        let choice = execution.choice(*step).ok_or(misfit)?;
        hear(Story::of(names, &mut execution, &choice, k + 1));
        execution.take(&choice);
        fault = choice.fault;
    }
    Ok(Retold { execution, fault })
}

/// The value of an expression as a process sees it, where it has one.
pub(crate) fn value_of(
    machine: &mut Interpreter,
    state: &[u8],
    pid: usize,
    expr: &isospin_model::Expr,
) -> Option<i32> {
    machine.eval(state, Some(pid), false, expr).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, take, walk};

    #[test]
    fn a_story_says_who_starts_and_who_ends() {
        let names = names("proctype P() { skip } init { run P() }");
        let mut execution = start(&names);
        let story = take(&names, &mut execution, "run P()");
        assert_eq!(story.part.process(), "init[0]");
        assert_eq!(story.started, [(Pid(1), "P".to_owned())]);
        walk(&names, &mut execution, &["skip"]);
        let story = take(&names, &mut execution, "end of the process");
        assert_eq!((story.ended, story.started.len()), (Some(Pid(1)), 0));
    }

    #[test]
    fn a_story_says_what_is_printed_and_what_fails() {
        let names = names("init { printf(\"%d\\n\", 7); assert(false) }");
        let mut execution = start(&names);
        let story = take(&names, &mut execution, "printf(\"%d\\n\", 7)");
        assert_eq!((story.printed.as_str(), story.fault), ("7\n", None));
        let story = take(&names, &mut execution, "assert(false)");
        assert_eq!(story.fault, Some(Fault::Assertion));
    }

    #[test]
    fn a_step_that_cannot_be_completed_changes_nothing() {
        let names = names("byte a[2], i = 2; init { a[i] = 1; assert(a[0]) }");
        let story = take(&names, &mut start(&names), "a[i] = 1");
        assert!(matches!(story.fault, Some(Fault::Runtime(_))));
        assert!(story.changes.is_empty() && story.exchanges.is_empty());
    }

    #[test]
    fn a_step_that_waits_for_nothing_else_is_a_timeout() {
        let names = names("init { timeout; skip }");
        let mut execution = start(&names);
        assert!(take(&names, &mut execution, "timeout").timeout);
        assert!(!take(&names, &mut execution, "skip").timeout);
    }

    #[test]
    fn time_is_nobody_and_has_its_own_words() {
        let names = names("timer t; init { set(t, 2); expire(t) }");
        let mut execution = start(&names);
        walk(&names, &mut execution, &["set(t, 2)"]);
        let story = take(&names, &mut execution, "tick");
        assert_eq!((story.part.pid, story.part.process()), (None, TIME.to_owned()));
        assert_eq!((story.time, execution.time()), (0, 1));
        assert_eq!(time_part(Passing::Units(4)).text, "4 ticks");
        assert_eq!(time_part(Passing::Expiring(1)).text, "some time passes");
    }

    #[test]
    fn a_list_of_steps_is_told_until_one_does_not_fit() {
        let names = names("byte x; init { x = 1; x = 2; assert(x) }");
        let mut execution = start(&names);
        let first = take(&names, &mut execution, "x = 1").step;
        let second = take(&names, &mut execution, "x = 2").step;
        let mut heard = Vec::new();
        let told = retell(&names, &[first, second], &mut |story| heard.push(story.number));
        assert!(told.is_ok_and(|retold| retold.execution.state() == execution.state()));
        assert_eq!(heard, [1, 2]);
        let told = retell(&names, &[first, first], &mut |_| {});
        assert_eq!(told.err(), Some(Untellable::Misfit(Misfit { step: 2 })));
    }
}
