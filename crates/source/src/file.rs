//! One source file, and places in it.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file's name as it was given or included.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One source file.
#[derive(Debug)]
pub struct SourceFile {
    path: PathBuf,
    text: Arc<str>,
    start: u32,
    line_starts: Vec<u32>,
}

impl SourceFile {
    pub(crate) fn new(path: &Path, text: String, start: u32) -> SourceFile {
        let line_ends = text.match_indices('\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(line_ends).collect();
        SourceFile { path: path.to_owned(), text: text.into(), start, line_starts }
    }

    /// The path by which the file was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text; bytes that were not UTF-8 are replaced.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The offset of the file's first byte in [`Span`](crate::Span)s.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// The offset behind the file's last byte.
    pub fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }

    /// The line's number, from 1, that holds the offset, and the line's range.
    pub(crate) fn line_of(&self, offset: u32) -> (usize, Range<usize>) {
        let local = offset.saturating_sub(self.start);
        let line = self.line_starts.partition_point(|&s| s <= local).max(1);
        (line, self.line_range(line))
    }

    fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.line_starts[line - 1] as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next as usize - 1);
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offset_lies_on_one_line() {
        let file = SourceFile::new(Path::new("a.pml"), "one\n\ntwo".into(), 10);
        let lines: Vec<usize> = (10..=file.end()).map(|at| file.line_of(at).0).collect();
        assert_eq!(lines, [1, 1, 1, 1, 2, 3, 3, 3, 3]);
        assert_eq!(&file.text()[file.line_of(16).1], "two");
    }
}
