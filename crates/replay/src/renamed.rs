//! Cycles that repeat with other names: a walk that leads from a state to its image under some
//! permutation of names goes on from there renamed, and so on, until it has come back.
//!
//! Nobody has to believe in the permutation. Every round is gone on the interpreter, each step taken
//! by the process that the permutation says; what a property sees has to be the same in every round,
//! or to repeat after some. Only where all rounds together would be too long, the first of them have
//! to do.

use std::sync::Arc;

use isospin_logic::GeneralizedBuchi;
use isospin_machine::{Interpreter, Move, Partner, Step};
use isospin_model::{Expr, Model, Pid, ProcType, Temporal};

use crate::automaton::at_label;
use crate::confirm::Claim;
use crate::execution::{Execution, Misfit};
use crate::lasso::{observe, Broken, Walked};

/// Not more steps than this are gone.
const MAX_STEPS: usize = 600_000;
/// Not more states than this are kept of rounds that look different to a property.
const MAX_STATES: usize = 50_000;
/// How often all rounds are gone until values that do not count have settled.
const MAX_REVOLUTIONS: u32 = 4;

/// A permutation of processes under which a cycle repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// For each process, by number, who takes its place in the next round.
    pub pids: Vec<u8>,
    /// After how many rounds everybody is back in place.
    pub order: u64,
}

impl Renaming {
    /// Who takes the place of a process.
    pub fn pid(&self, pid: Pid) -> Pid {
        self.pids.get(pid.index()).map_or(pid, |&to| Pid(to))
    }

    /// A step as the next round has it.
    pub fn step(&self, step: Step) -> Step {
        let Step::Process(by) = step else { return step };
        let partner = by.partner.map(|p| Partner { pid: self.pid(p.pid), ..p });
        Step::Process(Move { pid: self.pid(by.pid), partner, ..by })
    }

    /// Everybody who takes the place of a process in some round, that one first.
    pub fn orbit(&self, pid: Pid) -> Vec<Pid> {
        let mut orbit = vec![pid];
        let mut next = self.pid(pid);
        while next != pid && orbit.len() <= self.pids.len() {
            orbit.push(next);
            next = self.pid(next);
        }
        orbit
    }
}

/// What a property looks at in a state.
#[derive(Default)]
pub struct Sight<'c> {
    exprs: Vec<&'c Expr>,
    labels: Option<&'c Model>,
}

impl<'c> Sight<'c> {
    /// What somebody who claims this looks at.
    pub fn of(model: &'c Model, claim: &Claim<'c>) -> Sight<'c> {
        let mut sight = Sight::default();
        match claim {
            Claim::Formula(formula) => sight.formula(formula),
            Claim::Never(claim) => sight.claim(claim),
            Claim::Automaton(automaton, atoms) => sight.automaton(automaton, atoms),
            Claim::Acceptance(claim) => {
                sight.labels = Some(model);
                claim.iter().for_each(|claim| sight.claim(claim));
            }
            Claim::Progress => sight.exprs.push(&Expr::NonProgress),
            Claim::Assertion
            | Claim::Runtime(_)
            | Claim::EndState
            | Claim::Unreadable(_)
            | Claim::Time => {}
        }
        sight
    }

    fn formula(&mut self, formula: &'c Temporal) {
        formula.for_each_atom(&mut |expr| self.exprs.push(expr));
    }

    fn claim(&mut self, claim: &'c ProcType) {
        for edge in &claim.automaton.edges {
            edge.action.walk(&mut |expr| self.exprs.push(expr));
        }
    }

    fn automaton(&mut self, _: &GeneralizedBuchi, atoms: &'c [Expr]) {
        self.exprs.extend(atoms);
    }

    fn look(&self, machine: &mut Interpreter, state: &[u8]) -> Vec<i64> {
        let mut seen: Vec<i64> = Vec::with_capacity(self.exprs.len() + 1);
        for expr in &self.exprs {
            seen.push(observe(machine, state, expr).map_or(i64::MIN, i64::from));
        }
        seen.extend(self.labels.map(|model| i64::from(at_label(model, state))));
        seen
    }
}

/// Goes round after round from where the cycle of `word` starts, until it has come back there or it
/// would take too long. Adds the states of as many rounds to the word as look different.
pub fn close(
    model: &Arc<Model>,
    cycle: &[Step],
    renaming: &Renaming,
    sight: &Sight,
    word: &mut Walked,
) -> Result<(), Broken> {
    let hidden = model.layout.hidden as usize;
    let start = word.back.ok_or(Broken::Open)?;
    let mut home = word.states[start].clone();
    let mut execution = Execution::new(Arc::clone(model)).map_err(Broken::Start)?;
    execution.restore(home.clone(), None, 0);
    let mut steps: Vec<Step> = cycle.to_vec();
    // What was seen in the first rounds, until a round looks like the first one.
    let mut seen: Vec<Vec<Vec<i64>>> = Vec::new();
    let mut repeats = false;
    let (mut taken, mut round, mut revolutions) = (0, 0, 0);
    loop {
        let mut states = Vec::new();
        for (k, &step) in steps.iter().enumerate() {
            if !execution.is_inside() {
                states.push(execution.state().to_vec());
            }
            let misfit = Broken::Misfit(Misfit { step: taken + k + 1 });
            let choice = execution.choice(step).filter(|c| c.fault.is_none()).ok_or(misfit)?;
            execution.take(&choice);
        }
        if execution.is_inside() {
            return Err(Broken::Inside);
        }
        let machine = execution.machine();
        let looks: Vec<Vec<i64>> = states.iter().map(|s| sight.look(machine, s)).collect();
        match seen.first() {
            Some(first) if *first == looks && !repeats => repeats = true,
            _ if repeats && seen[round % seen.len()] != looks => return Err(Broken::Open),
            _ if !repeats => {
                if round > 0 {
                    word.states.extend(states);
                }
                if word.states.len() > MAX_STATES {
                    return Err(Broken::Open);
                }
                seen.push(looks);
            }
            _ => {}
        }
        taken += steps.len();
        round += 1;
        if execution.state()[hidden..] == home[hidden..] {
            return Ok(());
        }
        if taken > MAX_STEPS {
            return if repeats { Ok(()) } else { Err(Broken::Open) };
        }
        if (round as u64).is_multiple_of(renaming.order.max(1)) {
            // Only values that do not count differ, and the next rounds make them what they will be.
            revolutions += 1;
            if revolutions > MAX_REVOLUTIONS {
                return Err(Broken::Open);
            }
            home = execution.state().to_vec();
        }
        steps.iter_mut().for_each(|step| *step = renaming.step(*step));
    }
}
