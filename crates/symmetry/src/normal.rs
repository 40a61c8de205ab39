//! Expressions in a form in which the order of operands does not show.

use isospin_model::{Action, Expr, Index, Place, ReceiveArg, Region};

/// Evaluates what is constant.
pub fn fold(expr: &Expr) -> Expr {
    map(expr, &mut fold).simplified()
}

/// Sorts the operands of what does not depend on their order. Only for expressions that cannot go
/// wrong: `a && b` and `b && a` differ where one of them divides by zero.
pub fn normal(expr: &Expr) -> Expr {
    let op = match expr {
        Expr::Binary(op, ..) if op.is_commutative() => *op,
        _ => return map(expr, &mut normal),
    };
    let chained = op.is_associative();
    let mut operands = Vec::new();
    let mut todo = vec![expr];
    let mut first = true;
    while let Some(e) = todo.pop() {
        match e {
            Expr::Binary(inner, a, b) if *inner == op && (chained || first) => {
                todo.extend([&**a, &**b]);
            }
            e => {
                // Each operand once, however long the chain is.
                let operand = normal(e);
                operands.push((format!("{operand:?}"), operand));
            }
        }
        first = false;
    }
    operands.sort_by(|a, b| a.0.cmp(&b.0));
    let mut operands = operands.into_iter().map(|(_, e)| e);
    let start = operands.next().expect("an operator has operands");
    operands.fold(start, |a, b| Expr::binary(op, a, b))
}

/// The expression with `change` applied to everything right below it.
pub fn map(expr: &Expr, change: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
    let mut boxed = |e: &Expr| Box::new(change(e));
    match expr {
        Expr::Const(_)
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Last => expr.clone(),
        Expr::Load(place) => Expr::Load(map_place(place, change)),
        Expr::Unary(op, e) => Expr::Unary(*op, boxed(e)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(a), boxed(b)),
        Expr::Conditional(c, a, b) => Expr::Conditional(boxed(c), boxed(a), boxed(b)),
        Expr::ChannelId { owner, first, index } => {
            let index = index
                .as_ref()
                .map(|i| Box::new(Index { expr: change(&i.expr), len: i.len, stride: i.stride }));
            match index {
                // An index that is known is part of the number.
                Some(i) if matches!(i.expr, Expr::Const(k) if k >= 0 && (k as u32) < i.len) => {
                    let Expr::Const(k) = i.expr else { unreachable!("just matched") };
                    let first = *first + (k as u32 * i.stride) as u16;
                    Expr::ChannelId { owner: *owner, first, index: None }
                }
                index => Expr::ChannelId { owner: *owner, first: *first, index },
            }
        }
        Expr::Len(e) => Expr::Len(boxed(e)),
        Expr::Full(e) => Expr::Full(boxed(e)),
        Expr::Empty(e) => Expr::Empty(boxed(e)),
        Expr::Enabled(e) => Expr::Enabled(boxed(e)),
        Expr::PcValue(e) => Expr::PcValue(boxed(e)),
        Expr::Priority(e) => Expr::Priority(boxed(e)),
        Expr::Poll { channel, pattern, random } => Expr::Poll {
            channel: boxed(channel),
            pattern: pattern.iter().map(|a| map_arg(a, change)).collect(),
            random: *random,
        },
        Expr::Run { proctype, args, priority } => Expr::Run {
            proctype: *proctype,
            args: args.iter().map(&mut *change).collect(),
            priority: *priority,
        },
        Expr::AtLocation { proctype, pid, location } => Expr::AtLocation {
            proctype: *proctype,
            pid: pid.as_ref().map(|p| boxed(p)),
            location: *location,
        },
    }
}

/// The same for everything in an action that is part of a step; deterministic sequences are taken
/// apart before.
pub fn map_action(action: &Action, change: &mut dyn FnMut(&Expr) -> Expr) -> Action {
    match action {
        Action::Condition(e) => Action::Condition(change(e)),
        Action::Assert(e) => Action::Assert(change(e)),
        Action::Assign(place, e) => {
            let place = place.as_ref().map(|p| map_place(p, change));
            Action::Assign(place, change(e))
        }
        Action::Send { channel, args, sorted } => Action::Send {
            channel: change(channel),
            args: args.iter().map(&mut *change).collect(),
            sorted: *sorted,
        },
        Action::Receive { channel, pattern, random, copy, saved } => Action::Receive {
            channel: change(channel),
            pattern: pattern.iter().map(|a| map_arg(a, change)).collect(),
            random: *random,
            copy: *copy,
            saved: saved.clone(),
        },
        Action::SetPriority { pid, priority } => {
            Action::SetPriority { pid: change(pid), priority: change(priority) }
        }
        Action::Skip
        | Action::Else
        | Action::End
        | Action::Fail(_)
        | Action::Print { .. }
        | Action::PrintSymbol(_)
        | Action::DetStep(_) => action.clone(),
    }
}

