//! What an edge reads and writes of what processes share.

use std::cell::RefCell;

use isospin_model::{
    Action, ChannelOwner, ChannelTypeId, Expr, Kind, Model, Place, ProcType, ProcTypeId,
    ReceiveArg, Region,
};

use super::element::Element;
use super::guard::Change;
use super::set::{End, Objects};
use super::values::Values;

/// A shared object that is known only once the process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OwnObject {
    /// A channel that the process created.
    Created(u16),
    /// A channel that a variable of the process names, which never comes to name another: where
    /// the variable is in the frame.
    Named(u32),
    /// An element of a global array: its number among the [elements](super::Element) of the
    /// process type.
    Element(u16),
}

/// A single channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneChannel {
    /// A global channel, by position.
    Global(usize),
    /// One that is known only once the process is.
    Own(OwnObject),
}

/// The use of an object that is known only once the process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnUse {
    /// Which object.
    pub object: OwnObject,
    /// Which end of a channel; both if it turns out to be a rendez-vous channel.
    pub end: End,
    /// Whether it is only looked at.
    pub read_only: bool,
}

/// What an edge, or several, may read and write.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Access {
    /// What is read.
    pub reads: Objects,
    /// What is written.
    pub writes: Objects,
    /// What depends on the process itself; in order, so that equal accesses look alike.
    pub own: Vec<OwnUse>,
}

impl Access {
    /// Adds another; says whether that changed anything.
    pub fn add(&mut self, other: &Access) -> bool {
        let mut changed = self.reads.add(&other.reads);
        changed |= self.writes.add(&other.writes);
        for own in &other.own {
            changed |= self.add_own(*own);
        }
        changed
    }

    /// Adds the use of something that depends on the process; says whether that is new.
    pub(super) fn add_own(&mut self, own: OwnUse) -> bool {
        let place = self.own.binary_search(&own);
        if let Err(place) = place {
            self.own.insert(place, own);
        }
        place.is_err()
    }

    /// Whether nothing shared is touched.
    pub fn is_local(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && self.own.is_empty()
    }
}

/// Finds out what the parts of one process type access.
pub(super) struct Reader<'m> {
    pub model: &'m Model,
    pub proctype: &'m ProcType,
    pub ty: ProcTypeId,
    pub values: &'m Values,
    /// Variables of the frame that never change, by offset.
    pub settled: &'m [u32],
    /// Where elements get their numbers; without it, an element counts as the whole array.
    pub elements: Option<&'m RefCell<Vec<Element>>>,
}

