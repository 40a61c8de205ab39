//! How the states of a [`Reader`](crate::Reader) move under a group: as bytes beside a state vector
//! that go where the names go.
//!
//! A pair of a state and a state q of an automaton has a representative like any other vector if q
//! is written as something that permutations move: a *colour* for each name. Of every orbit of
//! automaton states one is the base. In the base two names have one colour if exchanging them leaves
//! the base as it is; and p(base) is written as those colours, moved by p. That says which state is
//! meant, and always in the same way, if and only if the permutations that leave the colours as they
//! are are those that leave the base as it is. The former are among the latter by construction;
//! whether there are as many is counted: the orbit of the base must have as many states as there
//! are ways to arrange its colours. Where that is not so (no formula that anybody has written), the
//! automaton stays as it is, and so do its observers.

use crate::family::{identity, Domain, Element};
use crate::group::{transposition, Group};
use crate::reader::{is_still, shift_after, Shift};

/// What generators of a group do to the states of an automaton.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shifts {
    /// For each block, what exchanging neighbours in it does.
    pub blocks: Vec<Vec<Shift>>,
    /// For each list, what each permutation in it does.
    pub listed: Vec<Vec<Shift>>,
}

/// The states of an automaton as bytes that permutations move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracks {
    /// For each state the base of its orbit.
    bases: Vec<u32>,
    /// For each state the colour of every name, domain after domain.
    colours: Vec<Vec<u8>>,
}

/// An exchange or a listed permutation, with what it does to states.
type Generator = (Element, Shift);

impl Tracks {
    /// For an automaton with so many states; `None` where nothing moves.
    pub(crate) fn new(
        domains: &[Domain],
        group: &Group,
        shifts: &Shifts,
        states: usize,
    ) -> Result<Option<Tracks>, Unfit> {
        if shifts.blocks.iter().chain(&shifts.listed).flatten().all(is_still) {
            return Ok(None);
        }
        shifts.check(group, states)?;
        let generators = generators(domains, group, shifts);
        let mut tracks =
            Tracks { bases: vec![u32::MAX; states], colours: vec![Vec::new(); states] };
        for base in 0..states {
            if tracks.bases[base] != u32::MAX {
                continue;
            }
            tracks.bases[base] = base as u32;
            tracks.colours[base] = colours(domains, group, shifts, base);
            let ways = arrangements(domains, group, &tracks.colours[base]);
            let mut orbit = vec![base];
            let mut k = 0;
            while k < orbit.len() {
                let at = orbit[k];
                for (element, shift) in &generators {
                    let to = shift.get(at).map_or(at, |&q| q as usize);
                    let moved = moved(domains, element, &tracks.colours[at]);
                    if tracks.bases[to] == u32::MAX {
                        tracks.bases[to] = base as u32;
                        tracks.colours[to] = moved;
                        orbit.push(to);
                    } else if tracks.colours[to] != moved {
                        return Err(Unfit);
                    }
                }
                k += 1;
            }
            // What leaves the colours as they are leaves the base as it is; are there as many?
            if (orbit.len() as f64 - ways).abs() > 0.5 {
                return Err(Unfit);
            }
        }
        Ok(Some(tracks))
    }

    /// The base of a state's orbit. States beyond all that are known stay where they are.
    pub fn base(&self, state: u32) -> u32 {
        self.bases.get(state as usize).copied().unwrap_or(state)
    }

    /// The colour of a name in a state.
    pub(crate) fn colour(&self, state: u32, name: usize) -> u8 {
        self.colours.get(state as usize).map_or(0, |c| c[name])
    }
}

/// The states of an automaton cannot be written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfit;

