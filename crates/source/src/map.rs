//! All the files of one model, and how places in them are told.
//!
//! A [`Span`] is a range of bytes in some file together with the expansion
//! (of a macro or an inline) that brought the text to where it was parsed.
//! The [`SourceMap`] turns spans back into file names, lines and text.

use std::collections::HashMap;
use std::path::Path;

use crate::{Expansion, ExpansionId, ExpansionKind, Location, SourceFile, Span};

/// All the files of one model, and all the expansions in it.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}

/// The files of one model may not be larger than this together.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// A span's place on one line, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// Where the span starts.
    pub location: Location,
    /// The line of source text, without its end.
    pub line: String,
    /// How many characters of the line the span covers, at least 1.
    pub width: usize,
    /// How many lines the span covers.
    pub lines: usize,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Adds a file and gives its index, or `None` when the files are too large
    /// together ([`MAX_SOURCE_BYTES`]). Bytes that are not UTF-8 become
    /// replacement characters.
    pub fn add_file(&mut self, path: &Path, bytes: Vec<u8>) -> Option<usize> {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        // Offset 0 stays free, so that `Span::NONE` lies in no file.
        let start = self.files.last().map_or(1, |f| f.end() + 1);
        if start as usize + text.len() > MAX_SOURCE_BYTES {
            return None;
        }
        self.files.push(SourceFile::new(path, text, start));
        Some(self.files.len() - 1)
    }

    /// The files, in the order in which they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Records an expansion.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    /// The expansion of that name, unless it is [`ExpansionId::NONE`].
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        self.expansions.get((id.0 as usize).checked_sub(1)?)
    }

    /// The file in which the span lies.
    pub fn file_of(&self, span: Span) -> Option<&SourceFile> {
        Some(&self.files[self.file_index(span)?])
    }

    /// The position of that file among [`SourceMap::files`].
    pub fn file_index(&self, span: Span) -> Option<usize> {
        let index = self.files.partition_point(|f| f.start() <= span.start).checked_sub(1)?;
        (span.start <= self.files[index].end()).then_some(index)
    }

    /// The file, line and column of the span's first character, in the file
    /// where that text stands (see [`SourceMap::written`]).
    pub fn location(&self, span: Span) -> Location {
        let Some(file) = self.file_of(span) else {
            return nowhere();
        };
        let (line, range) = file.line_of(span.start);
        let column = file.column_in(&range, span.start);
        Location { file: file.path().display().to_string(), line, column: column + 1 }
    }

    /// The span's place and line, ready to be shown.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let Some(file) = self.file_of(span) else {
            return Excerpt { location: nowhere(), line: String::new(), width: 1, lines: 1 };
        };
        let (line, range) = file.line_of(span.start);
        let text = &file.text()[range.clone()];
        let column = file.column_in(&range, span.start);
        let width = file.column_in(&range, span.end.min(file.end())).saturating_sub(column);
        let last = file.line_of(span.end.min(file.end()).max(span.start + 1) - 1).0;
        Excerpt {
            location: Location {
                file: file.path().display().to_string(),
                line,
                column: column + 1,
            },
            line: text.trim_end_matches('\r').to_owned(),
            width: width.max(1),
            lines: last.saturating_sub(line) + 1,
        }
    }

    /// The text of the span as it stands in its file.
    pub fn text(&self, span: Span) -> &str {
        let Some(file) = self.file_of(span) else {
            return "";
        };
        let start = (span.start - file.start()) as usize;
        let end = (span.end.min(file.end()) - file.start()) as usize;
        file.text().get(start..end).unwrap_or("")
    }

    /// The place that the person wrote: for text from a macro, where the
    /// outermost macro of it was used. Text from an inline's body stays there.
    pub fn written(&self, mut span: Span) -> Span {
        while let Some(expansion) = self.expansion(span.expansion) {
            if expansion.kind == ExpansionKind::Inline {
                break;
            }
            span = expansion.call;
        }
        span
    }

    /// The expansions around the span, innermost first.
    pub fn chain(&self, span: Span) -> impl Iterator<Item = &Expansion> {
        let mut id = span.expansion;
        std::iter::from_fn(move || {
            let expansion = self.expansion(id)?;
            id = expansion.call.expansion;
            Some(expansion)
        })
    }

    /// The smallest span that covers both: in one file and at one level of
    /// expansion where they share one, or else where both were used.
    pub fn join(&self, a: Span, b: Span) -> Span {
        if a == Span::NONE {
            return b;
        }
        if b == Span::NONE {
            return a;
        }
        if let Some(joined) = self.join_level(a, b) {
            return joined;
        }
        // Climb both chains to the innermost level they have in common.
        let levels = |span: Span| {
            std::iter::once(span).chain(self.chain(span).map(|expansion| expansion.call))
        };
        let others: HashMap<ExpansionId, Span> =
            levels(b).map(|level| (level.expansion, level)).collect();
        for outer in levels(a) {
            let other = others.get(&outer.expansion);
            if let Some(joined) = other.and_then(|&other| self.join_level(outer, other)) {
                return joined;
            }
        }
        a
    }

    fn join_level(&self, a: Span, b: Span) -> Option<Span> {
        let same_file = || {
            let fa = self.file_of(a)?;
            let fb = self.file_of(b)?;
            Some(fa.start() == fb.start())
        };
        (a.expansion == b.expansion && same_file()?).then(|| Span {
            start: a.start.min(b.start),
            end: a.end.max(b.end),
            expansion: a.expansion,
        })
    }
}

/// The place of what no file holds.
fn nowhere() -> Location {
    Location { file: "<command line>".into(), line: 1, column: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_lines_and_characters_from_one() {
        let mut map = SourceMap::new();
        map.add_file(Path::new("a.pml"), b"one\n\xc3\xa9tat two\n".to_vec());
        let start = map.files()[0].start();
        let two = Span::new(start + 10, start + 13);
        assert_eq!(map.text(two), "two");
        assert_eq!(map.location(two).to_string(), "a.pml:2:6");
    }

    #[test]
    fn the_span_of_nothing_lies_in_no_file() {
        let mut map = SourceMap::new();
        map.add_file(Path::new("a.pml"), b"x".to_vec());
        assert!(map.file_of(Span::NONE).is_none());
        assert_eq!(map.text(Span::NONE), "");
    }

    #[test]
    fn joining_climbs_to_the_level_that_both_share() {
        let mut map = SourceMap::new();
        map.add_file(Path::new("a.pml"), b"#define M b\na M c".to_vec());
        let s = map.files()[0].start();
        let id = map.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            what: "expansion of macro",
            name: "M".into(),
            call: Span::new(s + 14, s + 15),
            definition: Span::new(s + 8, s + 9),
        });
        let a = Span::new(s + 12, s + 13);
        let b = Span::new(s + 10, s + 11).within(id);
        assert_eq!(map.text(map.join(a, b)), "a M");
        assert_eq!(map.text(map.written(b)), "M");
    }
}
