//! Diagnostics as text, in the style of rustc.

use std::fmt::Write;

use anstyle::{AnsiColor, Style as Paint};

use crate::{sort, visible, Diagnostic, Excerpt, ExpansionKind, Severity, SourceMap, Span};

/// More diagnostics than this are counted and not shown.
pub const MAX_SHOWN: usize = 50;

/// An expansion inside an expansion inside ...: after this many, it is enough.
const MAX_EXPANSIONS_SHOWN: usize = 4;

/// With or without colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text alone.
    Plain,
    /// With the terminal's colours.
    Coloured,
}

/// Renders diagnostics in source order, each with its place, source line and
/// caret, and a line that counts them.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut sorted = diagnostics.to_vec();
    sort(sources, &mut sorted);
    // Errors are what the person needs; warnings give way when there are many.
    let errors = sorted.iter().filter(|d| d.is_error()).count();
    let mut warnings_left = MAX_SHOWN.saturating_sub(errors);
    let mut shown = 0;
    let mut out = String::new();
    for diagnostic in &sorted {
        if !diagnostic.is_error() {
            if warnings_left == 0 {
                continue;
            }
            warnings_left -= 1;
        } else if shown >= MAX_SHOWN {
            break;
        }
        shown += 1;
        Renderer { sources, style, out: &mut out }.diagnostic(diagnostic);
        out.push('\n');
    }
    if sorted.len() > shown {
        let _ = writeln!(out, "... and {} more\n", sorted.len() - shown);
    }
    summary(&mut out, errors, sorted.len() - errors);
    out
}

fn summary(out: &mut String, errors: usize, warnings: usize) {
    let count = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let parts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "{}", parts.join(", "));
    }
}

struct Renderer<'a> {
    sources: &'a SourceMap,
    style: Style,
    out: &'a mut String,
}

const RED: Paint = AnsiColor::Red.on_default().bold();
const YELLOW: Paint = AnsiColor::Yellow.on_default().bold();
const BLUE: Paint = AnsiColor::Blue.on_default().bold();
const BOLD: Paint = Paint::new().bold();

impl Renderer<'_> {
    fn paint(&self, paint: Paint, text: &str) -> String {
        match self.style {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{paint}{text}{paint:#}"),
        }
    }

    fn diagnostic(&mut self, d: &Diagnostic) {
        let (paint, word) = match d.severity {
            Severity::Error => (RED, "error"),
            Severity::Warning => (YELLOW, "warning"),
        };
        let head = match d.lint {
            Some(lint) => format!("{word}[{}]", lint.name()),
            None => word.to_owned(),
        };
        let head = self.paint(paint, &head);
        let message = self.paint(BOLD, &format!(": {}", escape(&d.message)));
        let _ = writeln!(self.out, "{head}{message}");
        if d.span != Span::NONE {
            self.excerpt(self.sources.written(d.span), &d.label, paint, '^');
            self.expansions(d.span);
        }
        for note in &d.notes {
            self.note(&note.message, note.span);
        }
        if let Some(help) = &d.help {
            let word = self.paint(BOLD, "help");
            let _ = writeln!(self.out, "  = {word}: {}", escape(help));
        }
    }

    /// How the text came to its place: macros from the use inwards, then the
    /// calls of inlines from the body outwards.
    fn expansions(&mut self, span: Span) {
        let mut at = span;
        let mut left = MAX_EXPANSIONS_SHOWN;
        for expansion in self.sources.chain(span) {
            if left == 0 {
                self.note("... and more expansions around that", None);
                return;
            }
            left -= 1;
            let message = format!("in this {} `{}`", expansion.what, expansion.name);
            match expansion.kind {
                ExpansionKind::Macro => {
                    let place = if at.start == 0 { expansion.definition } else { at };
                    self.note(&message, (place != Span::NONE).then_some(place));
                }
                ExpansionKind::Inline => {
                    let place = self.sources.written(expansion.call);
                    self.note(&message, Some(place));
                }
            }
            at = expansion.call;
        }
    }

    fn note(&mut self, message: &str, span: Option<Span>) {
        let word = self.paint(BOLD, "note");
        let message = escape(message);
        match span {
            Some(span) => {
                let _ = writeln!(self.out, "{word}: {message}");
                self.excerpt(span, "", BLUE, '-');
            }
            None => {
                let _ = writeln!(self.out, "  = {word}: {message}");
            }
        }
    }

    fn excerpt(&mut self, span: Span, label: &str, paint: Paint, mark: char) {
        let Excerpt { location, line, width, lines } = self.sources.excerpt(span);
        let number = location.line.to_string();
        let pad = " ".repeat(number.len());
        let bar = self.paint(BLUE, "|");
        let arrow = self.paint(BLUE, "-->");
        let _ = writeln!(self.out, "{pad}{arrow} {}", visible(&location.to_string()));
        // A very long line shows only the part around the caret.
        let column = location.column - 1;
        let from = if column > 100 { column - 60 } else { 0 };
        let cut: String = line.chars().skip(from).take(160).collect();
        // Tabs keep their place under the line; other control characters go.
        let indent: String =
            cut.chars().take(column - from).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let marks = mark.to_string().repeat(width.min(160));
        let more = if lines > 1 { "..." } else { "" };
        let marks = self.paint(paint, &format!("{marks}{more}"));
        let number = self.paint(BLUE, &number);
        let _ = writeln!(self.out, "{pad} {bar}");
        let _ = writeln!(self.out, "{number} {bar} {}", escape(&cut));
        let label = if label.is_empty() { String::new() } else { format!(" {}", escape(label)) };
        let _ = writeln!(self.out, "{pad} {bar} {indent}{marks}{label}");
    }
}

