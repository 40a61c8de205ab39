//! The state vector: everything lies inside, and nothing on top of something else.

use super::{ensure, At, Checked, Flaw};
use crate::layout::{ChannelInstance, ChannelType, FrameLayout, Slot};
use crate::model::{Model, ProcKind, ProcType};
use crate::scalar::{Kind, Scalar};

/// No part of a state vector is larger.
const MAX_BYTES: u64 = 1 << 24;

/// Bytes that are spoken for, and for what.
struct Stretch {
    start: u64,
    end: u64,
    what: String,
}

/// The parts of the vector's fixed part, or of a frame.
struct Parts {
    size: u64,
    stretches: Vec<Stretch>,
}

impl Parts {
    fn new(size: u32) -> Result<Parts, String> {
        let size = u64::from(size);
        ensure(size <= MAX_BYTES, || format!("{size} bytes are more than a state can have"))?;
        Ok(Parts { size, stretches: Vec::new() })
    }

    fn add(&mut self, start: u32, bytes: u32, what: impl Into<String>) -> Checked {
        let (start, what) = (u64::from(start), what.into());
        let end = start + u64::from(bytes);
        ensure(end <= self.size, || {
            format!("{what} ends at byte {end}, and there are only {}", self.size)
        })?;
        self.stretches.push(Stretch { start, end, what });
        Ok(())
    }

    fn add_slot(&mut self, slot: &Slot) -> Checked {
        let name = slot_name(slot);
        ensure(!slot.path.is_empty(), || "a variable without a name".to_owned())?;
        // From the inside out: elements must not lie on top of each other.
        let mut inner = u64::from(slot.ty.width());
        for (len, stride) in slot.path.iter().rev().filter_map(|s| s.array) {
            let (len, stride) = (u64::from(len), u64::from(stride));
            ensure(len > 0, || format!("the array `{name}` has no elements"))?;
            ensure(stride >= inner, || format!("elements of `{name}` lie on top of each other"))?;
            inner += (len - 1) * stride;
            ensure(inner <= self.size, || format!("`{name}` is larger than its surroundings"))?;
        }
        ensure(u64::from(slot.offset) + inner <= self.size, || {
            format!("`{name}` ends after the last byte")
        })?;
        for (name, offset) in slot.values() {
            self.add(offset, slot.ty.width(), format!("`{name}`"))?;
        }
        Ok(())
    }

    fn apart(mut self) -> Checked {
        self.stretches.sort_by_key(|s| (s.start, s.end));
        for pair in self.stretches.windows(2) {
            ensure(pair[0].end <= pair[1].start, || {
                format!("{} and {} lie on top of each other", pair[0].what, pair[1].what)
            })?;
        }
        Ok(())
    }
}

/// The name of a variable without indices.
pub(super) fn slot_name(slot: &Slot) -> String {
    let names: Vec<&str> = slot.path.iter().map(|s| s.name.as_str()).collect();
    names.join(".")
}

impl Model {
    /// Channel types and symbolic types.
    pub(super) fn verify_types(&self) -> Result<(), Flaw> {
        for (id, ty) in self.channel_types.iter().enumerate() {
            self.verify_channel_type(ty).at(|| format!("channel type {id}"))?;
        }
        for set in &self.scalarsets {
            ensure(set.size > 0, || "it has no members".to_owned())
                .and_then(|()| self.verify_source(set.source))
                .at(|| format!("the scalarset `{}`", set.name))?;
        }
        Ok(())
    }

    fn verify_channel_type(&self, ty: &ChannelType) -> Checked {
        for &field in &ty.fields {
            self.verify_scalar(field)?;
            ensure(!matches!(field.kind, Kind::Timer | Kind::Clock { .. }), || {
                "a message holds a timer".to_owned()
            })?;
        }
        let packed = ChannelType::new(ty.capacity, ty.fields.clone());
        ensure(*ty == packed, || "the fields of a message do not follow each other".to_owned())
    }

    /// The type of a value.
    pub(super) fn verify_scalar(&self, ty: Scalar) -> Checked {
        ensure((1..=32).contains(&ty.bits), || format!("a value of {} bits", ty.bits))?;
        match ty.kind {
            Kind::Mtype(set) => ensure(usize::from(set) < self.mtypes.len(), || {
                format!("a value of symbolic type {set}, which there is not")
            }),
            Kind::Name(set) => ensure(usize::from(set) < self.scalarsets.len(), || {
                format!("a name of scalarset {set}, which there is not")
            }),
            Kind::Timer => ensure(ty == Scalar::TIMER, || "a timer of an unusual width".to_owned()),
            Kind::Clock { base, top } => {
                ensure(ty == Scalar::clock(base, top) && 0 < base && base <= top, || {
                    "a clock of an unusual width".to_owned()
                })
            }
            Kind::Bool | Kind::Number | Kind::Channel | Kind::Pid => Ok(()),
        }
    }