impl Shifts {
    /// Whether what was found for generators makes an action of the group: exchanges of neighbours
    /// must be as those are (Coxeter's relations), and lists must be closed.
    fn check(&self, group: &Group, states: usize) -> Result<(), Unfit> {
        let still: Shift = (0..states as u32).collect();
        let of = |shift: &Shift| if shift.is_empty() { still.clone() } else { shift.clone() };
        let mut commuting: Vec<Vec<Shift>> = Vec::new();
        for shifts in &self.blocks {
            let all: Vec<Shift> = shifts.iter().map(of).collect();
            for (i, a) in all.iter().enumerate() {
                for (j, b) in all.iter().enumerate().skip(i) {
                    let both = shift_after(a, b);
                    let order = match j - i {
                        0 => 1,
                        1 => 3,
                        _ => 2,
                    };
                    let power = (0..order).fold(Shift::new(), |p, _| shift_after(&p, &both));
                    if !is_still(&power) {
                        return Err(Unfit);
                    }
                }
            }
            commuting.push(all);
        }
        for (listed, shifts) in group.listed.iter().zip(&self.listed) {
            let all: Vec<Shift> = shifts.iter().map(of).collect();
            for (p, a) in listed.permutations.iter().zip(&all) {
                for (r, b) in listed.permutations.iter().zip(&all) {
                    let both = crate::group::after(p, r);
                    let k = listed.permutations.iter().position(|q| *q == both).ok_or(Unfit)?;
                    if all[k] != shift_after(a, b) {
                        return Err(Unfit);
                    }
                }
            }
            commuting.push(all);
        }
        for (i, some) in commuting.iter().enumerate() {
            for others in &commuting[i + 1..] {
                let pairs = some.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
                for (a, b) in pairs {
                    if shift_after(a, b) != shift_after(b, a) {
                        return Err(Unfit);
                    }
                }
            }
        }
        Ok(())
    }
}

fn generators(domains: &[Domain], group: &Group, shifts: &Shifts) -> Vec<Generator> {
    let mut all = Vec::new();
    for (block, shifts) in group.blocks.iter().zip(&shifts.blocks) {
        for (pair, shift) in block.members.windows(2).zip(shifts) {
            let (a, b) = (usize::from(pair[0]), usize::from(pair[1]));
            all.push((transposition(domains, block.domain, a, b), shift.clone()));
        }
    }
    for (listed, shifts) in group.listed.iter().zip(&shifts.listed) {
        for (permutation, shift) in listed.permutations.iter().zip(shifts) {
            let mut element = identity(domains);
            element[listed.domain].clone_from(permutation);
            all.push((element, shift.clone()));
        }
    }
    all
}

/// The number of the first name of a domain.
fn first_name(domains: &[Domain], domain: usize) -> usize {
    domains[..domain].iter().map(Domain::size).sum()
}

/// The colours of names in a base.
fn colours(domains: &[Domain], group: &Group, shifts: &Shifts, base: usize) -> Vec<u8> {
    let stays = |shift: &Shift| shift.get(base).is_none_or(|&q| q as usize == base);
    let mut colours = vec![0; first_name(domains, domains.len())];
    for (block, shifts) in group.blocks.iter().zip(&shifts.blocks) {
        let first = first_name(domains, block.domain);
        let mut kinds: Vec<usize> = Vec::new();
        for k in 0..block.members.len() {
            // Exchanging i and k: the neighbours' exchanges from k down to i, and back.
            let same = kinds.iter().position(|&i| {
                let mut shift = shifts[i].clone();
                for between in &shifts[i + 1..k] {
                    shift = shift_after(&shift_after(between, &shift), between);
                }
                stays(&shift)
            });
            let colour = same.unwrap_or_else(|| {
                kinds.push(k);
                kinds.len() - 1
            });
            colours[first + usize::from(block.members[k])] = colour as u8;
        }
    }
    for (listed, shifts) in group.listed.iter().zip(&shifts.listed) {
        if !shifts.iter().all(stays) {
            let first = first_name(domains, listed.domain);
            let size = domains[listed.domain].size();
            (0..size).for_each(|m| colours[first + m] = m as u8);
        }
    }
    colours
}

