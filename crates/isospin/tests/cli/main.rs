//! The program as a stranger meets it: commands in, output, files and exit statuses out.
//!
//! Expected output lies in `tests/golden`; `SNAPSHOTS=overwrite cargo test -p isospin` writes it
//! anew.

mod claims;
mod clusters;
mod ends;
mod golden;
mod intermediate;
mod liveness;
mod manual;
mod models;
mod promises;
mod reductions;
mod replay;
mod sets;
mod signals;
mod sim;
mod smv;
mod support;
mod terminal;
mod timed;
mod trails;
mod trust;
