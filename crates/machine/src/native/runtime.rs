//! What generated code shares with the rest: the context that it is handed, and the functions that
//! it calls for what is rare or better written in Rust.

use isospin_model::{ChannelType, Edge, EdgeId, Failure, Model, Pid};

use super::support::{bit, claim_bit, ChannelSet};
use crate::fault::{Fault, RuntimeError};
use crate::machine::Truth;
use crate::step::{Move, Partner, Step};
use crate::successors::Successors;

/// The code of a location: adds the steps of process `pid`, whose frame starts `frame` bytes into
/// the vector at `source`, to the context's successors.
pub(super) type Function =
    unsafe extern "C" fn(context: *mut Context, source: *const u8, frame: usize, pid: u32);

/// The code of the atoms of a property: says in the byte with its number what each says of the
/// state at `source`.
pub(super) type Atoms =
    unsafe extern "C" fn(context: *mut Context, source: *const u8, values: *mut Truth);

/// A process of the state at hand.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where its frame starts.
    pub offset: u32,
    /// Its type.
    pub ty: u32,
    /// The position of its first channel.
    pub first_channel: u32,
    /// The row of the code table for where it stands.
    pub row: u32,
    /// The row of its type's first location.
    pub first_row: u32,
    /// How many locations its type has.
    pub locations: u32,
    /// Whether its location takes two bytes.
    pub wide: u32,
    /// Unused.
    pub padding: u32,
}

/// The code of a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The code for its steps; `None` leaves them to the interpreter.
    pub steps: Option<Function>,
    /// The code for the second half of a rendez-vous, if it has any.
    pub receive: Option<Function>,
    /// On which channels a process there may receive in a rendez-vous.
    pub receives: ChannelSet,
}

/// A channel of the state at hand.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    /// Its type.
    pub ty: u32,
    /// Where it starts.
    pub offset: u32,
}

/// A rendez-vous that is half done.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Handshake {
    /// The number of the channel.
    pub channel: u32,
    /// The number of the sender's edge.
    pub number: u32,
    /// The sender's edge.
    pub edge: *const Edge,
}

impl Handshake {
    /// No rendez-vous.
    pub const NONE: Handshake = Handshake { channel: 0, number: 0, edge: std::ptr::null() };
}

/// The state at hand, and where its successors go.
#[repr(C)]
pub(super) struct Context {
    /// Whether nothing else can happen anywhere.
    pub timeout: u32,
    /// How many processes there are.
    pub processes: u32,
    /// How many channels there are.
    pub channel_count: u32,
    /// The process whose steps are asked for.
    pub pid: u32,
    /// The state, readable beyond its end up to the next multiple of `CHUNK`.
    pub source: *const u8,
    /// How many bytes the state has.
    pub len: usize,
    /// One entry per process.
    pub frames: *const Frame,
    /// One entry per channel.
    pub channels: *const Channel,
    /// Room for the fields of the longest message.
    pub message: *mut i32,
    /// The rendez-vous that is half done, while receivers are asked.
    pub handshake: Handshake,
    /// On which channels some process may receive in a rendez-vous.
    pub receives: ChannelSet,
    /// The code table.
    pub rows: *const Row,
    /// Where successors go.
    pub out: *mut Successors,
    /// The model.
    pub model: *const Model,
}

/// Errors as generated code names them: a number and two operands.
pub(super) mod code {
    pub const INDEX: i32 = 1;
    pub const DIVISION: i32 = 2;
    pub const UNINITIALIZED: i32 = 3;
    pub const NO_CHANNEL: i32 = 4;
    pub const PROCESSES: i32 = 5;
    pub const CHANNELS: i32 = 6;
    pub const FIELDS: i32 = 7;
    pub const POLLED: i32 = 8;
    pub const RENDEZVOUS_IN_DET_STEP: i32 = 9;
    pub const BLOCKED_IN_DET_STEP: i32 = 10;
    pub const ENDLESS_DET_STEP: i32 = 11;
    pub const EXCLUSIVE_RECEIVE: i32 = 12;
    pub const EXCLUSIVE_SEND: i32 = 13;
    pub const FAILURE: i32 = 14;
}

