//! The values of expressions, on 32 bits.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value};
use isospin_model::{BinaryOp, Expr, FrameLayout, LocationId, ProcTypeId, Scalar, UnaryOp};

use super::helper::Helper;
use super::place::{Base, Spot};
use super::{Generator, View};
use crate::native::runtime::{code, Context};

impl Generator<'_, '_> {
    /// The value of an expression that has no effects.
    pub(super) fn value(&mut self, expr: &Expr, view: View) -> Value {
        match expr {
            Expr::Const(value) => self.int(*value),
            Expr::Load(place) => self.load(place, view),
            Expr::Unary(op, operand) => {
                let value = self.value(operand, view);
                match op {
                    UnaryOp::Not => {
                        let zero = self.int(0);
                        self.compare(IntCC::Equal, value, zero)
                    }
                    UnaryOp::Negate => self.b.ins().ineg(value),
                    UnaryOp::Complement => self.b.ins().bnot(value),
                }
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                let done = self.b.create_block();
                self.b.append_block_param(done, I32);
                self.branch(expr, view, yes, no);
                for (block, value) in [(yes, 1), (no, 0)] {
                    self.b.switch_to_block(block);
                    let value = self.int(value);
                    self.b.ins().jump(done, &[BlockArg::Value(value)]);
                }
                self.b.switch_to_block(done);
                self.b.block_params(done)[0]
            }
            Expr::Binary(op, left, right) => {
                let a = self.value(left, view);
                let b = self.value(right, view);
                self.binary(*op, a, b, right, view)
            }
            Expr::Conditional(condition, then, otherwise) => {
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                let done = self.b.create_block();
                self.b.append_block_param(done, I32);
                self.branch(condition, view, yes, no);
                for (block, branch) in [(yes, then), (no, otherwise)] {
                    self.b.switch_to_block(block);
                    let value = self.value(branch, view);
                    self.b.ins().jump(done, &[BlockArg::Value(value)]);
                }
                self.b.switch_to_block(done);
                self.b.block_params(done)[0]
            }
            Expr::ChannelId { owner, first, index } => {
                self.channel_number(*owner, *first, index.as_deref(), view)
            }
            Expr::Len(channel) => self.channel_value(channel, view, |me, c| me.length(c, view)),
            Expr::Full(channel) => self.channel_value(channel, view, |me, c| {
                if c.ty.capacity == 0 {
                    return me.int(0);
                }
                let len = me.length(c, view);
                let capacity = me.int(i32::from(c.ty.capacity));
                me.compare(IntCC::Equal, len, capacity)
            }),
            Expr::Empty(channel) => self.channel_value(channel, view, |me, c| {
                let len = me.length(c, view);
                let zero = me.int(0);
                me.compare(IntCC::Equal, len, zero)
            }),
            Expr::Poll { channel, pattern, random } => {
                self.channel_value(channel, view, |me, c| me.poll(c, pattern, *random, view))
            }
            Expr::Timeout => self.context_int(offset_of!(Context, timeout)),
            Expr::NonProgress => self.ask(Helper::NonProgress, &[self.context, view.vector]),
            Expr::Pid => view.pid,
            Expr::ProcessCount => {
                let at = self.model.layout.process_count;
                self.load_global(at, view)
            }
            Expr::Last => match self.model.layout.last {
                Some(at) => self.load_global(at, view),
                None => self.int(0),
            },
            Expr::PcValue(pid) => {
                let pid = self.value(pid, view);
                self.ask(Helper::PcValue, &[self.context, view.vector, pid])
            }
            Expr::Priority(pid) => {
                let pid = self.value(pid, view);
                self.ask(Helper::Priority, &[self.context, view.vector, pid])
            }
            Expr::AtLocation { proctype, pid, location } => {
                let frame = self.remote(*proctype, pid.as_deref(), view);
                let Some(location) = location else {
                    return self.int(0);
                };
                self.stands_at(*proctype, frame, *location, view)
            }
            Expr::Run { .. } | Expr::Enabled(_) => unreachable!("left to the interpreter"),
        }
    }

    /// Goes to one of two blocks, depending on whether an expression is 0.
    pub(super) fn branch(&mut self, expr: &Expr, view: View, yes: Block, no: Block) {
        match expr {
            Expr::Const(value) => self.jump(if *value != 0 { yes } else { no }),
            Expr::Unary(UnaryOp::Not, operand) => self.branch(operand, view, no, yes),
            Expr::Binary(BinaryOp::And, left, right) => {
                let more = self.b.create_block();
                self.branch(left, view, more, no);
                self.b.switch_to_block(more);
                self.branch(right, view, yes, no);
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let more = self.b.create_block();
                self.branch(left, view, yes, more);
                self.b.switch_to_block(more);
                self.branch(right, view, yes, no);
            }
            Expr::Binary(op, left, right) => {
                let a = self.value(left, view);
                let b = self.value(right, view);
                let test = match comparison(*op) {
                    Some(order) => self.b.ins().icmp(order, a, b),
                    None => self.binary(*op, a, b, right, view),
                };
                self.b.ins().brif(test, yes, &[], no, &[]);
            }
            _ => {
                let test = self.value(expr, view);
                self.b.ins().brif(test, yes, &[], no, &[]);
            }
        }
    }