    /// The part of the vector that is always there.
    pub(super) fn verify_layout(&self) -> Result<(), Flaw> {
        self.verify_fixed_part().at(|| "the layout of global variables".to_owned())
    }

    fn verify_fixed_part(&self) -> Checked {
        let layout = &self.layout;
        let mut parts = Parts::new(layout.frames)?;
        parts.add(layout.process_count, 1, "the number of processes")?;
        if let Some(at) = layout.last {
            parts.add(at, 1, "the number of the last process")?;
        }
        if let Some(at) = layout.event {
            parts.add(at, 2, "the location of the trace assertion")?;
        }
        for slot in &layout.slots {
            self.verify_scalar(slot.ty).map_err(|why| format!("`{}`: {why}", slot_name(slot)))?;
            ensure(!slot.parameter, || format!("`{}` is a parameter of nobody", slot_name(slot)))?;
            parts.add_slot(slot)?;
        }
        self.add_channels(&mut parts, &layout.channels)?;
        let hidden = u64::from(layout.hidden);
        for s in &parts.stretches {
            ensure(s.end <= hidden || s.start >= hidden, || format!("{} is half hidden", s.what))?;
        }
        ensure(layout.process_count >= layout.hidden, || {
            "the number of processes is hidden".to_owned()
        })?;
        ensure(layout.hidden <= layout.frames, || "more is hidden than there is".to_owned())?;
        parts.apart()
    }

    fn add_channels(&self, parts: &mut Parts, channels: &[ChannelInstance]) -> Checked {
        for channel in channels {
            let Some(ty) = self.channel_types.get(channel.ty.index()) else {
                return Err(format!("the channel `{}` has no type", channel.name));
            };
            let size =
                u64::from(ty.len_width()) + u64::from(ty.capacity) * u64::from(ty.message_size);
            ensure(size <= MAX_BYTES, || {
                format!("the channel `{}` is larger than a state can be", channel.name)
            })?;
            parts.add(channel.offset, ty.size(), format!("the channel `{}`", channel.name))?;
        }
        Ok(())
    }

    /// The frame of a process type.
    pub(super) fn verify_frame(&self, proctype: &ProcType) -> Checked {
        let frame = &proctype.frame;
        ensure(proctype.kind != ProcKind::NeverClaim, || "it is a never claim".to_owned())?;
        let mut parts = Parts::new(frame.size)?;
        parts.add(FrameLayout::TYPE, 1, "the type of a process")?;
        ensure(matches!(frame.location_width, 1 | 2), || {
            format!("a location takes {} bytes", frame.location_width)
        })?;
        parts.add(FrameLayout::LOCATION, frame.location_width, "the location of a process")?;
        if let Some(at) = frame.priority {
            parts.add(at, 1, "the priority of a process")?;
        }
        let locations = proctype.automaton.locations.len();
        ensure(locations <= 1 << (8 * frame.location_width), || {
            format!("{locations} locations do not fit into {} bytes", frame.location_width)
        })?;
        for slot in &frame.slots {
            self.verify_scalar(slot.ty).map_err(|why| format!("`{}`: {why}", slot_name(slot)))?;
            parts.add_slot(slot)?;
        }
        self.verify_parameters(proctype)?;
        self.add_channels(&mut parts, &frame.channels)?;
        parts.apart()
    }

    /// Parameters come first, and each is a single value.
    fn verify_parameters(&self, proctype: &ProcType) -> Checked {
        let slots = &proctype.frame.slots;
        let parameters = proctype.parameters as usize;
        ensure(parameters <= slots.len(), || "it has more parameters than variables".to_owned())?;
        for (k, slot) in slots.iter().enumerate() {
            let name = slot_name(slot);
            ensure(slot.parameter == (k < parameters), || {
                format!("`{name}` is variable {k}, and the parameters are the first {parameters}")
            })?;
            let single = slot.path.iter().all(|s| s.array.is_none());
            ensure(!slot.parameter || single, || format!("the parameter `{name}` is an array"))?;
        }
        Ok(())
    }
}
