//! Hash-consed terms: equal subformulas are one node, so equality is a comparison of indices.

use std::collections::HashMap;

/// A term of a [`Store`]; meaningless without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

/// The shape of a term.
///
/// Negation occurs only at atoms. `<> f` is `true U f`, `[] f` is `false R f`, and `f W g` is
/// `g R (f || g)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// An atom, or its negation where the flag is false.
    Literal(usize, bool),
    /// All of them hold: at least two, sorted, none of them an `And`.
    And(Box<[Term]>),
    /// One of them holds: at least two, sorted, none of them an `Or`.
    Or(Box<[Term]>),
    /// Holds in the next state.
    Next(Term),
    /// The second holds now or later, and the first at every moment before.
    Until(Term, Term),
    /// The second holds up to and including the moment where the first does, or for ever.
    Release(Term, Term),
}

#[derive(Clone, Copy, Debug)]
struct Facts {
    depth: u32,
    size: u64,
    boolean: bool,
    has_next: bool,
    /// Closed under putting letters in front: `f` holds wherever `<> f` does.
    eventual: bool,
    /// Closed under taking suffixes: `f` holds wherever, `[] f` does.
    universal: bool,
}

/// The terms of one or several formulas.
#[derive(Clone, Debug)]
pub struct Store {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    index: HashMap<Node, Term>,
    negations: HashMap<Term, Term>,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

impl Store {
    /// The term `true`.
    pub const TRUE: Term = Term(0);
    /// The term `false`.
    pub const FALSE: Term = Term(1);

