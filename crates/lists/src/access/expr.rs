//! What expressions look at.

use isospin_model::{Expr, Place, ProcTypeId, ReceiveArg, Region};

use super::{Known, Reader};
use crate::bits::Bits;

/// Which of several is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// This one.
    One(usize),
    /// None of them: to ask for it is an error, or yields nothing.
    None,
    /// Perhaps any of them.
    Any,
}

impl Reader<'_> {
    /// What a process, or an observer, looks at to find the value of an expression.
    pub(super) fn expr(&mut self, pid: Option<usize>, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Timeout | Expr::Pid | Expr::ProcessCount => {}
            Expr::NonProgress => {
                for &location in &self.space.locations {
                    self.access.reads.insert(location);
                }
            }
            Expr::Last => {
                if let Some(last) = self.space.last {
                    self.access.reads.insert(last);
                }
            }
            Expr::Load(place) => {
                for slot in self.place(pid, place) {
                    self.access.reads.insert(slot);
                }
            }
            Expr::Unary(_, e) => self.expr(pid, e),
            Expr::Binary(_, a, b) => {
                self.expr(pid, a);
                self.expr(pid, b);
            }
            Expr::Conditional(a, b, c) => {
                self.expr(pid, a);
                self.expr(pid, b);
                self.expr(pid, c);
            }
            Expr::ChannelId { index, .. } => {
                if let Some(index) = index {
                    self.expr(pid, &index.expr);
                }
            }
            Expr::Len(channel) | Expr::Full(channel) | Expr::Empty(channel) => {
                self.expr(pid, channel);
                self.contents(pid, channel, 0);
            }
            Expr::Poll { channel, pattern, random } => {
                self.expr(pid, channel);
                for arg in pattern {
                    if let ReceiveArg::Match(e) = arg {
                        self.expr(pid, e);
                    }
                }
                self.contents(pid, channel, if *random { usize::MAX } else { 1 });
            }
            Expr::Run { proctype, args, .. } => {
                args.iter().for_each(|a| self.expr(pid, a));
                self.start(*proctype);
            }
            Expr::Enabled(_) => self.access.everything = true,
            Expr::PcValue(other) => {
                self.expr(pid, other);
                let meant = self.process(pid, other);
                self.stands(meant, None);
            }
            Expr::Priority(_) => self.access.everything = true,
            Expr::AtLocation { proctype, pid: other, .. } => {
                let meant = self.remote(pid, *proctype, other.as_deref());
                self.stands(meant, Some(*proctype));
            }
        }
    }

    /// What is looked at when a process starts: its variables begin with values of others.
    fn start(&mut self, proctype: ProcTypeId) {
        let model = self.model;
        self.starts = true;
        for init in &model.proctype(proctype).initializers {
            self.expr(None, &init.value);
            if init.place.region != Region::Local {
                self.access.everything = true;
            }
        }
    }

    /// Where a process stands, or any process of a type.
    fn stands(&mut self, meant: Meant, proctype: Option<ProcTypeId>) {
        for pid in 0..self.space.types.len() {
            let fits = match meant {
                Meant::One(one) => one == pid,
                Meant::None => false,
                Meant::Any => proctype.is_none_or(|ty| self.space.types[pid] == ty),
            };
            if fits {
                self.access.reads.insert(self.space.locations[pid]);
            }
        }
    }

    /// How many messages a channel holds, and its first messages.
    fn contents(&mut self, pid: Option<usize>, channel: &Expr, messages: usize) {
        let meant = self.channel_of_any(pid, channel);
        for channel in self.each(&meant) {
            let slots = &self.space.channels[channel];
            for &slot in slots.len.iter().chain(slots.messages.iter().take(messages).flatten()) {
                self.access.reads.insert(slot);
            }
        }
    }

    /// The channel that an expression of a process names.
    pub(super) fn channel(&mut self, pid: usize, expr: &Expr) -> Meant {
        self.channel_of_any(Some(pid), expr)
    }

    fn channel_of_any(&mut self, pid: Option<usize>, expr: &Expr) -> Meant {
        match self.resolve(pid, expr) {
            None => Meant::Any,
            Some(Some(number)) => match usize::try_from(number) {
                Ok(number) if (1..=self.space.channels.len()).contains(&number) => {
                    Meant::One(number - 1)
                }
                _ => Meant::None,
            },
            Some(None) => Meant::None,
        }
    }

    fn process(&mut self, pid: Option<usize>, expr: &Expr) -> Meant {
        match self.resolve(pid, expr) {
            None => Meant::Any,
            Some(Some(number)) => match usize::try_from(number) {
                Ok(number) if number < self.space.types.len() => Meant::One(number),
                _ => Meant::None,
            },
            Some(None) => Meant::None,
        }
    }

    /// The process that a remote reference means.
    fn remote(&mut self, pid: Option<usize>, ty: ProcTypeId, other: Option<&Expr>) -> Meant {
        let Some(other) = other else {
            let oldest = self.space.types.iter().position(|t| *t == ty);
            return oldest.map_or(Meant::None, Meant::One);
        };
        self.expr(pid, other);
        match self.process(pid, other) {
            Meant::One(pid) if self.space.types[pid] != ty => Meant::None,
            meant => meant,
        }
    }

    /// What a process stores in.
    pub(super) fn store(&mut self, pid: Option<usize>, place: &Place) {
        for slot in self.place(pid, place) {
            self.access.writes.insert(slot);
        }
    }

    /// The slots that a place may be. What tells which is looked at.
    fn place(&mut self, pid: Option<usize>, place: &Place) -> Vec<usize> {
        let frames = &self.space.shape.frames;
        let mut bases = match (&place.region, pid) {
            (Region::Global, _) => vec![0],
            (Region::Local, Some(pid)) => vec![frames[pid].1 as usize],
            // The variables of a process that is being started are known to it alone.
            (Region::Local, None) => Vec::new(),
            (Region::Remote { proctype, pid: other }, _) => {
                let meant = self.remote(pid, *proctype, other.as_deref());
                let fits = |p: usize| match meant {
                    Meant::One(one) => one == p,
                    Meant::None => false,
                    Meant::Any => frames[p].0 == *proctype,
                };
                (0..frames.len()).filter(|&p| fits(p)).map(|p| frames[p].1 as usize).collect()
            }
        };
        bases.iter_mut().for_each(|base| *base += place.offset as usize);
        for index in &place.indices {
            self.expr(pid, &index.expr);
            let steps = match self.resolve(pid, &index.expr) {
                None => 0..index.len,
                Some(Some(value)) if value >= 0 && (value as u32) < index.len => {
                    value as u32..value as u32 + 1
                }
                Some(_) => 0..0,
            };
            let at = |base: usize| steps.clone().map(move |k| base + (k * index.stride) as usize);
            bases = bases.into_iter().flat_map(at).collect();
        }
        let slots = bases.iter().map(|&at| self.space.slot_at(at)).collect::<Option<Vec<_>>>();
        slots.unwrap_or_else(|| {
            self.access.everything = true;
            Vec::new()
        })
    }

    /// The value of an expression, if it is known: `Some(None)` where it has none. If it is not, the
    /// slots that would tell are noted.
    fn resolve(&mut self, pid: Option<usize>, expr: &Expr) -> Option<Option<i32>> {
        let obscure = expr.any(&|e| {
            matches!(e, Expr::Run { .. } | Expr::Enabled(_) | Expr::Timeout | Expr::Priority(_))
        });
        let mut inner = Reader::new(self.model, self.space, Known::Nothing);
        inner.expr(pid, expr);
        // Whoever is being started has no number here.
        let own = |e: &Expr| match e {
            Expr::Pid | Expr::ChannelId { .. } => true,
            Expr::Load(place) => place.region != Region::Global,
            _ => false,
        };
        if obscure || inner.access.everything || pid.is_none() && expr.any(&own) {
            return None;
        }
        let told = match &self.known {
            Known::Nothing => inner.access.reads.is_empty(),
            Known::Some(slots, _) => inner.access.reads.is_within(slots),
        };
        if !told {
            self.access.selectors.add(&inner.access.reads);
            self.access.selectors.add(&inner.access.selectors);
            return None;
        }
        match pid {
            Some(pid) => Some(self.evaluator.value(self.model, pid, expr).ok()),
            // An observer's expressions are rare.
            None => match expr {
                Expr::Const(value) => Some(Some(*value)),
                _ => None,
            },
        }
    }

    /// The slots that have to be known to tell which others are meant, without those that the steps
    /// themselves may change.
    pub fn selectors(access: &super::Access) -> Bits {
        access.selectors.iter().filter(|&slot| !access.writes.has(slot)).collect()
    }
}
