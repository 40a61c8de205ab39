//! Which values global variables can hold, as far as assignments tell.
//!
//! `turn = (turn + 1) % N` renames well while `turn` holds names: a rotation of the names commutes
//! with it. Of other numbers that is not so (what follows 200 is no neighbour of 200). So it has to
//! be known that there are none.
//!
//! The sets are closed under what assignments do and under the permutation at hand. Then the states
//! in which every variable holds one of its values are closed under steps and under the permutation
//! as well, the initial state is among them, and an automorphism of the steps between them is all
//! that is needed.

use std::collections::BTreeSet;

use isospin_model::{
    Action, BinaryOp, Expr, Kind, Place, ProcTypeId, Region, Scalar, Slot, UnaryOp,
};

use crate::flow::{for_each_store, slot_of};
use crate::sorts::{is_starting, Site};
use crate::transport::Transport;

/// Larger sets are not followed: then it may be any value.
const MAX_VALUES: usize = 256;

/// Values; `None` where it may be any.
type Set = Option<BTreeSet<i32>>;

/// For each global slot, its values.
#[derive(Clone, Debug)]
pub struct Held(Vec<Set>);

impl Held {
    /// The values of the slot of a global place.
    pub fn of(&self, slot: usize) -> Option<&BTreeSet<i32>> {
        self.0[slot].as_ref()
    }
}

impl Transport<'_, '_> {
    /// What global variables can hold, in states and their images.
    pub(crate) fn held(&mut self) -> Held {
        let slots = &self.model.layout.slots;
        let initial = &self.startup.initial;
        let starts = |slot: &Slot| {
            let timed = matches!(slot.ty.kind, Kind::Timer | Kind::Clock { .. });
            let values =
                slot.values().into_iter().map(|(_, at)| slot.ty.load(initial, at as usize));
            (!timed).then(|| values.collect())
        };
        let mut held = Held(slots.iter().map(starts).collect());
        loop {
            let before = held.clone();
            for k in 0..slots.len() {
                let node = self.sorts.global(k);
                let table = self.tables.of(self.sorts, Some(node));
                let images = |set: &BTreeSet<i32>| set.iter().map(|v| table.map(*v)).collect();
                let images = held.0[k].as_ref().map(images);
                add(&mut held.0[k], images);
            }
            for (ty, flow) in (0u16..).zip(self.flows) {
                for arc in &flow.arcs {
                    isospin_limits::check_many(1);
                    let site = Site { ty: ProcTypeId(ty), point: arc.from };
                    // Constants are what they are once everything has been started.
                    let starts = &self.startup.starting[site.ty.index()];
                    let settled = !is_starting(flow, starts, arc.edge);
                    for_each_store(arc.action, &mut |place| {
                        if place.region != Region::Global {
                            return;
                        }
                        let values = match arc.action {
                            Action::Assign(_, e) => self.range(site, e, settled, &held),
                            _ => None,
                        };
                        add(&mut held.0[slot_of(slots, place)], stored(place.ty, values));
                    });
                }
            }
            if held.0 == before.0 {
                return held;
            }
        }
    }

    /// What an expression can evaluate to.
    fn range(&self, site: Site, expr: &Expr, settled: bool, held: &Held) -> Set {
        if let Some(values) = self.by_process(site, expr).filter(|_| settled) {
            return Some(values.into_iter().map(|(_, value)| value).collect());
        }
        let range = |e: &Expr| self.range(site, e, settled, held);
        match expr {
            Expr::Const(value) => Some([*value].into()),
            Expr::Load(Place { region: Region::Global, .. }) => {
                held.0[self.global_slot(expr)?].clone()
            }
            Expr::Unary(UnaryOp::Not, _) => Some([0, 1].into()),
            Expr::Binary(op, ..) if is_truth(*op) => Some([0, 1].into()),
            Expr::Binary(op, a, b) => {
                let (a, b) = (range(a)?, range(b)?);
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
                // Where there is no value, nothing is stored.
                let values: BTreeSet<i32> =
                    pairs.filter_map(|(a, b)| op.apply(a, b).ok()).collect();
                (values.len() <= MAX_VALUES).then_some(values)
            }
            Expr::Conditional(_, a, b) => {
                let mut all = range(a);
                add(&mut all, range(b));
                all
            }
            _ => None,
        }
    }

    /// The slot of a global variable that is read.
    pub(crate) fn global_slot(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Load(place) if place.region == Region::Global => {
                Some(slot_of(&self.model.layout.slots, place))
            }
            _ => None,
        }
    }
}

fn is_truth(op: BinaryOp) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
    matches!(op, And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// What is left of values where they are stored.
fn stored(ty: Scalar, values: Set) -> Set {
    values.map(|values| values.into_iter().map(|v| ty.truncate(v)).collect())
}

fn add(all: &mut Set, more: Set) {
    let both = all.take().zip(more).map(|(mut all, more)| {
        all.extend(more);
        all
    });
    *all = both.filter(|all| all.len() <= MAX_VALUES);
}
