//! Every order in which threads can meet in the table and the epochs, tried out by `loom`:
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p isospin-store --release --lib orders --target-dir
//! target/loom`
//!
//! Tables are small here and there are two segments, each a group of its own, so that a few entries
//! are enough for one to grow and to leave a table behind that is freed. Orders with more than a few switches away from a thread that could go on are left out:
//! there are too many, and mistakes that need them are rare.

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::sync::Arc;
use loom::thread;

use super::epoch::Epochs;
use super::table::{Entries, Table};
use crate::{Budget, OutOfMemory};

/// Tries out the orders with at most so many switches.
fn every_order(switches: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(test);
}

/// An entry whose address says which one it is and who made it.
struct Entry {
    which: u64,
    by: u64,
    made: u32,
    discarded: u32,
}

impl Entry {
    fn new(which: u64, by: u64) -> Entry {
        Entry { which, by, made: 0, discarded: 0 }
    }
}

impl Entries for Entry {
    fn matches(&mut self, address: u64) -> bool {
        address >> 8 == self.which
    }

    fn create(&mut self) -> Result<u64, OutOfMemory> {
        self.made += 1;
        Ok(self.which << 8 | self.by)
    }

    fn discard(&mut self, address: u64) {
        assert_eq!(address, self.which << 8 | self.by);
        self.discarded += 1;
    }
}

struct Shared {
    table: Table<true>,
    epochs: Epochs,
    budget: Budget,
}

impl Shared {
    /// A table with the entries 1 to `full` in the first segment.
    fn new(full: u64) -> Arc<Shared> {
        let budget = Budget::new(None);
        let table = Table::new(&budget).expect("memory is there");
        let shared = Shared { table, epochs: Epochs::default(), budget };
        for which in 1..=full {
            assert!(shared.insert(which, 9).1);
        }
        Arc::new(shared)
    }

    /// All entries are in one segment and want the same slot, which makes them meet.
    fn insert(&self, which: u64, by: u64) -> (u64, bool) {
        let mut entry = Entry::new(which, by);
        let found = self.table.find_or_create(0, &mut entry, &self.epochs, &self.budget);
        let (address, new) = found.expect("memory is there");
        assert_eq!(address >> 8, which);
        assert_eq!(entry.made - entry.discarded, u32::from(new));
        (address, new)
    }

    fn find(&self, which: u64) -> Option<u64> {
        self.table.find(0, |address| address >> 8 == which)
    }
}

/// Two threads that insert these, into a table with so many; yields what each was told.
fn two(full: u64, first: u64, second: u64, shared: &Arc<Shared>) -> [(u64, bool); 2] {
    let other = {
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            let member = shared.epochs.join();
            let told = shared.insert(second, 2);
            shared.epochs.pass(&member);
            told
        })
    };
    let member = shared.epochs.join();
    let told = shared.insert(first, 1);
    shared.epochs.pass(&member);
    let told = [told, other.join().expect("no panic")];
    for which in (1..=full).chain([first, second]) {
        assert!(shared.find(which).is_some(), "{which} was lost");
    }
    told
}

#[test]
fn of_two_who_insert_the_same_one_is_told_that_it_is_new() {
    every_order(4, || {
        let told = two(0, 1, 1, &Shared::new(0));
        assert_eq!(told[0].0, told[1].0);
        assert_eq!(told.iter().filter(|t| t.1).count(), 1);
    });
}

#[test]
fn of_two_who_insert_different_ones_both_are_told_that_it_is_new() {
    every_order(4, || {
        let told = two(0, 1, 2, &Shared::new(0));
        assert!(told.iter().all(|t| t.1));
        assert_ne!(told[0].0, told[1].0);
    });
}

#[test]
fn nothing_is_lost_or_put_in_twice_while_a_table_grows() {
    // Eight slots, of which six may be taken: the seventh entry makes it grow.
    every_order(3, || {
        let told = two(6, 7, 7, &Shared::new(6));
        assert_eq!(told[0].0, told[1].0);
        assert_eq!(told.iter().filter(|t| t.1).count(), 1);
    });
    every_order(3, || {
        let told = two(6, 7, 8, &Shared::new(6));
        assert!(told.iter().all(|t| t.1));
    });
    every_order(3, || {
        // One claims a slot in a table that the other replaces.
        let shared = Shared::new(5);
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let _member = shared.epochs.join();
                shared.insert(8, 2).1
            })
        };
        let _member = shared.epochs.join();
        assert!(shared.insert(6, 1).1 && shared.insert(7, 1).1);
        assert!(other.join().expect("no panic"));
        for which in 1..=8 {
            assert!(shared.find(which).is_some(), "{which} was lost");
        }
    });
    every_order(3, || {
        // One is there already, while the other makes the table grow.
        let told = two(6, 7, 3, &Shared::new(6));
        assert_eq!((told[0].1, told[1].1), (true, false));
    });
}

/// A table that readers find through `current` and that is written to once it is free.
struct Replaced {
    epochs: Epochs,
    current: AtomicUsize,
    tables: [UnsafeCell<u32>; 2],
}

#[test]
fn what_was_replaced_is_free_only_when_nobody_can_be_in_it() {
    every_order(4, || {
        let shared = Arc::new(Replaced {
            epochs: Epochs::default(),
            current: AtomicUsize::new(0),
            tables: [UnsafeCell::new(1), UnsafeCell::new(2)],
        });
        let reader = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let member = shared.epochs.join();
                for round in 0..2 {
                    let at = shared.current.load(Ordering::Acquire);
                    // SAFETY: loom finds out whether somebody writes at the same time.
                    let read = shared.tables[at].with(|table| unsafe { *table });
                    assert_eq!(read, at as u32 + 1);
                    if round == 0 {
                        shared.epochs.pass(&member);
                    } else {
                        shared.epochs.leave(&member);
                    }
                }
            })
        };
        // What replaces a table does so as a member itself.
        let member = shared.epochs.join();
        shared.current.store(1, Ordering::Release);
        let epoch = shared.epochs.advance();
        shared.epochs.pass(&member);
        if epoch <= shared.epochs.seen_by_all() {
            // SAFETY: nobody can be in it any more; loom finds out if that is wrong.
            shared.tables[0].with_mut(|table| unsafe { *table = 99 });
        }
        reader.join().expect("no panic");
    });
}
