//! A look around before the search: states from a few random walks, always the same ones. The store
//! learns from them which bits vary; a strategy for symmetry is chosen by them.

use isospin_machine::{Machine, Successors};
use isospin_model::Pid;

const WALKS: u32 = 16;
const STEPS_PER_WALK: u32 = 128;
/// The states that are kept have no more bytes than this together.
const MAX_BYTES: usize = 4 << 20;

/// States as the store will see them, without the hidden part.
pub(crate) fn samples<M: Machine>(
    machine: &mut M,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Vec<u8>> {
    let hidden = machine.model().layout.hidden as usize;
    let mut samples = states(machine, go_on);
    samples.iter_mut().for_each(|s| drop(s.drain(..hidden)));
    samples
}

/// States as the search will come across them. `go_on` is asked before each step: steps may take
/// long.
pub fn states<M: Machine>(machine: &mut M, go_on: &mut dyn FnMut() -> bool) -> Vec<Vec<u8>> {
    let (mut samples, mut bytes) = (Vec::new(), 0);
    let mut state = Vec::new();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..WALKS {
        if machine.initial(&mut state).is_err() {
            break;
        }
        let mut control = None;
        for _ in 0..STEPS_PER_WALK {
            if bytes > MAX_BYTES || !go_on() {
                return samples;
            }
            if control.is_none() {
                bytes += state.len();
                samples.push(state.clone());
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            match random_step(machine, &state, control, random) {
                Some((next, in_control)) => (state, control) = (next, in_control),
                None => break,
            }
        }
    }
    samples
}

/// Some step, by preference one of the process in control.
fn random_step<M: Machine>(
    machine: &mut M,
    state: &[u8],
    control: Option<Pid>,
    random: u64,
) -> Option<(Vec<u8>, Option<Pid>)> {
    let count = machine.process_count(state);
    let others = (0..count).map(|k| (k + random as usize % count) % count);
    let mut out = Successors::default();
    for timeout in [false, true] {
        if timeout {
            machine.tick(state, &mut out);
            let ticks: Vec<_> = out.list().iter().filter(|s| s.fault.is_none()).collect();
            if !ticks.is_empty() {
                let chosen = ticks[(random >> 32) as usize % ticks.len()];
                return Some((out.state(chosen).to_vec(), None));
            }
        }
        for pid in control.map(Pid::index).into_iter().chain(others.clone()) {
            if pid < count {
                machine.steps(state, Pid::at(pid), timeout, &mut out);
            }
            let good: Vec<_> = out.list().iter().filter(|s| s.fault.is_none()).collect();
            if !good.is_empty() {
                let chosen = good[(random >> 32) as usize % good.len()];
                return Some((out.state(chosen).to_vec(), chosen.control));
            }
        }
    }
    None
}
