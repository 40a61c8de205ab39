//! The tables of the sources, made again.
//!
//! ```console
//! $ cargo build --release -p isospin
//! $ cargo run --release -p isospin-conformance --example tables -- symmetry
//! ```
//!
//! | table | what it holds |
//! | --- | --- |
//! | `symmetry` | chapter 6 of the thesis: every strategy on every model, and Rumur beside it |

mod symmetry;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.first().map(String::as_str) {
        Some("symmetry") => symmetry::tables(&args[1..]),
        _ => Err("which table? symmetry".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}
