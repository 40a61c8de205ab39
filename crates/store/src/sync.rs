//! What threads share, for the table and the epochs: the standard library's, or `loom`'s, which
//! tries out every order in which they can meet (`cfg(loom)`, see `exact/orders.rs`).

#[cfg(not(loom))]
pub use std::{
    sync::{
        atomic::{fence, AtomicBool, AtomicU32, AtomicU64, Ordering},
        Arc, Mutex,
    },
    thread::yield_now,
};

#[cfg(loom)]
pub use loom::{
    sync::{
        atomic::{fence, AtomicBool, AtomicU32, AtomicU64, Ordering},
        Arc, Mutex,
    },
    thread::yield_now,
};
