//! Tables of the literature, made again with Isospin, for the manual.
//!
//! ```console
//! $ cargo run --release -p isospin-conformance --example tables -- clusters > docs/tables/clusters.md
//! ```

mod clusters;

use std::process::ExitCode;

fn main() -> ExitCode {
    let table = match std::env::args().nth(1).as_deref() {
        Some("clusters") => clusters::table(),
        _ => Err("which table: clusters".to_owned()),
    };
    match table {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
