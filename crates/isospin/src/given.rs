//! Formulas that are given beside the model: on the command line, in files, or as propositions of
//! an automaton.

use std::path::Path;

use crate::failure::Failure;

/// A formula, or an expression that is read as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its text.
    pub text: String,
    /// What it is and where it was written, for a message about it: `the formula in f.ltl`.
    /// Nothing for one of the command line, which the message shows anyway.
    pub origin: Option<String>,
}

impl Given {
    /// The formulas of the command line, then those of files.
    pub fn formulas<'g>(
        texts: impl IntoIterator<Item = &'g String>,
        files: impl IntoIterator<Item = &'g std::path::PathBuf>,
    ) -> Result<Vec<Given>, Failure> {
        let texts = texts.into_iter().map(|t| Ok(Given { text: t.clone(), origin: None }));
        texts.chain(files.into_iter().map(|f| Given::file(f))).collect()
    }

    /// The formula in a file. Comments become blanks, so that columns and lines stay.
    fn file(path: &Path) -> Result<Given, Failure> {
        let name = path.display();
        let text = crate::files::read_text(path)
            .map_err(|error| Failure::new(format_args!("cannot read {name}: {error}")))?;
        let lines: Vec<String> = text.lines().map(without_comment).collect();
        let text = lines.join("\n").trim_end().to_owned();
        if text.trim().is_empty() {
            return Err(Failure::new(format_args!("{name} contains no formula")));
        }
        Ok(Given { text, origin: Some(format!("the formula in {name}")) })
    }
}

/// The line without what follows `#` or `//`.
fn without_comment(line: &str) -> String {
    let end = [line.find('#'), line.find("//")].into_iter().flatten().min();
    line[..end.unwrap_or(line.len())].to_owned()
}

/// The line and the column in characters, both from 1, of a byte of a text.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_with_their_line() {
        assert_eq!(without_comment("[] p // always"), "[] p ");
        assert_eq!(without_comment("# only a comment"), "");
        assert_eq!(without_comment("<> q"), "<> q");
    }

    #[test]
    fn places_count_from_one_in_characters() {
        assert_eq!(line_and_column("ab\ncé d", 7), (2, 4));
        assert_eq!(line_and_column("", 5), (1, 1));
    }
}
