//! Random models: a few processes over a few small variables and channels.

use std::sync::Arc;

use isospin_model::*;
use proptest::prelude::*;

use super::{atomic, edge, increment, load, number, op, Builder, EdgeSpec};

/// An edge as drawn: where from, where to, what, inside an atomic sequence or not.
type Draw = (u32, u32, u8, u8, bool);

const LOCATIONS: u32 = 5;

/// Up to three process types, up to four processes.
pub fn models() -> impl Strategy<Value = Arc<Model>> {
    let draw = (0..LOCATIONS, 0..LOCATIONS, 0..16u8, any::<u8>(), any::<bool>());
    let proctype = (
        proptest::collection::vec(draw, 2..12),
        proptest::collection::vec(0..LOCATIONS, 0..3),
        any::<bool>(),
    );
    let proctypes = proptest::collection::vec(proctype, 1..4);
    let active = proptest::collection::vec(0..3usize, 1..4);
    (proctypes, active).prop_map(|(proctypes, active)| {
        let mut b = Builder::new(0);
        let variables: Vec<_> = (0..3).map(|_| b.global(Scalar::unsigned(2))).collect();
        let channels = [b.channel(2), b.channel(0)];
        let count = proctypes.len();
        for (draws, ends, with_else) in &proctypes {
            let mut specs: Vec<_> =
                draws.iter().map(|&draw| spec(draw, &variables, &channels, count)).collect();
            if *with_else {
                specs.push(edge(0, 1, Action::Else));
            }
            b.proctype(LOCATIONS, ends, specs);
        }
        for ty in active {
            b.active(ProcTypeId((ty % count) as u16));
        }
        b.build()
    })
}

fn spec(
    (from, to, what, detail, inside): Draw,
    variables: &[Place],
    channels: &[Expr],
    proctypes: usize,
) -> EdgeSpec {
    let variable = &variables[detail as usize % variables.len()];
    // Control can be handed from process to process by rendez-vous, so their sends only go forward.
    let pick = match what {
        5 | 6 if to <= from => 0,
        _ => detail as usize / 4 % channels.len(),
    };
    let channel = channels[pick].clone();
    let value = number(i32::from(detail / 16 % 4));
    let action = match what {
        0..=2 => increment(variable),
        3 | 4 => Action::Condition(op(BinaryOp::Equal, load(variable), value)),
        5 | 6 => Action::Send { channel, args: vec![value], sorted: detail > 127 },
        7 | 8 => Action::Receive {
            channel,
            pattern: vec![match detail % 3 {
                0 => ReceiveArg::Match(value),
                1 => ReceiveArg::Store(variable.clone()),
                _ => ReceiveArg::Ignore,
            }],
            random: detail > 127,
            copy: false,
            saved: Vec::new(),
        },
        9 => Action::Assert(op(BinaryOp::NotEqual, load(variable), value)),
        10 => {
            Action::Assign(Some(variable.clone()), op(BinaryOp::Divide, number(6), load(variable)))
        }
        11 => Action::Condition(Expr::Timeout),
        12 => Action::Condition(op(
            BinaryOp::And,
            op(BinaryOp::Less, Expr::ProcessCount, number(4)),
            Expr::Run {
                proctype: ProcTypeId((detail as usize % proctypes) as u16),
                args: Vec::new(),
                priority: 1,
            },
        )),
        13 => Action::End,
        14 => Action::DetStep(Box::new(DetStep {
            nodes: vec![
                DetNode {
                    edges: vec![det(
                        Action::Condition(op(BinaryOp::Less, load(variable), value)),
                        Some(1),
                    )],
                },
                DetNode { edges: vec![det(increment(variable), None)] },
            ],
        })),
        _ => Action::Skip,
    };
    // Atomic sequences only go forward, so that they end.
    if inside && to > from && !matches!(action, Action::End) {
        atomic(from, to, action)
    } else {
        edge(from, to, action)
    }
}

fn det(action: Action, target: Option<u32>) -> DetEdge {
    DetEdge { action, target, source: SourceRef::default(), text: String::new() }
}
