//! Which executions count, and how a cycle is looked for.

/// Which executions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fairness {
    /// All of them.
    #[default]
    None,
    /// Those on which every process that can move in all states from some point on moves infinitely
    /// often.
    Weak,
    /// Those on which every process that can move in infinitely many states moves infinitely often.
    Strong,
}

/// How a cycle is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Emptiness {
    /// Whichever suits the property.
    #[default]
    Auto,
    /// Nested depth-first search: no or weak fairness, acceptance in states.
    Nested,
    /// By components.
    Components,
    /// Cycles without progress, whatever the automaton: no fairness, no reductions.
    Direct,
    /// Not at all: every node is visited, and the ends that the automaton could come to are taken
    /// note of, see [`LivenessResult::ends`](super::LivenessResult::ends). The automaton has no
    /// accepting states.
    Ends,
    /// Not at all: every node is visited, without reductions, and nothing is decided. What the
    /// other searches cost is measured against it.
    Reachability,
}

impl Emptiness {
    /// Which search it will be where this was asked for; never [`Auto`](Emptiness::Auto). For an
    /// automaton whose acceptance can be read off its states, or not.
    ///
    /// A nested search needs that and knows no strong fairness. Where nothing was asked for, it is
    /// left out under weak fairness, too: it visits a node once for each process then.
    pub fn resolve(self, state_based: bool, fairness: Fairness) -> Emptiness {
        let nested = match self {
            Emptiness::Auto => state_based && fairness == Fairness::None,
            Emptiness::Nested => state_based && fairness != Fairness::Strong,
            Emptiness::Components => false,
            Emptiness::Direct | Emptiness::Ends | Emptiness::Reachability => return self,
        };
        if nested {
            Emptiness::Nested
        } else {
            Emptiness::Components
        }
    }

    /// Whether the search, once [resolved](Self::resolve), can count nodes up to symmetry.
    pub fn knows_symmetry(self, fairness: Fairness) -> bool {
        match self {
            Emptiness::Components | Emptiness::Ends => true,
            Emptiness::Nested => fairness == Fairness::None,
            Emptiness::Auto | Emptiness::Direct | Emptiness::Reachability => false,
        }
    }

    /// Whether the search comes to nodes a second time: to look for a cycle, or to tell one. It
    /// needs [canonical](isospin_symmetry::Strategy::canonical) representatives then.
    pub fn comes_again(self) -> bool {
        self != Emptiness::Ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

    #[test]
    fn a_nested_search_is_made_only_where_it_can_be() {
        for fairness in FAIRNESS {
            for asked in [Emptiness::Auto, Emptiness::Nested, Emptiness::Components] {
                assert_eq!(asked.resolve(false, fairness), Emptiness::Components);
            }
            let nested = Emptiness::Nested.resolve(true, fairness);
            assert_eq!(nested == Emptiness::Components, fairness == Fairness::Strong);
        }
    }

    #[test]
    fn without_a_wish_fairness_is_left_to_components() {
        let found = FAIRNESS.map(|fairness| Emptiness::Auto.resolve(true, fairness));
        let (nested, components) = (Emptiness::Nested, Emptiness::Components);
        assert_eq!(found, [nested, components, components]);
    }

    #[test]
    fn what_is_resolved_stays() {
        for fairness in FAIRNESS {
            for asked in [Emptiness::Direct, Emptiness::Ends, Emptiness::Reachability] {
                assert_eq!(asked.resolve(true, fairness), asked);
            }
        }
    }
}
