//! What steps are called: the words that transition systems are compared by.

use isospin_model::{EdgeId, Expr, ProcTypeId};

use crate::lower::Lowered;
use crate::system::{System, Type};

/// One thing that a step does.
#[derive(Clone, Debug)]
pub enum Part {
    /// Nothing to be seen.
    Silent,
    /// A signal is sent. Its parameters are looked at before the step.
    Output(usize, Vec<(Expr, Type)>),
    /// A signal is taken. Its parameters are looked at after the step.
    Input(usize, Vec<(Expr, Type)>),
    /// A process is started.
    Fork(usize),
    /// What the model says in words.
    Words(String),
}

/// When a value is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Moment {
    Before,
    After,
}

impl Lowered {
    /// What a step of process `pid` along an edge is called: a word for each thing that it does.
    /// `value` evaluates an expression of the process before or after the step.
    pub fn words(
        &self,
        system: &System,
        proctype: ProcTypeId,
        edge: EdgeId,
        pid: u32,
        value: &mut dyn FnMut(&Expr, Moment) -> i32,
    ) -> Vec<String> {
        let who = self.plan.name(system, pid);
        let parts = &self.labels[proctype.index()][edge.index()];
        let mut told = |kind: char, signal: usize, values: &[(Expr, Type)], moment: Moment| {
            let values: Vec<String> = values
                .iter()
                .map(|(expr, ty)| self.spelled(system, ty, value(expr, moment)))
                .collect();
            format!("{who} {kind}{}{{{}}}", system.signals[signal].name, values.join(","))
        };
        parts
            .iter()
            .map(|part| match part {
                Part::Silent => format!("{who} i"),
                Part::Output(signal, values) => told('!', *signal, values, Moment::Before),
                Part::Input(signal, values) => told('?', *signal, values, Moment::After),
                Part::Fork(process) => format!("{who} #{}", system.processes[*process].name),
                Part::Words(words) => format!("{who} {words}"),
            })
            .collect()
    }

    /// What a step without any word is called.
    pub fn silent(&self, system: &System, pid: u32) -> String {
        format!("{} i", self.plan.name(system, pid))
    }

    fn spelled(&self, system: &System, ty: &Type, value: i32) -> String {
        match ty {
            Type::Boolean => if value == 0 { "f" } else { "t" }.to_owned(),
            Type::Pid => self.plan.name(system, value as u32),
            Type::Enum(set) => {
                let literals = &system.enumerations[*set].literals;
                literals.get(value as usize).cloned().unwrap_or_else(|| value.to_string())
            }
            _ => value.to_string(),
        }
    }
}
