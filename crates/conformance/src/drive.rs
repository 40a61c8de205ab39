//! What the examples that go through random models have in common: which models, how often what
//! came out, and what differs, made small.

use std::collections::BTreeMap;
use std::process::ExitCode;

use crate::shrink;
use crate::tree::Text;

/// How many models there are between two words about how far it is.
const WORD_INTERVAL: u64 = 500;

/// A run over the models of some seeds, as the command line asks for it.
#[derive(Debug)]
pub struct Drive {
    args: Vec<String>,
    first: u64,
    count: u64,
    step: u64,
    stop: u64,
    tally: BTreeMap<String, u64>,
    wrong: u64,
}

impl Drive {
    /// `--seed`, `--count`, `--step`, and after how many differences to `--stop`.
    pub fn of_arguments(stop: u64) -> Drive {
        let args: Vec<String> = std::env::args().collect();
        let (tally, wrong) = (BTreeMap::new(), 0);
        let mut drive = Drive { args, first: 1, count: 200, step: 1, stop, tally, wrong };
        drive.first = drive.number("--seed", drive.first);
        drive.count = drive.number("--count", drive.count);
        drive.step = drive.number("--step", drive.step).max(1);
        drive.stop = drive.number("--stop", drive.stop);
        println!("{} models from seed {} on, every {}", drive.count, drive.first, drive.step);
        drive
    }

    /// The number that stands behind a name.
    pub fn number(&self, name: &str, usual: u64) -> u64 {
        let at = self.args.iter().position(|a| a == name);
        at.and_then(|at| self.args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    }

    /// Whether a word is there.
    pub fn has(&self, name: &str) -> bool {
        self.args.iter().any(|a| a == name)
    }

    /// Calls `look` with every seed, until there are too many differences.
    pub fn run(&mut self, mut look: impl FnMut(&mut Drive, u64)) {
        for k in 0..self.count {
            let seed = self.first + k * self.step;
            look(self, seed);
            if self.wrong >= self.stop {
                println!("stopped after seed {seed}");
                break;
            }
            if (k + 1) % WORD_INTERVAL == 0 {
                println!("{} models, {} of them differ", k + 1, self.wrong);
            }
        }
    }

    /// Counts one more of those of which this can be said.
    pub fn count(&mut self, what: impl Into<String>) {
        *self.tally.entry(what.into()).or_default() += 1;
    }

    /// Something differs: `check` says what, on this text and on smaller ones.
    pub fn differs<T>(
        &mut self,
        seed: u64,
        why: &str,
        text: &Text,
        tries: usize,
        check: impl Fn(&str) -> Result<T, String>,
    ) {
        println!("seed {seed}: {why}");
        if self.has("--whole") {
            println!("{text}");
        }
        let small = shrink(text, tries, |t| check(&t.to_string()).is_err());
        if let Err(why) = check(&small.to_string()) {
            println!("{why}");
        }
        println!("{small}");
        self.wrong += 1;
    }

    /// Says what came out.
    pub fn finish(self) -> ExitCode {
        for (what, count) in &self.tally {
            println!("{count:6} {what}");
        }
        println!("{} models differ", self.wrong);
        ExitCode::from(u8::from(self.wrong > 0))
    }
}
