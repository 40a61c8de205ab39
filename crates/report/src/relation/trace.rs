//! Executions: the first state in full, then what changes.

use std::fmt::Write;

use isospin_relation::interpret::State;
use isospin_relation::text::variable_value;
use isospin_relation::{Kind, Relation};
use isospin_symbolic::Trace;

/// Lines are at most so wide.
const WIDTH: usize = 96;

/// A state's variables, all of them or those that differ from another state.
pub fn shown_state(relation: &Relation, state: &State, before: Option<&State>) -> Vec<String> {
    let changed = |k: usize| before.is_none_or(|b| b[k] != state[k]);
    relation
        .numbered()
        .filter(|(id, v)| v.kind != Kind::Input && changed(id.index()))
        .map(|(id, v)| format!("{} = {}", v.name, variable_value(relation, id, state[id.index()])))
        .collect()
}

fn inputs(relation: &Relation, state: &State) -> Vec<String> {
    relation
        .numbered()
        .filter(|(_, v)| v.kind == Kind::Input)
        .map(|(id, v)| {
            let value = variable_value(relation, id, state[id.index()]);
            if relation.selector == Some(id) {
                format!("{value} moves")
            } else {
                format!("{} = {value}", v.name)
            }
        })
        .collect()
}

/// Words in lines.
fn lines(out: &mut String, first: &str, words: &[String]) {
    let indent = " ".repeat(first.chars().count());
    let (mut line, mut width) = (first.to_owned(), 0);
    for word in words {
        if width > 0 && indent.len() + width + word.len() > WIDTH {
            let _ = writeln!(out, "{}", line.trim_end());
            (line, width) = (indent.clone(), 0);
        }
        let _ = write!(line, "{word}  ");
        width += word.len() + 2;
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// An execution, its last steps or all of them.
pub fn trace_text(relation: &Relation, trace: &Trace, last: usize) -> String {
    let mut out = String::new();
    let count = trace.states.len();
    let from = if last == 0 { 0 } else { count.saturating_sub(last + 1) };
    // A loop is shown from its start.
    let from = trace.back.map_or(from, |back| from.min(back));
    if from > 0 {
        let _ = writeln!(out, "      (the first {from} states are not shown; --last 0 shows all)");
    }
    for (k, state) in trace.states.iter().enumerate().skip(from) {
        if trace.back == Some(k) {
            let _ = writeln!(out, "      from here it goes on forever:");
        }
        let before = (k > from).then(|| &trace.states[k - 1]);
        let mut words = shown_state(relation, state, before);
        if words.is_empty() {
            words.push("(nothing changes)".into());
        }
        lines(&mut out, &format!("  {:>4}  ", k + 1), &words);
        let inputs = inputs(relation, state);
        let leaves = k + 1 < count || trace.back.is_some();
        if leaves && !inputs.is_empty() {
            lines(&mut out, "        → ", &inputs);
        }
        for (_, branch) in trace.branches.iter().filter(|(at, _)| *at == k) {
            let _ = writeln!(out, "        from state {}, another way:", k + 1);
            for line in trace_text(relation, branch, 0).lines().skip(1) {
                let _ = writeln!(out, "      {line}");
            }
        }
    }
    if let Some(back) = trace.back {
        let _ = writeln!(out, "      and back to state {}", back + 1);
    }
    if trace.partial {
        let _ = writeln!(
            out,
            "      (what is claimed of the last state is about all of its paths, which no single \
             one shows)"
        );
    }
    out
}