impl Reader<'_> {
    /// What the edge touches while it can be taken.
    pub fn action(&self, action: &Action) -> Access {
        let mut access = Access::default();
        self.add_action(action, &mut access);
        access
    }

    /// What decides whether the edge can be taken, beyond [`action`](Self::action), where it cannot
    /// be taken now: a receive may wait for a send, a send for a receive, and a process that has
    /// channels or claims, for the end of younger ones.
    pub fn waiting(&self, action: &Action) -> Access {
        let mut access = Access::default();
        match action {
            Action::Send { channel, .. } => {
                self.add_channel(channel, End::Receive, true, &mut access);
            }
            Action::Receive { channel, .. } => {
                self.add_channel(channel, End::Send, true, &mut access);
            }
            Action::Condition(e) => self.add_guard(e, true, Change::TrueByChannel, &mut access),
            Action::End => {
                let leaves = !self.proctype.frame.channels.is_empty()
                    || !self.values.claims[self.ty.index()].is_empty();
                if let Some(ended) = self.values.ended.filter(|_| leaves) {
                    access.writes.add_value(ended);
                }
            }
            Action::DetStep(step) => {
                for edge in &step.nodes[0].edges {
                    access.add(&self.waiting(&edge.action));
                }
            }
            _ => {}
        }
        access
    }

    /// The channel that a receive takes the very first message from, where it is one channel.
    pub fn first_message(&self, action: &Action) -> Option<OneChannel> {
        let Action::Receive { channel, random: false, .. } = action else { return None };
        match channel {
            Expr::ChannelId { owner: ChannelOwner::Global, first, index: None } => {
                Some(OneChannel::Global(usize::from(*first)))
            }
            Expr::ChannelId { owner: ChannelOwner::Global, first, index: Some(index) } => {
                self.channel_element(*first, index).map(OneChannel::Own)
            }
            Expr::ChannelId { owner: ChannelOwner::Executing, first, index: None } => {
                Some(OneChannel::Own(OwnObject::Created(*first)))
            }
            Expr::Load(Place { region: Region::Local, offset, indices, ty })
                if ty.kind == Kind::Channel
                    && indices.is_empty()
                    && self.settled.contains(offset) =>
            {
                Some(OneChannel::Own(OwnObject::Named(*offset)))
            }
            _ => None,
        }
    }

    /// Calls `visit` for the channel of every rendez-vous that can begin with the action, and says
    /// whether the action sends.
    pub fn for_each_meeting(&self, action: &Action, visit: &mut dyn FnMut(&Expr, bool)) {
        match action {
            Action::Send { channel, .. } if self.may_be_rendezvous(channel) => visit(channel, true),
            Action::Receive { channel, .. } if self.may_be_rendezvous(channel) => {
                visit(channel, false);
            }
            Action::DetStep(step) => {
                step.nodes[0].edges.iter().for_each(|e| self.for_each_meeting(&e.action, visit));
            }
            _ => {}
        }
    }

    fn may_be_rendezvous(&self, channel: &Expr) -> bool {
        let rendezvous = |ty: ChannelTypeId| self.model.channel_type(ty).capacity == 0;
        match channel {
            Expr::ChannelId { owner: ChannelOwner::Global, first, index } => {
                let len = index.as_ref().map_or(1, |i| i.len) as usize;
                let channels = self.model.layout.channels.iter().skip(*first as usize);
                channels.take(len).any(|c| rendezvous(c.ty))
            }
            Expr::ChannelId { owner: ChannelOwner::Executing, first, index: None } => {
                self.proctype.frame.channels.get(*first as usize).is_none_or(|c| rendezvous(c.ty))
            }
            _ => self.model.features.rendezvous,
        }
    }

    fn add_action(&self, action: &Action, access: &mut Access) {
        match action {
            Action::Skip | Action::Else | Action::Fail(_) => {}
            Action::Condition(e) => self.add_guard(e, true, Change::False, access),
            Action::Assert(e) | Action::PrintSymbol(e) => self.add_expr(e, access),
            Action::Assign(place, e) => {
                self.add_expr(e, access);
                if let Some(place) = place {
                    self.add_place(place, true, access);
                }
            }
            Action::Send { channel, args, sorted } => {
                let end = if *sorted { End::Both } else { End::Send };
                self.add_channel(channel, end, false, access);
                args.iter().for_each(|a| self.add_expr(a, access));
                self.add_event(channel, true, access);
            }
            Action::Receive { channel, pattern, random, .. } => {
                let end = if *random { End::Both } else { End::Receive };
                self.add_channel(channel, end, false, access);
                self.add_pattern(pattern, access);
                self.add_event(channel, false, access);
            }
            Action::Print { args, .. } => args.iter().for_each(|a| self.add_expr(a, access)),
            Action::SetPriority { .. } => access.writes.everything = true,
            // Only the youngest process can end, so two can never end in the same state; what
            // matters is whether another one is started, and who still uses its channels.
            Action::End => {
                if let Some(started) = self.values.started {
                    access.reads.add_value(started);
                }
                if let Some(count) = self.values.count {
                    access.writes.add_value(count);
                }
                for k in 0..self.proctype.frame.channels.len() as u16 {
                    let object = OwnObject::Created(k);
                    access.add_own(OwnUse { object, end: End::Both, read_only: false });
                }
                if let Some(ended) = self.values.ended {
                    access.reads.add_value(ended);
                }
                self.add_claims(access);
            }
            Action::DetStep(step) => {
                for (k, node) in step.nodes.iter().enumerate() {
                    // Where a full channel is an error, it matters who receives before the send.
                    let fails = node.edges.iter().any(|e| matches!(e.action, Action::Fail(_)));
                    for edge in &node.edges {
                        self.add_action(&edge.action, access);
                        if let (Action::Send { channel, .. }, true) = (&edge.action, fails) {
                            self.add_channel(channel, End::Both, false, access);
                        }
                        // Behind the first statement everything must work out as it stands.
                        if k > 0 {
                            access.add(&self.waiting(&edge.action));
                        }
                    }
                }
            }
        }
    }

    /// What a trace assertion makes of an operation: it looks how far it has come, and goes on. So
    /// operations that it watches depend on each other. Both halves of a rendez-vous are events.
    fn add_event(&self, channel: &Expr, sending: bool, access: &mut Access) {
        let (Some(trace), Some(event)) = (&self.model.trace, self.values.event) else { return };
        let meets = self.may_be_rendezvous(channel);
        let mut watched = false;
        for edge in trace.edges() {
            let concerned = meets || edge.sending == sending;
            watched |= concerned && may_be_the_same(&edge.channel, channel);
            // Which channel it watches is looked up with every operation.
            self.add_expr(&edge.channel, access);
            self.add_pattern(&edge.pattern, access);
        }
        if watched {
            access.reads.add_value(event);
            access.writes.add_value(event);
        }
    }

    fn add_pattern(&self, pattern: &[ReceiveArg], access: &mut Access) {
        for arg in pattern {
            match arg {
                ReceiveArg::Match(e) => self.add_expr(e, access),
                ReceiveArg::Store(place) => self.add_place(place, true, access),
                ReceiveArg::Ignore => {}
            }
        }
    }

    pub fn add_expr(&self, expr: &Expr, access: &mut Access) {
        match expr {
            // Waiting for everybody else never comes before a step that can be taken now.
            Expr::Const(_) | Expr::Pid | Expr::Timeout => {}
            Expr::Load(place) => self.add_place(place, false, access),
            Expr::Unary(_, e) => self.add_expr(e, access),
            Expr::Binary(_, a, b) => {
                self.add_expr(a, access);
                self.add_expr(b, access);
            }
            Expr::Conditional(a, b, c) => {
                self.add_expr(a, access);
                self.add_expr(b, access);
                self.add_expr(c, access);
            }
            Expr::ChannelId { index, .. } => {
                if let Some(index) = index {
                    self.add_expr(&index.expr, access);
                }
            }
            Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) => {
                self.add_channel(c, End::Both, true, access);
            }
            Expr::Poll { channel, pattern, .. } => {
                self.add_channel(channel, End::Both, true, access);
                self.add_pattern(pattern, access);
            }
            Expr::Run { proctype, args, .. } => {
                // The new process's variables get their first values in the same step.
                let new = &self.model.proctypes[proctype.index()];
                new.initializers.iter().for_each(|i| self.add_expr(&i.value, access));
                if let Some(started) = self.values.started {
                    access.writes.add_value(started);
                }
                if let Some(count) = self.values.count {
                    access.writes.add_value(count);
                }
                args.iter().for_each(|a| self.add_expr(a, access));
                self.add_new_claims(*proctype, args, access);
            }
            Expr::ProcessCount => match self.values.count {
                Some(count) => {
                    access.reads.add_value(count);
                    access.reads.everything |= self.values.started.is_none();
                }
                None => access.reads.everything = true,
            },
            Expr::AtLocation { proctype, pid, .. } => {
                self.add_visible(*proctype, pid.as_deref(), access);
            }
            Expr::NonProgress
            | Expr::Last
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_) => access.reads.everything = true,
        }
    }

    fn add_place(&self, place: &Place, write: bool, access: &mut Access) {
        for index in &place.indices {
            self.add_expr(&index.expr, access);
        }
        if write {
            self.add_moved_claims(place, access);
        }
        match &place.region {
            Region::Local => {}
            Region::Remote { proctype, pid } => {
                self.add_visible(*proctype, pid.as_deref(), access);
            }
            Region::Global => {
                if let Some(object) = self.value_element(place) {
                    access.add_own(OwnUse { object, end: End::Both, read_only: !write });
                    return;
                }
                // Every value that the indices span; sisters in an array of records included.
                let objects = if write { &mut access.writes } else { &mut access.reads };
                let span: u32 = place.indices.iter().map(|i| (i.len - 1) * i.stride).sum();
                let (from, to) = (place.offset as usize, (place.offset + span) as usize);
                for value in self.values.at[from..=to].iter().flatten() {
                    objects.add_value(*value);
                }
            }
        }
    }

    /// What is seen of another process.
    fn add_visible(&self, proctype: ProcTypeId, pid: Option<&Expr>, access: &mut Access) {
        if let Some(pid) = pid {
            self.add_expr(pid, access);
        }
        // Who it is depends on who has been started.
        if let Some(started) = self.values.started {
            access.reads.add_value(started);
        }
        match self.values.visible[proctype.index()] {
            Some(value) => access.reads.add_value(value),
            None => access.reads.everything = true,
        }
    }

    /// An operation at an end of a channel. Rendez-vous channels have only one end.
    pub(super) fn add_channel(&self, expr: &Expr, end: End, read_only: bool, access: &mut Access) {
        self.add_expr(expr, access);
        let target = if read_only { &mut access.reads } else { &mut access.writes };
        match expr {
            Expr::ChannelId { owner: ChannelOwner::Global, first, index } => {
                let element = index.as_ref().and_then(|i| self.channel_element(*first, i));
                if let Some(object) = element {
                    let end = if self.may_be_rendezvous(expr) { end.whole() } else { end };
                    access.add_own(OwnUse { object, end, read_only });
                    return;
                }
                let len = index.as_ref().map_or(1, |i| i.len);
                for k in 0..len {
                    let channel = *first as usize + k as usize;
                    let ty = self.model.layout.channels.get(channel).map(|c| c.ty);
                    let rendezvous =
                        ty.is_some_and(|ty| self.model.channel_types[ty.index()].capacity == 0);
                    target.add_channel(channel, if rendezvous { end.whole() } else { end });
                }
            }
            Expr::ChannelId { owner: ChannelOwner::Executing, first, index: None } => {
                let ty = self.proctype.frame.channels.get(*first as usize).map(|c| c.ty);
                let rendezvous =
                    ty.is_some_and(|ty| self.model.channel_types[ty.index()].capacity == 0);
                let end = if rendezvous { end.whole() } else { end };
                let object = OwnObject::Created(*first);
                access.add_own(OwnUse { object, end, read_only });
            }
            Expr::Load(Place { region: Region::Local, offset, indices, ty })
                if ty.kind == Kind::Channel
                    && indices.is_empty()
                    && self.settled.contains(offset) =>
            {
                let object = OwnObject::Named(*offset);
                access.add_own(OwnUse { object, end, read_only });
            }
            _ => {
                let end = if self.model.features.rendezvous { end.whole() } else { end };
                target.add_all_channels(end);
            }
        }
    }
}

/// Whether two expressions, of which the first is a global one, may name the same channel.
fn may_be_the_same(global: &Expr, other: &Expr) -> bool {
    let range = |e: &Expr| match e {
        Expr::ChannelId { owner: ChannelOwner::Global, first, index } => {
            let len = index.as_ref().map_or(1, |i| i.len);
            Some(u32::from(*first)..u32::from(*first) + len)
        }
        _ => None,
    };
    match (range(global), range(other)) {
        (Some(a), Some(b)) => a.start < b.end && b.start < a.end,
        _ => true,
    }
}
