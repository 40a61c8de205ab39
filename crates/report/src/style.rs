//! Colours, where the output is a terminal.

use anstyle::{AnsiColor, Style as Paint};
use isospin_model::Pid;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    #[default]
    Plain,
    /// With the terminal's colours.
    Coloured,
}

const BOLD: Paint = Paint::new().bold();
const DIM: Paint = Paint::new().dimmed();
const BAD: Paint = AnsiColor::Red.on_default().bold();
const GOOD: Paint = AnsiColor::Green.on_default().bold();
const WARN: Paint = AnsiColor::Yellow.on_default().bold();

/// The colours of processes, one after the other.
const PROCESSES: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Red,
];

impl Style {
    fn paint(self, paint: Paint, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{paint}{text}{paint:#}"),
        }
    }

    /// What matters.
    pub fn bold(self, text: &str) -> String {
        self.paint(BOLD, text)
    }

    /// What is there for those who look for it.
    pub fn dim(self, text: &str) -> String {
        self.paint(DIM, text)
    }

    /// What is wrong.
    pub fn bad(self, text: &str) -> String {
        self.paint(BAD, text)
    }

    /// What is right.
    pub fn good(self, text: &str) -> String {
        self.paint(GOOD, text)
    }

    /// What is uncertain.
    pub fn warn(self, text: &str) -> String {
        self.paint(WARN, text)
    }

    /// The name of a process; each process has its own colour.
    pub fn process(self, pid: Option<Pid>, text: &str) -> String {
        match pid {
            Some(pid) => self.paint(PROCESSES[pid.index() % PROCESSES.len()].on_default(), text),
            None => self.dim(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_text_alone() {
        let plain = Style::Plain;
        let all = [plain.bold("x"), plain.bad("x"), plain.process(Some(Pid(1)), "x")];
        assert_eq!(all, ["x", "x", "x"]);
    }

    #[test]
    fn colours_end_with_their_text() {
        assert_eq!(Style::Coloured.bad("x"), "\x1b[1m\x1b[31mx\x1b[0m");
    }

    #[test]
    fn neighbours_have_different_colours_and_time_has_none() {
        let name = |pid| Style::Coloured.process(pid, "P");
        assert_ne!(name(Some(Pid(0))), name(Some(Pid(1))));
        assert_eq!(name(Some(Pid(0))), name(Some(Pid(6))));
        assert_eq!(name(None), Style::Coloured.dim("P"));
    }
}
