//! Executions of SMV models as files, in the places and with the care of every trail.

use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use isospin_relation::{Property, Relation};
use isospin_report::format::bytes;
use isospin_report::relation::{kind, name, trace_json};
use isospin_source::visible;
use isospin_symbolic::Trace;
use serde_json::{json, Value};

use crate::args::CheckArgs;
use crate::check::place::{Part, Put};
use crate::check::trails::{path, MAX_TRAILS};
use crate::output::say;

/// The number of the format.
pub const FORMAT: u64 = 1;

/// Writes one trail after the other.
pub struct Trails<'t> {
    args: &'t CheckArgs,
    relation: &'t Relation,
    hash: &'t str,
    started: SystemTime,
    tried: usize,
}

impl<'t> Trails<'t> {
    /// None written yet.
    pub fn new(
        args: &'t CheckArgs,
        relation: &'t Relation,
        hash: &'t str,
        started: SystemTime,
    ) -> Self {
        Trails { args, relation, hash, started, tried: 0 }
    }

    /// Writes the execution that violates a specification; its file, if it could be written.
    pub fn write(&mut self, index: usize, trace: &Trace) -> Option<String> {
        if self.args.no_trail {
            return None;
        }
        let text = format!("{:#}\n", self.object(index, trace));
        match self.put(text.as_bytes()) {
            Ok(place) => Some(place.display().to_string()),
            Err(why) => {
                let name = name(self.relation, index);
                let sentence = format!("the trail of `{name}` was not written: {why}");
                say(&format!("warning: {}\n", visible(&sentence)));
                None
            }
        }
    }

    fn object(&self, index: usize, trace: &Trace) -> Value {
        let specification = &self.relation.specifications[index];
        json!({
            "isospin": env!("CARGO_PKG_VERSION"),
            "language": "smv",
            "format": FORMAT,
            "model": self.args.model.display().to_string(),
            "model_hash": self.hash,
            "options": {
                "defines": self.args.reading.defines,
                "old_booleans": self.args.reading.old_booleans,
            },
            "property": {
                "name": name(self.relation, index),
                "kind": kind(&specification.property),
                "text": specification.text,
            },
            "trace": trace_json(self.relation, trace),
        })
    }

    fn put(&mut self, text: &[u8]) -> Result<PathBuf, String> {
        let most = self.args.trail_size;
        let fail = |error: std::io::Error| error.to_string();
        let mut part = Part::beside(&path(self.args, self.tried), most, None).map_err(fail)?;
        if let Err(error) = part.write_all(text) {
            return Err(if part.is_too_large() {
                format!("it is larger than {}; --trail-size allows more", bytes(most))
            } else {
                error.to_string()
            });
        }
        while self.tried < MAX_TRAILS {
            let place = path(self.args, self.tried);
            self.tried += 1;
            if part.put(&place, self.started).map_err(fail)? == Put::Done {
                return Ok(place);
            }
        }
        Err("there is no free place for it".into())
    }
}

/// The specification of a name.
pub fn property_named<'r>(relation: &'r Relation, wanted: &str) -> Option<&'r Property> {
    let index = (0..relation.specifications.len()).find(|k| name(relation, *k) == wanted)?;
    Some(&relation.specifications[index].property)
}
