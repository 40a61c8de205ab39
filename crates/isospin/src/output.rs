//! Standard output and standard error: who looks at them, and what happens when nobody does.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use isospin_report::Style;

use crate::failure::Failure;

/// One sentence on standard error.
pub fn complain(sentence: &str) {
    let red = colour(io::stderr().is_terminal());
    let _ = writeln!(io::stderr(), "{}: {sentence}", red.bad("error"));
}

/// Text on standard error; nothing happens if nobody reads it.
pub fn say(text: &str) {
    let _ = write!(io::stderr(), "{text}");
}

/// Colours on a terminal, unless `NO_COLOR` is set to something.
fn colour(terminal: bool) -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    if terminal && !refused && !dumb {
        Style::Coloured
    } else {
        Style::Plain
    }
}

/// The style of standard error.
pub fn error_style() -> Style {
    colour(io::stderr().is_terminal())
}

/// Standard output, buffered. When its reader goes away the rest is dropped, which is no error.
pub struct Output {
    out: BufWriter<Stdout>,
    closed: bool,
    failure: Option<io::Error>,
    line_open: bool,
}

impl Output {
    /// Standard output.
    pub fn new() -> Output {
        Output { out: BufWriter::new(io::stdout()), closed: false, failure: None, line_open: false }
    }

    /// Its style.
    pub fn style(&self) -> Style {
        colour(io::stdout().is_terminal())
    }

    /// Writes text as it is.
    pub fn text(&mut self, text: &str) {
        if self.closed || text.is_empty() {
            return;
        }
        self.line_open = !text.ends_with('\n');
        let written = self.out.write_all(text.as_bytes());
        self.note(written);
    }

    /// Writes a line, on a line of its own whatever came before.
    pub fn line(&mut self, line: &str) {
        if self.line_open {
            self.text("\n");
        }
        self.text(line);
        self.text("\n");
    }

    /// Notes that the person at the terminal has ended the line.
    pub fn answered(&mut self) {
        self.line_open = false;
    }

    /// Makes everything visible now.
    pub fn flush(&mut self) {
        if !self.closed {
            let flushed = self.out.flush();
            self.note(flushed);
        }
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.closed = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failure = Some(error);
            }
        }
    }

    /// The end of the output; says if it could not be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush();
        match self.failure.take() {
            None => Ok(()),
            Some(error) => {
                Err(Failure::new(format_args!("cannot write to standard output: {error}")))
            }
        }
    }
}
