//! How time may pass without a property noticing: jumps, and timers that forget their times.
//!
//! A *jump* takes ticks in one step as long as nothing can happen in between and no property looks
//! there. An *abstract* tick does not know how much time is left: any timers that run may expire
//! with it. Both depend on what is asked of timers: only whether they are off, have expired or run,
//! or how much time is left.

use isospin_model::time::{map_stores, Pace};
use isospin_model::{Action, BinaryOp, Expr, Kind, Model, ReceiveArg, SourceRef};

/// Lets jumps be taken, as far as what observers see stays the same in between.
pub fn allow_jumps(model: &mut Model, observers: &[Expr]) {
    let watched = Reads::of(model, Use::Guards).unsafe_at.is_some();
    let looks = |e: &Expr| e.any(&is_timer);
    // A clock that is looked at is looked at in every unit of time.
    let clocks = observers.iter().any(|e| e.any(&is_clock));
    if let Some(time) = model.time.as_mut().filter(|t| t.open) {
        if !clocks && time.pace == Pace::Tick {
            time.pace = Pace::Event;
        }
        return;
    }
    let pace = if !observers.iter().any(looks) {
        Pace::Event
    } else if !watched && observers.iter().all(asks_only_whether) {
        Pace::Expiry
    } else {
        Pace::Tick
    };
    if let Some(time) = model.time.as_mut().filter(|t| t.pace == Pace::Tick) {
        time.pace = pace;
        time.watched = watched;
    }
}

/// Forgets how long timers are set for: every timer that is set for some time may expire at any
/// tick. Every execution with other (positive) times is an execution of the abstract model, up to
/// ticks in which nothing expires; so what holds of it holds for all times. Says where the model
/// asks how much time is left, if it does: then there is no such model.
pub fn abstract_timers(model: &mut Model, observers: &[Expr]) -> Result<(), SourceRef> {
    if let Some(at) = Reads::of(model, Use::Everywhere).unsafe_at {
        return Err(at);
    }
    if model.time.as_ref().is_some_and(|t| t.open) {
        return Err(SourceRef::default());
    }
    if !observers.iter().all(asks_only_whether) {
        return Err(SourceRef::default());
    }
    map_stores(model, &|value| match value {
        Expr::Const(c) => Expr::Const(c.signum()),
        Expr::Load(place) if place.ty.kind == Kind::Timer => Expr::Load(place),
        value => {
            let above = Expr::binary(BinaryOp::Greater, value.clone(), Expr::Const(0));
            let below = Expr::binary(BinaryOp::Less, value, Expr::Const(0));
            Expr::binary(BinaryOp::Subtract, above, below)
        }
    });
    if let Some(time) = &mut model.time {
        time.pace = Pace::Abstract;
    }
    Ok(())
}

/// Which reads of timers are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Those that decide whether a step can be taken.
    Guards,
    /// All, except where one timer is set to what another one has left, or is printed.
    Everywhere,
}

/// Whether the model asks of timers only if they are off, have expired or run.
struct Reads {
    which: Use,
    /// The first place where it asks more.
    unsafe_at: Option<SourceRef>,
}

impl Reads {
    fn of(model: &Model, which: Use) -> Reads {
        let mut reads = Reads { which, unsafe_at: None };
        for proctype in &model.proctypes {
            if let Some(provided) = &proctype.provided {
                reads.look(provided, proctype.source);
            }
            for edge in &proctype.automaton.edges {
                reads.action(&edge.action, edge.source);
            }
            if which == Use::Everywhere {
                for init in &proctype.initializers {
                    reads.look(&init.value, proctype.source);
                }
            }
        }
        reads
    }

    fn look(&mut self, expr: &Expr, source: SourceRef) {
        if self.unsafe_at.is_none() && !asks_only_whether(expr) {
            self.unsafe_at = Some(source);
        }
    }

    fn action(&mut self, action: &Action, source: SourceRef) {
        match action {
            Action::DetStep(step) => {
                // Only its first statement decides whether a sequence can be taken.
                let nodes = match self.which {
                    Use::Guards => &step.nodes[..1],
                    Use::Everywhere => &step.nodes[..],
                };
                for edge in nodes.iter().flat_map(|n| &n.edges) {
                    self.action(&edge.action, edge.source);
                }
            }
            // These can always be taken.
            Action::Assign(..) | Action::Assert(_) | Action::SetPriority { .. }
                if self.which == Use::Guards => {}
            Action::Print { .. } | Action::PrintSymbol(_) => {}
            Action::Assign(Some(to), Expr::Load(from))
                if to.ty.kind == Kind::Timer && from.ty.kind == Kind::Timer =>
            {
                let indices = to.indices.iter().chain(&from.indices);
                indices.for_each(|i| self.look(&i.expr, source));
            }
            Action::Assign(place, value) => {
                let indices = place.iter().flat_map(|p| &p.indices);
                indices.for_each(|i| self.look(&i.expr, source));
                self.look(value, source);
            }
            action => {
                for expr in operands(action) {
                    self.look(expr, source);
                }
            }
        }
    }
}

