//! Machine code that renames what is in a state vector.
//!
//! A [`Program`] says which stretches of a vector move, and which values in them are renamed, in
//! terms of tables: where a stretch goes and what a value becomes is looked up. So one function
//! serves every permutation, and what differs between permutations is the tables that it is handed.
//! Whoever makes a program knows what it means; here it is a list of copies.

mod emit;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::AbiParam;
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, Module};

use super::code::{native_error, target, NativeError};

/// A program with more operations than this takes longer to compile than it saves.
const MAX_OPERATIONS: usize = 2000;

/// Where each value goes.
pub type Table = [u8; 256];

/// What a permutation does to a vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// How many bytes the vector has.
    pub length: u32,
    /// How many tables there are.
    pub tables: usize,
    /// Lists of offsets, by what a table says; what is outside a list counts as its first entry.
    pub places: Vec<Vec<u32>>,
    /// What moves, in this order: what comes later may overwrite what came before.
    pub moves: Vec<Move>,
}

/// Bytes that move, and names among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// Where they are.
    pub from: u32,
    /// How many of them are copied; 0 where only values change.
    pub len: u32,
    /// Where they go: so far behind the sum of what is looked up.
    pub base: u32,
    /// What is looked up.
    pub to: Vec<Lookup>,
    /// What is renamed.
    pub values: Values,
}

/// Looks up where something goes: the offset in a list at what a table says of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The table.
    pub table: usize,
    /// The index.
    pub index: u8,
    /// The list.
    pub places: usize,
}

/// Values among the bytes of a [`Move`], with offsets from its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// These.
    Always(Vec<Value>),
    /// Which, is told by the number at `at`, `width` bytes wide.
    Chosen {
        /// Where the number is.
        at: u32,
        /// How wide it is.
        width: u8,
        /// The values for each number.
        cases: Vec<Vec<Value>>,
    },
    /// Those of the messages in a channel.
    Queued(Queue),
}

impl Default for Values {
    fn default() -> Values {
        Values::Always(Vec::new())
    }
}

/// A value that is renamed if it is less than 256; it is stored with the lowest byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Where it is.
    pub at: u32,
    /// How wide it is: 1, 2 or 4 bytes.
    pub width: u8,
    /// The table that says what it becomes.
    pub table: usize,
}

/// A channel: a count, and messages behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// How wide the count is.
    pub width: u8,
    /// The largest count.
    pub capacity: u16,
    /// How many bytes a message has.
    pub size: u32,
    /// The type of the first field, where that tells messages apart: how wide, whether signed.
    pub tag: Option<(u8, bool)>,
    /// The values in a message with this first field, offsets from its start.
    pub cases: Vec<(i32, Vec<Value>)>,
    /// The values in all other messages.
    pub others: Vec<Value>,
}

type Function = unsafe extern "C" fn(*const Table, *const u32, *const u8, *mut u8);

/// A program as machine code.
pub struct Permuter {
    length: usize,
    tables: usize,
    /// The lists of offsets, 256 entries each.
    places: Vec<u32>,
    function: Function,
    /// Keeps the memory that the function stands in. `None` only while it is being freed.
    module: Option<JITModule>,
}

// SAFETY: once compiled, the code and the lists are only read. The module is not looked at again
// before it is freed, by whoever drops the last reference.
unsafe impl Send for Permuter {}
// SAFETY: as above.
unsafe impl Sync for Permuter {}

impl Drop for Permuter {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function can be called through `self` alone, which goes away.
            unsafe { module.free_memory() };
        }
    }
}

