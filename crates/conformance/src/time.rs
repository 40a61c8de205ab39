//! A tick by brute force: from the names of variables, and without a line of what the machines use.

use isospin_model::{Kind, Model, Shape, Slot};

/// Whether some timer of the state is not off.
pub fn runs(model: &Model, state: &[u8]) -> bool {
    timers(model, state).iter().any(|&(_, left)| left >= 0)
}

/// The state one unit of time later; `None` where all timers are off.
pub fn tick(model: &Model, state: &[u8]) -> Option<Vec<u8>> {
    let timers: Vec<(usize, i32)> =
        timers(model, state).into_iter().filter(|&(_, left)| left >= 0).collect();
    let mut next = state.to_vec();
    for (at, left) in &timers {
        next[*at..*at + 4].copy_from_slice(&(left - 1).to_le_bytes());
    }
    (!timers.is_empty()).then_some(next)
}

/// Where each timer is, and what it has left.
fn timers(model: &Model, state: &[u8]) -> Vec<(usize, i32)> {
    let mut shape = Shape::default();
    shape.read(model, state);
    let mut found = Vec::new();
    let mut add = |slots: &[Slot], base: u32| {
        for slot in slots.iter().filter(|s| s.ty.kind == Kind::Timer) {
            for (_, offset) in slot.values() {
                let at = (base + offset) as usize;
                found.push((at, slot.ty.load(state, at)));
            }
        }
    };
    add(&model.layout.slots, 0);
    for &(ty, frame) in &shape.frames {
        add(&model.proctypes[ty.index()].frame.slots, frame);
    }
    found
}
