//! Random expressions.

use isospin_model::{
    BinaryOp, ChannelOwner, Expr, Index, Kind, LocationId, Place, ProcTypeId, ReceiveArg, Region,
    UnaryOp,
};

use super::Maker;

impl Maker {
    /// An expression without effects, `depth` levels deep at most.
    pub fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.random.once_in(3) {
            return self.leaf();
        }
        match self.random.below(20) {
            0..=8 => {
                let op = self.random.pick(&BinaryOp::ALL);
                let left = self.expr(depth - 1);
                let right = self.expr(depth - 1);
                Expr::binary(op, left, right)
            }
            9..=11 => {
                let op = self.random.pick(&UnaryOp::ALL);
                Expr::unary(op, self.expr(depth - 1))
            }
            12..=13 => Expr::Conditional(
                Box::new(self.expr(depth - 1)),
                Box::new(self.expr(depth - 1)),
                Box::new(self.expr(depth - 1)),
            ),
            14 => Expr::Len(Box::new(self.channel())),
            15 => Expr::Full(Box::new(self.channel())),
            16 => Expr::Empty(Box::new(self.channel())),
            17 => Expr::Poll {
                channel: Box::new(self.channel()),
                pattern: self.pattern(),
                random: self.random.once_in(2),
            },
            _ if self.remote => self.about_others(depth - 1),
            _ => self.leaf(),
        }
    }

    fn leaf(&mut self) -> Expr {
        match self.random.below(12) {
            0..=3 => {
                let value = self.random.pick(&[0, 0, 1, 1, 2, 3, 7, -1, 255, 70_000, i32::MIN]);
                Expr::Const(value)
            }
            4..=8 => Expr::Load(self.some_place()),
            9 => self.random.pick(&[Expr::Timeout, Expr::ProcessCount]),
            10 if self.remote && self.layout.last.is_some() => {
                self.random.pick(&[Expr::NonProgress, Expr::Last])
            }
            11 => self.channel_id(),
            _ => Expr::Pid,
        }
    }

    /// A question about other processes.
    fn about_others(&mut self, depth: usize) -> Expr {
        let proctype = ProcTypeId::at(self.random.below(self.frames.len()));
        let pid = if self.random.once_in(2) { Some(Box::new(self.small(depth))) } else { None };
        match self.random.below(4) {
            0 => Expr::PcValue(Box::new(self.small(depth))),
            1 => Expr::Priority(Box::new(self.small(depth))),
            2 => {
                let locations = self.locations[proctype.index()];
                let location = Some(LocationId::at(self.random.below(locations)));
                Expr::AtLocation {
                    proctype,
                    pid,
                    location: location.filter(|_| !self.random.once_in(5)),
                }
            }
            _ => Expr::Load(self.place(Region::Remote { proctype, pid })),
        }
    }

    /// Something that is often a small number.
    fn small(&mut self, depth: usize) -> Expr {
        if self.random.once_in(3) {
            self.expr(depth)
        } else {
            Expr::Const(self.random.below(4) as i32)
        }
    }

    /// An index that is mostly in range.
    pub fn index_expr(&mut self, len: u32) -> Expr {
        match self.random.below(8) {
            0..=2 => Expr::Const(self.random.below(len as usize) as i32),
            3 => Expr::Const(len as i32),
            4 => Expr::Pid,
            5 => self.expr(1),
            _ => Expr::binary(
                BinaryOp::BitAnd,
                self.expr(1),
                Expr::Const(len.next_power_of_two() as i32 - 1),
            ),
        }
    }

    /// A variable that may be stored to.
    pub fn some_place(&mut self) -> Place {
        if self.remote && self.random.once_in(8) {
            let proctype = ProcTypeId::at(self.random.below(self.frames.len()));
            let pid = self.random.once_in(2).then(|| Box::new(Expr::Const(1)));
            return self.place(Region::Remote { proctype, pid });
        }
        if self.random.once_in(2) {
            self.place(Region::Global)
        } else {
            self.place(Region::Local)
        }
    }

    /// Something that often names a channel.
    pub fn channel(&mut self) -> Expr {
        match self.random.below(if self.chatty { 16 } else { 8 }) {
            0..=4 => self.channel_id(),
            5..=6 => Expr::Load(self.some_place()),
            7 => self.small(1),
            _ => Expr::ChannelId { owner: ChannelOwner::Global, first: 0, index: None },
        }
    }

    fn channel_id(&mut self) -> Expr {
        let own = self.frames[self.current].channels.len();
        let (owner, count) = if own > 0 && self.random.once_in(2) {
            (ChannelOwner::Executing, own)
        } else {
            (ChannelOwner::Global, self.layout.channels.len())
        };
        if count == 0 {
            return Expr::Const(0);
        }
        let first = self.random.below(count);
        let len = 1 + self.random.below(count - first) as u32;
        let index = self
            .random
            .once_in(3)
            .then(|| Box::new(Index { expr: self.index_expr(len), len, stride: 1 }));
        Expr::ChannelId { owner, first: first as u16, index }
    }

    /// A pattern without questions about channels' contents: while a rendez-vous is half done those
    /// mean the message that is offered.
    pub fn pattern(&mut self) -> Vec<ReceiveArg> {
        (0..self.message_len())
            .map(|_| match self.random.below(4) {
                0 => ReceiveArg::Match(Expr::Const(self.random.below(3) as i32)),
                1 if self.random.once_in(2) => {
                    let left = Expr::Load(self.some_place());
                    let op = self.random.pick(&BinaryOp::ALL);
                    ReceiveArg::Match(Expr::binary(op, left, Expr::Const(1)))
                }
                2 => ReceiveArg::Ignore,
                _ => ReceiveArg::Store(self.some_place()),
            })
            .collect()
    }

    /// How many fields messages of some channel type have.
    pub fn message_len(&mut self) -> usize {
        let lens: Vec<usize> = self.channel_types.iter().map(|t| t.fields.len()).collect();
        if lens.is_empty() || self.random.once_in(12) {
            1
        } else if self.chatty && self.random.once_in(2) {
            lens[0]
        } else {
            self.random.pick(&lens)
        }
    }

    /// A starting value: a constant, or a channel for a channel variable.
    pub fn constant_or_channel(&mut self, place: &Place, owned: bool) -> Expr {
        let channels = self.layout.channels.len();
        if place.ty.kind != Kind::Channel || !owned && channels == 0 {
            return Expr::Const(self.random.below(5) as i32);
        }
        if owned {
            return self.channel_id();
        }
        Expr::ChannelId {
            owner: ChannelOwner::Global,
            first: self.random.below(channels) as u16,
            index: None,
        }
    }
}
