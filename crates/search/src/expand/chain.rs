//! Walking the steps of an atomic sequence, depth first, without recursion.

use std::collections::HashSet;
use std::ops::ControlFlow;

use isospin_machine::{Fault, Machine, Step, Successors};
use isospin_model::Pid;
use isospin_store::hash_bytes;

use super::{Expander, Movers, Reducer, Sink};
use crate::limits::{Control, Incomplete};

/// Up to this length a chain is not searched for loops.
const UNCHECKED_LENGTH: usize = 64;
/// Up to this many states the chains of one sequence are followed one by one, as Spin counts them.
const UNCHECKED_STATES: u32 = 4096;
/// How many steps of chains pass between two looks at the clock.
const POLL_INTERVAL: u32 = 1024;
/// The hash of a state that is not looked for again.
const UNCHECKED: u64 = 0;
/// Chains that hold more bytes than this are charged to the budget.
const UNCHARGED_BYTES: u64 = 1 << 20;

/// One state on the current path through the sequence: the successors that it has, and which of
/// them is next.
#[derive(Debug)]
struct Link {
    start: usize,
    next: usize,
    end: usize,
    hash: u64,
    control: Pid,
    /// Who moved on the way to it.
    movers: Movers,
}

/// The current path through an atomic sequence.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The state that the walk started at.
    root: Vec<u8>,
    /// The state that the path has arrived at, and who goes on from there.
    state: Vec<u8>,
    pid: Pid,
    movers: Movers,
    path: Vec<Link>,
    steps: Successors,
    /// The bytes of all states in `steps`, and how many of them are charged.
    bytes: u64,
    charged: u64,
    /// How many states were entered.
    entered: u32,
    /// The states on the path, beyond the first few, by hash.
    on_path: HashSet<u64>,
    /// The states that were entered, beyond the first few, with who was in control and who had
    /// moved. What follows them has been looked at, or is about to be.
    known: HashSet<(Box<[u8]>, Pid, Movers)>,
    countdown: u32,
}

impl Chain {
    /// Starts a walk at `state` with process `pid` in control, after steps of `movers`.
    pub fn begin(&mut self, state: &[u8], pid: Pid, movers: Movers) {
        self.root.clear();
        self.root.extend_from_slice(state);
        self.state.clear();
        self.state.extend_from_slice(state);
        self.pid = pid;
        self.movers = movers;
        self.path.clear();
        self.steps.clear();
        self.entered = 0;
        self.on_path.clear();
        self.known.clear();
        self.bytes = 0;
    }

    /// The state that link `k` of the path starts in.
    fn at(&self, k: usize) -> &[u8] {
        match k.checked_sub(1) {
            None => &self.root,
            Some(k) => self.steps.state(&self.steps.list()[self.path[k].next - 1]),
        }
    }

    /// Whether the state that the path has arrived at is on the path already.
    fn loops(&self, hash: u64) -> bool {
        self.on_path.contains(&hash)
            && self.path.iter().enumerate().any(|(k, link)| {
                link.hash == hash
                    && (link.control, link.movers) == (self.pid, self.movers)
                    && self.at(k) == self.state
            })
    }

    fn pop(&mut self, start: usize) {
        for successor in &self.steps.list()[start..] {
            self.bytes -= self.steps.state(successor).len() as u64;
        }
        self.steps.truncate(start);
        if let Some(link) = self.path.pop().filter(|link| link.hash != UNCHECKED) {
            self.on_path.remove(&link.hash);
        }
    }

    /// Charges what the chain holds, in large portions.
    fn charge(&mut self, control: &Control) -> ControlFlow<()> {
        let known = self.known.len() * (self.state.len() + 2 * size_of::<Movers>());
        let held = self.bytes + (self.path.len() * 2 * size_of::<Link>() + known) as u64;
        if held > UNCHARGED_BYTES + self.charged {
            // The buffers may be twice as large as what they hold.
            if control.budget.charge(2 * UNCHARGED_BYTES).is_err() {
                control.stop(Some(Incomplete::Memory));
                return ControlFlow::Break(());
            }
            self.charged += UNCHARGED_BYTES;
        }
        ControlFlow::Continue(())
    }

