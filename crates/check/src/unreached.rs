//! Statements that no execution takes.

use std::collections::BTreeMap;

use isospin_model::{EdgeId, Model, ProcTypeId, SourceRef};

/// A statement that was never executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The process type.
    pub proctype: String,
    /// Whether the process type was never executed at all.
    pub never_started: bool,
    /// Where the statement stands.
    pub source: SourceRef,
    /// The statement as written.
    pub text: String,
}

/// The statements of which no edge was taken, process type by process type, in source order.
pub fn unreached(model: &Model, taken: impl Fn(ProcTypeId, EdgeId) -> bool) -> Vec<Unreached> {
    let mut all = Vec::new();
    for (ty, proctype) in model.proctypes.iter().enumerate() {
        // A statement may stand on several edges; one that was taken is enough.
        let mut statements = BTreeMap::new();
        for (id, edge) in proctype.automaton.edges.iter().enumerate() {
            let entry =
                statements.entry(edge.statement).or_insert((edge.source, edge.text.clone(), false));
            entry.2 |= taken(ProcTypeId(ty as u16), EdgeId(id as u32));
        }
        let never_started = statements.values().all(|s| !s.2);
        let mut these: Vec<Unreached> = statements
            .into_values()
            .filter(|(_, _, taken)| !taken)
            .map(|(source, text, _)| Unreached {
                proctype: proctype.name.clone(),
                never_started,
                source,
                text,
            })
            .collect();
        these.sort_by_key(|u| u.source);
        // Inlined text gives the same place several times.
        these.dedup_by(|a, b| a.source == b.source && a.text == b.text);
        all.append(&mut these);
    }
    all
}
