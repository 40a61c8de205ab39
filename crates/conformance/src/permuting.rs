//! Machine code that permutes a state against the definition, and representatives of orbits, on
//! random state vectors.

use std::sync::Arc;

use isospin_model::{FrameLayout, Model, Shape};
use isospin_symmetry::{Element, Representer, Symmetry};

use crate::rng::Rng;
use crate::symmetry::STRATEGIES;

/// Values that are names, or look like some, or do not.
const VALUES: [i32; 10] = [0, 1, 2, 3, 4, 5, 255, 256, 1000, -1];

/// Compares the two on `count` random vectors in the shape of `sample`, each under a random
/// permutation. Says on how many, or what differs.
pub fn check_permuting(
    model: &Model,
    symmetry: &Symmetry,
    sample: &[u8],
    count: usize,
    rng: &mut Rng,
) -> Result<usize, String> {
    let (mut native, mut defined) = (Vec::new(), Vec::new());
    let mut compared = 0;
    for _ in 0..count {
        let state = scrambled(model, sample, rng);
        if !symmetry.is_settled(&state) {
            continue;
        }
        let element = random_element(symmetry, rng);
        symmetry.apply(&element, &state, &mut native);
        symmetry.apply_by_definition(&element, &state, &mut defined);
        if native != defined {
            return Err(format!("{element:?} on {state:?}: {native:?}, and should be {defined:?}"));
        }
        compared += 1;
    }
    Ok(compared)
}

/// Whether `count` random vectors in the shape of `sample` have the representatives of their images
/// under random permutations, where a strategy promises that. Says on how many, or what differs.
pub fn check_representatives(
    model: &Model,
    symmetry: &Arc<Symmetry>,
    sample: &[u8],
    count: usize,
    rng: &mut Rng,
) -> Result<usize, String> {
    let canonical = STRATEGIES.into_iter().filter(|s| s.is_canonical());
    let mut representers: Vec<Representer> =
        canonical.map(|strategy| Representer::new(Arc::clone(symmetry), strategy)).collect();
    let (mut image, mut again, mut compared) = (Vec::new(), Vec::new(), 0);
    for _ in 0..count {
        let state = scrambled(model, sample, rng);
        if !symmetry.is_settled(&state) {
            continue;
        }
        let element = random_element(symmetry, rng);
        symmetry.apply(&element, &state, &mut image);
        for representer in &mut representers {
            let expected = representer.representative(&state).to_vec();
            let way = representer.element().clone();
            symmetry.apply(&way, &state, &mut again);
            if !symmetry.agree(&again, &expected) {
                return Err(format!("{way:?} does not lead from {state:?} to {expected:?}"));
            }
            let found = representer.representative(&image);
            if found != expected {
                return Err(format!("{state:?} has {expected:?}; under {element:?} {found:?}"));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// A vector with the processes of `sample` that may never be reached.
fn scrambled(model: &Model, sample: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut state = sample.to_vec();
    let mut shape = Shape::default();
    shape.read(model, sample);
    let mut slots: Vec<_> = model.layout.slots.iter().map(|s| (0, s)).collect();
    for &(ty, frame) in &shape.frames {
        let proctype = &model.proctypes[ty.index()];
        slots.extend(proctype.frame.slots.iter().map(|s| (frame, s)));
        if rng.chance(70) {
            let at = rng.below(proctype.automaton.locations.len());
            let wide = proctype.frame.location_width as usize;
            let place = (frame + FrameLayout::LOCATION) as usize;
            state[place..place + wide].copy_from_slice(&at.to_le_bytes()[..wide]);
        }
    }
    for (base, slot) in slots {
        for (_, offset) in slot.values() {
            slot.ty.store(&mut state, (base + offset) as usize, *rng.pick(&VALUES));
        }
    }
    for &(ty, offset) in &shape.channels {
        let ty = &model.channel_types[ty.index()];
        if ty.capacity == 0 {
            continue;
        }
        let len = rng.below(usize::from(ty.capacity) + 1);
        ty.set_len(&mut state, offset as usize, len);
        for slot in 0..len {
            let message = ty.message(offset as usize, slot);
            for (field, &at) in ty.fields.iter().zip(&ty.field_offsets) {
                field.store(&mut state, message + at as usize, *rng.pick(&VALUES));
            }
        }
    }
    state
}

/// Some permutation of the group.
fn random_element(symmetry: &Symmetry, rng: &mut Rng) -> Element {
    let domains = symmetry.domains().iter();
    let mut element: Element = domains.map(|d| (0..d.size() as u8).collect()).collect();
    for block in &symmetry.group.blocks {
        let mut images = block.members.clone();
        for k in (1..images.len()).rev() {
            images.swap(k, rng.below(k + 1));
        }
        for (&member, image) in block.members.iter().zip(images) {
            element[block.domain][usize::from(member)] = image;
        }
    }
    for listed in &symmetry.group.listed {
        element[listed.domain].clone_from(rng.pick(&listed.permutations));
    }
    element
}
