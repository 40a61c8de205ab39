//! Where in an automaton a cycle may avoid acceptance: [Cerna 2003], [Edelkamp 2004].
//!
//! A cycle of the product stays in one component of the automaton. In a component whose states are
//! all accepting every cycle is accepting, so that any way back into the stack of a depth-first
//! search is a counterexample and no second search is needed; in one without accepting states no
//! cycle is. Most formulas have automata with such components only: those of `[] (p -> <> q)` and
//! `[] <> p` when they are negated, and those of all safety properties.

use std::collections::{HashMap, HashSet};

use super::PropertyAutomaton;

/// The components of an automaton with accepting states.
pub(in super::super) struct Strength {
    /// For each state, the number of its component.
    component: Vec<usize>,
    /// For each component, whether it has accepting states and others.
    mixed: Vec<bool>,
}

impl Strength {
    /// Looks at an automaton.
    pub fn of(automaton: &PropertyAutomaton) -> Strength {
        let states: Vec<usize> = (0..automaton.states.len()).collect();
        let next = |n: usize, k: usize| Some(automaton.states[n].edges.get(k)?.to as usize);
        let mut component = vec![0; states.len()];
        let mut mixed = Vec::new();
        for (number, part) in components(&states, next).into_iter().enumerate() {
            let accepting = part.iter().filter(|&&n| automaton.states[n].accepting).count();
            // A label of the model may be come to in any state of the automaton.
            mixed.push(automaton.accept_labels || (1..part.len()).contains(&accepting));
            for n in part {
                component[n] = number;
            }
        }
        Strength { component, mixed }
    }

    /// The same where acceptance is not a matter of the automaton alone.
    pub fn nowhere(automaton: &PropertyAutomaton) -> Strength {
        let strength = Strength::of(automaton);
        Strength { mixed: vec![true; strength.mixed.len()], ..strength }
    }

    /// The number of a state's component. A cycle stays in one.
    #[inline]
    pub fn component(&self, state: u32) -> usize {
        self.component[state as usize]
    }

    /// Whether an accepting cycle in this component may be one that a single search does not find.
    #[inline]
    pub fn is_mixed(&self, component: usize) -> bool {
        self.mixed[component]
    }

    /// Whether there is such a component.
    pub fn any_mixed(&self) -> bool {
        self.mixed.contains(&true)
    }
}

/// The strongly connected components of the graph with these nodes, in which the successors of `n`
/// are `next(n, 0)`, `next(n, 1)` and so on: [Tarjan 1972] without recursion.
pub(in super::super) fn components(
    nodes: &[usize],
    next: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let allowed: HashSet<usize> = nodes.iter().copied().collect();
    let mut index: HashMap<usize, usize> = HashMap::new();
    let mut low: HashMap<usize, usize> = HashMap::new();
    let mut open: Vec<usize> = Vec::new();
    let mut on_stack: HashSet<usize> = HashSet::new();
    let mut result = Vec::new();
    for &root in nodes {
        if index.contains_key(&root) {
            continue;
        }
        let mut calls = vec![(root, 0usize, NONE)];
        while let Some((n, at, child)) = calls.pop() {
            if at == 0 && child == NONE {
                let number = index.len();
                index.insert(n, number);
                low.insert(n, number);
                open.push(n);
                on_stack.insert(n);
            }
            if child != NONE {
                let below = low[&child];
                let mine = low[&n].min(below);
                low.insert(n, mine);
            }
            let mut k = at;
            let mut descended = false;
            while let Some(to) = next(n, k) {
                k += 1;
                if !allowed.contains(&to) {
                    continue;
                }
                if !index.contains_key(&to) {
                    calls.push((n, k, to));
                    calls.push((to, 0, NONE));
                    descended = true;
                    break;
                }
                if on_stack.contains(&to) {
                    let mine = low[&n].min(index[&to]);
                    low.insert(n, mine);
                }
            }
            if !descended && low[&n] == index[&n] {
                let mut part = Vec::new();
                while let Some(member) = open.pop() {
                    on_stack.remove(&member);
                    part.push(member);
                    if member == n {
                        break;
                    }
                }
                result.push(part);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::{Expr, Temporal};

    fn atom(name: &str, value: i32) -> Box<Temporal> {
        let expr = Expr::unary(isospin_model::UnaryOp::Negate, Expr::Const(value));
        Box::new(Temporal::Atom { expr, text: name.to_owned() })
    }

    fn mixed(formula: &Temporal) -> bool {
        let automaton = PropertyAutomaton::violating(formula, false).expect("small");
        Strength::of(&automaton).any_mixed()
    }

    #[test]
    fn responses_and_recurrences_need_one_search_and_stability_two() {
        use Temporal::{Always, Eventually, Implies};
        let (p, q) = (|| atom("p", 2), || atom("q", 3));
        let answered = Implies(p(), Box::new(Eventually(q())));
        assert!(!mixed(&Always(Box::new(answered))));
        assert!(!mixed(&Always(Box::new(Eventually(p())))));
        assert!(!mixed(&Always(p())));
        assert!(mixed(&Eventually(Box::new(Always(p())))));
    }

    #[test]
    fn labels_of_the_model_may_be_passed_anywhere() {
        assert!(!Strength::of(&PropertyAutomaton::non_progress()).any_mixed());
        assert!(Strength::of(&PropertyAutomaton::acceptance()).any_mixed());
    }
}
