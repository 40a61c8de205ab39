//! Standard output and standard error: who looks at them, and what happens when nobody does.

use std::io::{self, BufWriter, Stdout, Write};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use isospin_report::Style;
use isospin_source::visible;

use crate::args::Colour;
use crate::failure::Failure;
use crate::Status;

/// Says for the whole program when colours are used.
pub fn set_colour(when: Colour) {
    let choice = match when {
        Colour::Auto => ColorChoice::Auto,
        Colour::Always => ColorChoice::Always,
        Colour::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// The stream, and the style of what is to be written to it: as `--color` says, or else as the
/// stream and the environment (`NO_COLOR`, `CLICOLOR_FORCE`, `TERM`) do.
fn stream<S: RawStream>(raw: S) -> (AutoStream<S>, Style) {
    match AutoStream::choice(&raw) {
        // Text that is made without colours has nothing that would have to be taken out.
        ColorChoice::Never => (AutoStream::always_ansi(raw), Style::Plain),
        choice => (AutoStream::new(raw, choice), Style::Coloured),
    }
}

/// One sentence on standard error. It may quote files.
pub fn complain(sentence: &str) {
    let red = error_style();
    say(&format!("{}: {}\n", red.bad("error"), visible(sentence)));
}

/// Text on standard error; nothing happens if nobody reads it.
pub fn say(text: &str) {
    let (mut stderr, _) = stream(io::stderr());
    let _ = stderr.write_all(text.as_bytes());
}

/// The style of standard error.
pub fn error_style() -> Style {
    stream(io::stderr()).1
}

/// Standard output, buffered. When its reader goes away the rest is dropped, which is no error.
pub struct Output {
    out: BufWriter<AutoStream<Stdout>>,
    style: Style,
    closed: bool,
    failure: Option<io::Error>,
    line_open: bool,
}

impl Output {
    /// Standard output.
    pub fn new() -> Output {
        let (out, style) = stream(io::stdout());
        let out = BufWriter::new(out);
        Output { out, style, closed: false, failure: None, line_open: false }
    }

    /// Its style.
    pub fn style(&self) -> Style {
        self.style
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

    /// The end of the output of a command that ends with this status. If it could not be written,
    /// that is said, and whatever else there is to know stays known: that a violation was found, or
    /// that a search was cut short.
    pub fn finish_with(self, status: Status) -> Result<Status, Failure> {
        match self.finish() {
            Ok(()) => Ok(status),
            Err(failure) if status == Status::Fine => Err(failure),
            Err(failure) => {
                failure.complain();
                Ok(status)
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
