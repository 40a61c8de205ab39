//! Random formulas over the variables and channels of a random model.

use crate::rng::Rng;

/// A formula about a model that is given as text; none where there is nothing to speak about.
/// Formulas with `X` are rare, as they rule out most of what is compared.
pub fn formula(rng: &mut Rng, text: &str) -> Option<String> {
    let atoms = atoms(text);
    if atoms.is_empty() {
        return None;
    }
    let next = rng.chance(10);
    let depth = rng.between(1, 3);
    Some(term(rng, &atoms, depth, next))
}

/// A formula that may ask for `timeout`, for progress, or for what cannot be evaluated everywhere.
pub fn odd_formula(rng: &mut Rng, text: &str) -> Option<String> {
    let mut atoms = atoms(text);
    let odd = ["timeout", "np_", "(a[g0] == 1)", "(2 / g1 > 0)", "(g0 < 2 && a[g0] == 0)"];
    // Else they would be one among many.
    for _ in 0..3 {
        atoms.extend(
            odd.iter()
                .filter(|a| !a.contains("a[") || text.contains("a[2]"))
                .map(|a| a.to_string()),
        );
    }
    let depth = rng.between(1, 3);
    Some(term(rng, &atoms, depth, false))
}

/// A formula that says that something comes about, which often takes fairness.
pub fn promise(rng: &mut Rng) -> String {
    let sign = |rng: &mut Rng| {
        let (name, value) = (*rng.pick(&["g0", "g2"]), rng.below(2));
        format!("({name} == {value})")
    };
    let (p, q) = (sign(rng), sign(rng));
    match rng.below(5) {
        0 => format!("<> {}", rng.pick(&["(g0 == 1)", "(g2 == 1)"])),
        1 => format!("[] <> {p}"),
        2 => format!("[] ({p} -> <> {q})"),
        3 => format!("[] <> {p} -> [] <> {q}"),
        _ => format!("! (<> [] {p})"),
    }
}

/// Conditions about a model that is given as text.
pub(crate) fn atoms(text: &str) -> Vec<String> {
    let mut atoms = Vec::new();
    let declared = |name: &str| {
        text.lines().any(|line| {
            !line.starts_with(' ')
                && line.split([' ', ';', '=']).any(|word| word == name)
                && !line.contains('(')
        })
    };
    for name in ["g0", "g1", "g2", "g_d"].into_iter().filter(|n| declared(n)) {
        for value in 0..3 {
            atoms.push(format!("({name} == {value})"));
        }
        atoms.push(format!("({name} > 1)"));
    }
    for name in ["c0", "cc", "c_n", "c_t"].into_iter().filter(|n| declared(n)) {
        atoms.push(format!("(len({name}) > 0)"));
    }
    // Formulas about names leave less symmetry, or none.
    for (name, about) in [("g_n", "(g_n == 0)"), ("a_d[N]", "(a_d[0] > a_d[1])")] {
        if declared(name) {
            atoms.push(about.to_owned());
        }
    }
    // Where a process stands: labels that are in a process type which is there from the start.
    let mut process = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("active proctype ") {
            process = rest.split('(').next();
        } else if !line.starts_with(' ') {
            process = None;
        }
        let label = line.trim().split(": ").next().filter(|l| line.contains(&format!("{l}: ")));
        if let (Some(process), Some(label)) = (process, label) {
            if label.chars().all(|c| c.is_ascii_alphanumeric()) && !label.is_empty() {
                atoms.push(format!("({process}@{label})"));
            }
        }
    }
    atoms
}

fn term(rng: &mut Rng, atoms: &[String], depth: usize, next: bool) -> String {
    if depth == 0 || rng.chance(10) {
        return rng.pick(atoms).clone();
    }
    let sub = |rng: &mut Rng| term(rng, atoms, depth - 1, next);
    let next = usize::from(next) * 3;
    match rng.weighted(&[
        (3, 0),
        (4, 1),
        (4, 2),
        (2, 3),
        (2, 4),
        (2, 5),
        (3, 6),
        (1, 7),
        (1, 8),
        (next, 9),
    ]) {
        0 => format!("(!{})", sub(rng)),
        1 => format!("([] {})", sub(rng)),
        2 => format!("(<> {})", sub(rng)),
        3 => format!("({} && {})", sub(rng), sub(rng)),
        4 => format!("({} || {})", sub(rng), sub(rng)),
        5 => format!("({} -> {})", sub(rng), sub(rng)),
        6 => format!("({} U {})", sub(rng), sub(rng)),
        7 => format!("({} W {})", sub(rng), sub(rng)),
        8 => format!("({} V {})", sub(rng), sub(rng)),
        _ => format!("(X {})", sub(rng)),
    }
}
