//! Explored as sets of states and state by state, models have the same states.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use isospin_lists::{explore, Exploration, Options, Strategy};
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::{check_safety, SearchResult};

fn read(path: &Path) -> Option<Arc<Model>> {
    let mut files = |path: &Path| std::fs::read(path);
    let reading = isospin_promela::read(path, &Default::default(), &mut files);
    reading.into_model().ok().map(Arc::new)
}

fn explicit(model: &Arc<Model>) -> SearchResult {
    let options = isospin_search::Options {
        errors: 0,
        assertions: false,
        time: Some(Duration::from_secs(5)),
        ..Default::default()
    };
    check_safety(|| Interpreter::new(Arc::clone(model)), &options, &mut |_| {})
}

fn symbolic(model: &Arc<Model>, strategy: Strategy) -> Exploration {
    let time = Some(Duration::from_secs(20));
    let options = Options { strategy, first_only: false, time, ..Options::default() };
    explore(|| Interpreter::new(Arc::clone(model)), &options, &mut |_| {})
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| e == "pml") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn the_models_of_the_project_have_the_same_states_either_way() {
    let mut found = Vec::new();
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut found);
    if let Ok(extra) = std::env::var("MODELS") {
        found.clear();
        models(Path::new(&extra), &mut found);
    }
    let mut wrong = Vec::new();
    for path in found {
        let Some(model) = read(&path) else { continue };
        let exact = explicit(&model);
        if !exact.exhausted || exact.states > 300_000 {
            continue;
        }
        let mut line = format!("{} {}", path.display(), exact.states);
        for strategy in [Strategy::BreadthFirst, Strategy::Chaining, Strategy::Saturation] {
            let sets = symbolic(&model, strategy);
            let n = sets.state_nodes;
            line += &format!(
                " | {:?} {} s={} g={} n={n} {:?} v={} w={}",
                strategy,
                sets.states,
                sets.slots,
                sets.groups,
                sets.time,
                sets.violations.len(),
                sets.wide
            );
            if sets.exhausted && sets.states.to_string() != exact.states.to_string() {
                wrong.push(format!(
                    "{} {strategy:?} {} != {}",
                    path.display(),
                    sets.states,
                    exact.states
                ));
            }
        }
        println!("{line}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
