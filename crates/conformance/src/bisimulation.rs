//! Labelled transition systems, and whether two of them are strongly bisimilar: by refining the
//! partition of the states of both until the states of a class agree on what can happen and into
//! which classes that leads [Kanellakis and Smolka 1990].

use std::collections::{BTreeSet, HashMap};

/// A labelled transition system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The state that it starts in.
    pub initial: usize,
    /// How many states there are.
    pub states: usize,
    /// From where, with which label, to where.
    pub edges: Vec<(usize, String, usize)>,
}

impl System {
    /// Reads a system as Aldebaran writes it.
    pub fn read(text: &str) -> Option<System> {
        let mut lines = text.lines();
        let head = lines.next()?.trim().strip_prefix("des(")?.strip_suffix(')')?;
        let numbers: Vec<usize> = head.split(',').filter_map(|n| n.trim().parse().ok()).collect();
        let [initial, _, states] = numbers[..] else { return None };
        let mut edges = Vec::new();
        for line in lines.map(str::trim).filter(|l| !l.is_empty()) {
            let inner = line.strip_prefix('(')?.strip_suffix(')')?;
            let (from, rest) = inner.split_once(',')?;
            let (label, to) = rest.rsplit_once(',')?;
            let label = label.trim().trim_matches('"').trim_end().to_owned();
            edges.push((from.trim().parse().ok()?, label, to.trim().parse().ok()?));
        }
        Some(System { initial, states, edges })
    }

    /// How many classes of bisimilar states there are.
    pub fn classes(&self) -> usize {
        let classes = refine(self.states, &self.edges);
        classes.into_iter().collect::<BTreeSet<_>>().len()
    }
}

/// Whether two systems are strongly bisimilar; if not, what the one can do at the start, or after
/// these labels, and the other cannot.
pub fn compare(a: &System, b: &System) -> Result<(), String> {
    let moved = b.edges.iter().map(|(f, l, t)| (f + a.states, l.clone(), t + a.states));
    let edges: Vec<_> = a.edges.iter().cloned().chain(moved).collect();
    let states = a.states + b.states;
    let classes = refine(states, &edges);
    let (first, second) = (a.initial, a.states + b.initial);
    if classes[first] == classes[second] {
        return Ok(());
    }
    Err(difference(&edges, states, first, second))
}

/// For each state the number of its class.
fn refine(states: usize, edges: &[(usize, String, usize)]) -> Vec<usize> {
    let mut labels: HashMap<&str, usize> = HashMap::new();
    let mut out: Vec<Vec<(usize, usize)>> = vec![Vec::new(); states];
    for (from, label, to) in edges {
        let next = labels.len();
        let label = *labels.entry(label).or_insert(next);
        out[*from].push((label, *to));
    }
    let mut classes = vec![0; states];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(usize, BTreeSet<(usize, usize)>), usize> = HashMap::new();
        let next: Vec<usize> = (0..states)
            .map(|s| {
                let moves = out[s].iter().map(|(label, to)| (*label, classes[*to])).collect();
                let fresh = numbers.len();
                *numbers.entry((classes[s], moves)).or_insert(fresh)
            })
            .collect();
        let found = numbers.len();
        classes = next;
        if found == count {
            return classes;
        }
        count = found;
    }
}

/// The shortest labels after which one can do what the other cannot, along states that the same
/// labels lead to.
fn difference(
    edges: &[(usize, String, usize)],
    states: usize,
    first: usize,
    second: usize,
) -> String {
    let mut out: Vec<BTreeSet<(&str, usize)>> = vec![BTreeSet::new(); states];
    for (from, label, to) in edges {
        out[*from].insert((label, *to));
    }
    let labels = |s: usize| out[s].iter().map(|(l, _)| *l).collect::<BTreeSet<_>>();
    let mut todo = std::collections::VecDeque::from([(first, second, Vec::new())]);
    let mut seen = BTreeSet::new();
    while let Some((a, b, path)) = todo.pop_front() {
        let (mine, theirs) = (labels(a), labels(b));
        if mine != theirs {
            let only: Vec<_> = mine.difference(&theirs).collect();
            let missing: Vec<_> = theirs.difference(&mine).collect();
            return format!(
                "after {path:?}: only the first can {only:?}, only the second {missing:?}"
            );
        }
        for (label, to) in &out[a] {
            for (_, other) in out[b].iter().filter(|(l, _)| l == label) {
                if seen.insert((*to, *other)) {
                    let mut path = path.clone();
                    path.push((*label).to_owned());
                    todo.push_back((*to, *other, path));
                }
            }
        }
    }
    "they differ in what choices lead to".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(text: &str) -> System {
        System::read(text).expect("it is well formed")
    }

    #[test]
    fn a_choice_now_is_not_a_choice_later() {
        let now = system("des(0,4,4)\n(0,\"a\",1)\n(0,\"a\",2)\n(1,\"b\",3)\n(2,\"c\",3)");
        let later = system("des(0,3,3)\n(0,\"a\",1)\n(1,\"b\",2)\n(1,\"c\",2)");
        assert!(compare(&now, &later).is_err());
        assert_eq!(compare(&now, &now), Ok(()));
    }

    #[test]
    fn unrolled_loops_and_doubled_edges_are_bisimilar() {
        let one = system("des(0,1,1)\n(0,\"a\",0)");
        let two = system("des(0,3,2)   \n(0,\"a \",1)\n(0,\"a\",1)\n(1,\"a\",0)");
        assert_eq!(compare(&one, &two), Ok(()));
        assert_eq!(two.classes(), 1);
    }

    #[test]
    fn the_first_difference_is_told() {
        let a = system("des(0,2,3)\n(0,\"a\",1)\n(1,\"b\",2)");
        let b = system("des(0,2,3)\n(0,\"a\",1)\n(1,\"c\",2)");
        let told = compare(&a, &b).expect_err("they differ");
        assert_eq!(told, "after [\"a\"]: only the first can [\"b\"], only the second [\"c\"]");
    }
}