/// Control characters would garble a terminal; they show as a dot, so that marks stay below what
/// they mark.
fn escape(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '·' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expansion, Lint};
    use std::path::Path;

    const SHY: Lint = Lint::new("shy", "What hides.");

    /// A map with one file, and the span of the first occurrence of a word in it.
    fn file(text: &str, word: &str) -> (SourceMap, Span) {
        let mut sources = SourceMap::new();
        sources.add_file(Path::new("a.txt"), text.as_bytes().to_vec());
        let at = sources.files()[0].start() + text.find(word).expect("it is there") as u32;
        (sources, Span::new(at, at + word.len() as u32))
    }

    fn plain(sources: &SourceMap, diagnostic: Diagnostic) -> String {
        render(sources, &[diagnostic], Style::Plain)
    }

    #[test]
    fn a_diagnostic_shows_its_line_with_a_caret_and_its_notes() {
        let (sources, span) = file("one\n\ttwo three\n", "two");
        let diagnostic = Diagnostic::error(span, "too many")
            .label("this one")
            .note_at(Span::new(1, 4), "the first is here")
            .note("two is more than one")
            .help("take one");
        let expected = "error: too many\n \
            --> a.txt:2:2\n  |\n2 | \ttwo three\n  | \t^^^ this one\n\
            note: the first is here\n \
            --> a.txt:1:1\n  |\n1 | one\n  | ---\n  \
            = note: two is more than one\n  \
            = help: take one\n\n1 error\n";
        assert_eq!(plain(&sources, diagnostic), expected);
    }

    #[test]
    fn a_warning_shows_the_name_of_its_kind() {
        let (sources, span) = file("one", "one");
        let text = plain(&sources, Diagnostic::warning(SHY, span, "it hides"));
        assert!(text.starts_with("warning[shy]: it hides\n"), "{text}");
        assert!(text.ends_with("\n1 warning\n"), "{text}");
    }

    #[test]
    fn text_from_a_macro_is_shown_where_the_macro_is_used_and_where_it_stands() {
        let (mut sources, body) = file("define M body\nuse M\n", "body");
        let call = Span::new(body.end + 5, body.end + 6);
        let id = sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            what: "expansion of macro",
            name: "M".into(),
            call,
            definition: Span::new(8, 9),
        });
        let text = plain(&sources, Diagnostic::error(body.within(id), "wrong"));
        assert!(text.contains("a.txt:2:5\n"), "{text}");
        assert!(text.contains("note: in this expansion of macro `M`\n --> a.txt:1:10\n"), "{text}");
    }

    #[test]
    fn colours_end_where_they_should_and_control_characters_never_reach_a_terminal() {
        let (sources, span) = file("a\x1bb", "a");
        let diagnostic = [Diagnostic::error(span, "\x1b")];
        let coloured = render(&sources, &diagnostic, Style::Coloured);
        assert_eq!(coloured.matches("\x1b[0m").count(), coloured.matches("\x1b[1m").count());
        assert!(!render(&sources, &diagnostic, Style::Plain).contains('\x1b'));
    }

    #[test]
    fn many_warnings_give_way_to_errors() {
        let (sources, span) = file(&"x".repeat(200), "x");
        let at = |k: usize| Span::new(span.start + k as u32, span.end + k as u32);
        let warnings = (0..100).map(|k| Diagnostic::warning(SHY, at(k), "shy"));
        let errors = (100..130).map(|k| Diagnostic::error(at(k), "wrong"));
        let all: Vec<Diagnostic> = warnings.chain(errors).collect();
        let text = render(&sources, &all, Style::Plain);
        assert_eq!(text.matches("error: ").count(), 30);
        assert_eq!(text.matches("warning[").count(), MAX_SHOWN - 30);
        assert!(text.ends_with("... and 80 more\n\n30 errors, 100 warnings\n"), "{text}");
    }
}
