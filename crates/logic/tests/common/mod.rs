//! Oracles that share no code with what they check: formulas as trees of their own, evaluated on
//! ultimately periodic words by the definition of the semantics, and acceptance of such words by
//! search in the product with the automaton.
#![allow(dead_code)]

pub mod patterns;
pub mod spin;

use isospin_logic::{Buchi, GeneralizedBuchi};

/// A formula as a tree.
#[derive(Clone, Debug)]
pub enum Tree {
    Constant(bool),
    Atom(usize),
    Not(Box<Tree>),
    Next(Box<Tree>),
    Always(Box<Tree>),
    Eventually(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Implies(Box<Tree>, Box<Tree>),
    Equivalent(Box<Tree>, Box<Tree>),
    Until(Box<Tree>, Box<Tree>),
    WeakUntil(Box<Tree>, Box<Tree>),
    Release(Box<Tree>, Box<Tree>),
}

/// Names of the atoms in the text of a tree.
pub const NAMES: [&str; 5] = ["p", "q", "r", "s", "t"];

impl Tree {
    /// The tree in Spin's syntax, with brackets around every operand.
    pub fn text(&self) -> String {
        let binary = |a: &Tree, op: &str, b: &Tree| format!("({}) {op} ({})", a.text(), b.text());
        match self {
            Tree::Constant(value) => value.to_string(),
            Tree::Atom(atom) => NAMES[*atom].to_owned(),
            Tree::Not(a) => format!("! ({})", a.text()),
            Tree::Next(a) => format!("X ({})", a.text()),
            Tree::Always(a) => format!("[] ({})", a.text()),
            Tree::Eventually(a) => format!("<> ({})", a.text()),
            Tree::And(a, b) => binary(a, "&&", b),
            Tree::Or(a, b) => binary(a, "||", b),
            Tree::Implies(a, b) => binary(a, "->", b),
            Tree::Equivalent(a, b) => binary(a, "<->", b),
            Tree::Until(a, b) => binary(a, "U", b),
            Tree::WeakUntil(a, b) => binary(a, "W", b),
            Tree::Release(a, b) => binary(a, "V", b),
        }
    }

    /// At which positions of a word it holds.
    pub fn holds(&self, word: &Lasso) -> Vec<bool> {
        let zip = |a: &Tree, b: &Tree, f: fn(bool, bool) -> bool| -> Vec<bool> {
            a.holds(word).into_iter().zip(b.holds(word)).map(|(a, b)| f(a, b)).collect()
        };
        match self {
            Tree::Constant(value) => vec![*value; word.letters.len()],
            Tree::Atom(atom) => word.letters.iter().map(|letter| letter >> atom & 1 == 1).collect(),
            Tree::Not(a) => a.holds(word).into_iter().map(|value| !value).collect(),
            Tree::Next(a) => {
                let inner = a.holds(word);
                (0..inner.len()).map(|position| inner[word.next(position)]).collect()
            }
            Tree::And(a, b) => zip(a, b, |a, b| a && b),
            Tree::Or(a, b) => zip(a, b, |a, b| a || b),
            Tree::Implies(a, b) => zip(a, b, |a, b| !a || b),
            Tree::Equivalent(a, b) => zip(a, b, |a, b| a == b),
            Tree::Eventually(a) => future(word, &vec![true; word.letters.len()], &a.holds(word)),
            Tree::Until(a, b) => future(word, &a.holds(word), &b.holds(word)),
            Tree::Always(a) => {
                let inner = a.holds(word);
                (0..inner.len()).map(|from| word.from(from).all(|at| inner[at])).collect()
            }
            Tree::WeakUntil(a, b) => {
                let (hold, goal) = (a.holds(word), b.holds(word));
                let until = future(word, &hold, &goal);
                (0..hold.len())
                    .map(|from| until[from] || word.from(from).all(|at| hold[at]))
                    .collect()
            }
            Tree::Release(a, b) => {
                let not = |values: Vec<bool>| values.into_iter().map(|value| !value).collect();
                let (free, hold): (Vec<bool>, Vec<bool>) = (not(a.holds(word)), not(b.holds(word)));
                not(future(word, &free, &hold))
            }
        }
    }
}

/// Where `goal` comes and `hold` holds until then: position by position along the word.
fn future(word: &Lasso, hold: &[bool], goal: &[bool]) -> Vec<bool> {
    (0..hold.len())
        .map(|from| {
            for at in word.from(from) {
                if goal[at] {
                    return true;
                }
                if !hold[at] {
                    return false;
                }
            }
            false
        })
        .collect()
}

/// An ultimately periodic word: some letters, of which those from `back` on repeat for ever.
#[derive(Clone, Debug)]
pub struct Lasso {
    pub letters: Vec<u64>,
    pub back: usize,
}

impl Lasso {
    fn next(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() {
            self.back
        } else {
            position + 1
        }
    }

