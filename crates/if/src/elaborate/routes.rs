//! Signals and routes.

use isospin_source::Diagnostic;

use super::names::Meaning;
use super::Elaborator;
use crate::syntax::ast::{self, Ident};
use crate::system::{Pace, Reach, Route, Signal, Type};

/// The options of routes without the times.
const OPTIONS: &[&str] = &[
    "fifo",
    "multiset",
    "reliable",
    "lossy",
    "peer",
    "unicast",
    "multicast",
    "urgent",
    "delay",
    "rate",
];

/// More instances of anything are refused.
const MAX_INSTANCES: i32 = 200;

impl Elaborator<'_> {
    pub(super) fn signal_declaration(&mut self, signal: &ast::Signal) {
        let parameters: Vec<Type> = signal
            .parameters
            .iter()
            .map(|written| match self.ty(written, "") {
                Type::Clock => {
                    self.error(written.span, "a signal cannot carry a clock: send its `timeval`");
                    Type::Wrong
                }
                ty => ty,
            })
            .collect();
        let number = self.system.signals.len();
        let (name, span) = (signal.name.name.clone(), signal.name.span);
        if number >= 254 {
            self.error(span, "a system has at most 254 signals");
        }
        self.system.signals.push(Signal { name: name.clone(), parameters, span });
        self.define(&name, span, Meaning::Signal(number));
    }

    pub(super) fn count(&mut self, count: &ast::Expr, least: i32) -> u32 {
        match self.number(count) {
            Some(n) if (least..=MAX_INSTANCES).contains(&n) => n as u32,
            Some(n) => {
                let message = format!("there can be {least} to {MAX_INSTANCES} instances, not {n}");
                self.error(count.span, message);
                1
            }
            None => 1,
        }
    }

    pub(super) fn route(&mut self, number: usize, written: &ast::Route) {
        let count = self.count(&written.count, 1);
        let from = self.end_of_route(&written.from);
        let to = self.end_of_route(&written.to);
        let mut signals = Vec::new();
        for signal in &written.signals {
            signals.extend(self.signal(&signal.name, signal.span));
        }
        let mut route = Route {
            name: written.name.name.clone(),
            count,
            from,
            to,
            signals,
            multiset: false,
            lossy: false,
            reach: Reach::Peer,
            pace: Pace::Urgent,
            span: written.name.span,
        };
        for option in &written.options {
            self.route_option(&mut route, option);
        }
        self.system.routes[number] = route;
    }

    fn end_of_route(&mut self, name: &Ident) -> Option<usize> {
        if name.name == "env" {
            return None;
        }
        self.process_named(&name.name, name.span)
    }

    fn route_option(&mut self, route: &mut Route, option: &Ident) {
        let (word, times) = match option.name.split_once('[') {
            Some((word, times)) => (word, Some(times.trim_end_matches(']'))),
            None => (option.name.as_str(), None),
        };
        match (word, times) {
            ("fifo", None) => route.multiset = false,
            ("multiset", None) => route.multiset = true,
            ("reliable", None) => route.lossy = false,
            ("lossy", None) => route.lossy = true,
            ("peer", None) => route.reach = Reach::Peer,
            ("unicast", None) => route.reach = Reach::Unicast,
            ("multicast", None) => route.reach = Reach::Multicast,
            ("urgent", None) => route.pace = Pace::Urgent,
            ("delay" | "rate", Some(times)) => {
                if let Some((low, high)) = self.times(times, option) {
                    route.pace = match word {
                        "delay" => Pace::Delay(low, high),
                        _ => Pace::Rate(low, high),
                    };
                }
            }
            ("delay" | "rate", None) => {
                let message = format!("the option `#{word}` needs two times: `#{word}[1,2]`");
                self.error(option.span, message);
            }
            _ => {
                let message = format!("there is no option `#{}` of routes", option.name);
                let error = Diagnostic::error(option.span, message)
                    .did_you_mean(word, OPTIONS.iter().copied());
                self.errors.push(error);
            }
        }
    }

    /// Two times: numbers or constants.
    fn times(&mut self, written: &str, option: &Ident) -> Option<(i32, i32)> {
        let time = |word: &str| match self.meaning(word) {
            Some(Meaning::Const(value, ty)) if ty.is_number() => Some(*value),
            _ => word.parse::<i32>().ok(),
        };
        let times = written.split_once(',').and_then(|(a, b)| Some((time(a)?, time(b)?)));
        match times {
            Some((low, high)) if 0 <= low && low <= high && high < 10_000 => Some((low, high)),
            Some((low, high)) => {
                let message =
                    format!("from {low} to {high} is no time: 0 to 9999, the lesser first");
                self.error(option.span, message);
                None
            }
            None => {
                self.error(option.span, "two times are needed: `[1,2]`");
                None
            }
        }
    }
}
