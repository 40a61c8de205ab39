//! Trails as text: written step by step, read back whole.

use std::io;

use isospin_machine::Step;
use serde::Deserialize;

use super::{Header, Trail, TrailProperty, TrailStep, FORMAT};
use crate::names::Names;
use crate::story::{retell, Retold, Story, Untellable};

/// Writes a trail: the header, then one line per step as they are executed once more. Says how the
/// execution ends, so that what was written is known to be true.
pub fn write(
    out: &mut dyn io::Write,
    names: &Names,
    header: &Header,
    steps: &[Step],
    hear: &mut dyn FnMut(Story),
) -> io::Result<Result<Retold, Untellable>> {
    let header = serde_json::to_string_pretty(header)?;
    let open = header.trim_end().trim_end_matches('}').trim_end();
    write!(out, "{open},\n  \"steps\": [")?;
    let mut failed = None;
    let mut first = true;
    let told = retell(names, steps, &mut |story| {
        if failed.is_none() {
            let comma = if first { "" } else { "," };
            first = false;
            let line = serde_json::to_string(&TrailStep::of(names, &story));
            let written =
                line.map_err(io::Error::from).and_then(|line| write!(out, "{comma}\n    {line}"));
            failed = written.err();
        }
        hear(story);
    });
    if let Some(error) = failed {
        return Err(error);
    }
    write!(out, "\n  ]\n}}\n")?;
    Ok(told)
}

/// Reads a trail. The error says, as a clause, why it is none, or none of this version's.
pub fn read(text: &str) -> Result<Trail, String> {
    #[derive(Deserialize)]
    struct Numbered {
        format: Option<u64>,
    }
    // A list would be taken for an object without the names of its fields.
    if text.trim_start().starts_with('[') {
        return Err("it is not a trail (a list)".to_owned());
    }
    let no_trail = |error: serde_json::Error| format!("it is not a trail ({error})");
    let numbered: Numbered = serde_json::from_str(text).map_err(no_trail)?;
    match numbered.format {
        Some(format) if format != u64::from(FORMAT) => Err(format!(
            "it is written in format {format}, and this version reads format {FORMAT}: check the \
             model again to have it written anew"
        )),
        _ => serde_json::from_str(text).map_err(no_trail),
    }
}

/// Whether a file that starts like this is a trail, of whatever format: whoever writes one may
/// take its place.
pub fn starts_like_one(start: &[u8]) -> bool {
    let mut lines = start.split(|&b| b == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l));
    lines.next() == Some(b"{")
        && lines.next().is_some_and(|l| l.starts_with(b"  \"isospin\": \""))
        && lines.next().is_some_and(|l| l.starts_with(b"  \"format\": "))
}

/// What the execution of a trail of whatever format is said to violate.
pub fn property_in(text: &str) -> Option<TrailProperty> {
    #[derive(Deserialize)]
    struct Violating {
        property: TrailProperty,
    }
    serde_json::from_str(text).ok().map(|v: Violating| v.property)
}

/// A hash of the texts of all files that a model was read from, the command line's definitions
/// included. FNV-1a: it tells versions apart and is no protection against forgery.
pub fn hash_sources<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for text in texts {
        // A byte that no UTF-8 text contains keeps the files apart.
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("fnv1a64:{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_tells_texts_and_their_borders_apart() {
        let hash = |texts: &[&str]| hash_sources(texts.iter().copied());
        assert_eq!(hash(&["a", "b"]), hash(&["a", "b"]));
        assert_ne!(hash(&["a", "b"]), hash(&["ab"]));
        assert_ne!(hash(&["a", "b"]), hash(&["b", "a"]));
    }

    #[test]
    fn a_trail_of_an_earlier_format_is_refused_by_its_number() {
        let old = r#"{"isospin": "0.1.0", "format": 1, "steps": [{"pid": 255, "edge": 3}]}"#;
        assert!(read(old).is_err_and(|why| why.starts_with("it is written in format 1,")));
    }

    #[test]
    fn what_is_no_trail_is_refused_in_a_clause() {
        for text in ["", "{}", "[1]", "{\"isospin\": 3}"] {
            assert!(read(text).is_err_and(|why| why.starts_with("it is not a trail")));
        }
    }

    #[test]
    fn only_what_starts_like_a_trail_is_taken_for_one() {
        assert!(starts_like_one(b"{\n  \"isospin\": \"0.1.0\",\n  \"format\": 2,\n"));
        for other in [
            &b""[..],
            b"{",
            b"active proctype P() { skip }\n",
            b"{\n  \"isospin\": \"0.1.0\",\n  \"model\": \"m.pml\",\n",
        ] {
            assert!(!starts_like_one(other));
        }
    }
}
