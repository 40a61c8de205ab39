//! Where everything lives in the state vector.
//!
//! ```text
//! | hidden | process count | [last] | [event] | globals | global channels | frame 0 | frame 1 | ...
//!                                                               |
//!            frame: | type | location | [priority] | parameters and locals | own channels |
//! ```
//!
//! The vector grows and shrinks with its processes; a process's number is the position of its
//! frame. Only the youngest process can end, so frames never move. A channel's number is its
//! position among the global channels and then the channels of the frames, counted from 1. Unused
//! slots of channels are 0. What stands in the hidden part takes part in execution and not in the
//! identity of a state.

use crate::ids::{ChannelTypeId, LocationId, ProcTypeId};
use crate::model::Model;
use crate::scalar::Scalar;

/// One part of a variable's name: `name` or, with a length, `name[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The name of the variable or field.
    pub name: String,
    /// For an array, how many elements it has and how many bytes apart they are.
    pub array: Option<(u32, u32)>,
}

/// A variable, or a field of one: a value or a (nested) array of values of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its name, part by part: `a[3].b` has two.
    pub path: Vec<Segment>,
    /// Where it starts, from the start of the vector or of the frame.
    pub offset: u32,
    /// The type of each value.
    pub ty: Scalar,
    /// Whether it is a parameter of its process type.
    pub parameter: bool,
}

impl Slot {
    /// Every single value of the slot: its full name and its offset.
    pub fn values(&self) -> Vec<(String, u32)> {
        let mut all = vec![(String::new(), self.offset)];
        for (k, segment) in self.path.iter().enumerate() {
            let dot = if k == 0 { "" } else { "." };
            let mut next = Vec::new();
            for (name, offset) in all {
                match segment.array {
                    None => next.push((format!("{name}{dot}{}", segment.name), offset)),
                    Some((len, stride)) => next.extend((0..len).map(|i| {
                        (format!("{name}{dot}{}[{i}]", segment.name), offset + i * stride)
                    })),
                }
            }
            all = next;
        }
        all
    }
}

/// What a channel can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// How many messages; 0 for a rendez-vous channel.
    pub capacity: u16,
    /// The types of a message's fields.
    pub fields: Vec<Scalar>,
    /// Where each field starts within a message.
    pub field_offsets: Vec<u32>,
    /// How many bytes a message takes.
    pub message_size: u32,
}

impl ChannelType {
    /// The type with this capacity and these fields.
    pub fn new(capacity: u16, fields: Vec<Scalar>) -> ChannelType {
        let mut message_size = 0;
        let field_offsets = fields
            .iter()
            .map(|f| {
                let at = message_size;
                message_size += f.width();
                at
            })
            .collect();
        ChannelType { capacity, fields, field_offsets, message_size }
    }

    /// How many bytes the count of messages takes. A rendez-vous channel has none.
    pub fn len_width(&self) -> u32 {
        match self.capacity {
            0 => 0,
            1..=255 => 1,
            _ => 2,
        }
    }

    /// How many bytes a channel of this type takes.
    pub fn size(&self) -> u32 {
        self.len_width() + self.capacity as u32 * self.message_size
    }

    /// How many messages the channel at `offset` holds.
    #[inline]
    pub fn len(&self, vector: &[u8], offset: usize) -> usize {
        match self.len_width() {
            0 => 0,
            1 => vector[offset] as usize,
            _ => u16::from_le_bytes([vector[offset], vector[offset + 1]]) as usize,
        }
    }

    /// Sets how many messages the channel at `offset` holds.
    #[inline]
    pub fn set_len(&self, vector: &mut [u8], offset: usize, len: usize) {
        match self.len_width() {
            0 => {}
            1 => vector[offset] = len as u8,
            _ => vector[offset..offset + 2].copy_from_slice(&(len as u16).to_le_bytes()),
        }
    }

    /// Where message `slot` of the channel at `offset` starts.
    #[inline]
    pub fn message(&self, offset: usize, slot: usize) -> usize {
        offset + self.len_width() as usize + slot * self.message_size as usize
    }
}

