//! A model's text as a tree of pieces, so that parts of it can be taken away and what is left can
//! still be printed.

use std::fmt;

/// A piece of a model: a line, or lines between an opening and a closing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A declaration or statement.
    Line(String),
    /// What has an inside: a process type, a selection, one of its options, a block.
    Group {
        /// The line in front.
        open: String,
        /// What is inside.
        inner: Vec<Piece>,
        /// The line behind; may be empty.
        close: String,
    },
}

impl Piece {
    /// A line.
    pub fn line(text: impl Into<String>) -> Piece {
        Piece::Line(text.into())
    }

    /// A group.
    pub fn group(open: impl Into<String>, inner: Vec<Piece>, close: impl Into<String>) -> Piece {
        Piece::Group { open: open.into(), inner, close: close.into() }
    }

    /// Puts `label:` in front.
    pub fn labelled(self, label: &str) -> Piece {
        match self {
            Piece::Line(text) => Piece::Line(format!("{label}: {text}")),
            Piece::Group { open, inner, close } => {
                let open = format!("{label}: {open}");
                Piece::Group { open, inner, close }
            }
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let mut put = |depth: usize, text: &str| match text {
            "" => Ok(()),
            text => writeln!(f, "{:width$}{text}", "", width = 2 * depth),
        };
        match self {
            Piece::Line(text) => put(depth, text),
            Piece::Group { open, inner, close } => {
                put(depth, open)?;
                for piece in inner {
                    piece.write(f, depth + 1)?;
                }
                if close.is_empty() {
                    return Ok(());
                }
                writeln!(f, "{:width$}{close}", "", width = 2 * depth)
            }
        }
    }

    /// How many pieces there are, this one included.
    pub fn size(&self) -> usize {
        match self {
            Piece::Line(_) => 1,
            Piece::Group { inner, .. } => 1 + inner.iter().map(Piece::size).sum::<usize>(),
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

/// A whole model: its top-level pieces in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Text {
    /// Declarations and process types.
    pub pieces: Vec<Piece>,
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| piece.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_print_their_inside_indented() {
        let option = Piece::group("::", vec![Piece::line("x = 1;")], "");
        let text = Piece::group("if", vec![option], "fi;").labelled("L");
        assert_eq!(text.to_string(), "L: if\n  ::\n    x = 1;\nfi;\n");
        assert_eq!(text.size(), 3);
    }
}