    /// 1 or 0, for the outcome of a comparison.
    pub(super) fn compare(&mut self, order: IntCC, a: Value, b: Value) -> Value {
        let test = self.b.ins().icmp(order, a, b);
        self.b.ins().uextend(I32, test)
    }

    fn load_global(&mut self, offset: u32, view: View) -> Value {
        let spot = Spot { base: Base::Vector, offset: offset as i32, dynamic: None };
        let at = self.address(spot, view);
        self.load_at(Scalar::BYTE, at)
    }

    /// `right` is the expression that `b` is the value of.
    fn binary(&mut self, op: BinaryOp, a: Value, b: Value, right: &Expr, view: View) -> Value {
        if let Some(order) = comparison(op) {
            return self.compare(order, a, b);
        }
        match op {
            BinaryOp::Add => self.b.ins().iadd(a, b),
            BinaryOp::Subtract => self.b.ins().isub(a, b),
            BinaryOp::Multiply => self.b.ins().imul(a, b),
            BinaryOp::BitAnd => self.b.ins().band(a, b),
            BinaryOp::BitOr => self.b.ins().bor(a, b),
            BinaryOp::BitXor => self.b.ins().bxor(a, b),
            BinaryOp::ShiftLeft => self.b.ins().ishl(a, b),
            BinaryOp::ShiftRight => self.b.ins().sshr(a, b),
            _ => self.divide(op, a, b, right, view),
        }
    }

    /// Division and remainder. The processor traps on a divisor of 0, which is an error of the
    /// model, and on the smallest number divided by -1, which wraps around.
    fn divide(&mut self, op: BinaryOp, a: Value, b: Value, right: &Expr, view: View) -> Value {
        let known = match right {
            Expr::Const(value) => Some(*value),
            _ => None,
        };
        let zero = self.int(0);
        if known.is_none_or(|value| value == 0) {
            let test = self.b.ins().icmp(IntCC::Equal, b, zero);
            let number = self.int(code::DIVISION);
            self.fail_if(test, view, [number, zero, zero]);
        }
        if known.is_some_and(|value| value != 0 && value != -1) {
            return match op {
                BinaryOp::Divide => self.b.ins().sdiv(a, b),
                _ => self.b.ins().srem(a, b),
            };
        }
        let (one, minus_one) = (self.int(1), self.int(-1));
        let flips = self.b.ins().icmp(IntCC::Equal, b, minus_one);
        let divisor = self.b.ins().select(flips, one, b);
        match op {
            BinaryOp::Divide => {
                let quotient = self.b.ins().sdiv(a, divisor);
                let negated = self.b.ins().ineg(a);
                self.b.ins().select(flips, negated, quotient)
            }
            _ => self.b.ins().srem(a, divisor),
        }
    }

    /// Whether the process whose frame starts at `frame` (none when negative) stands at a location.
    fn stands_at(
        &mut self,
        proctype: ProcTypeId,
        frame: Value,
        location: LocationId,
        view: View,
    ) -> Value {
        let (there, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, I32);
        let none = self.long(0);
        let gone = self.b.ins().icmp(IntCC::SignedLessThan, frame, none);
        let zero = self.int(0);
        self.b.ins().brif(gone, done, &[BlockArg::Value(zero)], there, &[]);
        self.b.switch_to_block(there);
        let pointer = self.b.ins().iadd(view.vector, frame);
        let flags = MemFlagsData::new().with_notrap();
        let at = FrameLayout::LOCATION as i32;
        let layout = &self.model.proctype(proctype).frame;
        let stands = if layout.location_width == 1 {
            self.b.ins().uload8(I32, flags, pointer, at)
        } else {
            self.b.ins().uload16(I32, flags, pointer, at)
        };
        let wanted = self.int(location.0 as i32);
        let result = self.compare(IntCC::Equal, stands, wanted);
        self.b.ins().jump(done, &[BlockArg::Value(result)]);
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    /// A 32-bit value as a distance in bytes.
    pub(super) fn widen(&mut self, value: Value) -> Value {
        self.b.ins().uextend(I64, value)
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Less => IntCC::SignedLessThan,
        BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOp::Greater => IntCC::SignedGreaterThan,
        BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Equal => IntCC::Equal,
        BinaryOp::NotEqual => IntCC::NotEqual,
        _ => return None,
    })
}
