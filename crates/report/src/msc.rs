//! Message sequence charts for a terminal: time runs down, each process has a column.

use std::collections::HashMap;

use isospin_model::Pid;

use crate::exchange::Passing;
use crate::narrate::{cut, fault_sentence};
use crate::story::Story;
use crate::style::Style;

/// The narrowest and the widest column.
const WIDTH: std::ops::RangeInclusive<usize> = 14..=28;
/// Room for the number of the step.
const MARGIN: usize = 6;

#[derive(Clone, Debug)]
enum Event {
    Start(Pid, String),
    End(Pid),
    Send(Pid, String),
    Receive { from: Option<Pid>, to: Pid, label: String },
    Handshake(Pid, Pid, String),
    Note(Pid, String),
    Time(String),
}

/// A chart that grows with every step.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    events: Vec<(usize, Event)>,
    /// Who sent each message that is in a channel now.
    senders: HashMap<i32, Vec<Pid>>,
}

impl Chart {
    /// A chart that starts with these processes.
    pub fn new(processes: impl Iterator<Item = (Pid, String)>) -> Chart {
        Chart {
            events: processes.map(|(pid, name)| (0, Event::Start(pid, name))).collect(),
            senders: HashMap::new(),
        }
    }

    /// Adds a step, if it has anything to do with messages or processes.
    pub fn add(&mut self, story: &Story) {
        let at = story.number;
        let Some(pid) = story.part.pid else {
            self.events.push((at, Event::Time(story.part.text.clone())));
            return;
        };
        for exchange in &story.exchanges {
            let senders = self.senders.entry(exchange.number).or_default();
            let position = exchange.position;
            let label = format!("{}: {}", exchange.channel, exchange.message);
            let event = match exchange.passing {
                Passing::Handshake => {
                    Event::Handshake(pid, exchange.receiver.unwrap_or(pid), label)
                }
                Passing::Sent => {
                    senders.insert(position.min(senders.len()), pid);
                    Event::Send(pid, exchange.line())
                }
                Passing::Received | Passing::Copied => {
                    let from = senders.get(position).copied();
                    if exchange.passing == Passing::Received && from.is_some() {
                        senders.remove(position);
                    }
                    Event::Receive { from, to: pid, label }
                }
            };
            self.events.push((at, event));
        }
        for (pid, name) in &story.started {
            let event = Event::Start(*pid, format!("{name}[{pid}]"));
            self.events.push((at, event));
        }
        if story.ended.is_some() {
            self.events.push((at, Event::End(pid)));
        }
        if let Some(sentence) = story.fault.and_then(|f| fault_sentence(f, &story.part.text)) {
            self.events.push((at, Event::Note(pid, sentence)));
        }
    }

    /// The chart as text.
    pub fn text(&self, style: Style) -> String {
        let mut sheet = Sheet::new(&self.events, style);
        let mut out = String::new();
        for (step, event) in &self.events {
            sheet.row(&mut out, *step, event);
        }
        sheet.close(&mut out);
        out
    }
}

/// The chart while it is drawn: which columns have a living process.
struct Sheet {
    width: usize,
    alive: Vec<bool>,
    style: Style,
    /// Names of processes that start one after the other share a row.
    heads: Vec<(Pid, String)>,
    head_step: usize,
}

impl Sheet {
    fn new(events: &[(usize, Event)], style: Style) -> Sheet {
        let mut columns = 0;
        let mut longest = 0;
        for (_, event) in events {
            let (pids, text) = match event {
                Event::Start(pid, text) | Event::Send(pid, text) => ([*pid, *pid], text.as_str()),
                Event::Receive { from, to, label } => ([from.unwrap_or(*to), *to], label.as_str()),
                Event::Handshake(from, to, label) => ([*from, *to], label.as_str()),
                Event::End(pid) | Event::Note(pid, _) => ([*pid, *pid], ""),
                Event::Time(_) => ([Pid(0); 2], ""),
            };
            columns = columns.max(pids[0].max(pids[1]).index() + 1);
            longest = longest.max(text.chars().count());
        }
        Sheet {
            width: (longest + 5).clamp(*WIDTH.start(), *WIDTH.end()),
            alive: vec![false; columns],
            style,
            heads: Vec::new(),
            head_step: 0,
        }
    }

    /// Where the line of a process is.
    fn x(&self, pid: Pid) -> usize {
        MARGIN + pid.index() * self.width + 4
    }

    fn blank(&self, step: usize) -> Vec<char> {
        let number = match step {
            0 => String::new(),
            n => n.to_string(),
        };
        let mut row: Vec<char> = format!("{number:>width$} ", width = MARGIN - 1).chars().collect();
        row.resize(MARGIN + self.alive.len() * self.width, ' ');
        for (pid, alive) in self.alive.iter().enumerate() {
            if *alive {
                let x = self.x(Pid::at(pid));
                row[x] = '│';
            }
        }
        row
    }

    fn put(row: &mut Vec<char>, at: usize, text: &str) {
        for (k, c) in text.chars().enumerate() {
            match row.get_mut(at + k) {
                Some(cell) => *cell = c,
                None => row.push(c),
            }
        }
    }

