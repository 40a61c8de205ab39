//! Every model of the project goes through every command.

use std::path::{Path, PathBuf};

use super::support::Folder;

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        for path in entries.flatten().map(|e| e.path()) {
            match path.extension() {
                Some(e) if e == "pml" => found.push(path),
                _ if path.is_dir() => folders.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_model_is_checked_shown_and_simulated_and_every_violation_is_replayed() {
    let folder = Folder::new();
    for path in models() {
        let model = path.to_str().expect("a name in UTF-8");
        let limits = ["--time", "200ms", "--trail", "trail", "--machine", "interpreter"];
        let mut args = vec!["check", "--safety", "--verify-model", "-q", model];
        args.extend(limits);
        let run = folder.run(&args);
        assert!([0, 1, 3].contains(&run.status), "{model}: {run:?}");
        if run.status == 1 {
            for how in ["--msc", "--json", "-q"] {
                let run = folder.run(&["replay", "trail", how]);
                assert_eq!(run.status, 0, "{model}: {run:?}");
            }
        }
        for args in [
            &["show", "model", "-q"][..],
            &["show", "model", "--optimized", "-q"],
            &["show", "automata", "-q"],
            &["show", "layout", "--json", "-q"],
            &["show", "dependencies", "-q"],
            &["show", "dependencies", "--json", "-q"],
            &["show", "dependencies", "--dot", "-q"],
            &["sim", "-q", "--seed", "1", "--steps", "200", "-p", "-m", "--msc"],
        ] {
            let mut args = args.to_vec();
            args.push(model);
            let run = folder.run(&args);
            assert!(run.status < 2, "{model} {args:?}: {run:?}");
        }
    }
}