    /// Gives back what a long chain was charged for.
    fn release(&mut self, control: &Control) {
        if self.charged > 0 {
            control.budget.release(2 * self.charged);
            self.charged = 0;
            self.steps = Successors::default();
            self.path = Vec::new();
            self.known = HashSet::new();
        }
    }
}

impl<M: Machine, R: Reducer> Expander<'_, M, R> {
    /// Follows the sequence that `chain` stands at the beginning of, on every path.
    pub(super) fn walk_chain<S: Sink>(&mut self, room: u32, sink: &mut S) -> ControlFlow<()> {
        let flow = self.walk(room, sink);
        self.chain.release(self.control);
        flow
    }

    fn walk<S: Sink>(&mut self, room: u32, sink: &mut S) -> ControlFlow<()> {
        self.enter(room, sink)?;
        while let Some(link) = self.chain.path.last_mut() {
            if link.next == link.end {
                let start = link.start;
                self.chain.pop(start);
                continue;
            }
            let successor = self.chain.steps.list()[link.next];
            link.next += 1;
            let mut movers = link.movers;
            if S::MOVERS {
                movers.insert_step(&successor.step);
            }
            let depth = self.chain.path.len() as u32 + 1;
            if let Some(fault) = successor.fault {
                let before = self.chain.at(self.chain.path.len() - 1);
                let pid = successor.step.pid();
                let proctype = pid.and_then(|p| self.frames.proctype_in(before, p.index()));
                sink.fault(proctype, successor.step, fault)?;
                if matches!(fault, Fault::Runtime(_)) {
                    continue;
                }
            }
            let next = self.chain.steps.state(&successor);
            match successor.control {
                None => sink.arrive(next, depth, &movers)?,
                Some(pid) => {
                    self.chain.state.clear();
                    self.chain.state.extend_from_slice(next);
                    self.chain.pid = pid;
                    self.chain.movers = movers;
                    self.enter(room, sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Finds what the process in control can do in the state that the path has arrived at.
    fn enter<S: Sink>(&mut self, room: u32, sink: &mut S) -> ControlFlow<()> {
        let chain = &mut self.chain;
        chain.countdown = chain.countdown.wrapping_sub(1);
        if chain.countdown.is_multiple_of(POLL_INTERVAL) && self.control.poll() {
            return ControlFlow::Break(());
        }
        let depth = chain.path.len();
        if depth as u64 + 1 >= u64::from(room) {
            self.control.cut_depth();
            return ControlFlow::Continue(());
        }
        let mut hash = UNCHECKED;
        chain.entered = chain.entered.saturating_add(1);
        if depth > UNCHECKED_LENGTH || chain.entered > UNCHECKED_STATES {
            hash = (hash_bytes(&chain.state) ^ u64::from(chain.pid.0)).max(UNCHECKED + 1);
            if chain.loops(hash) {
                let location =
                    self.frames.location_in(self.machine.model(), &chain.state, chain.pid.index());
                return location.map_or(ControlFlow::Continue(()), |(p, l)| sink.endless(p, l));
            }
            let key = (chain.state.clone().into_boxed_slice(), chain.pid, chain.movers);
            if !chain.known.insert(key) {
                return ControlFlow::Continue(());
            }
        }
        let start = chain.steps.len();
        let pid = chain.pid;
        if pid.index() < self.machine.process_count(&chain.state) {
            self.machine.steps(&chain.state, pid, false, &mut chain.steps);
        }
        let end = chain.steps.len();
        if end == start {
            return sink.arrive(&chain.state, depth as u32 + 1, &chain.movers);
        }
        // They are all steps of one process.
        let proctype = self.frames.proctype_in(&chain.state, pid.index());
        for successor in &chain.steps.list()[start..] {
            chain.bytes += chain.steps.state(successor).len() as u64;
            let Step::Process(by) = successor.step else { continue };
            if let Some(ty) = proctype {
                self.reached.take(ty, by.edge);
            }
            if let Some(partner) = by.partner {
                let ty = self.frames.proctype_in(&chain.state, partner.pid.index());
                if let Some(ty) = ty {
                    self.reached.take(ty, partner.edge);
                }
            }
        }
        if hash != UNCHECKED {
            chain.on_path.insert(hash);
        }
        chain.path.push(Link {
            start,
            next: start,
            end,
            hash,
            control: chain.pid,
            movers: chain.movers,
        });
        chain.charge(self.control)
    }
}