    fn emit(out: &mut String, row: Vec<char>) {
        let line: String = row.into_iter().collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }

    fn row(&mut self, out: &mut String, step: usize, event: &Event) {
        if let Event::Start(pid, name) = event {
            if self.head_step != step {
                self.flush_heads(out);
            }
            self.head_step = step;
            self.heads.push((*pid, name.clone()));
            return;
        }
        self.flush_heads(out);
        let mut row = self.blank(step);
        match event {
            Event::Start(..) => {}
            Event::End(pid) => {
                row[self.x(*pid)] = '┴';
                if let Some(alive) = self.alive.get_mut(pid.index()) {
                    *alive = false;
                }
            }
            Event::Time(text) => {
                row[MARGIN..].iter_mut().for_each(|c| *c = if *c == '│' { '┼' } else { '╌' });
                Self::put(&mut row, MARGIN + 6, &format!(" {text} "));
            }
            Event::Send(pid, label) => self.beside(&mut row, *pid, '●', label),
            Event::Receive { from: Some(from), to, label } if from != to => {
                self.arrow(&mut row, *from, *to, label, ['─', '┼'])
            }
            Event::Receive { to, label, .. } => self.beside(&mut row, *to, '○', label),
            Event::Handshake(from, to, label) => {
                self.arrow(&mut row, *from, *to, label, ['═', '╪']);
            }
            Event::Note(pid, sentence) => {
                row[self.x(*pid)] = '✗';
                Self::emit(out, row);
                let pad = " ".repeat(self.x(*pid));
                let sentence = self.style.bad(sentence);
                out.push_str(&format!("{pad}{sentence}\n"));
                return;
            }
        }
        Self::emit(out, row);
    }

    fn beside(&self, row: &mut Vec<char>, pid: Pid, mark: char, label: &str) {
        let x = self.x(pid);
        row[x] = mark;
        Self::put(row, x + 2, &cut(label, self.width - 4));
    }

    fn arrow(
        &self,
        row: &mut Vec<char>,
        from: Pid,
        to: Pid,
        label: &str,
        [line, cross]: [char; 2],
    ) {
        let (start, end) = (self.x(from), self.x(to));
        let (left, right) = (start.min(end), start.max(end));
        for cell in &mut row[left + 1..right] {
            *cell = if *cell == '│' { cross } else { line };
        }
        let label = cut(label, self.width - 5);
        // Beside the sender, where the first stretch of the line is free.
        let at = if start < end { start + 2 } else { start - 1 - label.chars().count() };
        Self::put(row, at, &label);
        if start < end {
            row[end - 1] = '▶'
        } else {
            row[end + 1] = '◀'
        }
    }

    /// The names of the processes that have just started.
    fn flush_heads(&mut self, out: &mut String) {
        if self.heads.is_empty() {
            return;
        }
        let mut row = self.blank(self.head_step);
        for (pid, name) in std::mem::take(&mut self.heads) {
            let name = cut(&name, self.width - 2);
            let middle = name.chars().count() / 2;
            let at = self.x(pid).saturating_sub(middle.min(4));
            Self::put(&mut row, at, &name);
            if let Some(alive) = self.alive.get_mut(pid.index()) {
                *alive = true;
            }
        }
        Self::emit(out, row);
    }

    fn close(&mut self, out: &mut String) {
        self.flush_heads(out);
        if self.alive.contains(&true) {
            let row = self.blank(0);
            Self::emit(out, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(events: Vec<Event>) -> String {
        let heads = [(Pid(0), "A[0]".to_owned()), (Pid(1), "B[1]".to_owned())];
        let mut chart = Chart::new(heads.into_iter());
        chart.events.extend(events.into_iter().zip(1..).map(|(e, k)| (k, e)));
        chart.text(Style::Plain)
    }

    #[test]
    fn arrows_go_from_the_sender_to_the_receiver() {
        let back = Event::Receive { from: Some(Pid(1)), to: Pid(0), label: "q: 7".to_owned() };
        let text = chart(vec![Event::Handshake(Pid(0), Pid(1), "c: 1".to_owned()), back]);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "        A[0]          B[1]");
        assert_eq!(rows[1], "    1     │═c: 1═══════▶│");
        assert_eq!(rows[2], "    2     │◀───────q: 7─│");
        assert_eq!(rows[3], "          │             │");
    }

    #[test]
    fn a_label_too_long_for_its_column_is_cut() {
        let label = "a channel with a very long name: 123456789".to_owned();
        let text = chart(vec![Event::Send(Pid(0), label)]);
        let row = text.lines().nth(1).expect("a row");
        assert!(row.contains('…') && row.ends_with('│'), "{text}");
    }

    #[test]
    fn a_process_that_has_ended_has_no_line() {
        let text = chart(vec![Event::End(Pid(1)), Event::Send(Pid(0), "q!1".to_owned())]);
        let last: Vec<&str> = text.lines().collect();
        assert!(last[1].contains('┴'));
        assert_eq!(last[2].matches('│').count(), 0, "{text}");
    }
}
