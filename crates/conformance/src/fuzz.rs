//! What a fuzzer calls with bytes that it makes up. Each function returns, whatever it is given, or
//! panics because something is wrong: with bytes that a fuzzer found, and in the tests with those
//! of the seed corpora and with mutants of them.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::Path;
use std::sync::Arc;

use isospin_check::{reconfirm, Claimed, PropertyKind};
use isospin_logic::{read_hoa, translate, Formula, Limits, Precedence};
use isospin_machine::{Fault, Interpreter, Machine, NativeMachine, Step, Successors};
use isospin_model::{Model, Pid};
use isospin_promela::{parse, read, Options};
use isospin_report::trail::{self, TrailStep};
use isospin_report::Names;
use isospin_symmetry::describe;

use crate::isospin::model_of;

/// A fuzz target.
pub type Target = fn(&[u8]);

/// All of them, by the name of their folder of seeds.
pub const TARGETS: [(&str, Target); 7] = [
    ("preprocessor", preprocessor),
    ("parser", parser),
    ("ltl", ltl),
    ("hoa", hoa),
    ("trail", trail),
    ("description", description),
    ("machines", machines),
];

/// Automata larger than this are not of interest.
const SMALL: Limits = Limits { states: 200, edges: 2_000, letters: 64 };

/// Text in a made-up world with two files: the second is everything behind the first NUL.
fn reader(bytes: &[u8]) -> impl FnMut(&Path) -> io::Result<Vec<u8>> + '_ {
    let (root, included) = match bytes.iter().position(|&b| b == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &b"#define N 3\n"[..]),
    };
    move |path| match path.file_name().and_then(|n| n.to_str()) {
        Some("m.pml") => Ok(root.to_vec()),
        Some("a.h") => Ok(included.to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Directives, macros and included files.
pub fn preprocessor(bytes: &[u8]) {
    let options = Options { defines: vec!["M=1".to_owned()], ..Options::default() };
    let _ = parse(Path::new("m.pml"), &options, &mut reader(bytes));
}

/// From text to a model, which is one that searches can rely on.
pub fn parser(bytes: &[u8]) {
    let reading = read(Path::new("m.pml"), &Options::default(), &mut reader(bytes));
    if let Ok(model) = reading.into_model() {
        if let Err(broken) = model.verify() {
            panic!("a broken model: {broken}");
        }
    }
}

/// Formulas and their automata.
pub fn ltl(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for precedence in [Precedence::Graded, Precedence::Flat] {
        if let Ok(formula) = Formula::parse_with(&text, precedence) {
            let _ = translate(&formula, &SMALL);
            let _ = translate(&formula.negated(), &SMALL);
        }
    }
}

/// Automata as text.
pub fn hoa(bytes: &[u8]) {
    if let Ok(automaton) = read_hoa(&String::from_utf8_lossy(bytes)) {
        assert!(automaton.components().len() == automaton.len());
        let _ = automaton.as_buchi();
        let _ = automaton.degeneralized(&SMALL);
    }
}

/// The model that trails and descriptions are about.
const MODEL: &str = "byte x; byte who[3]; pid turn; chan c = [1] of { byte };
    active [3] proctype P() { who[_pid] = 1; turn = _pid; c!1; c?x; x = x + 1; assert(x < 2) }
    active proctype Q() { do :: x = 1 - x od } ltl p { [] (x < 2) }";

fn model() -> Model {
    model_of(MODEL).unwrap_or_else(|why| panic!("{why}"))
}

/// Trails: what is accepted fits the model and violates what it says.
pub fn trail(bytes: &[u8]) {
    let Ok(trail) = trail::read(&String::from_utf8_lossy(bytes)) else { return };
    let names = Names::new(Arc::new(model()));
    if trail::follow(&names, &trail, &mut |_| {}).is_err() {
        return;
    }
    let property = &trail.header.property;
    let Some(kind) = PropertyKind::of_word(&property.kind) else { return };
    let steps: Vec<Step> = trail.steps.iter().map(TrailStep::step).collect();
    let renaming = trail.header.renaming.as_ref().map(Into::into);
    let claimed = Claimed {
        name: &property.name,
        kind,
        automaton: None,
        fairness: trail.header.options.fairness.into(),
        steps: &steps,
        cycle: trail.header.cycle_start.and_then(|start| start.checked_sub(1)),
        unreadable: property.unreadable,
        renaming: renaming.as_ref(),
    };
    let _ = reconfirm(&names.model, &claimed);
}

/// Files that say which variables hold names.
pub fn description(bytes: &[u8]) {
    let mut model = model();
    if describe(&mut model, &String::from_utf8_lossy(bytes)).is_ok() {
        let _ = isospin_symmetry::detect(&Arc::new(model), &[]);
    }
}

/// Both machines say the same about the first states of a model.
pub fn machines(bytes: &[u8]) {
    let reading = read(Path::new("m.pml"), &Options::default(), &mut reader(bytes));
    let Ok(model) = reading.into_model() else { return };
    if let Err(why) = compare_machines(&Arc::new(model), 60) {
        panic!("{why}");
    }
}

/// Compares what the interpreter and machine code say about the first `limit` states.
fn compare_machines(model: &Arc<Model>, limit: usize) -> Result<(), String> {
    let mut interpreter = Interpreter::new(Arc::clone(model));
    // What no machine code can be made for is not compared.
    let Ok(mut native) = NativeMachine::new(Arc::clone(model)) else { return Ok(()) };
    let mut initial = Vec::new();
    if interpreter.initial(&mut initial).is_err() {
        return Ok(());
    }
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let (mut expected, mut found) = (Successors::default(), Successors::default());
    while let Some(state) = queue.pop_front() {
        let processes = interpreter.process_count(&state).min(20);
        for timeout in [false, true] {
            expected.clear();
            found.clear();
            for pid in 0..processes {
                interpreter.steps(&state, Pid::at(pid), timeout, &mut expected);
                native.steps(&state, Pid::at(pid), timeout, &mut found);
            }
            let told = |out: &Successors| -> Vec<_> {
                let failed = |fault| matches!(fault, Some(Fault::Runtime(_)));
                let list = out.list().iter();
                list.map(|s| {
                    let after = (!failed(s.fault)).then(|| out.state(s).to_vec());
                    (s.step, s.fault, s.control, after)
                })
                .collect()
            };
            let (interpreted, compiled) = (told(&expected), told(&found));
            if interpreted != compiled {
                return Err(format!("{state:?}: {interpreted:?} and {compiled:?}"));
            }
            for next in interpreted.into_iter().filter_map(|answer| answer.3) {
                if seen.len() < limit && seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
    }
    Ok(())
}
