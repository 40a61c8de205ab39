//! The action as a list of moves, for machine code to be made of it.

use isospin_machine::native::permute::{Lookup, Move, Program, Queue, Value, Values};
use isospin_model::FrameLayout;

use super::{Array, Channel, Fields, GroupAction, Named, SortId, CHANNELS, PIDS};

impl GroupAction {
    /// What [`apply`](GroupAction::apply) does, as a program.
    pub fn program(&self) -> Program {
        let program =
            Program { length: self.length, tables: 2 + self.domains.len(), ..Program::default() };
        let mut writer = Writer { action: self, program };
        let globals = self.globals.iter().map(value).collect();
        writer.program.moves.push(Move { values: Values::Always(globals), ..Move::default() });
        for pid in 0..self.frames.len() {
            writer.frame(pid);
        }
        for array in &self.arrays {
            writer.array(array, 0, None);
        }
        for channel in &self.channels {
            writer.channel(channel);
        }
        writer.program
    }
}

fn value(named: &Named) -> Value {
    Value { at: named.offset, width: named.width, table: usize::from(named.sort) }
}

fn values(named: &[Named]) -> Vec<Value> {
    named.iter().map(value).collect()
}

struct Writer<'a> {
    action: &'a GroupAction,
    program: Program,
}

impl Writer<'_> {
    /// The number of a list of offsets.
    fn places(&mut self, list: Vec<u32>) -> usize {
        let lists = &mut self.program.places;
        lists.iter().position(|l| *l == list).unwrap_or_else(|| {
            lists.push(list);
            lists.len() - 1
        })
    }

    /// Whether some permutation moves this value of a sort.
    fn is_moved(&self, sort: SortId, value: u32) -> bool {
        let domains = &self.action.domains;
        match sort {
            PIDS => {
                let mut pids = domains.iter().flat_map(|d| &d.families).flat_map(|f| &f.pids);
                pids.any(|&p| p as u32 == value)
            }
            CHANNELS => value < 256,
            domain => {
                let values = &domains[usize::from(domain) - 2].values;
                values.iter().any(|&v| u32::from(v) == value)
            }
        }
    }

    fn frame(&mut self, pid: usize) {
        let action = self.action;
        let (ty, at, len) = action.frames[pid];
        let own = &action.types[ty.index()];
        let values = Values::Chosen {
            at: FrameLayout::LOCATION,
            width: action.locations[ty.index()] as u8,
            cases: own.named.iter().map(|n| values(n)).collect(),
        };
        let lookup = self.is_moved(PIDS, pid as u32).then(|| {
            let place = |f: &(_, u32, u32)| if f.0 == ty { f.1 } else { at };
            let places = self.places(action.frames.iter().map(place).collect());
            Lookup { table: usize::from(PIDS), index: pid as u8, places }
        });
        self.program.moves.push(match lookup {
            Some(lookup) => Move { from: at, len, base: 0, to: vec![lookup], values },
            None => Move { from: at, len: 0, base: at, to: Vec::new(), values },
        });
        for array in &own.arrays {
            self.array(array, at, lookup);
        }
    }

    /// An array in the frame at `frame`, which moves as `with` says.
    fn array(&mut self, array: &Array, frame: u32, with: Option<Lookup>) {
        let mut lists = Vec::new();
        for &(len, stride, _) in &array.dims {
            lists.push(self.places((0..len.min(256)).map(|k| k * stride).collect()));
        }
        array.each(&mut |index, offset| {
            let (mut base, mut to) = (array.offset, Vec::new());
            match with {
                Some(with) => to.push(with),
                None => base += frame,
            }
            for ((&k, &(_, stride, sort)), &places) in index.iter().zip(&array.dims).zip(&lists) {
                match sort.filter(|&s| self.is_moved(s, k)) {
                    Some(sort) => {
                        to.push(Lookup { table: usize::from(sort), index: k as u8, places });
                    }
                    None => base += k * stride,
                }
            }
            let own = array.value.map(|s| Named { offset: 0, width: array.width as u8, sort: s });
            let values = Values::Always(own.iter().map(value).collect());
            let len = if to.is_empty() { 0 } else { array.width };
            if len > 0 || own.is_some() {
                self.program.moves.push(Move { from: frame + offset, len, base, to, values });
            }
        });
    }

    fn channel(&mut self, channel: &Channel) {
        let action = self.action;
        let at = channel.offset;
        let owned = channel.owner.is_some_and(|pid| self.is_moved(PIDS, pid as u32));
        let indexed = action.channel_moves.iter().any(|(array, _)| {
            let first = match channel.owner {
                None => 0,
                Some(pid) => action.first_channel[pid],
            };
            let mine = channel.owner.map(|pid| action.frames[pid].0) == array.owner;
            let number = u32::from(channel.number) - 1;
            let last = u32::from(array.first) + (array.len - 1) * array.stride;
            mine && (first + u32::from(array.first)..=first + last).contains(&number)
        });
        let values = self.messages(channel);
        if !owned && !indexed {
            self.program.moves.push(Move { from: at, len: 0, base: at, to: Vec::new(), values });
            return;
        }
        // Channel numbers count from 1.
        let place = |c: &Channel| if c.ty == channel.ty { c.offset } else { at };
        let list = std::iter::once(at).chain(action.channels.iter().map(place)).collect();
        let places = self.places(list);
        let lookup = Lookup { table: usize::from(CHANNELS), index: channel.number, places };
        let len = channel.ty.size();
        self.program.moves.push(Move { from: at, len, base: 0, to: vec![lookup], values });
    }

    fn messages(&self, channel: &Channel) -> Values {
        let ty = &channel.ty;
        let mut queue = Queue {
            width: ty.len_width() as u8,
            capacity: ty.capacity,
            size: ty.message_size,
            tag: None,
            cases: Vec::new(),
            others: Vec::new(),
        };
        match &channel.fields {
            Fields::All(named) => queue.others = values(named),
            Fields::ByTag(by_tag) => {
                let first = ty.fields[0];
                queue.tag = Some((first.width() as u8, first.signed));
                for (&tag, named) in by_tag {
                    match tag {
                        i32::MIN => queue.others = values(named),
                        tag => queue.cases.push((tag, values(named))),
                    }
                }
                queue.cases.sort_by_key(|case| case.0);
                // What is named in the same way without a case of its own needs none.
                let others = std::mem::take(&mut queue.others);
                queue.cases.retain(|case| case.1 != others);
                queue.others = others;
            }
        }
        Values::Queued(queue)
    }
}
