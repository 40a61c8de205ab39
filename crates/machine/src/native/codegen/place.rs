//! Where variables are; loading and storing them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I16, I32, I64, I8, I8X16};
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Type, Value};
use isospin_model::{Expr, Index, Place, ProcTypeId, Region, Scalar};

use super::helper::Helper;
use super::{Generator, View};
use crate::native::runtime::code;

/// More bytes than this are moved or cleared by a call.
pub(super) const MAX_INLINE: u32 = 96;

/// A place that has been found, in whichever copy of the state.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// What the offset counts from.
    pub base: Base,
    /// The part of the offset that is known.
    pub offset: i32,
    /// The part that is not.
    pub dynamic: Option<Value>,
}

/// What an offset counts from.
#[derive(Clone, Copy)]
pub(super) enum Base {
    /// The start of the vector.
    Vector,
    /// The frame of the acting process.
    Frame,
}

/// A pointer and a constant to add to it, and how it may be read.
#[derive(Clone, Copy)]
pub(super) struct Address {
    pub pointer: Value,
    pub offset: i32,
    flags: MemFlagsData,
}

impl Address {
    /// The address `distance` bytes further on.
    pub fn plus(self, distance: u32) -> Address {
        Address { offset: self.offset + distance as i32, ..self }
    }
}

impl Generator<'_, '_> {
    /// Where a place of the model or of the acting process is; `None` for another process's.
    pub(super) fn locate(&mut self, place: &Place, view: View) -> Option<Spot> {
        let base = match place.region {
            Region::Global => Base::Vector,
            Region::Local => Base::Frame,
            Region::Remote { .. } => return None,
        };
        Some(self.add_indices(base, place, view))
    }

    fn add_indices(&mut self, base: Base, place: &Place, view: View) -> Spot {
        let mut spot = Spot { base, offset: place.offset as i32, dynamic: None };
        for index in &place.indices {
            self.add_index(&mut spot, index, index.stride, view);
        }
        spot
    }

    /// Moves a spot on by an index times a stride.
    pub(super) fn add_index(&mut self, spot: &mut Spot, index: &Index, stride: u32, view: View) {
        if let Some(known) = known_index(index) {
            spot.offset += (known * stride) as i32;
            return;
        }
        let value = self.checked_index(index, view);
        let wide = self.b.ins().uextend(I64, value);
        let term = if stride == 1 {
            wide
        } else {
            let stride = self.long(i64::from(stride));
            self.b.ins().imul(wide, stride)
        };
        spot.dynamic = Some(match spot.dynamic {
            Some(sum) => self.b.ins().iadd(sum, term),
            None => term,
        });
    }

