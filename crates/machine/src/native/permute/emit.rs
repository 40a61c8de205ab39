//! The code of a program: straight on, but for values that depend on a number, and messages.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I16, I32, I64, I8};
use cranelift_codegen::ir::{
    self, Block, BlockArg, BlockCall, Endianness, InstBuilder, JumpTableData, MemFlagsData,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::{Lookup, Move, Program, Queue, Table, Value, Values};

/// How much code values take, counted in values.
pub(super) fn operations(values: &Values) -> usize {
    match values {
        Values::Always(values) => values.len(),
        Values::Chosen { cases, .. } => {
            let (lists, _) = distinct(cases.iter());
            lists.iter().map(|l| 1 + l.len()).sum::<usize>() + cases.len() / 8
        }
        Values::Queued(queue) => {
            let cases = queue.cases.iter().map(|(_, values)| 1 + values.len());
            2 + cases.sum::<usize>() + queue.others.len()
        }
    }
}

/// The different ones of a few lists, and which each is.
fn distinct<'v>(all: impl Iterator<Item = &'v Vec<Value>>) -> (Vec<&'v Vec<Value>>, Vec<usize>) {
    let mut lists: Vec<&Vec<Value>> = Vec::new();
    let which = all.map(|list| {
        lists.iter().position(|l| *l == list).unwrap_or_else(|| {
            lists.push(list);
            lists.len() - 1
        })
    });
    let which = which.collect();
    (lists, which)
}

/// Where something is, before and after: an address, and how far behind it.
#[derive(Clone, Copy)]
struct Pair {
    from: (ir::Value, u32),
    to: (ir::Value, u32),
}

struct Emitter<'f> {
    b: FunctionBuilder<'f>,
    tables: ir::Value,
    places: ir::Value,
    source: ir::Value,
    image: ir::Value,
}

/// Writes the code of a program, which has been checked.
pub(super) fn emit(
    program: &Program,
    target: TargetFrontendConfig,
    func: &mut ir::Function,
    room: &mut FunctionBuilderContext,
) {
    let mut b = FunctionBuilder::new(func, room);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let [tables, places, source, image] = params[..] else { unreachable!("four parameters") };
    let mut emitter = Emitter { b, tables, places, source, image };
    for step in &program.moves {
        emitter.step(step);
    }
    let mut b = emitter.b;
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(target);
}

/// Nothing that is loaded or stored can be missing; numbers have their lowest byte first.
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap().with_endianness(Endianness::Little)
}