impl std::fmt::Debug for Permuter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Permuter").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Permuter {
    /// Compiles a program. Refuses one that is too large, or that does not stay within the vector
    /// whatever the tables say.
    pub fn new(program: &Program) -> Result<Permuter, NativeError> {
        check(program).map_err(native_error)?;
        let mut module = JITModule::new(JITBuilder::with_isa(target()?, default_libcall_names()));
        let mut context = module.make_context();
        context.func.signature.params = vec![AbiParam::new(I64); 4];
        let target = module.target_config();
        context.func.signature.call_conv = target.default_call_conv;
        emit::emit(program, target, &mut context.func, &mut FunctionBuilderContext::new());
        let id =
            module.declare_anonymous_function(&context.func.signature).map_err(native_error)?;
        module.define_function(id, &mut context).map_err(|e| native_error(format!("{e:?}")))?;
        module.clear_context(&mut context);
        module.finalize_definitions().map_err(native_error)?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was generated with this signature.
        let function = unsafe { std::mem::transmute::<*const u8, Function>(address) };
        let all = |list: &Vec<u32>| {
            (0..256).map(|k| list.get(k).or(list.first()).copied().unwrap_or(0)).collect::<Vec<_>>()
        };
        let places = program.places.iter().flat_map(all).collect();
        let length = program.length as usize;
        Ok(Permuter { length, tables: program.tables, places, function, module: Some(module) })
    }

    /// Writes what the program makes of `vector` under these tables into `out`.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many bytes and tables as the program says.
    #[inline]
    pub fn apply(&self, tables: &[Table], vector: &[u8], out: &mut Vec<u8>) {
        assert!(vector.len() == self.length && tables.len() == self.tables, "another program");
        out.clear();
        out.extend_from_slice(vector);
        let places = self.places.as_ptr();
        // SAFETY: `check` has seen that the code reads and writes within `length` bytes and reads
        // no table or list that is not there, whatever stands in the tables and in the vector; both
        // vectors have `length` bytes, and `out` is not `vector`.
        unsafe { (self.function)(tables.as_ptr(), places, vector.as_ptr(), out.as_mut_ptr()) };
    }
}

/// Whether the code of a program stays within the vector and its tables.
fn check(program: &Program) -> Result<(), &'static str> {
    let inside = |from: u64, len: u64| from + len <= u64::from(program.length);
    let mut operations = 0;
    for step in &program.moves {
        let mut furthest = u64::from(step.base);
        for lookup in &step.to {
            let list = program.places.get(lookup.places).ok_or("there is no such list")?;
            furthest += u64::from(list.iter().copied().max().unwrap_or(0));
            if lookup.table >= program.tables {
                return Err("there is no such table");
            }
        }
        let reach = u64::from(reach(step, program.tables)?);
        operations += 1 + emit::operations(&step.values);
        if !inside(u64::from(step.from), reach) || !inside(furthest, reach) {
            return Err("a move leads out of the vector");
        }
    }
    if operations > MAX_OPERATIONS {
        Err("there is too much to move")
    } else {
        Ok(())
    }
}

/// How many bytes of a move are touched.
fn reach(step: &Move, tables: usize) -> Result<u32, &'static str> {
    let mut reach = step.len;
    let mut values = |values: &[Value], base: u32| {
        for value in values {
            if !matches!(value.width, 1 | 2 | 4) || value.table >= tables {
                return Err("a value has no such width or table");
            }
            reach = reach.max(base + value.at + u32::from(value.width));
        }
        Ok(())
    };
    match &step.values {
        Values::Always(always) => values(always, 0)?,
        Values::Chosen { at, width, cases } => {
            cases.iter().try_for_each(|case| values(case, 0))?;
            reach = reach.max(at + u32::from(*width));
        }
        Values::Queued(queue) => {
            // Of the last message; there is none where nothing can be held.
            if queue.capacity > 0 {
                let last = u32::from(queue.width) + u32::from(queue.capacity - 1) * queue.size;
                queue.cases.iter().try_for_each(|(_, case)| values(case, last))?;
                values(&queue.others, last)?;
                reach = reach.max(last + queue.tag.map_or(0, |(width, _)| u32::from(width)));
            }
        }
    }
    Ok(reach)
}