fn error(number: i32, a: i32, b: i32) -> RuntimeError {
    match number {
        code::INDEX => RuntimeError::IndexOutOfRange { index: a, len: b as u32 },
        code::DIVISION => RuntimeError::DivisionByZero,
        code::UNINITIALIZED => RuntimeError::UninitializedChannel,
        code::NO_CHANNEL => RuntimeError::NoSuchChannel(a),
        code::PROCESSES => RuntimeError::TooManyProcesses,
        code::CHANNELS => RuntimeError::TooManyChannels,
        code::FIELDS => RuntimeError::FieldCount { given: a as u32, expected: b as u32 },
        code::POLLED => RuntimeError::PolledRendezvous,
        code::RENDEZVOUS_IN_DET_STEP => RuntimeError::RendezvousInDetStep,
        code::BLOCKED_IN_DET_STEP => RuntimeError::BlockedInDetStep,
        code::EXCLUSIVE_RECEIVE => RuntimeError::ExclusiveReceive,
        code::EXCLUSIVE_SEND => RuntimeError::ExclusiveSend,
        code::FAILURE => RuntimeError::Failure(Failure::ALL[a as usize].with(b as u16)),
        _ => RuntimeError::EndlessDetStep,
    }
}

// SAFETY, for every function below: only generated code calls them, with the context that
// `NativeMachine` handed to it. That context's pointers are good for as long as the generated code
// runs, nothing else refers to what they point to in that time, and no reference made here
// outlives the call. Frames and channels were read from the state, whose length was checked.

/// Opens a successor: the state, copied. The caller changes it in place.
pub(super) unsafe extern "C" fn begin(context: *mut Context, edge: u32, atomic: u32) -> *mut u8 {
    // SAFETY: see above.
    unsafe {
        let len = (*context).len;
        begin_resized(context, edge, atomic, len)
    }
}

/// As [`begin`], with `len` bytes: cut off there, or filled up with zeros.
#[inline]
pub(super) unsafe extern "C" fn begin_resized(
    context: *mut Context,
    edge: u32,
    atomic: u32,
    len: usize,
) -> *mut u8 {
    // SAFETY: see above.
    unsafe {
        let c = &*context;
        let pid = Pid(c.pid as u8);
        let step = Step::alone(pid, EdgeId(edge));
        let control = (atomic != 0).then_some(pid);
        (*c.out).open(step, control, c.source, c.len.min(len), len)
    }
}

/// Opens the successor of a rendez-vous: the state, copied, with the sender moved on.
pub(super) unsafe extern "C" fn begin_receive(
    context: *mut Context,
    edge: u32,
    atomic: u32,
    pid: u32,
) -> *mut u8 {
    // SAFETY: see above; the sender is one of the processes.
    unsafe {
        let c = &*context;
        let receiver = Pid(pid as u8);
        let step = Step::Process(Move {
            pid: Pid(c.pid as u8),
            edge: EdgeId(c.handshake.number),
            partner: Some(Partner { pid: receiver, edge: EdgeId(edge) }),
        });
        let control = (atomic != 0).then_some(receiver);
        let state = (*c.out).open(step, control, c.source, c.len, c.len);
        let vector = std::slice::from_raw_parts_mut(state, c.len);
        let sender = *c.frames.add(c.pid as usize);
        let frame = sender.offset as usize;
        let model = &*c.model;
        let edge = &*c.handshake.edge;
        for &(at, len) in &edge.resets {
            let at = frame + at as usize;
            vector[at..at + len as usize].fill(0);
        }
        let layout = &model.proctypes[sender.ty as usize].frame;
        layout.set_location(vector, frame, edge.target);
        if let Some(last) = model.layout.last {
            vector[last as usize] = c.pid as u8;
        }
        state
    }
}

/// Asks every other process, the youngest first, to receive the message that stands in the
/// context; says how many steps that made.
pub(super) unsafe extern "C" fn rendezvous(
    context: *mut Context,
    channel: u32,
    number: u32,
    edge: *const Edge,
) -> u32 {
    // SAFETY: see above. The context is only read through the raw pointer, since the receivers'
    // code reads it as well.
    unsafe {
        (*context).handshake = Handshake { channel, number, edge };
        let before = (*(*context).out).len();
        let sender = (*context).pid;
        let offered: ChannelSet = 1 << bit(channel);
        for pid in (0..(*context).processes).rev() {
            if pid == sender {
                continue;
            }
            let frame = *(*context).frames.add(pid as usize);
            let row = *(*context).rows.add(frame.row as usize);
            if row.receives & offered == 0 {
                continue;
            }
            if let Some(receive) = row.receive {
                receive(context, (*context).source, frame.offset as usize, pid);
            }
        }
        ((*(*context).out).len() - before) as u32
    }
}