/// In how many ways the group arranges colours.
fn arrangements(domains: &[Domain], group: &Group, colours: &[u8]) -> f64 {
    let mut ways = 1.0;
    for block in &group.blocks {
        let first = first_name(domains, block.domain);
        let mut used = [0usize; 256];
        for (k, &m) in block.members.iter().enumerate() {
            let count = &mut used[usize::from(colours[first + usize::from(m)])];
            *count += 1;
            // The multinomial coefficient, one member after the other.
            ways *= (k + 1) as f64 / *count as f64;
        }
    }
    for listed in &group.listed {
        let first = first_name(domains, listed.domain);
        let keeps = |p: &&Vec<u8>| {
            let mut all = p.iter().enumerate();
            all.all(|(m, &to)| colours[first + m] == colours[first + usize::from(to)])
        };
        let kept = listed.permutations.iter().filter(keeps).count();
        ways *= listed.permutations.len() as f64 / kept.max(1) as f64;
    }
    ways
}

/// Colours, moved by an element.
fn moved(domains: &[Domain], element: &Element, colours: &[u8]) -> Vec<u8> {
    let mut out = colours.to_vec();
    let mut first = 0;
    for (domain, to) in domains.iter().zip(element) {
        for (m, &to) in to.iter().enumerate() {
            out[first + usize::from(to)] = colours[first + m];
        }
        first += domain.size();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{Block, Listed};

    fn domain(size: u8) -> Domain {
        let values = (0..size).collect();
        Domain { name: "D".into(), sort: None, values, families: Vec::new(), declared: None }
    }

    fn whole(size: u8) -> Group {
        let members = (0..size).collect();
        Group { blocks: vec![Block { domain: 0, members }], listed: Vec::new() }
    }

    /// States: 0 stays; 1, 2 and 3 each track a name.
    const TRACKING: [[u32; 4]; 2] = [[0, 2, 1, 3], [0, 1, 3, 2]];

    #[test]
    fn a_state_that_tracks_a_name_is_written_as_that_name() {
        let shifts =
            Shifts { blocks: vec![TRACKING.map(|s| s.to_vec()).to_vec()], listed: Vec::new() };
        let tracks = Tracks::new(&[domain(3)], &whole(3), &shifts, 4).expect("fits");
        let tracks = tracks.expect("moves");
        assert_eq!([0, 1, 2, 3, 9].map(|q| tracks.base(q)), [0, 1, 1, 1, 9]);
        let all = |q| (0..3).map(|n| tracks.colour(q, n)).collect::<Vec<u8>>();
        assert_eq!([0, 1, 2, 3].map(all), [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }

    #[test]
    fn where_nothing_moves_there_is_nothing_to_write() {
        let shifts = Shifts { blocks: vec![vec![Vec::new(); 2]], listed: Vec::new() };
        assert_eq!(Tracks::new(&[domain(3)], &whole(3), &shifts, 4), Ok(None));
    }

    #[test]
    fn what_is_no_action_of_the_group_is_refused() {
        // (0 1) and (1 2) would have to be conjugate.
        let one = vec![vec![1, 0], Vec::new()];
        let shifts = Shifts { blocks: vec![one], listed: Vec::new() };
        assert_eq!(Tracks::new(&[domain(3)], &whole(3), &shifts, 2), Err(Unfit));
    }

    #[test]
    fn a_state_that_only_even_permutations_keep_is_refused() {
        let swap = vec![vec![1, 0], vec![1, 0]];
        let shifts = Shifts { blocks: vec![swap], listed: Vec::new() };
        assert_eq!(Tracks::new(&[domain(3)], &whole(3), &shifts, 2), Err(Unfit));
    }

    #[test]
    fn rotations_move_states_as_well() {
        let permutations = vec![vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
        let group = Group { blocks: Vec::new(), listed: vec![Listed { domain: 0, permutations }] };
        let shifts = vec![vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
        let shifts = Shifts { blocks: Vec::new(), listed: vec![shifts] };
        let tracks = Tracks::new(&[domain(3)], &group, &shifts, 3).expect("fits").expect("moves");
        assert_eq!([0, 1, 2].map(|q| tracks.base(q)), [0, 0, 0]);
        assert_eq!((0..3).map(|n| tracks.colour(1, n)).collect::<Vec<u8>>(), [2, 0, 1]);
    }
}
