//! What is measured: which models, with which parameters.

use std::path::{Path, PathBuf};

/// A model with its parameters.
#[derive(Clone, Debug)]
pub struct Case {
    /// How the tables call it.
    pub name: String,
    /// Where it is.
    pub file: PathBuf,
    /// Its parameters, `-DN=3` and the like.
    pub defines: Vec<String>,
}

/// Models that others wrote: small and large vectors, shallow and deep graphs, few and many
/// steps from a state.
const CORPUS: &[&str] = &[
    "spin/sort.pml",
    "beem/needham.3.pm",
    "beem/lamport_nonatomic.3.pm",
    "beem/phils.5.pm",
    "spin/Book_1991/p347.pftp.ses5.pml",
    "beem/mcs.3.pm",
    "beem/extinction.1.pm",
    "beem/blocks.3.pm",
    "beem/telephony.3.pm",
    "case-studies/SystemC-TLM/chain_goto_assert0/chain13.spin",
    "beem/rether.3.pm",
    "beem/peterson.4.pm",
    "beem/szymanski.3.pm",
    "spin/cambridge.pml",
    "beem/schedule_world.2.pm",
    "beem/leader_filters.5.pm",
    "case-studies/phils/philo.pml",
    "beem/brp.3.pm",
    "beem/firewire_link.7.pm",
    "beem/adding.4.pm",
];

/// The project's own, with parameters that make them large.
const OWN: &[(&str, &[&str])] = &[
    ("classics/readers-writers.pml", &["-DR=6"]),
    ("reduction/pairs.pml", &["-DN=7"]),
    ("symmetry/base-station-channels.pml", &["-DM=2"]),
    ("classics/leader.pml", &["-DN=6"]),
    ("classics/bakery.pml", &["-DN=3"]),
    ("classics/philosophers.pml", &["-DN=11"]),
];

/// Families of which a small and a large member are compared.
const FAMILIES: &[(&str, &str, &str)] = &[
    ("classics/philosophers.pml", "-DN=9", "-DN=12"),
    ("symmetry/database-manager.pml", "-DN=10", "-DN=13"),
];

/// Formulas of the project's own models.
const FORMULAS: &[(&str, &[&str], &str)] = &[
    ("classics/two-phase-commit.pml", &["-DN=5"], "decided"),
    ("timed/train-gate.pml", &["-DTRAINS=3"], "time_passes"),
    ("symmetry/database-manager.pml", &["-DN=9"], "answered"),
    ("classics/readers-writers.pml", &["-DR=6"], "writer_waits"),
    ("classics/philosophers.pml", &["-DN=9"], "someone_eats"),
    ("classics/leader.pml", &["-DN=6"], "elected"),
    ("classics/bakery.pml", &["-DN=3"], "mutex"),
];

/// Formulas that hold, to be compared with reachability of the same product.
const PRODUCTS: &[(&str, &[&str], &[&str])] = &[
    (
        "symmetry/database-manager.pml",
        &["-DN=9"],
        &["[] (reserved -> <> !reserved)", "[] <> !reserved", "<> [] (len(inbox[0]) <= 1)"],
    ),
    (
        "classics/philosophers.pml",
        &["-DN=8"],
        &[
            "[] (eating == 0 -> <> (eating > 0))",
            "[] <> (eating > 0)",
            "<> [] (eating < 5)",
            "[] <> (eating == 0) -> [] <> (eating > 0)",
        ],
    ),
    (
        "symmetry/peterson-n.pml",
        &["-DN=4"],
        &["[] (inside == 2 -> <> (inside == 0))", "[] <> (inside <= 1)", "<> [] (inside <= 1)"],
    ),
    (
        "classics/leader.pml",
        &["-DN=6"],
        &[
            "[] (leaders == 0 -> <> (leaders == 1))",
            "[] <> (leaders == 1)",
            "<> [] (leaders == 1)",
            "[] <> (leaders <= 1) -> [] <> (leaders == 1)",
        ],
    ),
];

/// The same, of a model that others wrote.
const CORPUS_PRODUCTS: &[(&str, &[&str])] = &[(
    "beem/extinction.1.pm",
    &[
        "[] (leaders_num == 2 -> <> (leaders_num == 0))",
        "[] <> (leaders_num <= 1)",
        "<> [] (leaders_num <= 1)",
    ],
)];

/// How many models of a list are measured with `--quick`: they are sorted by size.
const QUICK: usize = 3;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn own(file: &str, defines: &[&str]) -> Case {
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".pml");
    Case {
        name: [&[stem], defines].concat().join(" "),
        file: root().join("models").join(file),
        defines: defines.iter().map(|d| d.to_string()).collect(),
    }
}

fn take<T>(list: Vec<T>, quick: bool) -> Vec<T> {
    let count = if quick { QUICK } else { list.len() };
    list.into_iter().take(count).collect()
}

/// The models for safety, and a notice for each that is missing.
pub fn safety(filter: &str, quick: bool) -> (Vec<Case>, Vec<String>) {
    let corpus = root().join("../shared/corpus");
    let mut notices = Vec::new();
    let mut cases = Vec::new();
    if corpus.is_dir() {
        for name in CORPUS {
            let file = corpus.join(name);
            if file.is_file() {
                cases.push(Case {
                    name: name.rsplit('/').next().unwrap_or(name).to_owned(),
                    file,
                    defines: Vec::new(),
                })
            } else {
                notices.push(format!("{name}: not in the corpus"))
            }
        }
    } else {
        notices
            .push("there is no corpus beside the checkout: only the project's own models".into());
    }
    let mut cases = take(cases, quick);
    cases.extend(take(OWN.iter().map(|(f, d)| own(f, d)).collect(), quick));
    cases.retain(|case| case.name.contains(filter));
    (cases, notices)
}

/// A small and a large member of each family.
pub fn families(filter: &str) -> Vec<(Case, Case)> {
    let pairs = FAMILIES.iter().map(|(f, small, large)| (own(f, &[small]), own(f, &[large])));
    pairs.filter(|(small, _)| small.name.contains(filter)).collect()
}

/// Models with formulas that hold of them.
pub fn products(filter: &str, quick: bool) -> Vec<(Case, &'static [&'static str])> {
    let list: Vec<_> = PRODUCTS.iter().map(|(f, d, formulas)| (own(f, d), *formulas)).collect();
    let mut list = take(list, quick);
    for &(name, formulas) in CORPUS_PRODUCTS {
        let file = root().join("../shared/corpus").join(name);
        if file.is_file() && !quick {
            let name = name.rsplit('/').next().unwrap_or(name).to_owned();
            list.push((Case { name, file, defines: Vec::new() }, formulas));
        }
    }
    list.retain(|(case, _)| case.name.contains(filter));
    list
}

/// Models with the name of one of their formulas.
pub fn formulas(filter: &str, quick: bool) -> Vec<(Case, &'static str)> {
    let list = FORMULAS.iter().map(|(f, d, formula)| (own(f, d), *formula)).collect();
    let mut list = take(list, quick);
    list.retain(|(case, _)| case.name.contains(filter));
    list
}
