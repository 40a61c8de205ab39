//! The command line of Isospin: arguments, files, progress and exit statuses. What is found is
//! found by `isospin-search`; how it reads is up to `isospin-report`.
#![forbid(unsafe_code)]

mod args;
mod check;
mod failure;
mod given;
mod interrupt;
mod load;
mod memory;
mod output;
mod progress;
mod replay;
mod show;
mod sim;
mod smv;
mod timers;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::set_colour(cli.color);
    let result = match &cli.command {
        Command::Check(args) if smv::is_smv(&args.model, &args.reading) => smv::check(args),
        Command::Check(args) => check::run(args),
        Command::Sim(args) if smv::is_smv(&args.model, &args.reading) => smv::sim(args),
        Command::Sim(args) => sim::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Show(args) if smv::shows(args) => smv::show(args),
        Command::Show(args) => show::run(args),
    };
    match result {
        Ok(status) => ExitCode::from(status.code()),
        Err(failure) => {
            if let Failure::Said(sentence) | Failure::Internal(sentence) = &failure {
                output::complain(sentence);
            }
            ExitCode::from(failure.status().code())
        }
    }
}

/// The exit statuses that scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything that was asked holds, or the command did what it was told.
    Fine,
    /// A violation was found.
    Violated,
    /// The input or the command line is wrong.
    BadInput,
    /// The search was cut short without a violation.
    Incomplete,
}

impl Status {
    fn code(self) -> u8 {
        match self {
            Status::Fine => 0,
            Status::Violated => 1,
            Status::BadInput => 2,
            Status::Incomplete => 3,
        }
    }
}
