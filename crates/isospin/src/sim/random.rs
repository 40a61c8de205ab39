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
    let interrupted = interrupt::token();
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
        None => simulation.say_how_it_ended(),
    }
    if cut {
        simulation.say_who_waits();
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

#[cfg(test)]
mod tests {
    use isospin_machine::Step;
    use isospin_model::{EdgeId, Pid};

    use super::*;

    #[test]
    fn a_process_with_many_steps_is_no_likelier_than_others() {
        let choice = |pid, edge| Choice {
            step: Step::alone(Pid(pid), EdgeId(edge)),
            timeout: false,
            fault: None,
            control: None,
            state: Vec::new(),
        };
        let mut choices: Vec<Choice> = (0..9).map(|edge| choice(0, edge)).collect();
        choices.push(choice(1, 0));
        let mut random = SplitMix(1);
        let own = |c: &Choice| c.step.pid() == Some(Pid(1));
        let second = (0..1000).filter(|_| pick(&choices, &mut random).is_some_and(own)).count();
        assert!((400..600).contains(&second), "{second} of 1000");
        assert!(pick(&[], &mut random).is_none());
    }

    #[test]
    fn every_number_below_the_bound_comes_and_none_above() {
        let mut random = SplitMix(42);
        let mut met = [false; 5];
        (0..200).for_each(|_| met[random.below(5)] = true);
        assert_eq!(met, [true; 5]);
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut random = SplitMix(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([random.next(), random.next()], expected);
    }
}
