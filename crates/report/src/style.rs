//! Colours, where the output is a terminal.

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

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    /// What matters.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What is there for those who look for it.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// What is wrong.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// What is right.
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// What is uncertain.
    pub fn warn(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// The name of a process; each process has its own colour.
    pub fn process(self, pid: Option<Pid>, text: &str) -> String {
        const COLOURS: [&str; 6] = ["36", "35", "34", "32", "33", "31"];
        match pid {
            Some(pid) => self.paint(COLOURS[pid.index() % COLOURS.len()], text),
            None => self.dim(text),
        }
    }
}
