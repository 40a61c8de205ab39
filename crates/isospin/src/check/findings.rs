//! From a violation to a trail file and to what is shown of it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use isospin_machine::{Fault, Step};
use isospin_model::Action;
use isospin_replay::cycle;
use isospin_replay::Execution;
use isospin_report::check::{Finding, PropertyKind};
use isospin_report::snapshot::Snapshot;
use isospin_report::story::{retell, Retold, Untellable};
use isospin_report::trail::{self, Header, TrailOptions, TrailProperty};
use isospin_report::Story;
use isospin_search::liveness::Counterexample;
use isospin_search::{Violation, ViolationKind};

use super::Context;
use crate::args::Fairness;
use crate::output::say;

/// Longer cycles are cut off at the front.
const MAX_CYCLE_SHOWN: usize = 40;

/// Turns violations into findings, one trail file each.
pub struct Findings<'f> {
    context: &'f Context<'f>,
    written: usize,
}

impl<'f> Findings<'f> {
    /// No findings yet.
    pub fn new(context: &'f Context<'f>) -> Findings<'f> {
        Findings { context, written: 0 }
    }

    /// The finding that a violation is.
    pub fn add(&mut self, violation: &Violation, kind: PropertyKind, name: &str) -> Finding {
        let names = self.context.names;
        let model = &names.model;
        // The end first: the trail's header says what is wrong.
        let mut last = VecDeque::new();
        let keep = self.context.args.last.max(1);
        let told = retell(names, &violation.steps, &mut |story| {
            if last.len() == keep {
                last.pop_front();
            }
            last.push_back(story);
        });
        let (message, location) = match (&told, violation.kind) {
            (Ok(retold), ViolationKind::EndState) => self.stuck(&retold.execution),
            (_, ViolationKind::Assertion) => described(&last, model, None),
            (_, ViolationKind::Runtime(error)) => described(&last, model, Some(error.to_string())),
            (Err(_), ViolationKind::EndState) => (String::new(), String::new()),
        };
        let property = TrailProperty {
            name: name.to_owned(),
            kind: kind.word().to_owned(),
            message: message.clone(),
            location: location.clone(),
        };
        let trail = self.write(&violation.steps, property, None);
        let mut stories: Vec<Story> = last.into();
        if self.context.args.last == 0 {
            stories.clear();
        }
        Finding {
            message,
            location,
            trail,
            steps: violation.steps.len(),
            cycle_start: None,
            parts: Vec::new(),
            last: stories,
            state: final_state(told),
        }
    }

    /// The finding that an execution is which violates a property of infinite executions.
    pub fn add_cycle(&mut self, found: &Counterexample, kind: PropertyKind, name: &str) -> Finding {
        let names = self.context.names;
        let model = &names.model;
        let steps = &found.steps;
        // The whole cycle is worth showing, unless it is very long.
        let cycle_len = found.cycle.map_or(0, |start| steps.len() - start);
        let keep = self.context.args.last.max(1).max(cycle_len.min(MAX_CYCLE_SHOWN) + 1);
        let mut last = VecDeque::new();
        let told = retell(names, steps, &mut |story| {
            if last.len() == keep {
                last.pop_front();
            }
            last.push_back(story);
        });
        let formula = model.formulas.iter().find(|f| f.name == name);
        let claim = model.claims.iter().find(|c| c.name == name);
        let asserts = claim.is_some_and(|c| {
            c.automaton.edges.iter().any(|e| matches!(e.action, Action::Assert(_)))
        });
        let message = match (found.cycle, cycle_len) {
            (None, _) if asserts => {
                "the claim runs to its end, or an assertion in it fails".to_owned()
            }
            (None, _) => "the claim runs to its end".to_owned(),
            (Some(_), 0) => "the execution ends, and its last state stays".to_owned(),
            (Some(_), 1) => "a cycle of 1 step".to_owned(),
            (Some(_), n) => format!("a cycle of {n} steps"),
        };
        let source = formula.map(|f| f.source).or(claim.map(|c| c.source));
        let location = source.map_or(String::new(), |s| model.place(s));
        let cycle_start = found.cycle.map(|start| start + 1);
        let property = TrailProperty {
            name: name.to_owned(),
            kind: kind.word().to_owned(),
            message: message.clone(),
            location: location.clone(),
        };
        let trail = self.write(steps, property, cycle_start);
        let mut stories: Vec<Story> = last.into();
        if self.context.args.last == 0 {
            stories.clear();
        }
        let fair = self.context.args.fair != Fairness::None;
        Finding {
            message,
            location,
            trail,
            steps: steps.len(),
            cycle_start,
            parts: match found.cycle {
                Some(start) if fair => self.parts(steps, start),
                _ => Vec::new(),
            },
            last: stories,
            state: final_state(told),
        }
    }

    /// For each process, where it moves on a fair cycle or where it cannot.
    fn parts(&self, steps: &[Step], start: usize) -> Vec<String> {
        let names = self.context.names;
        let Some(found) = cycle::examine(&names.model, steps, start) else { return Vec::new() };
        let told = found.parts.iter().map(|part| match (part.moves, part.waits) {
            (Some(step), _) => format!("process {} moves, for example in step {step}", part.pid),
            (None, Some(step)) => format!("process {} cannot move before step {step}", part.pid),
            (None, None) => format!("process {} never moves", part.pid),
        });
        told.collect()
    }

    /// Who cannot go on and may not end where it stands.
    fn stuck(&self, execution: &Execution) -> (String, String) {
        let snapshot = Snapshot::read(self.context.names, execution.state());
        let stuck: Vec<_> = snapshot.processes.iter().filter(|p| !p.may_end).collect();
        let mut names: Vec<String> =
            stuck.iter().take(3).map(|p| format!("{}[{}]", p.proctype, p.pid)).collect();
        if stuck.len() > 3 {
            names.push(format!("{} more", stuck.len() - 3));
        }
        let who = match names.split_last() {
            None => String::new(),
            Some((only, [])) => only.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        };
        let place = stuck.first().map(|p| p.location.clone());
        (format!("{who} cannot go on"), place.unwrap_or_default())
    }

    fn path(&self) -> PathBuf {
        let args = self.context.args;
        let number = match self.written {
            0 => String::new(),
            n => format!(".{}", n + 1),
        };
        match &args.trail {
            Some(path) => {
                let mut name = path.clone().into_os_string();
                name.push(number);
                name.into()
            }
            None => {
                let mut name = args.model.clone().into_os_string();
                name.push(format!("{number}.trail.json"));
                name.into()
            }
        }
    }

    /// Writes the trail; says its name, if it could be written.
    fn write(
        &mut self,
        steps: &[Step],
        property: TrailProperty,
        cycle_start: Option<usize>,
    ) -> Option<String> {
        let args = self.context.args;
        if args.no_trail {
            return None;
        }
        let header = Header {
            isospin: env!("CARGO_PKG_VERSION").to_owned(),
            format: trail::FORMAT,
            model: args.model.display().to_string(),
            model_hash: self.context.loaded.hash.clone(),
            options: TrailOptions {
                defines: args.reading.defines.clone(),
                include_dirs: args
                    .reading
                    .include_dirs
                    .iter()
                    .map(|d| d.display().to_string())
                    .collect(),
                arguments: std::env::args_os()
                    .skip(2)
                    .map(|a| a.to_string_lossy().into_owned())
                    .collect(),
            },
            property,
            cycle_start,
        };
        let path = self.path();
        let written = || -> io::Result<()> {
            let mut file = BufWriter::new(File::create(&path)?);
            // How it ends is known already.
            let _ = trail::write(&mut file, self.context.names, &header, steps, &mut |_| {})?;
            file.flush()
        };
        match written() {
            Ok(()) => {
                self.written += 1;
                Some(path.display().to_string())
            }
            Err(error) => {
                say(&format!(
                    "warning: cannot write the trail to {}: {error}; --trail FILE names another place\n",
                    path.display()
                ));
                None
            }
        }
    }
}

/// The failing statement and its place; `error` is what went wrong in it.
fn described(
    last: &VecDeque<Story>,
    model: &isospin_model::Model,
    error: Option<String>,
) -> (String, String) {
    let Some(story) = last.back() else {
        let error = error.unwrap_or_default();
        return (format!("{error}, before the first step"), model.name.clone());
    };
    let part = match (&story.partner, story.fault) {
        // A rendez-vous that fails does so at its receiver.
        (Some(partner), Some(Fault::Runtime(_))) => partner,
        _ => &story.part,
    };
    let message = match error {
        Some(error) => format!("{error}, in `{}`", part.text),
        None => part.text.clone(),
    };
    (message, model.place(part.source))
}

fn final_state(told: Result<Retold, Untellable>) -> Option<Vec<u8>> {
    told.ok().map(|retold| retold.execution.state().to_vec())
}
