//! What actions touch.

use isospin_model::{Action, Expr, ReceiveArg};

use super::expr::Meant;
use super::Reader;

impl Reader<'_> {
    /// What an action of a process touches.
    pub(super) fn action(&mut self, pid: usize, action: &Action) {
        let me = Some(pid);
        match action {
            Action::Skip | Action::Else | Action::End | Action::Fail(_) => {}
            Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => self.expr(me, e),
            Action::Assign(place, value) => {
                self.expr(me, value);
                if let Some(place) = place {
                    self.store(me, place);
                }
            }
            Action::Send { channel, args, sorted } => {
                self.expr(me, channel);
                args.iter().for_each(|a| self.expr(me, a));
                self.send(pid, channel, *sorted);
            }
            Action::Receive { channel, pattern, random, copy, .. } => {
                self.expr(me, channel);
                self.receive(pid, channel, *random, *copy);
                for arg in pattern {
                    match arg {
                        ReceiveArg::Match(e) => self.expr(me, e),
                        ReceiveArg::Store(place) => self.store(me, place),
                        ReceiveArg::Ignore => {}
                    }
                }
            }
            Action::Print { args, .. } => args.iter().for_each(|a| self.expr(me, a)),
            Action::SetPriority { .. } => self.access.everything = true,
            Action::DetStep(step) => {
                for edge in step.nodes.iter().flat_map(|n| &n.edges) {
                    self.action(pid, &edge.action);
                }
            }
        }
    }

    fn send(&mut self, pid: usize, channel: &Expr, sorted: bool) {
        self.promises();
        self.event();
        let meant = self.channel(pid, channel);
        for channel in self.each(&meant) {
            let (reads, writes) = (&mut self.access.reads, &mut self.access.writes);
            let slots = &self.space.channels[channel];
            if let Some(len) = slots.len {
                reads.insert(len);
                writes.insert(len);
            }
            for &field in slots.messages.iter().flatten() {
                writes.insert(field);
                if sorted {
                    reads.insert(field);
                }
            }
        }
        let rendezvous = |c: &usize| self.space.channels[*c].len.is_none();
        match meant {
            Meant::One(channel) if rendezvous(&channel) => self.receivers(pid, Some(channel)),
            Meant::Any if self.model.features.rendezvous => self.receivers(pid, None),
            _ => {}
        }
    }

    fn receive(&mut self, pid: usize, channel: &Expr, random: bool, copy: bool) {
        self.promises();
        self.event();
        let meant = self.channel(pid, channel);
        for channel in self.each(&meant) {
            let (reads, writes) = (&mut self.access.reads, &mut self.access.writes);
            let slots = &self.space.channels[channel];
            if let Some(len) = slots.len {
                reads.insert(len);
                if !copy {
                    writes.insert(len);
                }
            }
            let first_only = copy && !random;
            let looked_at = if first_only { 1 } else { slots.messages.len() };
            for &field in slots.messages.iter().take(looked_at).flatten() {
                reads.insert(field);
                if !copy {
                    writes.insert(field);
                }
            }
        }
    }

    /// The channels that are meant, or may be.
    pub(super) fn each(&self, meant: &Meant) -> std::ops::Range<usize> {
        match meant {
            Meant::One(channel) => *channel..*channel + 1,
            Meant::None => 0..0,
            Meant::Any => 0..self.space.channels.len(),
        }
    }

    /// What tells which channels others have promised to be the only ones to use.
    fn promises(&mut self) {
        let model = self.model;
        for promise in &model.exclusives {
            for pid in 0..self.space.types.len() {
                if self.space.types[pid] == promise.proctype {
                    self.expr(Some(pid), &promise.channel);
                }
            }
        }
    }

    /// What a trace assertion looks at when something is sent or received.
    fn event(&mut self) {
        let model = self.model;
        let Some(trace) = &model.trace else { return };
        if let Some(event) = self.space.event {
            self.access.reads.insert(event);
            self.access.writes.insert(event);
        }
        for edge in trace.edges() {
            self.expr(None, &edge.channel);
            for arg in &edge.pattern {
                if let ReceiveArg::Match(e) = arg {
                    self.expr(None, e);
                }
            }
        }
    }
}
