//! Finds the closed set of processes with the fewest steps in a state.

use super::disturb::Disturbance;
use super::gain::{Gain, Way};
use super::needs::Disturbers;
use super::rows::Rows;
use super::sight::Sight;
use super::standing::{Here, Standing};
use super::{AmpleSets, Expanded};
use crate::expand::Movers;

/// What is known of all states, and what was found in the last one.
pub(super) struct Sets {
    pub rows: Rows,
    pub disturbance: Disturbance,
    pub sight: Sight,
    /// The best set, as groups.
    pub best: Vec<usize>,
    /// Whether a closed set was passed over because the property may see its steps.
    pub seen: bool,
}

/// Finds closed sets among up to `64 * W` processes.
#[derive(Default)]
pub(super) struct Finder<const W: usize> {
    standing: Standing,
    disturbers: Disturbers<W>,
    /// Who can move.
    movable: Movers<W>,
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
        self.disturbers.forget(self.standing.processes.len());
        self.movable = expanded.3.iter().map(|g| g.pid).collect();
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
        let way = if kind == AmpleSets::Stubborn { gain.way() } else { Way::Plain };
        let size = self.find(sets, kind, expanded, |_| true, way == Way::Guarded);
        if way != Way::Both || size == 1 {
            return size;
        }
        let smaller = self.find(sets, kind, expanded, |_| true, true);
        gain.add(smaller < size);
        smaller
    }

    /// Finds the declared cluster with the fewest steps that is closed; clusters are not believed
    /// to be so.
    fn find_declared(
        &mut self,
        sets: &mut Sets,
        (model, state, steps, groups): Expanded<'_>,
    ) -> usize {
        let (rows, standing) = (&sets.rows, &self.standing);
        let here = Here { model, state, rows, standing, steps, groups };
        let mut least = usize::MAX;
        for cluster in &model.clusters {
            let inside: Movers<W> = (0..self.standing.processes.len())
                .filter(|&pid| here.belongs(pid, cluster))
                .collect();
            let chosen = (0..groups.len()).filter(|&k| inside.has(groups[k].pid));
            let size: usize = chosen.clone().map(|k| groups[k].to - groups[k].from).sum();
            if size == 0 || size >= least || inside.contains(&self.movable) {
                continue;
            }
            let (disturbance, disturbers) = (&mut sets.disturbance, &mut self.disturbers);
            if !inside.iter().all(|m| inside.contains(&disturbers.of(disturbance, &here, m))) {
                continue;
            }
            if sets.sight.sees(&sets.disturbance, &here, &inside) {
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
        let Sets { rows, disturbance, sight, best, seen } = sets;
        let here = Here { model, state, rows, standing: &self.standing, steps, groups };
        let movable = self.movable;
        let mut limits = Limits {
            lone: kind == AmpleSets::Process,
            movable,
            hopeless: Movers::default(),
            size: usize::MAX,
        };
        let size_of = |pid: usize| match here.group_number(pid) {
            Some(k) if counts(k) => groups[k].to - groups[k].from,
            _ => 0,
        };
        for seed in (0..groups.len()).filter(|&k| counts(k)) {
            let (disturbers, mut chose) = (&mut self.disturbers, false);
            let of = |member, inside: &Movers<W>| {
                if !guards {
                    return disturbers.of(disturbance, &here, member);
                }
                let (who, choice) = disturbers.of_guarded(disturbance, &here, member, inside);
                chose |= choice;
                who
            };
            let pid = groups[seed].pid;
            let grown = grow(pid, &limits, size_of, of);
            if !chose {
                limits.hopeless.insert(pid);
            }
            let Some((inside, size)) = grown else {
                continue;
            };
            // In a rendez-vous a member moves that has no step of its own.
            let mut moving = inside;
            if !model.features.rendezvous {
                moving.keep(&movable);
            }
            if sight.sees(disturbance, &here, &moving) {
                *seen = true;
                continue;
            }
            limits.size = size;
            best.clear();
            best.extend((0..groups.len()).filter(|&k| inside.has(groups[k].pid)));
            if size == 1 {
                break;
            }
        }
        limits.size
    }
}

/// Which sets are of no use.
struct Limits<const W: usize> {
    /// Those with several processes.
    lone: bool,
    /// Those with everybody who can move.
    movable: Movers<W>,
    /// Those with one of these: the smallest set around it, of which they contain all, was looked
    /// at already. Where there was a choice between conditions, that cannot be said.
    hopeless: Movers<W>,
    /// Those with so many steps.
    size: usize,
}

/// The smallest closed set around a process, and how many steps it has; `size_of` says how many a
/// member has, `disturbers` who has to be in it for a member's sake.
#[inline]
fn grow<const W: usize>(
    seed: usize,
    limits: &Limits<W>,
    size_of: impl Fn(usize) -> usize,
    mut disturbers: impl FnMut(usize, &Movers<W>) -> Movers<W>,
) -> Option<(Movers<W>, usize)> {
    let mut inside = Movers::default();
    inside.insert(seed);
    let mut todo = inside;
    let mut size = size_of(seed);
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
        size += new.iter().map(&size_of).sum::<usize>();
    }
    None
}
