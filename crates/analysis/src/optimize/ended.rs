//! Processes that have ended stay where they are. Only the youngest process can be taken away, so
//! the order of their numbers would show.

use super::for_each_expr;
use isospin_model::{Action, Expr, Kind, Model, Place, Region};

/// Lets processes stay for ever where they end, which nobody can tell from their being gone.
/// Otherwise says what could tell, and changes nothing.
///
/// An execution of the changed model is one of the model as written in which nobody is taken away;
/// only where `timeout` is waited for, and at the very end, those who can be must be taken away
/// first.
pub fn keep_ended(model: &mut Model, observers: &[Expr]) -> Result<(), &'static str> {
    let ends =
        |p: &isospin_model::ProcType| p.automaton.edges.iter().any(|e| e.action == Action::End);
    if !model.proctypes.iter().any(ends) {
        return Ok(());
    }
    if model.features.priorities {
        return Err("there are priorities");
    }
    if model.features.last {
        return Err("`_last` is looked at");
    }
    for proctype in model.proctypes.iter().filter(|p| ends(p)) {
        if !proctype.frame.channels.is_empty() {
            return Err("the channels of a process go with it");
        }
        if proctype.frame.slots.iter().any(|s| s.ty.kind == Kind::Timer) {
            return Err("the timers of a process go with it");
        }
        // To stand there counts, and to be gone does not.
        let automaton = &proctype.automaton;
        let ends = automaton.edges.iter().filter(|e| e.action == Action::End);
        if ends.map(|e| &automaton.locations[e.from.index()]).any(|l| l.accept || l.progress) {
            return Err("a label stands where processes end");
        }
    }
    for promise in &model.exclusives {
        if ends(&model.proctypes[promise.proctype.index()]) {
            return Err("a process claims a channel only while it lives");
        }
    }
    let mut seen = None;
    for_each_expr(model, observers, &mut |expr| {
        let what = match expr {
            Expr::ProcessCount => Some("`_nr_pr` is looked at"),
            Expr::Enabled(_) => Some("`enabled` is used"),
            Expr::PcValue(_) => Some("`pc_value` is used"),
            Expr::Priority(_) => Some("priorities are looked at"),
            Expr::Load(Place { region: Region::Remote { .. }, .. }) => {
                Some("variables of others are looked at")
            }
            Expr::AtLocation { proctype, location: Some(at), .. } => {
                let automaton = &model.proctypes[proctype.index()].automaton;
                let is_end = automaton.edges_of(*at).iter().any(|e| e.action == Action::End);
                is_end.then_some("a label stands where processes end")
            }
            Expr::AtLocation { location: None, .. } => Some("a label is looked at"),
            _ => None,
        };
        seen = seen.or(what);
    });
    if let Some(what) = seen {
        return Err(what);
    }
    if starts_while_others_run(model) {
        return Err("processes are started while others may already have ended");
    }
    for edge in model.proctypes.iter_mut().flat_map(|p| &mut p.automaton.edges) {
        if edge.action == Action::End {
            edge.action = Action::Condition(Expr::Const(0));
            edge.target = edge.from;
        }
    }
    Ok(())
}

/// Whether anybody can move between the start and the last `run`.
fn starts_while_others_run(model: &Model) -> bool {
    let mut starting_types = 0;
    for proctype in &model.proctypes {
        let automaton = &proctype.automaton;
        let starting = automaton.starting_locations();
        if !starting.contains(&true) {
            continue;
        }
        starting_types += 1;
        // Before the first step nobody else is there; after it control is kept.
        let alone = model.initial.len() == 1;
        let kept = |e: &isospin_model::Edge| e.atomic || !starting[e.target.index()];
        let entered = automaton.edges.iter().any(|e| !kept(e));
        if entered || !alone {
            return true;
        }
    }
    starting_types > 1
}
