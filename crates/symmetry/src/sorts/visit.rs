//! What expressions and actions say about sorts.

use isospin_model::{
    Action, BinaryOp, ChannelOwner, ElementIndex, Expr, Kind, Place, ReceiveArg, Region,
};

use super::{ChannelArray, Site, SortVariable, Sorts};
use crate::flow::{slot_of, Point};

impl Sorts<'_> {
    /// The sort of a place's values, `after` telling the point at which a local one is looked at.
    pub fn place(&mut self, site: Site, after: Point, place: &Place) -> SortVariable {
        let (slots, ty) = match &place.region {
            Region::Global => (&self.model.layout.slots, None),
            Region::Local => (&self.flows[site.ty.index()].proctype.frame.slots, Some(site.ty)),
            Region::Remote { proctype, pid } => {
                if let Some(pid) = pid {
                    let value = self.value(site, pid);
                    self.unify(value, Some(self.pid));
                }
                (&self.model.proctypes[proctype.index()].frame.slots, Some(*proctype))
            }
        };
        let k = slot_of(slots, place);
        for (d, index) in slots[k].element(place).into_iter().flatten().enumerate() {
            if let ElementIndex::Computed(index) = index {
                let value = self.value(site, &index.expr);
                let dim = match ty {
                    None => self.global_dims[k][d],
                    Some(ty) => self.local_dims[ty.index()][k][d],
                };
                self.unify(value, Some(dim));
            }
        }
        match ty {
            None => self.global[k],
            Some(ty) if place.region == Region::Local => self.local[ty.index()][k][after],
            Some(ty) => self.local[ty.index()][k][0],
        }
    }

    /// The sort of an expression's value; `None` for one that is a number of no sort.
    pub fn value(&mut self, site: Site, expr: &Expr) -> Option<SortVariable> {
        match expr {
            Expr::Const(_) | Expr::Timeout | Expr::NonProgress | Expr::ProcessCount => None,
            Expr::Load(place) => Some(self.place(site, site.point, place)),
            Expr::Pid | Expr::Last => Some(self.pid),
            Expr::Unary(_, e) => {
                self.value(site, e);
                None
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(site, a), self.value(site, b));
                match op {
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Modulo => {
                        self.unify(a, b);
                        a.or(b)
                    }
                    BinaryOp::Equal
                    | BinaryOp::NotEqual
                    | BinaryOp::Less
                    | BinaryOp::LessEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEqual => {
                        self.unify(a, b);
                        None
                    }
                    _ => None,
                }
            }
            Expr::Conditional(c, a, b) => {
                self.value(site, c);
                let (a, b) = (self.value(site, a), self.value(site, b));
                self.unify(a, b);
                a.or(b)
            }
            Expr::ChannelId { owner, first, index } => {
                let owner = match owner {
                    ChannelOwner::Global => None,
                    ChannelOwner::Executing => Some(site.ty),
                };
                let channel = |sorts: &Sorts, k: usize| match owner {
                    None => sorts.global_channels[k],
                    Some(ty) => sorts.own_channels[ty.index()][k],
                };
                let class = channel(self, *first as usize);
                if let Some(index) = index {
                    let (len, stride) = (index.len, index.stride);
                    for k in 1..len {
                        let other = channel(self, *first as usize + (k * stride) as usize);
                        self.union(class, other);
                    }
                    let array = ChannelArray { owner, first: *first, len, stride };
                    let dim = match self.arrays.get(&array) {
                        Some(&dim) => dim,
                        None => {
                            let dim = self.fresh(false);
                            self.arrays.insert(array, dim);
                            dim
                        }
                    };
                    let value = self.value(site, &index.expr);
                    self.unify(value, Some(dim));
                }
                let node = self.fresh(true);
                self.points_to.insert(node, class);
                Some(node)
            }
            Expr::Len(e) | Expr::Full(e) | Expr::Empty(e) => {
                self.value(site, e);
                None
            }
            Expr::Poll { channel, pattern, .. } => {
                self.receive(site, site.point, channel, pattern);
                None
            }
            Expr::Run { proctype, args, .. } => {
                let entry = self.flows[proctype.index()].proctype.automaton.initial.index();
                for (k, arg) in args.iter().enumerate() {
                    let value = self.value(site, arg);
                    let parameter = self.local[proctype.index()][k][entry];
                    self.unify(value, Some(parameter));
                }
                Some(self.pid)
            }
            Expr::Enabled(e) | Expr::PcValue(e) | Expr::Priority(e) => {
                let value = self.value(site, e);
                self.unify(value, Some(self.pid));
                None
            }
            Expr::AtLocation { pid, .. } => {
                if let Some(pid) = pid {
                    let value = self.value(site, pid);
                    self.unify(value, Some(self.pid));
                }
                None
            }
        }
    }

    /// The sort of argument `k` of a message that is sent or received on `channel`.
    pub fn argument(
        &mut self,
        site: Site,
        channel: &Expr,
        tag: Option<i32>,
        k: usize,
        is_channel: bool,
    ) -> Option<SortVariable> {
        let channel = self.value(site, channel)?;
        let class = self.channels(channel);
        Some(self.field(class, tag, k, is_channel))
    }

    fn receive(&mut self, site: Site, to: Point, channel: &Expr, pattern: &[ReceiveArg]) {
        // Which channel is meant counts, whatever of the message does.
        self.value(site, channel);
        let tag = self.tag_of_pattern(pattern);
        for (k, arg) in pattern.iter().enumerate() {
            let (value, is_channel) = match arg {
                ReceiveArg::Match(e) => {
                    let value = self.value(site, e);
                    (value, value.is_some_and(|v| self.is_channel(v)))
                }
                ReceiveArg::Store(place) => {
                    (Some(self.place(site, to, place)), place.ty.kind == Kind::Channel)
                }
                ReceiveArg::Ignore => continue,
            };
            let field = self.argument(site, channel, tag, k, is_channel);
            self.unify(field, value);
        }
    }

    /// The first field of a message, where it is a constant.
    pub fn tag_of_message(&self, args: &[Expr]) -> Option<i32> {
        match args.first() {
            Some(Expr::Const(tag)) => self.survives(*tag).then_some(*tag),
            _ => None,
        }
    }

    /// The first field that a pattern asks for, where it is a constant.
    pub fn tag_of_pattern(&self, pattern: &[ReceiveArg]) -> Option<i32> {
        match pattern.first() {
            Some(ReceiveArg::Match(Expr::Const(tag))) => self.survives(*tag).then_some(*tag),
            _ => None,
        }
    }

    /// Whether a message keeps its first field when it is sent: one that is cut off would arrive as
    /// another.
    fn survives(&self, tag: i32) -> bool {
        let first = |t: &isospin_model::ChannelType| t.fields.first().copied();
        self.model.channel_types.iter().filter_map(first).all(|field| field.truncate(tag) == tag)
    }

    pub(super) fn action(&mut self, site: Site, to: Point, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End | Action::Fail(_) | Action::DetStep(_) => {}
            Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => {
                self.value(site, e);
            }
            Action::Assign(place, e) => {
                let value = self.value(site, e);
                if let Some(place) = place {
                    // Indices are computed where the step starts.
                    let place = self.place(site, to, place);
                    self.unify(value, Some(place));
                }
            }
            Action::Send { channel, args, .. } => {
                let tag = self.tag_of_message(args);
                for (k, arg) in args.iter().enumerate() {
                    let value = self.value(site, arg);
                    let is_channel = value.is_some_and(|v| self.is_channel(v));
                    let field = self.argument(site, channel, tag, k, is_channel);
                    self.unify(field, value);
                }
            }
            Action::Receive { channel, pattern, .. } => {
                self.receive(site, to, channel, pattern);
            }
            Action::Print { args, .. } => {
                args.iter().for_each(|a| {
                    self.value(site, a);
                });
            }
            Action::SetPriority { pid, priority } => {
                let value = self.value(site, pid);
                self.unify(value, Some(self.pid));
                self.value(site, priority);
            }
        }
    }
}
