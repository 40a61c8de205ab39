//! Simulation at random: a process that can move is chosen, then one of its steps.

use std::hash::{BuildHasher, Hasher, RandomState};

use isospin_machine::Fault;
use isospin_replay::Choice;

use super::Simulation;
use crate::output::{error_style, say};
use crate::{interrupt, Status};

/// Executes until nothing can happen, something goes wrong, or it is enough.
pub fn run(simulation: &mut Simulation) -> Status {
    let args = simulation.args;
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut random = SplitMix(seed);
    let mut teller = simulation.teller();
    let interrupted = interrupt::on_control_c();
    let limit = args.steps.unwrap_or(u64::MAX);
    let mut status = Status::Fine;
    let mut reason = None;
    let mut cut = false;
    loop {
        if simulation.steps as u64 >= limit {
            reason = Some(format!("stopped after {}, as asked:\n", simulation.so_far()));
            cut = true;
            break;
        }
        if simulation.out.is_closed() || interrupted.is_asked() {
            reason = Some(format!("stopped after {}:\n", simulation.so_far()));
            cut = true;
            break;
        }
        let choices = simulation.execution.choices();
        let Some(choice) = pick(&choices, &mut random) else {
            break;
        };
        let sentence = choice.fault.and_then(|_| simulation.fault(choice));
        if let Some(fault) = simulation.take(choice, &mut teller) {
            let sentence = sentence.unwrap_or_default();
            reason =
                Some(format!("{} (step {})\n", error_style().bad(&sentence), simulation.steps));
            status = match fault {
                Fault::Assertion | Fault::Runtime(_) => Status::Violated,
            };
            break;
        }
    }
    teller.finish(&mut simulation.out);
    simulation.out.flush();
    match reason {
        Some(reason) => say(&reason),
        None => simulation.stand(),
    }
    if cut {
        simulation.standing();
    }
    if args.seed.is_none() && !args.reading.quiet {
        say(&format!("seed {seed}: --seed {seed} gives this again\n"));
    }
    status
}

/// One of the choices: each process is as likely as any other.
fn pick<'c>(choices: &'c [Choice], random: &mut SplitMix) -> Option<&'c Choice> {
    let processes: Vec<&[Choice]> = choices.chunk_by(|a, b| a.step.pid() == b.step.pid()).collect();
    if processes.is_empty() {
        return None;
    }
    let own = processes[random.below(processes.len())];
    own.get(random.below(own.len()))
}

fn random_seed() -> u64 {
    // The standard library seeds its hashers from the system; six digits are easy to retype.
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// Steele, Lea and Flood's SplitMix64: small, and good enough to choose with.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}
