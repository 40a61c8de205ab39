//! The command line of Isospin: arguments, files, progress and exit statuses. What is found is
//! found by `isospin-search`; how it reads is up to `isospin-report`.
#![forbid(unsafe_code)]

mod args;
mod beside;
mod check;
mod failure;
mod files;
mod given;
mod intermediate;
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

use std::alloc::System;
use std::panic::catch_unwind;
use std::process::ExitCode;

use clap::Parser;
use isospin_limits::{Interrupt, Limits};
use isospin_store::Reserve;

use args::{Cli, Command};
use failure::Failure;

/// Where memory comes from, with a little put by to come to an orderly end.
#[global_allocator]
static MEMORY: Reserve = Reserve::new(System);

fn main() -> ExitCode {
    MEMORY.fill();
    interrupt::install();
    let cli = Cli::parse();
    output::set_colour(cli.color);
    // A mistake of this program is one of its own exit statuses; the place was said by the panic.
    let result = catch_unwind(|| run(&cli.command)).unwrap_or_else(|_| {
        Err(Failure::Internal("internal error: please report this with the command line".into()))
    });
    match result {
        Ok(status) => ExitCode::from(status.code()),
        Err(failure) => {
            failure.complain();
            ExitCode::from(failure.status().code())
        }
    }
}

fn run(command: &Command) -> Result<Status, Failure> {
    interrupt::listens(match command {
        Command::Check(_) => true,
        Command::Sim(args) => !args.interactive,
        Command::Replay(_) | Command::Show(_) => false,
    });
    match command {
        Command::Check(args) if smv::is_smv(&args.model, &args.reading) => smv::check(args),
        Command::Check(args) => check::run(args),
        Command::Sim(args) if smv::is_smv(&args.model, &args.reading) => smv::sim(args),
        Command::Sim(args) => within_memory(|| sim::run(args)),
        Command::Replay(args) => within_memory(|| replay::run(args)),
        Command::Show(args) if smv::shows(args) => smv::show(args),
        Command::Show(args) => within_memory(|| show::run(args)),
    }
}

/// Does what has no options for limits: not with more memory than there is.
fn within_memory(command: impl FnOnce() -> Result<Status, Failure>) -> Result<Status, Failure> {
    let limits = Limits::new(None, memory::default_limit(), Interrupt::default());
    limits.run(command).unwrap_or_else(|stopped| Err(Failure::stopped(stopped)))
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