    /// Every position that is met from one on, in order.
    fn from(&self, position: usize) -> impl Iterator<Item = usize> + '_ {
        let steps = 2 * self.letters.len();
        std::iter::successors(Some(position), |&at| Some(self.next(at))).take(steps)
    }
}

/// Whether an automaton accepts a word, by reachability in the product.
pub fn accepts(automaton: &GeneralizedBuchi, word: &Lasso) -> bool {
    let length = word.letters.len();
    let count = automaton.edges.len() * length;
    let mut edges: Vec<Vec<(usize, u64)>> = vec![Vec::new(); count];
    for (state, out) in automaton.edges.iter().enumerate() {
        for position in 0..length {
            for edge in out.iter().filter(|edge| edge.label.holds(word.letters[position])) {
                let to = edge.to * length + word.next(position);
                edges[state * length + position].push((to, edge.marks));
            }
        }
    }
    let reach = |from: usize| {
        let mut seen = vec![false; count];
        let mut open: Vec<usize> = edges[from].iter().map(|edge| edge.0).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(edges[node].iter().map(|edge| edge.0));
            }
        }
        seen
    };
    let reachability: Vec<Vec<bool>> = (0..count).map(reach).collect();
    let start = automaton.initial * length;
    (0..count).filter(|&node| node == start || reachability[start][node]).any(|node| {
        let mut marks = 0;
        if !reachability[node][node] {
            return false;
        }
        for from in (0..count).filter(|&from| from == node || reachability[node][from]) {
            for &(to, more) in &edges[from] {
                if to == node || reachability[to][node] {
                    marks |= more;
                }
            }
        }
        marks & automaton.all_marks() == automaton.all_marks()
    })
}

/// Whether an automaton with accepting states accepts a word.
pub fn buchi_accepts(automaton: &Buchi, word: &Lasso) -> bool {
    accepts(&automaton.generalized(), word)
}

/// A small generator of pseudo-random numbers (Steele, Lea and Flood 2014), the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A tree with a number of operators, over some atoms; those that `spin -f` does not know
    /// (`X`, `W`) only where asked for.
    pub fn tree(&mut self, operators: usize, atoms: usize, next: bool) -> Tree {
        if operators == 0 {
            return match self.below(20) {
                0 => Tree::Constant(self.below(2) == 1),
                _ => Tree::Atom(self.below(atoms)),
            };
        }
        let unary = if next { 4 } else { 3 };
        let choice = self.below(unary + if next { 8 } else { 6 });
        if choice < unary {
            let inner = Box::new(self.tree(operators - 1, atoms, next));
            return match choice {
                0 => Tree::Not(inner),
                1 => Tree::Always(inner),
                2 => Tree::Eventually(inner),
                _ => Tree::Next(inner),
            };
        }
        let left = self.below(operators);
        let a = Box::new(self.tree(left, atoms, next));
        let b = Box::new(self.tree(operators - 1 - left, atoms, next));
        match choice - unary {
            0 => Tree::And(a, b),
            1 => Tree::Or(a, b),
            2 => Tree::Until(a, b),
            3 => Tree::Release(a, b),
            4 => Tree::Implies(a, b),
            5 => Tree::Until(a, b),
            6 => Tree::Equivalent(a, b),
            _ => Tree::WeakUntil(a, b),
        }
    }

    /// A word over the valuations of some atoms.
    pub fn lasso(&mut self, atoms: usize) -> Lasso {
        let length = 1 + self.below(7);
        let letters = (0..length).map(|_| self.next() & ((1 << atoms) - 1)).collect();
        Lasso { letters, back: self.below(length) }
    }
}