    /// The value of an index, once it is known to lie in its array.
    pub(super) fn checked_index(&mut self, index: &Index, view: View) -> Value {
        let value = self.value(&index.expr, view);
        if known_index(index).is_none() && !always_below(&index.expr, index.len) {
            let len = self.int(index.len as i32);
            let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, len);
            let number = self.int(code::INDEX);
            self.fail_if(outside, view, [number, value, len]);
        }
        value
    }

    /// The address of a spot in a copy of the state.
    pub(super) fn address(&mut self, spot: Spot, view: View) -> Address {
        let base = match spot.base {
            Base::Vector => view.vector,
            Base::Frame => view.frame,
        };
        let mut flags = MemFlagsData::new().with_notrap();
        if !view.written {
            flags = flags.with_readonly();
            if spot.dynamic.is_none() {
                // Always in range, so nothing is lost by loading it early.
                flags = flags.with_can_move();
            }
        }
        Address {
            pointer: match spot.dynamic {
                Some(dynamic) => self.b.ins().iadd(base, dynamic),
                None => base,
            },
            offset: spot.offset,
            flags,
        }
    }

    /// Loads a value.
    pub(super) fn load_at(&mut self, ty: Scalar, at: Address) -> Value {
        let Address { pointer, offset, flags } = at;
        let ins = self.b.ins();
        match (ty.width(), ty.signed) {
            (1, false) => ins.uload8(I32, flags, pointer, offset),
            (1, true) => ins.sload8(I32, flags, pointer, offset),
            (2, false) => ins.uload16(I32, flags, pointer, offset),
            (2, true) => ins.sload16(I32, flags, pointer, offset),
            _ => ins.load(I32, flags, pointer, offset),
        }
    }

    /// Stores a value, cut down to its type.
    pub(super) fn write(&mut self, ty: Scalar, value: Value, at: Address) {
        let Address { pointer, offset, flags } = at;
        let value =
            if u32::from(ty.bits) == 8 * ty.width() { value } else { self.truncate(ty, value) };
        let ins = self.b.ins();
        match ty.width() {
            1 => ins.istore8(flags, value, pointer, offset),
            2 => ins.istore16(flags, value, pointer, offset),
            _ => ins.store(flags, value, pointer, offset),
        };
    }

    /// Sets bytes to 0.
    pub(super) fn clear(&mut self, at: Address, bytes: u32) {
        if bytes > MAX_INLINE {
            let start = self.pointer(at);
            let bytes = self.long(i64::from(bytes));
            return self.call(Helper::Clear, &[start, bytes]);
        }
        let flags = MemFlagsData::new().with_notrap();
        for (distance, piece) in pieces(bytes) {
            let at = at.plus(distance);
            let zero = if piece == I8X16 {
                let zero = self.b.ins().iconst(I8, 0);
                self.b.ins().splat(I8X16, zero)
            } else {
                self.b.ins().iconst(piece, 0)
            };
            self.b.ins().store(flags, zero, at.pointer, at.offset);
        }
    }

    /// An address as a single pointer.
    pub(super) fn pointer(&mut self, at: Address) -> Value {
        let offset = self.long(i64::from(at.offset));
        self.b.ins().iadd(at.pointer, offset)
    }

    /// What remains of a value once it has been stored and read back.
    pub(super) fn truncate(&mut self, ty: Scalar, value: Value) -> Value {
        if ty.bits >= 32 {
            return value;
        }
        if ty.signed {
            let unused = self.int(32 - i32::from(ty.bits));
            let up = self.b.ins().ishl(value, unused);
            self.b.ins().sshr(up, unused)
        } else {
            let mask = self.int(((1u32 << ty.bits) - 1) as i32);
            self.b.ins().band(value, mask)
        }
    }

    /// Stores a value at a spot.
    pub(super) fn store_at(&mut self, spot: Spot, ty: Scalar, value: Value, view: View) {
        let at = self.address(spot, view);
        self.write(ty, value, at);
    }

    /// The value of a variable. A process that is not there reads as 0.
    pub(super) fn load(&mut self, place: &Place, view: View) -> Value {
        if let Some(spot) = self.locate(place, view) {
            let at = self.address(spot, view);
            return self.load_at(place.ty, at);
        }
        let zero = self.int(0);
        self.with_remote(
            place,
            view,
            |me, spot| {
                let at = me.address(spot, view);
                me.load_at(place.ty, at)
            },
            zero,
        )
    }

    /// Stores a value in a variable. A process that is not there is passed over.
    pub(super) fn store(&mut self, place: &Place, value: Value, view: View) {
        match self.locate(place, view) {
            Some(spot) => self.store_at(spot, place.ty, value, view),
            None => {
                self.with_remote(
                    place,
                    view,
                    |me, spot| {
                        me.store_at(spot, place.ty, value, view);
                        value
                    },
                    value,
                );
            }
        }
    }

    /// Does something with a place in another process's frame if that process is there.
    fn with_remote(
        &mut self,
        place: &Place,
        view: View,
        present: impl FnOnce(&mut Self, Spot) -> Value,
        absent: Value,
    ) -> Value {
        let Region::Remote { proctype, pid } = &place.region else {
            return absent;
        };
        let frame = self.remote(*proctype, pid.as_deref(), view);
        let (there, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, I32);
        let zero = self.long(0);
        let gone = self.b.ins().icmp(IntCC::SignedLessThan, frame, zero);
        let absent = [BlockArg::Value(absent)];
        self.b.ins().brif(gone, done, &absent, there, &[]);
        self.b.switch_to_block(there);
        let mut spot = self.add_indices(Base::Vector, place, view);
        spot.dynamic = Some(match spot.dynamic {
            Some(sum) => self.b.ins().iadd(sum, frame),
            None => frame,
        });
        let result = present(self, spot);
        self.b.ins().jump(done, &[BlockArg::Value(result)]);
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    /// Where the frame of the process that a remote reference means starts, or -1.
    pub(super) fn remote(&mut self, proctype: ProcTypeId, pid: Option<&Expr>, view: View) -> Value {
        let ty = self.int(i32::from(proctype.0));
        match pid {
            Some(pid) => {
                let pid = self.value(pid, view);
                self.ask(Helper::Remote, &[self.context, ty, pid])
            }
            None => self.ask(Helper::Oldest, &[self.context, ty]),
        }
    }
}

/// Cuts a number of bytes into pieces that one instruction moves.
pub(super) fn pieces(bytes: u32) -> Vec<(u32, Type)> {
    let mut all = Vec::new();
    let mut at = 0;
    for piece in [I8X16, I64, I32, I16, I8] {
        while bytes - at >= piece.bytes() {
            all.push((at, piece));
            at += piece.bytes();
        }
    }
    all
}

/// The value of an index that is a constant and lies in its array.
pub(super) fn known_index(index: &Index) -> Option<u32> {
    match index.expr {
        Expr::Const(value) => u32::try_from(value).ok().filter(|k| *k < index.len),
        _ => None,
    }
}

/// Whether an index needs no check, whatever bytes the state has.
fn always_below(expr: &Expr, len: u32) -> bool {
    match expr {
        Expr::Load(place) => {
            let bits = 8 * place.ty.width();
            !place.ty.signed && bits < 32 && (1 << bits) <= len
        }
        Expr::Pid => len > 255,
        _ => false,
    }
}
