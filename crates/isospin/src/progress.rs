//! The line on standard error that says how far a search is.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use isospin_check::{Progress, Watch};
use isospin_report::format::{bytes, count};

/// Searches that end sooner than this show nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// A line that is rewritten in place and gone when a search has ended.
pub struct ProgressLine {
    /// Where it is drawn; each search has a line of its own.
    target: Box<dyn Fn() -> ProgressDrawTarget>,
    shown: Option<ProgressBar>,
}

impl ProgressLine {
    /// A line on standard error, which shows nothing unless that is a terminal.
    pub fn new(quiet: bool) -> ProgressLine {
        let target = if quiet { ProgressDrawTarget::hidden } else { ProgressDrawTarget::stderr };
        ProgressLine { target: Box::new(target), shown: None }
    }

    /// Shows a text, unless the search has only begun.
    pub fn show(&mut self, elapsed: Duration, text: String) {
        if elapsed < PATIENCE {
            return;
        }
        let bar = self.shown.take().unwrap_or_else(|| self.start());
        bar.set_message(text);
        self.shown = Some(bar);
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }

    fn start(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, (self.target)());
        // No longer than the terminal is wide, so that it can be rewritten in place.
        let style = ProgressStyle::with_template("{wide_msg}");
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    }
}

impl Watch for ProgressLine {
    fn progress(&mut self, p: &Progress) {
        self.show(p.elapsed, line(p));
    }

    fn search_ended(&mut self) {
        self.clear();
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
    use indicatif::{InMemoryTerm, TermLike};

    use super::*;

    const LINE: &str =
        "  12 s  states 1,500,000  125,000/s  depth 2,000  memory 512 MB (50% of 1.0 GB)";

    fn progress() -> Progress {
        Progress {
            states: 1_500_000,
            depth: 2_000,
            memory: 512 << 20,
            memory_limit: Some(1 << 30),
            elapsed: Duration::from_secs(12),
            rate: 125_000.0,
            ..Progress::default()
        }
    }

    /// A line on a terminal of this width.
    fn on_terminal(width: u16) -> (ProgressLine, InMemoryTerm) {
        let terminal = InMemoryTerm::new(10, width);
        let shared = terminal.clone();
        let target = move || ProgressDrawTarget::term_like(Box::new(shared.clone()));
        (ProgressLine { target: Box::new(target), shown: None }, terminal)
    }

    #[test]
    fn the_line_says_states_rate_depth_memory_and_fill() {
        assert_eq!(line(&progress()), LINE);
        let errors = Progress { errors: 3, ..progress() };
        assert_eq!(line(&errors), format!("{LINE}  errors 3"));
    }

    #[test]
    fn the_line_is_rewritten_in_place_and_gone_when_the_search_has_ended() {
        let (mut watch, terminal) = on_terminal(100);
        terminal.write_line("before").expect("a terminal");
        for _ in 0..2 {
            watch.progress(&Progress { states: 1, ..progress() });
            watch.progress(&progress());
            assert_eq!(terminal.contents(), format!("before\n{LINE}"));
            watch.search_ended();
            assert_eq!(terminal.contents(), "before");
        }
    }

    #[test]
    fn a_short_search_shows_nothing() {
        let (mut watch, terminal) = on_terminal(100);
        watch.progress(&Progress { elapsed: Duration::from_millis(399), ..progress() });
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_narrow_terminal_gets_one_line_all_the_same() {
        let (mut watch, terminal) = on_terminal(30);
        watch.progress(&progress());
        watch.progress(&progress());
        assert_eq!(terminal.contents(), LINE[..30]);
    }
}