/// The same for a place. Indices that are known become part of the offset.
pub fn map_place(place: &Place, change: &mut dyn FnMut(&Expr) -> Expr) -> Place {
    let region = match &place.region {
        Region::Remote { proctype, pid } => {
            Region::Remote { proctype: *proctype, pid: pid.as_ref().map(|p| Box::new(change(p))) }
        }
        region => region.clone(),
    };
    let mut offset = place.offset;
    let mut indices = Vec::new();
    for index in &place.indices {
        match change(&index.expr) {
            Expr::Const(k) if k >= 0 && (k as u32) < index.len => offset += k as u32 * index.stride,
            expr => indices.push(Index { expr, len: index.len, stride: index.stride }),
        }
    }
    Place { region, offset, indices, ty: place.ty }
}

/// The same for an argument of a receive.
pub fn map_arg(arg: &ReceiveArg, change: &mut dyn FnMut(&Expr) -> Expr) -> ReceiveArg {
    match arg {
        ReceiveArg::Match(e) => ReceiveArg::Match(change(e)),
        ReceiveArg::Store(place) => ReceiveArg::Store(map_place(place, change)),
        ReceiveArg::Ignore => ReceiveArg::Ignore,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::{text, BinaryOp};

    /// The condition that a process waits for.
    fn condition(text: &str) -> Expr {
        let model = format!(
            "byte x byte y bit f byte a[4] channel q[0] = [1] of {{ byte }}
             channel q[1] = [1] of {{ byte }} process P() {{ location 0 when {text} -> 0 }}"
        );
        let mut model = text::read(&model).unwrap_or_else(|error| panic!("{text}: {error}"));
        match model.proctypes.remove(0).automaton.edges.remove(0).action {
            Action::Condition(e) => e,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn check_fold(before: &str, after: &str) {
        assert_eq!(fold(&condition(before)), condition(after), "{before}");
    }

    #[test]
    fn what_is_constant_is_evaluated() {
        check_fold("2 + 3 * 4 == 14", "1");
        check_fold("x + (7 - 4)", "x + 3");
        check_fold("(if 3 > 2 then x else y)", "x");
        check_fold("1 / 0", "1 / 0");
        check_fold("a[1 + 1]", "a[2]");
        check_fold("a[4 + 1]", "a[5]");
        check_fold("len(&q[1 - 0])", "len(&q[1])");
    }

    #[test]
    fn a_truth_value_is_not_what_it_was_made_of() {
        check_fold("1 && x", "1 && x");
        check_fold("x && 1", "x && 1");
        check_fold("0 || x", "0 || x");
        check_fold("1 && x == 2", "x == 2");
        check_fold("f || 0", "f");
        check_fold("0 && x", "0");
        check_fold("x || 3", "1");
        check_fold("1 / x || 3", "1 / x || 3");
    }

    #[test]
    fn the_order_of_operands_does_not_show_where_it_does_not_count() {
        for (a, b, same) in [
            ("x == y", "y == x", true),
            ("x && (y && f)", "(f && x) && y", true),
            ("x + y + 1", "1 + (y + x)", true),
            ("x == 1 && y == 2", "2 == y && 1 == x", true),
            ("(x == y) == f", "f == (y == x)", true),
            ("x == (y == f)", "(x == y) == f", false),
            ("x - y", "y - x", false),
            ("x < y", "y < x", false),
            ("x && y || f", "x && (y || f)", false),
        ] {
            let (left, right) = (normal(&condition(a)), normal(&condition(b)));
            assert_eq!(left == right, same, "{a} and {b}");
        }
    }

    #[test]
    fn what_is_changed_right_below_is_all_that_is_changed() {
        let seven = |_: &Expr| Expr::Const(7);
        let mapped = map(&condition("x + y * f"), &mut seven.clone());
        assert_eq!(mapped, Expr::binary(BinaryOp::Add, Expr::Const(7), Expr::Const(7)));
        // An index that is out of range is left to go wrong.
        assert_eq!(map(&condition("a[x]"), &mut seven.clone()), condition("a[7]"));
        assert_eq!(map(&condition("a[x]"), &mut |_| Expr::Const(2)), condition("a[2]"));
    }
}