/// The outermost expressions of an action that is neither an assignment nor a sequence.
fn operands(action: &Action) -> Vec<&Expr> {
    match action {
        Action::Condition(e) | Action::Assert(e) => vec![e],
        Action::Send { channel, args, .. } => args.iter().chain([channel]).collect(),
        Action::Receive { channel, pattern, .. } => {
            let fields = pattern.iter().flat_map(|arg| match arg {
                ReceiveArg::Match(e) => vec![e],
                ReceiveArg::Store(place) => place.indices.iter().map(|i| &i.expr).collect(),
                ReceiveArg::Ignore => Vec::new(),
            });
            fields.chain([channel]).collect()
        }
        Action::SetPriority { pid, priority } => vec![pid, priority],
        _ => Vec::new(),
    }
}

/// Whether an expression depends on timers only as far as they are off, have expired or run.
pub fn asks_only_whether(expr: &Expr) -> bool {
    let below = match expr {
        Expr::Load(place) if place.ty.kind == Kind::Timer => return false,
        Expr::Binary(op, a, b) => match (&**a, &**b) {
            (Expr::Load(place), Expr::Const(c)) if is_timer(a) && decided(*op, *c) => {
                return place.indices.iter().all(|i| asks_only_whether(&i.expr));
            }
            (Expr::Const(c), Expr::Load(place)) if is_timer(b) && decided(mirrored(*op), *c) => {
                return place.indices.iter().all(|i| asks_only_whether(&i.expr));
            }
            (a, b) => vec![a, b],
        },
        Expr::Unary(_, e)
        | Expr::Len(e)
        | Expr::Full(e)
        | Expr::Empty(e)
        | Expr::Enabled(e)
        | Expr::PcValue(e)
        | Expr::Priority(e) => vec![&**e],
        Expr::Conditional(a, b, c) => vec![&**a, &**b, &**c],
        Expr::Run { args, .. } => args.iter().collect(),
        // What is left has expressions in it only where timers hardly ever are.
        other => {
            let mut found = false;
            other.walk(&mut |e| found |= is_timer(e));
            return !found;
        }
    };
    below.into_iter().all(asks_only_whether)
}

fn is_clock(expr: &Expr) -> bool {
    matches!(expr, Expr::Load(place) if matches!(place.ty.kind, Kind::Clock { .. }))
}

fn is_timer(expr: &Expr) -> bool {
    matches!(expr, Expr::Load(place) if place.ty.kind == Kind::Timer)
}

/// Whether `timer op constant` is the same for all times that are left.
fn decided(op: BinaryOp, constant: i32) -> bool {
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Greater | BinaryOp::LessEqual => {
            constant <= 0
        }
        BinaryOp::Less | BinaryOp::GreaterEqual => constant <= 1,
        _ => false,
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        op => op,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::{Place, Region, Scalar};

    fn timer() -> Expr {
        let place =
            Place { region: Region::Global, offset: 1, indices: Vec::new(), ty: Scalar::TIMER };
        Expr::Load(place)
    }

    #[test]
    fn what_is_asked_of_a_timer_is_told_from_how_much_is_left() {
        use BinaryOp::*;
        let asks = |op, c| asks_only_whether(&Expr::binary(op, timer(), Expr::Const(c)));
        for (op, c, only_whether) in [
            (Equal, 0, true),
            (Equal, -1, true),
            (NotEqual, -1, true),
            (Equal, 3, false),
            (GreaterEqual, 0, true),
            (GreaterEqual, 1, true),
            (GreaterEqual, 2, false),
            (Greater, 0, true),
            (Greater, 1, false),
            (Less, 1, true),
            (Less, 2, false),
            (LessEqual, 0, true),
            (LessEqual, 1, false),
            (Add, 0, false),
        ] {
            assert_eq!(asks(op, c), only_whether, "{op:?} {c}");
        }
        let mirrored = Expr::binary(Greater, Expr::Const(2), timer());
        assert!(!asks_only_whether(&mirrored));
        assert!(asks_only_whether(&Expr::binary(Greater, Expr::Const(1), timer())));
        assert!(!asks_only_whether(&timer()));
    }

    /// The claim behind [`decided`], looked at number by number.
    #[test]
    fn a_decided_comparison_is_the_same_for_all_times() {
        use BinaryOp::*;
        type Test = fn(i32, i32) -> bool;
        let ops: [(BinaryOp, Test); 6] = [
            (Equal, |a, b| a == b),
            (NotEqual, |a, b| a != b),
            (Less, |a, b| a < b),
            (LessEqual, |a, b| a <= b),
            (Greater, |a, b| a > b),
            (GreaterEqual, |a, b| a >= b),
        ];
        for (op, holds) in ops {
            for c in -3..6 {
                let same = (1..20).all(|v| holds(v, c) == holds(1, c));
                assert_eq!(decided(op, c), same, "{op:?} {c}");
            }
        }
    }
}
