//! Local variables whose value is not needed any more are reset to 0: states that differ only in
//! such values are one.

use super::for_each_expr;
use isospin_limits::check_many;
use isospin_model::{
    Action, Automaton, DetStep, Expr, Kind, LocationId, Model, Place, ProcType, ReceiveArg, Region,
    Slot,
};

/// A set of slots of a frame, by position.
type Slots = Vec<bool>;

/// Process types for which it would take longer than this, in variables times statements, keep
/// their values: what is not reset is only a state more.
const MAX_WORK: usize = 1 << 25;

/// Lets every edge reset the variables that are not needed where it leads.
pub(super) fn reset_dead(model: &mut Model, observers: &[Expr]) {
    // A variable that is looked at from outside is always needed.
    let mut watched: Vec<Vec<u32>> = vec![Vec::new(); model.proctypes.len()];
    for_each_expr(model, observers, &mut |expr| {
        if let Expr::Load(Place { region: Region::Remote { proctype, .. }, offset, .. }) = expr {
            watched[proctype.index()].push(*offset);
        }
    });
    // So is one that names a channel which the process claims for as long as it lives.
    for promise in &model.exclusives {
        if let Expr::Load(Place { region: Region::Local, offset, .. }) = promise.channel {
            watched[promise.proctype.index()].push(offset);
        }
    }
    // So is what time passes under.
    let conditions = model.time.as_ref().map_or(&[][..], |t| &t.conditions);
    for condition in conditions {
        condition.holds.walk(&mut |expr| {
            if let Expr::Load(Place { region: Region::Local, offset, .. }) = expr {
                watched[condition.proctype.index()].push(*offset);
            }
        });
    }
    for (proctype, watched) in model.proctypes.iter_mut().zip(&watched) {
        let automaton = &proctype.automaton;
        let places = automaton.locations.len() + automaton.edges.len();
        if places.saturating_mul(proctype.frame.slots.len()) > MAX_WORK {
            continue;
        }
        let live = live_slots(proctype);
        let frame = &proctype.frame;
        // A timer is looked at by every tick: as long as one runs, time goes on.
        let kept: Slots = frame
            .slots
            .iter()
            .map(|s| s.ty.kind == Kind::Timer || watched.iter().any(|&o| holds(s, o)))
            .collect();
        for e in 0..proctype.automaton.edges.len() {
            let edge = &proctype.automaton.edges[e];
            if edge.action == Action::End {
                continue;
            }
            let mut written = vec![false; frame.slots.len()];
            writes(&edge.action, &frame.slots, &mut written);
            let (before, after) = (&live[edge.from.index()], &live[edge.target.index()]);
            let resets = frame
                .slots
                .iter()
                .enumerate()
                .filter(|(k, _)| !after[*k] && !kept[*k] && (before[*k] || written[*k]))
                .flat_map(|(_, slot)| ranges(slot))
                .collect();
            proctype.automaton.edges[e].resets = resets;
        }
    }
}

fn holds(slot: &Slot, offset: u32) -> bool {
    ranges(slot).iter().any(|&(at, len)| at <= offset && offset < at + len)
}

/// The bytes of a slot: where they start and how many.
fn ranges(slot: &Slot) -> Vec<(u32, u32)> {
    slot.values().iter().map(|(_, at)| (*at, slot.ty.width())).collect()
}

