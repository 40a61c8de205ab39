//! Simple statements and conditions.

use super::Gen;
use crate::tree::Piece;

impl Gen {
    /// 1 where a process may look at its neighbours.
    fn neighbours(&self) -> usize {
        usize::from(self.ring && !self.served)
    }

    /// A name that is there for sure.
    pub(super) fn name(&mut self) -> &'static str {
        if self.served {
            ["l_n", "g_n"][self.rng.below(2)]
        } else {
            ["me", "me", "me", "l_n", "g_n"][self.rng.below(5)]
        }
    }

    /// An index, and a condition under which it is one.
    pub(super) fn index(&mut self) -> (&'static str, String) {
        let name = self.name();
        match name {
            "me" => (name, String::new()),
            _ => (name, format!("{name} != NOBODY && {name} != 255 && ")),
        }
    }

    pub(super) fn condition(&mut self) -> String {
        if self.truths && self.rng.chance(25) {
            return self.counted_truth();
        }
        self.comparison()
    }

    /// A comparison of names or numbers.
    pub(super) fn comparison(&mut self) -> String {
        let value = self.rng.below(3);
        let (array_d, array_n) = (usize::from(self.array_d), usize::from(self.array_n));
        let (channel, inboxes) = (usize::from(self.channel), usize::from(self.inboxes));
        let equal = *self.rng.pick(&["==", "!="]);
        match self.rng.weighted(&[
            (2, 0),
            (3, 1),
            (2, 2),
            (3 * array_d, 3),
            (3 * array_n, 4),
            (channel, 5),
            (inboxes, 6),
            (2, 7),
            (6 * self.neighbours(), 8),
        ]) {
            0 => format!("g_d {equal} {value}"),
            1 => format!("g_n {equal} {}", self.name()),
            2 => format!("{} {equal} {}", *self.rng.pick(&["g_n", "l_n"]), self.nobody),
            3 => {
                let (index, is_one) = self.index();
                format!("{is_one}a_d[{index}] {equal} {value}")
            }
            4 => {
                let (index, is_one) = self.index();
                format!("{is_one}a_n[{index}] {equal} {}", self.name())
            }
            5 => format!("len(c_n) {equal} {}", self.rng.below(2)),
            6 => {
                let (index, is_one) = self.index();
                format!("{is_one}len(b_n[{index}]) {equal} 1")
            }
            8 => {
                let (left, right) = ("a_d[(me + N - 1) % N]", "a_d[(me + 1) % N]");
                match self.rng.below(if self.token { 9 } else { 6 }) {
                    6 => format!("t_n {equal} me"),
                    7 => format!("(t_n + 1) % N {equal} {}", self.name()),
                    8 => format!("a_d[(t_n + N - 1) % N] {equal} {value}"),
                    0 => format!("{left} {equal} {value}"),
                    1 => format!("{left} {equal} {right}"),
                    2 => format!("{left} + {right} {equal} {value}"),
                    3 => format!("({left} == {value} && {right} == {value})"),
                    _ => format!("({right} {equal} {value} || {left} {equal} {value})"),
                }
            }
            _ => format!("l_d {equal} {value}"),
        }
    }

    pub(super) fn effect(&mut self) -> Piece {
        let value = self.rng.below(3);
        let (array_d, array_n) = (usize::from(self.array_d), usize::from(self.array_n));
        let timers = usize::from(self.timers);
        let name = self.name();
        let guarded = |(index, is_one): (&str, String), what: String| {
            if is_one.is_empty() {
                format!("{what};")
            } else {
                let test = is_one.trim_end_matches(" && ");
                let _ = index;
                format!("if :: ({test}) -> {what}; :: else -> skip; fi;")
            }
        };
        Piece::line(
            match self.rng.weighted(&[
                (4, 0),
                (3, 1),
                (2, 2),
                (3 * array_d, 3),
                (3 * array_n, 4),
                (2, 5),
                (2 * timers, 6),
                (2, 7),
                (4 * self.neighbours(), 8),
                (4 * usize::from(self.truths), 9),
            ]) {
                0 => format!("g_n = {name};"),
                1 => format!("l_n = {name};"),
                2 => format!("{} = {};", *self.rng.pick(&["g_n", "l_n"]), self.nobody),
                3 => {
                    let index = self.index();
                    let what = format!("a_d[{}] = {value}", index.0);
                    guarded(index, what)
                }
                4 => {
                    let index = self.index();
                    let what = format!("a_n[{}] = {name}", index.0);
                    guarded(index, what)
                }
                5 => {
                    if self.rng.chance(50) {
                        format!("{} = {value};", *self.rng.pick(&["g_d", "l_d"]))
                    } else {
                        "g_d = ((g_d + 1) % 3);".to_owned()
                    }
                }
                6 => format!("set(t_d, {value});"),
                9 => format!("{} = {};", *self.rng.pick(&["g_d", "l_d"]), self.truth()),
                8 => match self.rng.below(if self.token { 9 } else { 4 }) {
                    4 => "t_n = (t_n + 1) % N;".to_owned(),
                    5 => "t_n = (t_n + N - 1) % N;".to_owned(),
                    6 => "t_n = me;".to_owned(),
                    7 => "g_n = t_n;".to_owned(),
                    8 => (*self.rng.pick(&["t_n = g_n;", "t_n = (t_n + 1) % 2;"])).to_owned(),
                    0 => "g_n = (me + 1) % N;".to_owned(),
                    1 => "if :: l_n = (me + 1) % N; :: l_n = (me + N - 1) % N; fi;".to_owned(),
                    2 => "if :: g_n = (me + N - 1) % N; :: g_n = (me + 1) % N; fi;".to_owned(),
                    _ => format!(
                        "if :: a_d[(me + 1) % N] = {value}; :: a_d[(me + N - 1) % N] = {value}; fi;"
                    ),
                },
                _ => {
                    let (a, b) = (self.condition(), self.condition());
                    format!("assert(!({a} && {b} && l_d != 1));")
                }
            },
        )
    }

    /// A statement that may block.
    pub(super) fn guard(&mut self) -> Piece {
        let (channel, inboxes) = (usize::from(self.channel), usize::from(self.inboxes));
        let (tagged, rendezvous) = (usize::from(self.tagged), usize::from(self.rendezvous));
        let (timers, timeout) = (usize::from(self.timers), usize::from(self.timeout));
        let own = usize::from(self.own && !self.served);
        let mine = usize::from(!self.served);
        let name = self.name();
        let into = *self.rng.pick(&["l_n", "g_n", "_", "l_n"]);
        Piece::line(
            match self.rng.weighted(&[
                (5, 0),
                (3 * channel, 1),
                (3 * tagged, 2),
                (3 * inboxes, 3),
                (3 * rendezvous, 4),
                (2 * timers, 5),
                (timeout, 6),
                (2, 7),
                (3 * own, 8),
                (inboxes * mine, 9),
            ]) {
                0 => format!("({});", self.condition()),
                1 => match self.rng.below(5) {
                    0 | 1 => format!("c_n!{name};"),
                    2 => format!("c_n?{into};"),
                    3 => format!("c_n?eval({name});"),
                    _ => format!("c_n??eval({name});"),
                },
                2 => match self.rng.below(6) {
                    0 | 1 => format!("c_t!carries_name({name});"),
                    2 => "c_t!carries_number(g_d);".to_owned(),
                    3 => format!("c_t?carries_name({into});"),
                    4 => format!("c_t?carries_name(eval({name}));"),
                    _ => "c_t?carries_number(l_d);".to_owned(),
                },
                3 => {
                    let (index, is_one) = self.index();
                    let sends = self.rng.chance(50);
                    let what = if sends {
                        format!("b_n[{index}]!{name}")
                    } else {
                        format!("b_n[{index}]?{into}")
                    };
                    if is_one.is_empty() {
                        format!("{what};")
                    } else {
                        format!("atomic {{ ({}true); {what}; }};", is_one)
                    }
                }
                4 => {
                    if self.rng.chance(50) {
                        format!("r_n!{name};")
                    } else {
                        format!("r_n?{into};")
                    }
                }
                5 => "expire(t_d);".to_owned(),
                6 => "timeout;".to_owned(),
                7 => "true;".to_owned(),
                8 => match self.rng.below(4) {
                    0 => "c_c!o_n;".to_owned(),
                    1 => "atomic { c_c?h_c; h_c!me; };".to_owned(),
                    2 => format!("o_n?{into};"),
                    _ => "(empty(o_n));".to_owned(),
                },
                _ if self.handed && self.rng.chance(60) => {
                    if self.rng.chance(50) {
                        format!("in_c?{into};")
                    } else {
                        "in_c!me;".to_owned()
                    }
                }
                _ => {
                    if self.rng.chance(50) {
                        format!("b_n[me]?{into};")
                    } else {
                        "b_n[me]?eval(me);".to_owned()
                    }
                }
            },
        )
    }
}
