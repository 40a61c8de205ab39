//! The line on standard error that says how far a search is.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use isospin_check::{Progress, Watch};
use isospin_report::format::{bytes, count};

/// Searches that end sooner than this show nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// A line that is rewritten in place, on a terminal only.
pub struct ProgressLine {
    active: bool,
    shown: bool,
}

impl ProgressLine {
    /// A line that shows nothing unless standard error is a terminal.
    pub fn new(quiet: bool) -> ProgressLine {
        ProgressLine { active: !quiet && io::stderr().is_terminal(), shown: false }
    }
}

impl Watch for ProgressLine {
    fn progress(&mut self, p: &Progress) {
        if !self.active || p.elapsed < PATIENCE {
            return;
        }
        self.shown = true;
        let _ = write!(io::stderr(), "\r{}\x1b[K", line(p));
    }

    fn search_ended(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(p: &Progress) -> String {
    let fill = match p.memory_limit {
        Some(limit) if limit > 0 => {
            format!(" ({:.0}% of {})", 100.0 * p.memory as f64 / limit as f64, bytes(limit))
        }
        _ => String::new(),
    };
    let errors = match p.errors {
        0 => String::new(),
        n => format!("  errors {}", count(n)),
    };
    format!(
        "{:>4} s  states {}  {}/s  depth {}  memory {}{fill}{errors}",
        p.elapsed.as_secs(),
        count(p.states),
        count(p.rate as u64),
        count(p.depth),
        bytes(p.memory),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_states_rate_depth_memory_and_fill() {
        let p = Progress {
            states: 1_500_000,
            depth: 2_000,
            memory: 512 << 20,
            memory_limit: Some(1 << 30),
            elapsed: Duration::from_secs(12),
            rate: 125_000.0,
            ..Progress::default()
        };
        assert_eq!(
            line(&p),
            "  12 s  states 1,500,000  125,000/s  depth 2,000  memory 512 MB (50% of 1.0 GB)"
        );
    }
}
