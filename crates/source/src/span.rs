//! Ranges of text.

/// Names one expansion of a macro or an inline; [`ExpansionId::NONE`] is text
/// that stands in the file as the person wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ExpansionId(pub(crate) u32);

impl ExpansionId {
    /// Text that no expansion produced.
    pub const NONE: ExpansionId = ExpansionId(0);

    /// Whether this is text that no expansion produced.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A range of bytes in one of the files of a [`SourceMap`](crate::SourceMap).
///
/// Offsets count over all files laid end to end, so that a span is three
/// numbers and needs no file of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// What brought the text here.
    pub expansion: ExpansionId,
}

impl Span {
    /// A span for nodes that no source text stands behind.
    pub const NONE: Span = Span { start: 0, end: 0, expansion: ExpansionId::NONE };

    /// A span of text as written.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end, expansion: ExpansionId::NONE }
    }

    /// The same place, produced by `expansion`.
    pub fn within(self, expansion: ExpansionId) -> Self {
        Span { expansion, ..self }
    }

    /// The empty span at this span's end.
    pub fn after(self) -> Self {
        Span { start: self.end, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_span_is_empty_and_in_the_same_expansion() {
        let span = Span::new(3, 7).within(ExpansionId(2));
        let after = span.after();
        assert_eq!((after.start, after.end), (7, 7));
        assert!(!after.expansion.is_none());
        assert!(Span::default().expansion.is_none());
    }
}
