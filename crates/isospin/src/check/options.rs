//! Arguments as what is asked and as options.

use isospin_analysis::Optimizations;
use isospin_check::asked::{Asked, GivenAutomaton};
use isospin_check::{
    AmpleSets, EmptinessChoice, Engine, Fairness, MachineKind, Options, Order, Strategy,
    SymmetryChoice, Wanted,
};

use isospin_limits::Limits;

use crate::args::{self, CheckArgs};
use crate::{interrupt, memory};

/// What the command line asks.
pub fn asked(args: &CheckArgs, given: Vec<String>, automaton: Option<GivenAutomaton>) -> Asked {
    Asked {
        properties: args.property.clone(),
        given,
        automaton,
        acceptance: args.acceptance,
        progress: args.progress,
        safety_only: args.safety,
        ignore_end_states: args.ignore_end_states,
        ignore_assertions: args.ignore_assertions,
    }
}

/// How far everything may go, from now on.
pub fn limits(args: &CheckArgs) -> Limits {
    let memory = args.memory.or_else(memory::default_limit);
    Limits::new(args.time, memory, interrupt::token())
}

/// How the command line wants it done, with what is left of the limits.
pub fn options(args: &CheckArgs, limits: &Limits) -> Options {
    Options {
        fairness: fairness(args),
        emptiness: match args.emptiness {
            args::EmptinessChoice::Auto => EmptinessChoice::Auto,
            args::EmptinessChoice::Nested => EmptinessChoice::Nested,
            args::EmptinessChoice::Components => EmptinessChoice::Components,
            args::EmptinessChoice::Direct => EmptinessChoice::Direct,
        },
        engine: match args.engine {
            Some(args::Engine::Symbolic) => Engine::Symbolic,
            Some(args::Engine::Explicit) | None => Engine::Explicit,
        },
        order: match args.search {
            args::SearchOrder::Dfs => Order::DepthFirst,
            args::SearchOrder::Bfs => Order::BreadthFirst,
        },
        threads: args.threads,
        machine: args.machine.map(|machine| match machine {
            args::MachineKind::Native => MachineKind::Native,
            args::MachineKind::Interpreter => MachineKind::Interpreter,
        }),
        shorten: args.shorten,
        wanted: wanted(args),
        errors: args.errors,
        memory: limits.memory_left(),
        time: limits.time_left(),
        depth: args.depth,
        verify: args.verify_model,
        interrupt: limits.interrupt().clone(),
        ..Options::default()
    }
}

/// Which executions count.
pub fn fairness(args: &CheckArgs) -> Fairness {
    match args.fair {
        args::Fairness::None => Fairness::None,
        args::Fairness::Weak => Fairness::Weak,
        args::Fairness::Strong => Fairness::Strong,
    }
}

fn wanted(args: &CheckArgs) -> Wanted {
    if args.exact {
        return Wanted::none();
    }
    let jumps = !args.no_jumps;
    let optimize = if args.no_optimize {
        Optimizations::NONE
    } else {
        Optimizations { jumps, ..Optimizations::ALL }
    };
    let ample = match args.por {
        args::Por::Process => AmpleSets::Process,
        args::Por::Cluster => AmpleSets::Cluster,
        args::Por::Stubborn => AmpleSets::Stubborn,
    };
    let symmetry = match args.symmetry {
        _ if args.no_symmetry => SymmetryChoice::Off,
        args::Symmetry::Off => SymmetryChoice::Off,
        args::Symmetry::Auto => SymmetryChoice::Auto,
        args::Symmetry::Full => SymmetryChoice::Strategy(Strategy::Full),
        args::Symmetry::Sorted => SymmetryChoice::Strategy(Strategy::Sorted),
        args::Symmetry::Segmented => SymmetryChoice::Strategy(Strategy::Segmented),
        args::Symmetry::PcSorted => SymmetryChoice::Strategy(Strategy::PcSorted),
        args::Symmetry::PcSegmented => SymmetryChoice::Strategy(Strategy::PcSegmented),
        args::Symmetry::Refined => SymmetryChoice::Strategy(Strategy::Refined),
    };
    let por = (!args.no_por).then_some(ample);
    Wanted { optimize, por, symmetry, main_array: args.main_array.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::checking;

    #[test]
    fn exact_is_without_every_reduction_whatever_else_is_said() {
        let args = checking(&["--exact", "--por", "cluster", "--symmetry", "full"]);
        assert_eq!(wanted(&args), Wanted::none());
    }

    #[test]
    fn every_reduction_can_be_turned_off_alone() {
        let all = Wanted::all();
        assert_eq!(wanted(&checking(&[])), all);
        assert_eq!(wanted(&checking(&["--no-por"])), Wanted { por: None, ..all.clone() });
        let symmetry = SymmetryChoice::Off;
        assert_eq!(wanted(&checking(&["--no-symmetry"])), Wanted { symmetry, ..all.clone() });
        let optimize = Optimizations::NONE;
        assert_eq!(wanted(&checking(&["--no-optimize"])), Wanted { optimize, ..all.clone() });
        let optimize = Optimizations { jumps: false, ..Optimizations::ALL };
        assert_eq!(wanted(&checking(&["--no-jumps"])), Wanted { optimize, ..all });
    }

    #[test]
    fn what_is_asked_comes_from_the_command_line() {
        let args = checking(&["--property", "p", "--progress", "--ignore-end-states"]);
        let asked = asked(&args, vec!["given".to_owned()], None);
        assert_eq!(
            (asked.properties, asked.given),
            (vec!["p".to_owned()], vec!["given".to_owned()])
        );
        assert!(asked.progress && asked.ignore_end_states && !asked.acceptance);
    }
}
