//! Numbers for shared values.

use isospin_model::{Expr, Model, Place, Region};

use super::claim::{claims, Claim};
use super::numbers::numbers_matter;

/// Numbers for what is shared: every global value is one, and so is what can be seen of the
/// processes of a type from outside, how many processes were started, and how many there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    /// The number of the value at each byte of the global part.
    pub at: Vec<Option<usize>>,
    /// For each process type that is looked at from outside, its number.
    pub visible: Vec<Option<usize>>,
    /// How many processes were started; `None` where it makes no difference, see
    /// [`numbers_matter`].
    pub started: Option<usize>,
    pub count: Option<usize>,
    /// Which process has ended, where the end of some process makes a difference beyond the
    /// numbers: its channels and its claims go. To end looks at it, and to wait for one's end
    /// changes it: so two ends are independent of each other, since only one process can end in a
    /// state, and whoever waits for its end depends on whoever may let it through by ending.
    pub ended: Option<usize>,
    /// How far the trace assertion has come.
    pub event: Option<usize>,
    /// What the processes of each type claim for themselves.
    pub claims: Vec<Vec<Claim>>,
}

impl Values {
    pub fn of(model: &Model, observers: &[Expr], fair: bool) -> Values {
        let mut values =
            Values { at: vec![None; model.layout.frames as usize], ..Values::default() };
        let mut next = 0;
        let mut number = || {
            next += 1;
            next - 1
        };
        for slot in &model.layout.slots {
            for (_, at) in slot.values() {
                let value = number();
                for byte in at..at + slot.ty.width() {
                    values.at[byte as usize] = Some(value);
                }
            }
        }
        // Fairness is by number.
        values.started = (fair || numbers_matter(model, observers)).then(&mut number);
        values.event = model.trace.is_some().then(&mut number);
        values.claims = claims(model);
        let ends_matter = !model.exclusives.is_empty()
            || model.proctypes.iter().any(|p| !p.frame.channels.is_empty());
        values.ended = ends_matter.then(&mut number);
        values.visible = vec![None; model.proctypes.len()];
        let mut counted = false;
        let mut look = |e: &Expr| {
            let seen = match e {
                Expr::AtLocation { proctype, .. } => Some(*proctype),
                Expr::Load(Place { region: Region::Remote { proctype, .. }, .. }) => {
                    Some(*proctype)
                }
                _ => None,
            };
            if let Some(ty) = seen {
                values.visible[ty.index()].get_or_insert_with(&mut number);
            }
            counted |= *e == Expr::ProcessCount;
            // Where every process stands is looked at.
            if matches!(e, Expr::PcValue(_) | Expr::NonProgress | Expr::Last | Expr::Enabled(_)) {
                for visible in &mut values.visible {
                    visible.get_or_insert_with(&mut number);
                }
            }
        };
        for proctype in &model.proctypes {
            for edge in &proctype.automaton.edges {
                edge.action.walk(&mut look);
            }
            proctype.initializers.iter().for_each(|i| i.value.walk(&mut look));
        }
        for expr in observers.iter().filter(|e| **e != Expr::NonProgress) {
            expr.walk(&mut look);
        }
        if counted {
            values.count = Some(number());
        }
        values
    }
}
