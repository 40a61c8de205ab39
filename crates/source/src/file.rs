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
    /// How many characters there are before each multiple of [`BLOCK`] bytes; nothing where every
    /// character is a byte. A line can be as long as the file.
    characters: Vec<u32>,
}

const BLOCK: usize = 1024;

impl SourceFile {
    pub(crate) fn new(path: &Path, text: String, start: u32) -> SourceFile {
        let line_ends = text.match_indices('\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(line_ends).collect();
        let mut characters = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for block in text.as_bytes().chunks(BLOCK) {
                characters.push(before);
                before += count_characters(block);
            }
            characters.push(before);
        }
        SourceFile { path: path.to_owned(), text: text.into(), start, line_starts, characters }
    }

    /// How many characters there are before the byte at this position.
    fn characters_before(&self, at: usize) -> usize {
        match self.characters.get(at / BLOCK) {
            None => at,
            Some(&before) => {
                let block = &self.text.as_bytes()[at / BLOCK * BLOCK..at];
                before as usize + count_characters(block) as usize
            }
        }
    }

    /// How many characters of the line that takes up the range stand before the offset.
    pub(crate) fn column_in(&self, line: &Range<usize>, offset: u32) -> usize {
        let local = (offset.saturating_sub(self.start) as usize).clamp(line.start, line.end);
        self.characters_before(local) - self.characters_before(line.start)
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

/// The characters that start in a piece of text.
fn count_characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_however_long_the_line() {
        for (text, each) in [("x".repeat(5000), 1), ("\u{e9}".repeat(5000), 2)] {
            let file = SourceFile::new(Path::new("a.pml"), text, 1);
            let line = 0..file.text().len();
            for column in [0, 1, 511, 512, 513, 1024, 4999, 5000] {
                assert_eq!(file.column_in(&line, 1 + column * each), column as usize);
            }
        }
    }

    #[test]
    fn every_offset_lies_on_one_line() {
        let file = SourceFile::new(Path::new("a.pml"), "one\n\ntwo".into(), 10);
        let lines: Vec<usize> = (10..=file.end()).map(|at| file.line_of(at).0).collect();
        assert_eq!(lines, [1, 1, 1, 1, 2, 3, 3, 3, 3]);
        assert_eq!(&file.text()[file.line_of(16).1], "two");
    }
}