/// For each location, the slots whose value may still be read before it is overwritten.
fn live_slots(proctype: &ProcType) -> Vec<Slots> {
    let slots = &proctype.frame.slots;
    let automaton = &proctype.automaton;
    let mut live = vec![vec![false; slots.len()]; automaton.locations.len()];
    let always = read_always(proctype);
    loop {
        let mut changed = false;
        for l in (0..automaton.locations.len()).rev() {
            let now = live_at(automaton, LocationId(l as u32), slots, &live, &always);
            if now != live[l] {
                live[l] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// Slots that the process type's `provided` clause reads.
fn read_always(proctype: &ProcType) -> Slots {
    let mut read = vec![false; proctype.frame.slots.len()];
    if let Some(expr) = &proctype.provided {
        reads(expr, &proctype.frame.slots, &mut read);
    }
    read
}

fn live_at(
    automaton: &Automaton,
    location: LocationId,
    slots: &[Slot],
    live: &[Slots],
    always: &Slots,
) -> Slots {
    let mut now = always.clone();
    check_many(1 + slots.len() as u32 / 16);
    for edge in automaton.edges_of(location) {
        let mut after = live[edge.target.index()].clone();
        if edge.action == Action::End {
            after.fill(false);
        }
        let before = match &edge.action {
            Action::DetStep(step) => live_before_sequence(step, slots, &after),
            action => live_before(action, slots, after),
        };
        join(&mut now, &before);
    }
    now
}

fn join(mine: &mut Slots, theirs: &Slots) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine |= theirs;
    }
}

/// What is live before an action, given what is live after it. Places that it stores in may depend
/// on values, too.
fn live_before(action: &Action, slots: &[Slot], mut live: Slots) -> Slots {
    kills(action, slots, &mut live);
    action.walk(&mut |e| read_here(e, slots, &mut live));
    live
}

/// What is live before a deterministic sequence.
fn live_before_sequence(step: &DetStep, slots: &[Slot], after: &Slots) -> Slots {
    let mut live = vec![vec![false; slots.len()]; step.nodes.len()];
    loop {
        let mut changed = false;
        for n in (0..step.nodes.len()).rev() {
            let mut now = vec![false; slots.len()];
            check_many(1 + slots.len() as u32 / 16);
            for edge in &step.nodes[n].edges {
                let next = edge.target.map_or(after, |t| &live[t as usize]).clone();
                join(&mut now, &live_before(&edge.action, slots, next));
            }
            if now != live[n] {
                live[n] = now;
                changed = true;
            }
        }
        if !changed {
            return live.swap_remove(0);
        }
    }
}

fn reads(expr: &Expr, slots: &[Slot], read: &mut Slots) {
    expr.walk(&mut |e| read_here(e, slots, read));
}

fn read_here(expr: &Expr, slots: &[Slot], read: &mut Slots) {
    if let Expr::Load(place) = expr {
        if place.region == Region::Local {
            touch(place, slots, read);
        }
    }
}

/// Marks the slots that a local place may be in.
fn touch(place: &Place, slots: &[Slot], set: &mut Slots) {
    let reach: u32 = place.indices.iter().map(|i| (i.len - 1) * i.stride).sum();
    for (k, slot) in slots.iter().enumerate() {
        if ranges(slot).iter().any(|&(at, len)| {
            at < place.offset + reach + place.ty.width() && place.offset < at + len
        }) {
            set[k] = true;
        }
    }
}

/// Marks the slots that an action may store in.
fn writes(action: &Action, slots: &[Slot], set: &mut Slots) {
    match action {
        Action::Assign(Some(place), _) if place.region == Region::Local => {
            touch(place, slots, set);
        }
        Action::Receive { pattern, .. } => {
            for arg in pattern {
                match arg {
                    ReceiveArg::Store(place) if place.region == Region::Local => {
                        touch(place, slots, set);
                    }
                    _ => {}
                }
            }
        }
        Action::DetStep(step) => {
            for edge in step.nodes.iter().flat_map(|n| &n.edges) {
                writes(&edge.action, slots, set);
            }
        }
        _ => {}
    }
}

/// Unmarks the slots that an action certainly overwrites as a whole.
fn kills(action: &Action, slots: &[Slot], live: &mut Slots) {
    let mut kill = |place: &Place| {
        if place.region == Region::Local && place.indices.is_empty() {
            for (k, slot) in slots.iter().enumerate() {
                if slot.offset == place.offset && slot.path.iter().all(|s| s.array.is_none()) {
                    live[k] = false;
                }
            }
        }
    };
    match action {
        Action::Assign(Some(place), _) => kill(place),
        Action::Receive { pattern, .. } => {
            for arg in pattern {
                if let ReceiveArg::Store(place) = arg {
                    kill(place);
                }
            }
        }
        _ => {}
    }
}
