//! Simulation by hand: the states that can follow are shown with what changes, and every step can
//! be taken back. What can follow is found by the interpreter, one state after the other.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use isospin_relation::interpret::{Interpreter, State};
use isospin_relation::{Kind, Relation};
use isospin_report::relation::shown_state;
use isospin_symbolic::Trace;

use crate::output::Output;

/// So many choices are shown.
const MOST: usize = 50;

const HELP: &str =
    "  NUMBER   go to that state         Enter    go on, if there is only one state to go to
  u        undo the last step       s        show the whole state
  q        quit                     ?        this help";

/// Reads choices from standard input until it ends; the execution that was chosen.
pub fn run(relation: &Relation, steps: u64, out: &mut Output) -> Trace {
    let interpreter = Interpreter::new(relation);
    let mut states: Vec<State> = Vec::new();
    let mut lines = io::stdin().lock().lines();
    out.line("? for help");
    loop {
        let (choices, more) = choices(&interpreter, states.last());
        let before = states.last().map(|last| without_inputs(relation, last));
        if states.len() as u64 > steps {
            out.line(&format!("{steps} steps were asked for; undo or quit"));
        } else {
            show(relation, before.as_ref(), &choices, more, out);
        }
        out.flush();
        let Some(Ok(line)) = lines.next() else { break };
        let chosen = match line.trim() {
            "q" => break,
            "u" => {
                states.pop();
                continue;
            }
            "s" => {
                if let Some(state) = states.last() {
                    out.line(&shown_state(relation, state, None).join("  "));
                }
                continue;
            }
            "" if choices.len() == 1 => Some(0),
            text => text.parse::<usize>().ok().and_then(|n| n.checked_sub(1)),
        };
        match chosen.and_then(|k| choices.get(k)) {
            Some((from, to)) if states.len() as u64 <= steps => {
                // The inputs of the step belong to the state that it leaves.
                if let (Some(last), Some(from)) = (states.last_mut(), from) {
                    last.clone_from(from);
                }
                states.push(to.clone());
            }
            Some(_) => {}
            None => out.line(HELP),
        }
    }
    Trace { states, back: None, branches: Vec::new(), partial: false }
}

/// A state as it is left, with the inputs, and one that can follow.
type Choice = (Option<State>, State);

/// What can follow a state, or where to begin; and whether there is more than that.
fn choices(interpreter: &Interpreter<'_>, from: Option<&State>) -> (Vec<Choice>, bool) {
    let mut found: Vec<Choice> = Vec::new();
    let mut add = |choice: Choice| {
        if found.len() == MOST {
            return ControlFlow::Break(());
        }
        found.push(choice);
        ControlFlow::Continue(())
    };
    let ended = match from {
        None => interpreter.initial(|state| add((None, state))),
        Some(state) => interpreter.transitions(state, |t| add((Some(t.from), t.to))),
    };
    (found, ended.is_break())
}

fn without_inputs(relation: &Relation, state: &State) -> State {
    let value = |(id, v): (isospin_relation::VarId, &isospin_relation::Variable)| {
        if v.kind == Kind::Input {
            0
        } else {
            state[id.index()]
        }
    };
    relation.numbered().map(value).collect()
}

fn show(
    relation: &Relation,
    before: Option<&State>,
    choices: &[Choice],
    more: bool,
    out: &mut Output,
) {
    if choices.is_empty() {
        out.line(if before.is_some() { "  there is no successor" } else { "  nothing is initial" });
    }
    for (k, (from, to)) in choices.iter().enumerate() {
        let mut words = shown_state(relation, to, before);
        if words.is_empty() {
            words.push("(nothing changes)".into());
        }
        if let Some(from) = from {
            for (id, v) in relation.numbered().filter(|(_, v)| v.kind == Kind::Input) {
                let value = isospin_relation::text::variable_value(relation, id, from[id.index()]);
                words.push(format!("[{} = {value}]", v.name));
            }
        }
        out.line(&format!("  {:>3}  {}", k + 1, words.join("  ")));
    }
    if more {
        out.line("       (and more that are not shown)");
    }
}