/// Adds a step that cannot be completed. `written` says that its successor was opened already.
pub(super) unsafe extern "C" fn fail(
    context: *mut Context,
    edge: u32,
    number: i32,
    a: i32,
    b: i32,
    written: u32,
) {
    // SAFETY: see above.
    unsafe {
        let c = &*context;
        let out = &mut *c.out;
        if written != 0 {
            out.truncate(out.len() - 1);
        }
        let step = Step::alone(Pid(c.pid as u8), EdgeId(edge));
        let state = std::slice::from_raw_parts(c.source, c.len);
        out.push(step, Some(Fault::Runtime(error(number, a, b))), None, state);
    }
}

/// As [`fail`], for a receiver in a rendez-vous.
pub(super) unsafe extern "C" fn fail_receive(
    context: *mut Context,
    edge: u32,
    number: i32,
    a: i32,
    b: i32,
    written: u32,
    pid: u32,
) {
    // SAFETY: see above.
    unsafe {
        let out = (*context).out;
        if written != 0 {
            let opened = (*out).len();
            (*out).truncate(opened - 1);
        }
        begin_receive(context, edge, 0, pid);
        if let Some(successor) = (*out).last_mut() {
            successor.fault = Some(Fault::Runtime(error(number, a, b)));
        }
    }
}

/// Notes that the step at hand violates an assertion.
pub(super) unsafe extern "C" fn violate(context: *mut Context) {
    // SAFETY: see above.
    unsafe {
        if let Some(successor) = (*(*context).out).last_mut() {
            successor.fault = Some(Fault::Assertion);
        }
    }
}

/// Inserts the message that stands in the context, in order, into the channel at `at`.
pub(super) unsafe extern "C" fn insert(context: *mut Context, at: *mut u8, ty: *const ChannelType) {
    // SAFETY: see above; a channel takes as many bytes as its type says.
    unsafe {
        let ty = &*ty;
        let channel = std::slice::from_raw_parts_mut(at, ty.size() as usize);
        let message = std::slice::from_raw_parts((*context).message, ty.fields.len());
        let len = ty.len(channel, 0);
        let slot = (0..len)
            .find(|&slot| {
                let stored = (0..message.len()).map(|k| {
                    let at = ty.message(0, slot) + ty.field_offsets[k] as usize;
                    ty.fields[k].load(channel, at)
                });
                message.iter().copied().lt(stored)
            })
            .unwrap_or(len);
        let (at, end) = (ty.message(0, slot), ty.message(0, len));
        channel.copy_within(at..end, at + ty.message_size as usize);
        ty.set_len(channel, 0, len + 1);
        for (k, value) in message.iter().enumerate() {
            ty.fields[k].store(channel, at + ty.field_offsets[k] as usize, *value);
        }
    }
}

/// Takes a message out of the channel at `at`.
pub(super) unsafe extern "C" fn remove(at: *mut u8, ty: *const ChannelType, slot: u32) {
    // SAFETY: see above; a channel takes as many bytes as its type says.
    unsafe {
        let ty = &*ty;
        let channel = std::slice::from_raw_parts_mut(at, ty.size() as usize);
        let len = ty.len(channel, 0);
        let (at, end) = (ty.message(0, slot as usize), ty.message(0, len));
        let size = ty.message_size as usize;
        channel.copy_within(at + size..end, at);
        channel[end - size..end].fill(0);
        ty.set_len(channel, 0, len - 1);
    }
}

/// Sets bytes of a state to 0.
pub(super) unsafe extern "C" fn clear(at: *mut u8, bytes: usize) {
    // SAFETY: see above; the layout says that the bytes are there.
    unsafe { at.write_bytes(0, bytes) };
}