    /// A store with the two constants.
    pub fn new() -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            facts: Vec::new(),
            index: HashMap::new(),
            negations: HashMap::new(),
        };
        store.add(Node::True);
        store.add(Node::False);
        store
    }

    /// The number of different terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The shape of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// The nesting of operators in a term.
    pub fn depth(&self, term: Term) -> usize {
        self.facts(term).depth as usize
    }

    /// The number of atoms in a term when it is written out, every time they occur.
    pub fn size(&self, term: Term) -> u64 {
        self.facts(term).size
    }

    /// Whether no temporal operator occurs in it.
    pub fn is_boolean(&self, term: Term) -> bool {
        self.facts(term).boolean
    }

    /// Whether the next-time operator occurs in it.
    pub fn has_next(&self, term: Term) -> bool {
        self.facts(term).has_next
    }

    /// Whether it is a pure eventuality [Etessami 2000]: `f` is `<> f`.
    pub fn is_eventual(&self, term: Term) -> bool {
        self.facts(term).eventual
    }

    /// Whether it is purely universal [Etessami 2000]: `f` is `[] f`.
    pub fn is_universal(&self, term: Term) -> bool {
        self.facts(term).universal
    }

    /// The atom, or its negation.
    pub fn literal(&mut self, atom: usize, positive: bool) -> Term {
        self.add(Node::Literal(atom, positive))
    }

    /// The conjunction of some terms.
    pub fn and(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut parts = Vec::new();
        for term in terms {
            match self.node(term) {
                Node::And(inner) => parts.extend_from_slice(inner),
                Node::True => {}
                _ => parts.push(term),
            }
        }
        match self.gather(parts, Self::FALSE) {
            Err(term) => term,
            Ok(parts) if parts.is_empty() => Self::TRUE,
            Ok(parts) => self.add(Node::And(parts.into())),
        }
    }

    /// The disjunction of some terms.
    pub fn or(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut parts = Vec::new();
        for term in terms {
            match self.node(term) {
                Node::Or(inner) => parts.extend_from_slice(inner),
                Node::False => {}
                _ => parts.push(term),
            }
        }
        match self.gather(parts, Self::TRUE) {
            Err(term) => term,
            Ok(parts) if parts.is_empty() => Self::FALSE,
            Ok(parts) => self.add(Node::Or(parts.into())),
        }
    }

    /// Sorts the parts of a conjunction or disjunction, or finds that it is a single term.
    fn gather(&self, mut parts: Vec<Term>, zero: Term) -> Result<Vec<Term>, Term> {
        parts.sort_unstable();
        parts.dedup();
        if parts.contains(&zero) {
            return Err(zero);
        }
        let contradicts = |&term: &Term| match *self.node(term) {
            Node::Literal(atom, true) => self
                .index
                .get(&Node::Literal(atom, false))
                .is_some_and(|other| parts.binary_search(other).is_ok()),
            _ => false,
        };
        if parts.iter().any(contradicts) {
            return Err(zero);
        }
        match parts[..] {
            [term] => Err(term),
            _ => Ok(parts),
        }
    }

    /// `X f`.
    pub fn next(&mut self, term: Term) -> Term {
        match self.node(term) {
            Node::True | Node::False => term,
            _ => self.add(Node::Next(term)),
        }
    }

    /// `f U g`.
    pub fn until(&mut self, hold: Term, goal: Term) -> Term {
        if hold == goal || hold == Self::FALSE || goal == Self::FALSE || goal == Self::TRUE {
            return goal;
        }
        self.add(Node::Until(hold, goal))
    }

    /// `f R g`, which Spin writes `f V g`.
    pub fn release(&mut self, free: Term, hold: Term) -> Term {
        if free == hold || free == Self::TRUE || hold == Self::FALSE || hold == Self::TRUE {
            return hold;
        }
        self.add(Node::Release(free, hold))
    }

    /// `f W g`: as `f U g`, but `g` may never come.
    pub fn weak_until(&mut self, hold: Term, goal: Term) -> Term {
        let either = self.or([hold, goal]);
        self.release(goal, either)
    }

    /// `<> f`.
    pub fn finally(&mut self, term: Term) -> Term {
        self.until(Self::TRUE, term)
    }

    /// `[] f`.
    pub fn globally(&mut self, term: Term) -> Term {
        self.release(Self::FALSE, term)
    }

    /// `f -> g`.
    pub fn implies(&mut self, left: Term, right: Term) -> Term {
        let not_left = self.not(left);
        self.or([not_left, right])
    }

    /// `f <-> g`.
    pub fn equivalent(&mut self, left: Term, right: Term) -> Term {
        let (not_left, not_right) = (self.not(left), self.not(right));
        let both = self.and([left, right]);
        let neither = self.and([not_left, not_right]);
        self.or([both, neither])
    }

    /// The negation, driven down to the atoms.
    pub fn not(&mut self, term: Term) -> Term {
        if let Some(&negation) = self.negations.get(&term) {
            return negation;
        }
        let negation = match self.node(term).clone() {
            Node::True => Self::FALSE,
            Node::False => Self::TRUE,
            Node::Literal(atom, positive) => self.literal(atom, !positive),
            Node::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| self.not(part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| self.not(part)).collect();
                self.and(parts)
            }
            Node::Next(inner) => {
                let inner = self.not(inner);
                self.next(inner)
            }
            Node::Until(hold, goal) => {
                let (hold, goal) = (self.not(hold), self.not(goal));
                self.release(hold, goal)
            }
            Node::Release(free, hold) => {
                let (free, hold) = (self.not(free), self.not(hold));
                self.until(free, hold)
            }
        };
        self.negations.insert(term, negation);
        self.negations.insert(negation, term);
        negation
    }

    fn facts(&self, term: Term) -> Facts {
        self.facts[term.0 as usize]
    }

    fn add(&mut self, node: Node) -> Term {
        if let Some(&term) = self.index.get(&node) {
            return term;
        }
        let facts = self.derive(&node);
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.facts.push(facts);
        self.index.insert(node, term);
        term
    }

    /// The facts of a node from those of its parts; the two closure properties after
    /// [Etessami 2000, section 3].
    fn derive(&self, node: &Node) -> Facts {
        match node {
            Node::True | Node::False => Facts {
                depth: 0,
                size: 1,
                boolean: true,
                has_next: false,
                eventual: true,
                universal: true,
            },
            Node::Literal(..) => Facts {
                depth: 0,
                size: 1,
                boolean: true,
                has_next: false,
                eventual: false,
                universal: false,
            },
            Node::And(parts) | Node::Or(parts) => {
                let all = |get: fn(&Facts) -> bool| parts.iter().all(|&p| get(&self.facts(p)));
                Facts {
                    depth: 1 + parts.iter().map(|&p| self.facts(p).depth).max().unwrap_or(0),
                    size: parts.iter().fold(0, |sum, &p| sum.saturating_add(self.size(p))),
                    boolean: all(|f| f.boolean),
                    has_next: !all(|f| !f.has_next),
                    eventual: all(|f| f.eventual),
                    universal: all(|f| f.universal),
                }
            }
            Node::Next(inner) => {
                let inner = self.facts(*inner);
                Facts { depth: inner.depth + 1, boolean: false, has_next: true, ..inner }
            }
            Node::Until(hold, goal) => {
                let (left, right) = (self.facts(*hold), self.facts(*goal));
                Facts {
                    depth: 1 + left.depth.max(right.depth),
                    size: left.size.saturating_add(right.size),
                    boolean: false,
                    has_next: left.has_next || right.has_next,
                    eventual: *hold == Self::TRUE || right.eventual,
                    universal: left.universal && right.universal,
                }
            }
            Node::Release(free, hold) => {
                let (left, right) = (self.facts(*free), self.facts(*hold));
                Facts {
                    depth: 1 + left.depth.max(right.depth),
                    size: left.size.saturating_add(right.size),
                    boolean: false,
                    has_next: left.has_next || right.has_next,
                    eventual: left.eventual && right.eventual,
                    universal: *free == Self::FALSE || right.universal,
                }
            }
        }
    }
}
