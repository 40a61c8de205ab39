//! Explored as sets of states and state by state, models have the same states, and the same states
//! in which nothing can happen.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_lists::{explore, Exploration, Options, Strategy};
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::{check_safety, SearchResult, ViolationKind};

/// However slow the machine is, a test ends.
const TIME: Duration = Duration::from_secs(40);

fn read(path: &Path) -> Option<Arc<Model>> {
    let mut files = |path: &Path| std::fs::read(path);
    let reading = isospin_promela::read(path, &Default::default(), &mut files);
    reading.into_model().ok().map(Arc::new)
}

/// State by state, without reductions; nothing for models that are large.
fn explicit(model: &Arc<Model>) -> Option<SearchResult> {
    let options = isospin_search::Options {
        errors: 0,
        trails: 1000,
        time: Some(Duration::from_secs(2)),
        ..Default::default()
    };
    let result = check_safety(|| Interpreter::new(Arc::clone(model)), &options, &mut |_| {});
    (result.exhausted && result.states < 20_000).then_some(result)
}

fn symbolic(model: &Arc<Model>, strategy: Strategy) -> Exploration {
    let time = Some(Duration::from_secs(30));
    let options = Options { strategy, first_only: false, time, trails: 1000, ..Options::default() };
    explore(|| Interpreter::new(Arc::clone(model)), &options, &mut |_| {})
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| ["pml", "pm", "prm"].iter().any(|x| e == *x)) {
            found.push(path);
        }
    }
    found.sort();
}

fn agree(folder: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    models(&folder, &mut found);
    if found.is_empty() {
        println!("skipped: {} is not there", folder.display());
        return;
    }
    let (start, mut compared) = (Instant::now(), 0);
    for path in found {
        if start.elapsed() > TIME {
            println!("the time is up");
            break;
        }
        let Some(model) = read(&path) else { continue };
        let Some(exact) = explicit(&model) else { continue };
        let strategies = [Strategy::BreadthFirst, Strategy::Chaining, Strategy::Saturation];
        for strategy in strategies {
            let sets = symbolic(&model, strategy);
            let place = format!("{} {strategy:?}", path.display());
            if sets.incomplete.is_some() {
                println!("{place}: not explored in time");
                continue;
            }
            assert_eq!(sets.states.as_u64(), Some(exact.states), "{place}");
            assert_eq!(sets.met, exact.errors > 0, "{place}");
            let kinds = |violations: &[isospin_search::Violation], dead: bool| {
                let is_dead = |k: ViolationKind| k == ViolationKind::EndState;
                violations.iter().filter(|v| is_dead(v.kind) == dead).count()
            };
            let expected = kinds(&exact.violations, true).min(1);
            assert_eq!(kinds(&sets.violations, true), expected, "{place}");
            assert!(!sets.wide, "{place}: steps look at more than was known");
        }
        compared += 1;
    }
    println!("{compared} models agree");
    assert!(compared >= least || start.elapsed() > TIME, "{compared} models");
}

#[test]
fn the_models_of_the_project_have_the_same_states_either_way() {
    agree("../../models", 30);
    agree("../conformance/models", 1);
}

#[test]
fn the_models_of_the_corpus_have_the_same_states_either_way() {
    agree("../../../shared/corpus", 50);
}
