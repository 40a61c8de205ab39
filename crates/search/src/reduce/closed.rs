//! Finds the closed set of processes with the fewest steps in a state.

use super::disturb::Disturbance;
use super::gain::Gain;
use super::needs::Disturbers;
use super::rows::Rows;
use super::standing::{Here, Standing};
use super::{AmpleSets, Expanded};
use crate::expand::Movers;

/// What is known of all states, and what was found in the last one.
pub(super) struct Sets {
    pub rows: Rows,
    pub disturbance: Disturbance,
    /// For each row, whether the property may see the next step of a process there (C2).
    pub visible: Vec<bool>,
    /// The best set, as groups.
    pub best: Vec<usize>,
    /// Whether a closed set was passed over because the property may see its steps.
    pub seen: bool,
}

/// Finds closed sets among up to `64 * W` processes.
#[derive(Default)]
pub(super) struct Finder<const W: usize> {
    standing: Standing<W>,
    disturbers: Disturbers<W>,
    /// For each process, how many steps it has that count.
    sizes: Vec<usize>,
}

impl<const W: usize> Finder<W> {
    /// Finds the smallest closed set of a new state. Says how many steps it has.
    pub fn smallest(
        &mut self,
        sets: &mut Sets,
        gain: &mut Gain,
        kind: AmpleSets,
        expanded: Expanded<'_>,
    ) -> usize {
        self.standing.read(&sets.rows, &sets.disturbance, expanded);
        self.disturbers.forget(self.standing.rows.len());
        sets.seen = false;
        if kind != AmpleSets::Process && !expanded.0.clusters.is_empty() {
            // The smallest clusters are single processes.
            let mut size = self.find(sets, AmpleSets::Process, expanded, |_| true, false);
            if size == usize::MAX {
                size = self.find_declared(sets, expanded);
            }
            if size < usize::MAX {
                return size;
            }
        }
        let size = self.find(sets, kind, expanded, |_| true, false);
        if kind != AmpleSets::Stubborn || size == 1 || !gain.is_likely() {
            return size;
        }
        let kept = std::mem::take(&mut sets.best);
        let smaller = self.find(sets, kind, expanded, |_| true, true);
        gain.add(smaller < size);
        if smaller >= size {
            sets.best = kept;
        }
        smaller.min(size)
    }

    /// Finds the declared cluster with the fewest steps that is closed; clusters are not believed to
    /// be so.
    fn find_declared(
        &mut self,
        sets: &mut Sets,
        (model, state, steps, groups): Expanded<'_>,
    ) -> usize {
        let (rows, standing) = (&sets.rows, &self.standing);
        let here = Here { model, state, rows, standing, steps, groups };
        let movable: Movers<W> = groups.iter().map(|g| g.pid).collect();
        let mut least = usize::MAX;
        for cluster in &model.clusters {
            let inside: Movers<W> =
                (0..self.standing.rows.len()).filter(|&pid| here.belongs(pid, cluster)).collect();
            let chosen = (0..groups.len()).filter(|&k| inside.has(groups[k].pid as u8));
            let size: usize = chosen.clone().map(|k| groups[k].to - groups[k].from).sum();
            if size == 0 || size >= least || inside.contains(&movable) {
                continue;
            }
            let (disturbance, disturbers) = (&mut sets.disturbance, &mut self.disturbers);
            if !inside.iter().all(|m| inside.contains(&disturbers.of(disturbance, &here, m))) {
                continue;
            }
            if inside.iter().any(|pid| sets.visible[self.standing.rows[pid]]) {
                sets.seen = true;
                continue;
            }
            least = size;
            sets.best.clear();
            sets.best.extend(chosen);
        }
        least
    }

    /// Finds the closed set with the fewest steps among those that grow from groups that count,
    /// where only steps of such groups do; with `guards`, conditions are looked at. The set is then
    /// `best`. Says how many steps it has.
    pub fn find(
        &mut self,
        sets: &mut Sets,
        kind: AmpleSets,
        (model, state, steps, groups): Expanded<'_>,
        counts: impl Fn(usize) -> bool,
        guards: bool,
    ) -> usize {
        let Sets { rows, disturbance, visible, best, seen } = sets;
        let here = Here { model, state, rows, standing: &self.standing, steps, groups };
        let movable: Movers<W> = groups.iter().map(|g| g.pid).collect();
        self.sizes.clear();
        self.sizes.resize(self.standing.rows.len(), 0);
        for k in (0..groups.len()).filter(|&k| counts(k)) {
            self.sizes[groups[k].pid] = groups[k].to - groups[k].from;
        }
        let mut limits = Limits {
            lone: kind == AmpleSets::Process,
            movable,
            hopeless: Movers::default(),
            sizes: &self.sizes,
            size: usize::MAX,
        };
        for seed in (0..groups.len()).filter(|&k| counts(k)) {
            let disturbers = &mut self.disturbers;
            let of = |member, inside: &Movers<W>| match guards {
                true => disturbers.of_guarded(disturbance, &here, member, inside),
                false => disturbers.of(disturbance, &here, member),
            };
            let pid = groups[seed].pid;
            let grown = grow(pid, &limits, of);
            if !guards {
                limits.hopeless.insert(pid as u8);
            }
            let Some((inside, size)) = grown else {
                continue;
            };
            // In a rendez-vous a member moves that has no step of its own.
            let mut moving =
                inside.iter().filter(|&pid| model.features.rendezvous || movable.has(pid as u8));
            if moving.any(|pid| visible[self.standing.rows[pid]]) {
                *seen = true;
                continue;
            }
            limits.size = size;
            best.clear();
            best.extend((0..groups.len()).filter(|&k| inside.has(groups[k].pid as u8)));
            if size == 1 {
                break;
            }
        }
        limits.size
    }
}

/// Which sets are of no use.
struct Limits<'s, const W: usize> {
    /// Those with several processes.
    lone: bool,
    /// Those with everybody who can move.
    movable: Movers<W>,
    /// Those with one of these: the smallest set around it, of which they contain all, was looked
    /// at already. Where there is a choice between conditions, that cannot be said.
    hopeless: Movers<W>,
    /// Those with so many steps, where each process has so many.
    size: usize,
    sizes: &'s [usize],
}

/// The smallest closed set around a process, and how many steps it has; `disturbers` says who has
/// to be in it for a member's sake.
#[inline]
fn grow<const W: usize>(
    seed: usize,
    limits: &Limits<'_, W>,
    mut disturbers: impl FnMut(usize, &Movers<W>) -> Movers<W>,
) -> Option<(Movers<W>, usize)> {
    let mut inside = Movers::default();
    inside.insert(seed as u8);
    let mut todo = inside;
    let mut size = limits.sizes[seed];
    while size < limits.size {
        let Some(member) = todo.pop() else {
            return Some((inside, size));
        };
        let mut new = disturbers(member, &inside);
        new.remove(&inside);
        if new.is_empty() {
            continue;
        }
        inside.add(&new);
        if limits.lone || new.meets(&limits.hopeless) || inside.contains(&limits.movable) {
            return None;
        }
        todo.add(&new);
        size += new.iter().map(|pid| limits.sizes[pid]).sum::<usize>();
    }
    None
}