impl Emitter<'_> {
    fn step(&mut self, step: &Move) {
        let mut to = self.image;
        for lookup in &step.to {
            let place = self.look_up(lookup);
            to = self.b.ins().iadd(to, place);
        }
        let pair = Pair { from: (self.source, step.from), to: (to, step.base) };
        self.copy(pair, step.len);
        match &step.values {
            Values::Always(values) => self.rename_all(pair, values),
            Values::Chosen { at, width, cases } => self.choose(pair, *at, *width, cases),
            Values::Queued(queue) => self.queue(pair, queue),
        }
    }

    fn look_up(&mut self, lookup: &Lookup) -> ir::Value {
        let at = (lookup.table * size_of::<Table>() + usize::from(lookup.index)) as i32;
        let index = self.b.ins().uload8(I64, flags(), self.tables, at);
        let distance = self.b.ins().ishl_imm_u(index, 2);
        let entry = self.b.ins().iadd(self.places, distance);
        let list = (lookup.places * 256 * size_of::<u32>()) as i32;
        // Written by the processor that reads it, in its own order.
        self.b.ins().uload32(MemFlagsData::trusted(), entry, list)
    }

    fn copy(&mut self, pair: Pair, len: u32) {
        let mut done = 0;
        while done < len {
            let rest = len - done;
            let (ty, width) = match rest {
                8.. => (I64, 8),
                4.. => (I32, 4),
                2.. => (I16, 2),
                _ => (I8, 1),
            };
            // The last few bytes of a long stretch are copied together with some before them.
            if rest < 8 && rest != width && len >= 8 {
                done = len - 8;
                continue;
            }
            let (from, to) = (pair.from.1 + done, pair.to.1 + done);
            let value = self.b.ins().load(ty, flags(), pair.from.0, from as i32);
            self.b.ins().store(flags(), value, pair.to.0, to as i32);
            done += width;
        }
    }

    fn rename_all(&mut self, pair: Pair, values: &[Value]) {
        for value in values {
            self.rename(pair, value);
        }
    }

    fn rename(&mut self, pair: Pair, value: &Value) {
        let ((source, from), (image, to)) = (pair.from, pair.to);
        let (from, to) = ((from + value.at) as i32, (to + value.at) as i32);
        let table = (value.table * size_of::<Table>()) as i32;
        let old = self.load(value.width, false, source, from);
        if value.width == 1 {
            let entry = self.b.ins().iadd(self.tables, old);
            let new = self.b.ins().uload8(I64, flags(), entry, table);
            self.b.ins().istore8(flags(), new, image, to);
            return;
        }
        // Names fit into a byte; the bytes above are 0 and stay so.
        let small = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, old, 256);
        let zero = self.b.ins().iconst(I64, 0);
        let index = self.b.ins().select(small, old, zero);
        let entry = self.b.ins().iadd(self.tables, index);
        let new = self.b.ins().uload8(I64, flags(), entry, table);
        let new = self.b.ins().select(small, new, old);
        self.b.ins().istore8(flags(), new, image, to);
    }

    fn load(&mut self, width: u8, signed: bool, base: ir::Value, at: i32) -> ir::Value {
        match (width, signed) {
            (1, false) => self.b.ins().uload8(I64, flags(), base, at),
            (1, true) => self.b.ins().sload8(I64, flags(), base, at),
            (2, false) => self.b.ins().uload16(I64, flags(), base, at),
            (2, true) => self.b.ins().sload16(I64, flags(), base, at),
            (_, false) => self.b.ins().uload32(flags(), base, at),
            (_, true) => self.b.ins().sload32(flags(), base, at),
        }
    }

    /// The values that the number at `at` chooses.
    fn choose(&mut self, pair: Pair, at: u32, width: u8, cases: &[Vec<Value>]) {
        let (lists, which) = distinct(cases.iter());
        match lists[..] {
            [] => return,
            [list] if list.is_empty() => return,
            _ => {}
        }
        let number = self.load(width, false, pair.from.0, (pair.from.1 + at) as i32);
        let number = self.b.ins().ireduce(I32, number);
        let done = self.b.create_block();
        let blocks: Vec<Block> = lists
            .iter()
            .map(|list| if list.is_empty() { done } else { self.b.create_block() })
            .collect();
        let pool = &mut self.b.func.dfg.value_lists;
        let call = |block| BlockCall::new(block, std::iter::empty(), pool);
        let table: Vec<BlockCall> = which.iter().map(|&w| blocks[w]).map(call).collect();
        let default = BlockCall::new(done, std::iter::empty(), &mut self.b.func.dfg.value_lists);
        let table = self.b.create_jump_table(JumpTableData::new(default, &table));
        self.b.ins().br_table(number, table);
        for (list, block) in lists.into_iter().zip(blocks) {
            if block != done {
                self.b.switch_to_block(block);
                self.rename_all(pair, list);
                self.b.ins().jump(done, &[]);
            }
        }
        self.b.switch_to_block(done);
    }

    /// The values in all messages of a channel.
    fn queue(&mut self, pair: Pair, queue: &Queue) {
        let nothing = queue.others.is_empty() && queue.cases.iter().all(|(_, v)| v.is_empty());
        if nothing || queue.capacity == 0 {
            return;
        }
        let count = self.load(queue.width, false, pair.from.0, pair.from.1 as i32);
        let most = self.b.ins().iconst(I64, i64::from(queue.capacity));
        let count = self.b.ins().umin(count, most);
        let bytes = self.b.ins().imul_imm_u(count, i64::from(queue.size));
        let [head, body, done] = std::array::from_fn(|_| self.b.create_block());
        let at = self.b.append_block_param(head, I64);
        let zero = self.b.ins().iconst(I64, 0);
        self.b.ins().jump(head, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, bytes);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let first = u32::from(queue.width);
        let message = Pair {
            from: (self.b.ins().iadd(pair.from.0, at), pair.from.1 + first),
            to: (self.b.ins().iadd(pair.to.0, at), pair.to.1 + first),
        };
        let next = self.b.create_block();
        if let Some((width, signed)) = queue.tag {
            let tag = self.load(width, signed, message.from.0, message.from.1 as i32);
            for (value, values) in &queue.cases {
                let [this, other] = std::array::from_fn(|_| self.b.create_block());
                let is_it = self.b.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(*value));
                self.b.ins().brif(is_it, this, &[], other, &[]);
                self.b.switch_to_block(this);
                self.rename_all(message, values);
                self.b.ins().jump(next, &[]);
                self.b.switch_to_block(other);
            }
        }
        self.rename_all(message, &queue.others);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
        let following = self.b.ins().iadd_imm_u(at, i64::from(queue.size));
        self.b.ins().jump(head, &[BlockArg::Value(following)]);
        self.b.switch_to_block(done);
    }
}
