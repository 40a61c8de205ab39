//! Automata as never claims of Promela.

use super::expression;
use crate::automaton::Buchi;

impl Buchi {
    /// The automaton as a never claim in the style of `spin -f`.
    ///
    /// A state's name tells Spin what it is: `accept_` starts that of an accepting state,
    /// `T0_init` or `accept_init` is the initial one, and the claim ends in `accept_all`, where
    /// whatever follows is a violation.
    pub fn never_claim(&self, comment: &str) -> String {
        let comment = comment.replace("*/", "* /").replace(['\n', '\r'], " ");
        let mut text = format!("never {{    /* {comment} */\n");
        // A claim starts at its first statement and is violated where it ends.
        let last = (0..self.len()).find(|&q| q != self.initial && self.accepts_all(q));
        let others = (0..self.len()).filter(|&state| state != self.initial && Some(state) != last);
        let order = std::iter::once(self.initial).chain(others).chain(last);
        for state in order {
            text.push_str(&format!("{}:\n", self.claim_label(state, last)));
            if Some(state) == last {
                text.push_str("\tskip\n");
            } else if self.edges[state].is_empty() {
                text.push_str("\tfalse;\n");
            } else {
                text.push_str("\tdo\n");
                for edge in &self.edges[state] {
                    let guard = expression(&edge.label, &self.atoms);
                    let target = self.claim_label(edge.to, last);
                    text.push_str(&format!("\t:: {guard} -> goto {target}\n"));
                }
                text.push_str("\tod;\n");
            }
        }
        text.push_str("}\n");
        text
    }

    fn claim_label(&self, state: usize, last: Option<usize>) -> String {
        match (self.accepting[state], state == self.initial) {
            (true, true) => "accept_init".to_owned(),
            (false, true) => "T0_init".to_owned(),
            (true, false) if Some(state) == last => "accept_all".to_owned(),
            (true, false) => format!("accept_S{state}"),
            (false, false) => format!("T0_S{state}"),
        }
    }
}