/// Where the frame of process `pid` starts if it is of the given type, or -1.
pub(super) unsafe extern "C" fn remote(context: *mut Context, proctype: u32, pid: i32) -> i64 {
    // SAFETY: see above.
    unsafe {
        match process(&*context, pid) {
            Some(frame) if frame.ty == proctype => i64::from(frame.offset),
            _ => -1,
        }
    }
}

/// Where the frame of the oldest process of the given type starts, or -1.
pub(super) unsafe extern "C" fn oldest(context: *mut Context, proctype: u32) -> i64 {
    // SAFETY: see above.
    unsafe {
        let c = &*context;
        let frames = std::slice::from_raw_parts(c.frames, c.processes as usize);
        frames.iter().find(|f| f.ty == proctype).map_or(-1, |f| i64::from(f.offset))
    }
}

/// The number of the location where process `pid` stands.
pub(super) unsafe extern "C" fn pc_value(
    context: *mut Context,
    vector: *const u8,
    pid: i32,
) -> i32 {
    // SAFETY: see above; `vector` has the shape of the state.
    unsafe {
        let c = &*context;
        let Some(frame) = process(c, pid) else {
            return 0;
        };
        let vector = std::slice::from_raw_parts(vector, c.len);
        let model = &*c.model;
        let proctype = &model.proctypes[frame.ty as usize];
        let location = proctype.frame.location(vector, frame.offset as usize);
        proctype.automaton.locations[location.index()].number as i32
    }
}

/// The priority of process `pid`.
pub(super) unsafe extern "C" fn priority(
    context: *mut Context,
    vector: *const u8,
    pid: i32,
) -> i32 {
    // SAFETY: see above; `vector` has the shape of the state.
    unsafe {
        let c = &*context;
        let Some(frame) = process(c, pid) else {
            return 0;
        };
        let model = &*c.model;
        match model.proctypes[frame.ty as usize].frame.priority {
            Some(offset) => i32::from(*vector.add((frame.offset + offset) as usize)),
            None => 1,
        }
    }
}

/// Whether no process stands at a progress label.
pub(super) unsafe extern "C" fn non_progress(context: *mut Context, vector: *const u8) -> i32 {
    // SAFETY: see above; `vector` has the shape of the state.
    unsafe {
        let c = &*context;
        let vector = std::slice::from_raw_parts(vector, c.len);
        let frames = std::slice::from_raw_parts(c.frames, c.processes as usize);
        let model = &*c.model;
        let progress = frames.iter().any(|frame| {
            let proctype = &model.proctypes[frame.ty as usize];
            let location = proctype.frame.location(vector, frame.offset as usize);
            proctype.automaton.locations[location.index()].progress
        });
        i32::from(!progress)
    }
}

/// Whether every other process lets `pid` send to, or receive from, a channel: 0, or the number of
/// the error. `claims` says which promises may be about the channel, see [`claim_bit`].
pub(super) unsafe extern "C" fn promised(
    context: *mut Context,
    vector: *const u8,
    pid: u32,
    channel: u32,
    sending: u32,
    claims: u64,
) -> i32 {
    // SAFETY: see above; `vector` has the shape of the state.
    unsafe {
        let c = &*context;
        let vector = std::slice::from_raw_parts(vector, c.len);
        let frames = std::slice::from_raw_parts(c.frames, c.processes as usize);
        let model = &*c.model;
        let first = claims.trailing_zeros() as usize;
        for (k, claim) in model.exclusives.iter().enumerate().skip(first) {
            if claims & 1 << claim_bit(k) == 0 || claim.sending != (sending != 0) {
                continue;
            }
            let broken = frames.iter().zip(0..).any(|(frame, other)| {
                frame.ty == u32::from(claim.proctype.0)
                    && other != pid
                    && claim.claimed(vector, frame.offset, frame.first_channel) == channel
            });
            if broken {
                return if claim.sending { code::EXCLUSIVE_SEND } else { code::EXCLUSIVE_RECEIVE };
            }
        }
        0
    }
}

/// The process with this number.
unsafe fn process(context: &Context, pid: i32) -> Option<Frame> {
    if (0..context.processes as i32).contains(&pid) {
        // SAFETY: there is an entry for every process.
        Some(unsafe { *context.frames.add(pid as usize) })
    } else {
        None
    }
}
