//! Random actions.

use isospin_model::{
    Action, BinaryOp, DetEdge, DetNode, DetStep, Expr, ProcTypeId, Region, SourceRef,
};

use super::Maker;

impl Maker {
    /// An action; not a sequence or an end unless `outer`.
    pub fn action(&mut self, outer: bool) -> Action {
        let choice = if self.chatty && self.random.once_in(2) {
            12 + self.random.below(9)
        } else {
            self.random.below(if outer { 34 } else { 23 })
        };
        match choice {
            0 => Action::Skip,
            1..=2 => Action::Else,
            3..=6 => Action::Condition(self.expr(3)),
            7..=11 => {
                let value = self.expr(2);
                let place = self.some_place();
                Action::Assign((!self.random.once_in(12)).then_some(place), value)
            }
            12..=15 => Action::Send {
                channel: self.channel(),
                args: (0..self.message_len()).map(|_| self.expr(1)).collect(),
                sorted: self.random.once_in(4),
            },
            16..=20 => {
                let random = self.random.once_in(3);
                let passes = random && self.random.once_in(2);
                let saved = if passes { vec![self.random.below(3) as i32, 1] } else { Vec::new() };
                Action::Receive {
                    channel: self.channel(),
                    pattern: self.pattern(),
                    random,
                    copy: self.random.once_in(5),
                    saved,
                }
            }
            21 => Action::Assert(self.expr(2)),
            22 => Action::Print { format: "%d".to_owned(), args: vec![self.expr(2)] },
            23 => Action::End,
            24..=25 => {
                let run = self.run();
                match self.random.below(6) {
                    0..=2 => Action::Condition(run),
                    3 => Action::Assign(Some(self.some_place()), run),
                    4 => Action::Assign(None, run),
                    _ => Action::Condition(Expr::binary(BinaryOp::Greater, run, self.expr(1))),
                }
            }
            26 if self.random.once_in(2) => {
                Action::Fail(self.random.pick(&isospin_model::Failure::ALL).with(3))
            }
            26 => Action::PrintSymbol(self.expr(1)),
            _ => Action::DetStep(Box::new(self.det_step())),
        }
    }

    fn run(&mut self) -> Expr {
        let proctype = ProcTypeId::at(self.random.below(self.frames.len()));
        Expr::Run { proctype, args: vec![self.expr(1)], priority: 1 }
    }

    /// A sequence that ends: it goes forward, but for a loop that counts.
    fn det_step(&mut self) -> DetStep {
        let counted = self.random.once_in(2);
        let len = 1 + self.random.below(4) as u32;
        let mut nodes: Vec<DetNode> = (0..len)
            .map(|k| DetNode {
                edges: (0..1 + self.random.below(3))
                    .map(|_| {
                        let target = k + 1 + self.random.below((len - k) as usize) as u32;
                        let action = self.action(false);
                        det_edge(action, Some(target).filter(|t| *t < len || counted))
                    })
                    .collect(),
            })
            .collect();
        if counted {
            let mut counter = self.place(Region::Global);
            counter.indices.clear();
            let load = Expr::Load(counter.clone());
            let one_more = Expr::binary(BinaryOp::Add, load.clone(), Expr::Const(1));
            // A counter of one bit never gets to 3, so the loop is left on equality as well.
            let below = Expr::binary(BinaryOp::Equal, load, Expr::Const(0));
            nodes.push(DetNode {
                edges: vec![
                    det_edge(Action::Condition(below), Some(len + 1)),
                    det_edge(Action::Else, None),
                ],
            });
            let set = Action::Assign(Some(counter), one_more);
            nodes.push(DetNode { edges: vec![det_edge(set, Some(len))] });
            let last = nodes.len() as u32;
            debug_assert!(nodes.iter().flat_map(|n| &n.edges).all(|e| e.target < Some(last)));
        }
        DetStep { nodes }
    }
}

fn det_edge(action: Action, target: Option<u32>) -> DetEdge {
    DetEdge { action, target, source: SourceRef::default(), text: String::new() }
}
