//! Where variables and channels are, as far as the text does not say.

use crate::layout::{ChannelInstance, FrameLayout, Layout, Slot};
use crate::model::Model;

/// The fixed places of the vector, where the text gives them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fixed {
    Globals { hidden: u32, count: u32, last: Option<u32>, event: Option<u32>, frames: u32 },
    Frame { location: u32, priority: Option<u32>, size: u32 },
}

/// What is declared globally or in a process type, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared {
    pub fixed: Option<Fixed>,
    /// Variables, with an offset where the text gives one, and whether they are hidden.
    pub slots: Vec<(Slot, Option<u32>, bool)>,
    /// Channels, with an offset where the text gives one.
    pub channels: Vec<(ChannelInstance, Option<u32>)>,
}

/// Where the next thing goes that is not told where.
struct Next(u32);

impl Next {
    fn take(&mut self, bytes: u32) -> u32 {
        let at = self.0;
        self.0 = at.saturating_add(bytes);
        at
    }

    fn place(&mut self, given: Option<u32>, bytes: u32) -> u32 {
        let at = given.unwrap_or(self.0);
        self.0 = self.0.max(at.saturating_add(bytes));
        at
    }
}

impl Declared {
    pub(super) fn globals(&self, model: &Model) -> Layout {
        let mut next = Next(0);
        let mut slots: Vec<Slot> = self.slots.iter().map(|s| s.0.clone()).collect();
        self.place_slots(&mut slots, true, &mut next);
        let mut layout = Layout { hidden: next.0, ..Layout::default() };
        layout.process_count = next.take(1);
        layout.last = model.features.last.then(|| next.take(1));
        layout.event = model.trace.is_some().then(|| next.take(2));
        if let Some(Fixed::Globals { hidden, count, last, event, .. }) = self.fixed {
            (layout.hidden, layout.process_count) = (hidden, count);
            (layout.last, layout.event) = (last, event);
        }
        self.place_slots(&mut slots, false, &mut next);
        layout.slots = slots;
        layout.channels = self.place_channels(model, &mut next);
        layout.frames = match self.fixed {
            Some(Fixed::Globals { frames, .. }) => frames,
            _ => next.0,
        };
        layout
    }

    pub(super) fn frame(&self, model: &Model, ty: usize) -> FrameLayout {
        let wide = model.proctypes[ty].automaton.locations.len() > 256;
        let mut next = Next(FrameLayout::LOCATION);
        let mut frame =
            FrameLayout { location_width: if wide { 2 } else { 1 }, ..FrameLayout::default() };
        next.take(frame.location_width);
        frame.priority = model.features.priorities.then(|| next.take(1));
        if let Some(Fixed::Frame { location, priority, .. }) = self.fixed {
            (frame.location_width, frame.priority) = (location, priority);
        }
        frame.slots = self.slots.iter().map(|s| s.0.clone()).collect();
        self.place_slots(&mut frame.slots, false, &mut next);
        frame.channels = self.place_channels(model, &mut next);
        frame.size = match self.fixed {
            Some(Fixed::Frame { size, .. }) => size,
            _ => next.0,
        };
        frame
    }

    fn place_slots(&self, slots: &mut [Slot], hidden: bool, next: &mut Next) {
        for (slot, (_, given, is_hidden)) in slots.iter_mut().zip(&self.slots) {
            if *is_hidden == hidden {
                let reach = slot
                    .dimensions()
                    .map(|(len, stride)| len.saturating_sub(1).saturating_mul(stride));
                let bytes = reach.fold(slot.ty.width(), u32::saturating_add);
                slot.offset = next.place(*given, bytes);
            }
        }
    }

    fn place_channels(&self, model: &Model, next: &mut Next) -> Vec<ChannelInstance> {
        let place = |(channel, given): &(ChannelInstance, Option<u32>)| {
            let ty = model.channel_types.get(channel.ty.index());
            let bytes = ty.map_or(0, |t| {
                t.message_size.saturating_mul(u32::from(t.capacity)).saturating_add(t.len_width())
            });
            ChannelInstance { offset: next.place(*given, bytes), ..channel.clone() }
        };
        self.channels.iter().map(place).collect()
    }
}
