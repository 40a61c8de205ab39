//! Both machines agree on real models, as written and optimised.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::{compare, Bounds, Looked};
use isospin_analysis::optimize::{optimize, Optimizations};
use isospin_model::Model;
use isospin_promela::Options;

/// A code generator that was built without optimisation is slow: then only some models are tried.
const EVERY: usize = if cfg!(debug_assertions) { 8 } else { 1 };

const BOUNDS: Bounds = Bounds { states: 700, processes: 255 };

fn read(path: &Path) -> Option<Model> {
    isospin_promela::read(path, &Options::default(), &mut |p| std::fs::read(p)).model
}

/// Every file below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

fn check_folder(folder: &Path) {
    let mut all = Looked::default();
    let mut models = 0;
    let mut wrong = Vec::new();
    for path in files(folder).into_iter().step_by(EVERY) {
        let Some(model) = read(&path) else {
            continue;
        };
        models += 1;
        let mut optimized = model.clone();
        optimize(&mut optimized, &[], Optimizations::ALL);
        let looked = compare(Arc::new(optimized), BOUNDS);
        match looked.and_then(|_| compare(Arc::new(model), BOUNDS)) {
            Ok(looked) => {
                if looked.interpreted > 0 {
                    println!(
                        "{}: {} of {} locations are left to the interpreter",
                        path.display(),
                        looked.interpreted,
                        looked.locations
                    );
                }
                all.states += looked.states;
                all.successors += looked.successors;
                all.rendezvous += looked.rendezvous;
            }
            Err(difference) => wrong.push(format!("{}: {difference}", path.display())),
        }
    }
    println!("{}: {models} models, {all:?}", folder.display());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_machines_agree_on_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !corpus.is_dir() {
        println!("there is no corpus at {}: nothing to compare", corpus.display());
        return;
    }
    check_folder(&corpus);
}

#[test]
fn both_machines_agree_on_our_own_models() {
    check_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"));
}
