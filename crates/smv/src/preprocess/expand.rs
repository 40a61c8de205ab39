//! Macros, and lines in which they are replaced.

use std::collections::HashMap;

/// Replacements are nested at most so deep, there are at most so many of them for one name in a
/// line, and they come to at most so many bytes.
const MAX_DEPTH: usize = 100;
const MAX_REPLACEMENTS: usize = 20_000;
const MAX_LINE: usize = 1 << 20;

/// What a name stands for.
#[derive(Clone)]
pub(super) struct Macro {
    /// The names of its parameters, if it has a list of them.
    pub(super) parameters: Option<Vec<String>>,
    /// The text, in which parameters are replaced.
    pub(super) text: String,
}

impl Macro {
    /// From what follows `#define`.
    pub(super) fn read(text: &str) -> Result<(&str, Macro), &'static str> {
        let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(length);
        if name.is_empty() {
            return Err("a macro needs a name");
        }
        let (parameters, rest) = match rest.strip_prefix('(') {
            None => (None, rest),
            Some(rest) => {
                let (inner, rest) =
                    rest.split_once(')').ok_or("the macro\'s parameters do not end")?;
                let names = inner.split(',').map(|n| n.trim().to_owned());
                (Some(names.filter(|n| !n.is_empty()).collect()), rest)
            }
        };
        Ok((name, Macro { parameters, text: rest.trim().to_owned() }))
    }

    /// The text with what is given for the parameters.
    fn applied(&self, given: &[String]) -> String {
        let names = self.parameters.as_deref().unwrap_or_default();
        let mut out = String::new();
        for word in words(&self.text) {
            let at = names.iter().position(|name| name == word);
            out.push_str(at.map_or(word, |at| &given[at]));
        }
        out
    }
}

/// A piece of a line, as it was or replaced, and where in the line it stood.
pub(super) struct Piece<'l> {
    pub(super) text: &'l str,
    pub(super) replaced: Option<String>,
    pub(super) at: usize,
}

/// Names that stand for something.
#[derive(Default)]
pub(super) struct Macros(HashMap<String, Macro>);

impl Macros {
    pub(super) fn define(&mut self, name: &str, meaning: Macro) {
        self.0.insert(name.to_owned(), meaning);
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether a condition is true: a number that is not 0, or a macro that is defined.
    pub(super) fn condition(&self, text: &str) -> Result<bool, &'static str> {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix('!') {
            return Ok(!self.condition(rest)?);
        }
        if let Some(rest) = text.strip_prefix("defined") {
            return Ok(self.knows(rest.trim().trim_matches(['(', ')']).trim()));
        }
        let pieces = self.expanded(text)?;
        let value: String =
            pieces.into_iter().map(|p| p.replaced.unwrap_or_else(|| p.text.to_owned())).collect();
        match value.trim() {
            name if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) => {
                // As in C, a name that stands for nothing is 0.
                if name.chars().all(is_name) {
                    Ok(false)
                } else {
                    Err("only a number, a name or `defined(NAME)` can stand here")
                }
            }
            number => number
                .parse::<i64>()
                .map(|n| n != 0)
                .map_err(|_| "only a number, a name or `defined(NAME)` can stand here"),
        }
    }

    /// A line in pieces, with macros replaced, those in what they stand for too.
    pub(super) fn expanded<'l>(&self, line: &'l str) -> Result<Vec<Piece<'l>>, &'static str> {
        let mut pieces: Vec<Piece<'l>> = Vec::new();
        let mut at = 0;
        while at < line.len() {
            let word = next_word(&line[at..]);
            match self.use_at(line, at, &[])? {
                Some((text, end)) => {
                    let text = self.again(text, vec![word.to_owned()])?;
                    pieces.push(Piece { text: &line[at..end], replaced: Some(text), at });
                    at = end;
                }
                None => {
                    pieces.push(Piece { text: word, replaced: None, at });
                    at += word.len();
                }
            }
        }
        Ok(pieces)
    }

    /// What a macro at a place stands for, and where its use ends; nothing where there is none, or
    /// one that is being replaced already.
    fn use_at(
        &self,
        text: &str,
        at: usize,
        inside: &[String],
    ) -> Result<Option<(String, usize)>, &'static str> {
        let word = next_word(&text[at..]);
        let Some(meaning) = self.0.get(word) else { return Ok(None) };
        if inside.iter().any(|name| name == word) {
            return Ok(None);
        }
        let after = at + word.len();
        let Some(parameters) = &meaning.parameters else {
            return Ok(Some((meaning.text.clone(), after)));
        };
        let rest = text[after..].trim_start();
        if !rest.starts_with('(') {
            return Ok(None);
        }
        let open = text.len() - rest.len();
        let (given, end) = arguments(text, open)?;
        let given = if parameters.is_empty() && given == [""] { Vec::new() } else { given };
        if given.len() != parameters.len() {
            return Err("a macro is used with another number of parameters");
        }
        Ok(Some((meaning.applied(&given), end)))
    }

    /// Replaces in what a macro stands for; `inside` are the macros that it came from.
    fn again(&self, text: String, inside: Vec<String>) -> Result<String, &'static str> {
        // Texts that are still to be looked at, the next one last, each with where it came from.
        let mut todo = vec![(text, inside)];
        let (mut out, mut replacements) = (String::new(), 0);
        while let Some((text, inside)) = todo.pop() {
            let mut at = 0;
            while at < text.len() {
                let word = next_word(&text[at..]);
                let Some((inner, end)) = self.use_at(&text, at, &inside)? else {
                    out.push_str(word);
                    at += word.len();
                    continue;
                };
                let mut deeper = inside.clone();
                deeper.push(word.to_owned());
                replacements += 1;
                let too_many = replacements > MAX_REPLACEMENTS || deeper.len() > MAX_DEPTH;
                if too_many || out.len() + inner.len() > MAX_LINE {
                    return Err("macros stand for too much here");
                }
                todo.push((text[end..].to_owned(), inside));
                todo.push((inner, deeper));
                break;
            }
            if out.len() > MAX_LINE {
                return Err("macros stand for too much here");
            }
        }
        Ok(out)
    }
}

/// The texts between commas, up to the parenthesis that closes the one at a place; its end.
fn arguments(text: &str, open: usize) -> Result<(Vec<String>, usize), &'static str> {
    let (mut depth, mut from, mut given) = (0, open + 1, Vec::new());
    for (at, c) in text[open..].char_indices().map(|(k, c)| (open + k, c)) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && c == ',' {
            given.push(text[from..at].trim().to_owned());
            from = at + 1;
        }
        if depth == 0 {
            return Ok((given, at + 1));
        }
    }
    Err("the parameters of a macro do not end on this line")
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The first word of a text: a name, a comment up to the end, or one character.
fn next_word(text: &str) -> &str {
    let first = text.chars().next().unwrap_or(' ');
    let length = if text.starts_with("--") {
        text.find('\n').unwrap_or(text.len())
    } else if is_name(first) {
        text.find(|c| !is_name(c)).unwrap_or(text.len())
    } else {
        first.len_utf8()
    };
    &text[..length.min(text.len())]
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = next_word(rest);
        rest = &rest[word.len()..];
        (!word.is_empty()).then_some(word)
    })
}
