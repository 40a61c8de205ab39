//! Prints the sizes of automata beside those of Spin's never claims: `sizes [COUNT] [SEED]`.
//!
//! First the specification patterns and their negations, then COUNT random formulas (500).

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::patterns::{PATTERNS, SCOPES};
use common::{spin, Random};
use isospin_logic::{translate, Formula, Limits};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |index: usize, default| {
        arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let mut patterns = Table::default();
    let mut negations = Table::default();
    println!("formula: states, states with marks on edges, states of `spin -f`");
    for (name, formulas) in PATTERNS {
        for (scope, text) in SCOPES.iter().zip(formulas) {
            let formula = Formula::parse(text).expect("the patterns are formulas");
            patterns.add(&format!("{name}, {scope}"), &formula);
            negations.add(&format!("not: {name}, {scope}"), &formula.negated());
        }
    }
    patterns.summary("patterns");
    negations.summary("negated patterns");
    let mut random = Random(number(2, 1));
    let mut table = Table::default();
    for _ in 0..number(1, 500) {
        let operators = 3 + random.below(8);
        let text = random.tree(operators, 3, false).text();
        let formula = Formula::parse(&text).expect("a tree's text is a formula");
        table.add_as(&text, &formula, &text);
    }
    table.summary("random formulas");
}

#[derive(Default)]
struct Table {
    formulas: usize,
    compared: usize,
    ours: usize,
    theirs: usize,
    smaller: usize,
    larger: usize,
    all: usize,
    time: Duration,
    slowest: Duration,
}

impl Table {
    fn add(&mut self, name: &str, formula: &Formula) {
        self.add_as(name, formula, &formula.to_string());
    }

    fn add_as(&mut self, name: &str, formula: &Formula, text: &str) {
        let start = Instant::now();
        let automata = translate(formula, &Limits::default()).expect("small formulas translate");
        let time = start.elapsed();
        self.time += time;
        self.slowest = self.slowest.max(time);
        let ours = automata.buchi.len();
        let theirs = spin::states(text, Duration::from_secs(3));
        self.formulas += 1;
        self.all += ours;
        let mut note = "";
        if let Some(theirs) = theirs {
            self.compared += 1;
            self.ours += ours;
            self.theirs += theirs;
            if ours < theirs {
                self.smaller += 1;
            } else if ours > theirs {
                self.larger += 1;
                note = "  LARGER";
            }
        }
        let theirs = theirs.map_or("-".to_owned(), |states| states.to_string());
        println!("{ours:4} {:4} {theirs:>4}  {name}{note}", automata.generalized.len());
    }

    fn summary(&self, what: &str) {
        println!(
            "{what}: {} formulas, {} states in all; of {} that Spin translates, {} states to \
             Spin's {}: fewer on {}, more on {}; {:.0?} in all, {:.0?} at most",
            self.formulas,
            self.all,
            self.compared,
            self.ours,
            self.theirs,
            self.smaller,
            self.larger,
            self.time,
            self.slowest,
        );
    }
}