/// A channel that a declaration creates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInstance {
    /// The name of the variable that it was declared with, index included.
    pub name: String,
    /// What it can hold.
    pub ty: ChannelTypeId,
    /// Where it starts, from the start of the vector or of the frame.
    pub offset: u32,
}

/// Where things are in the part of the vector that is always there.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// How many bytes at the start do not take part in a state's identity.
    pub hidden: u32,
    /// Where the number of processes is.
    pub process_count: u32,
    /// Where the number of the last process to move is, when the model looks at it.
    pub last: Option<u32>,
    /// Where the location of the trace assertion is, in two bytes, when the model has one.
    pub event: Option<u32>,
    /// The global variables, hidden ones included.
    pub slots: Vec<Slot>,
    /// The global channels, in the order of their numbers.
    pub channels: Vec<ChannelInstance>,
    /// Where the first frame starts.
    pub frames: u32,
}

/// Where things are in the frame of a process.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FrameLayout {
    /// How many bytes the location takes: 1 or 2.
    pub location_width: u32,
    /// Where its priority is, when the model has priorities.
    pub priority: Option<u32>,
    /// Parameters and local variables. Parameters come first, in order.
    pub slots: Vec<Slot>,
    /// Its own channels, in the order of their numbers.
    pub channels: Vec<ChannelInstance>,
    /// How many bytes the frame takes.
    pub size: u32,
}

impl FrameLayout {
    /// Where the type of the process is.
    pub const TYPE: u32 = 0;
    /// Where the location of the process is.
    pub const LOCATION: u32 = 1;

    /// Where the process stands whose frame starts at `frame`.
    #[inline]
    pub fn location(&self, vector: &[u8], frame: usize) -> LocationId {
        let at = frame + Self::LOCATION as usize;
        if self.location_width == 1 {
            LocationId(u32::from(vector[at]))
        } else {
            LocationId(u32::from(u16::from_le_bytes([vector[at], vector[at + 1]])))
        }
    }

    /// Puts the process whose frame starts at `frame` at a location.
    #[inline]
    pub fn set_location(&self, vector: &mut [u8], frame: usize, location: LocationId) {
        let at = frame + Self::LOCATION as usize;
        if self.location_width == 1 {
            vector[at] = location.0 as u8;
        } else {
            vector[at..at + 2].copy_from_slice(&(location.0 as u16).to_le_bytes());
        }
    }
}

/// Where the frames and channels of one particular state vector are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// For each process its type and where its frame starts.
    pub frames: Vec<(ProcTypeId, u32)>,
    /// For each channel its type and where it starts.
    pub channels: Vec<(ChannelTypeId, u32)>,
    /// For each process the position of its first channel in `channels`.
    pub first_channel: Vec<u32>,
}

impl Shape {
    /// Walks `vector` and notes where everything is, in the room of an earlier walk.
    pub fn read(&mut self, model: &Model, vector: &[u8]) {
        self.frames.clear();
        self.channels.clear();
        self.first_channel.clear();
        let layout = &model.layout;
        self.channels.extend(layout.channels.iter().map(|c| (c.ty, c.offset)));
        let count = vector[layout.process_count as usize];
        let mut at = layout.frames;
        for _ in 0..count {
            let ty = ProcTypeId(u16::from(vector[(at + FrameLayout::TYPE) as usize]));
            at += self.push(model, ty, at);
        }
    }

    /// Adds a process whose frame starts at `at`; says how long the frame is.
    pub fn push(&mut self, model: &Model, ty: ProcTypeId, at: u32) -> u32 {
        let frame = &model.proctypes[ty.index()].frame;
        self.frames.push((ty, at));
        self.first_channel.push(self.channels.len() as u32);
        self.channels.extend(frame.channels.iter().map(|c| (c.ty, at + c.offset)));
        frame.size
    }

    /// Takes away the youngest process; says where its frame started.
    pub fn pop(&mut self) -> Option<u32> {
        let (_, at) = self.frames.pop()?;
        let first = self.first_channel.pop()?;
        self.channels.truncate(first as usize);
        Some(at)
    }
}
