//! Random models of processes that differ in nothing but their names, some with one thing planted
//! that tells them apart.
//!
//! What a variable holds shows in its name: `_n` ends those that hold names, `_d` those that hold
//! numbers, `_t` channels of messages whose first field tells what the second one is; what starts
//! with `a` or `b` is indexed by names. [`orbits`](crate::orbits) counts on that.

mod bodies;
mod plants;
mod statements;
mod truths;

use crate::rng::Rng;
use crate::tree::{Piece, Text};
use plants::{MIXED, PLANTS};

/// A random model and what is known of it.
#[derive(Clone, Debug)]
pub struct Symmetric {
    /// Its text.
    pub text: Text,
    /// How many names there are.
    pub names: usize,
    /// Whether variables hold what their names say.
    pub counts: bool,
    /// What was planted, if something was.
    pub planted: Option<&'static str>,
}

/// The model of a seed.
pub fn symmetric(seed: u64) -> Symmetric {
    let mut rng = Rng::new(seed);
    let names = *rng.pick(&[2, 2, 3, 3, 3, 4]);
    let mut gen = Gen {
        names,
        nobody: ["NOBODY", "NOBODY", "255"][rng.below(3)],
        actives: rng.chance(35),
        family2: rng.chance(25),
        server: rng.chance(30),
        array_d: rng.chance(60),
        array_n: rng.chance(40),
        channel: rng.chance(35),
        tagged: rng.chance(35),
        inboxes: rng.chance(35),
        rendezvous: rng.chance(30),
        own: rng.chance(10),
        timers: rng.chance(12),
        unless: rng.chance(20),
        timeout: rng.chance(20),
        ends: rng.chance(50),
        loops: rng.chance(50),
        rough: rng.chance(20),
        handed: rng.chance(15),
        ring: rng.chance(12),
        token: false,
        others: rng.chance(12),
        data: rng.chance(12),
        truths: rng.chance(40),
        width: ["byte", "byte", "byte", "byte", "short", "int", "pid"][rng.below(7)],
        early: false,
        plant: None,
        served: false,
        rng,
    };
    gen.model()
}

struct Gen {
    rng: Rng,
    names: usize,
    /// What stands for nobody.
    nobody: &'static str,
    /// Process numbers are the names; otherwise a parameter of `run` is.
    actives: bool,
    /// A second type of processes with the same names.
    family2: bool,
    /// A process without a name.
    server: bool,
    array_d: bool,
    array_n: bool,
    channel: bool,
    tagged: bool,
    inboxes: bool,
    rendezvous: bool,
    /// Processes have channels of their own, and tell others.
    own: bool,
    timers: bool,
    unless: bool,
    timeout: bool,
    ends: bool,
    loops: bool,
    /// Loops whose order may count.
    rough: bool,
    /// Processes are handed their channels.
    handed: bool,
    /// Processes look at their neighbours.
    ring: bool,
    /// Something goes round among them.
    token: bool,
    /// A second set of names.
    others: bool,
    /// A declared set of names that no process has.
    data: bool,
    /// Truth values are used as numbers.
    truths: bool,
    /// The type of variables that hold names.
    width: &'static str,
    /// Processes may run, and end, before all are there.
    early: bool,
    plant: Option<&'static str>,
    /// The process at hand has no name.
    served: bool,
}

impl Gen {
    fn model(&mut self) -> Symmetric {
        let mut planted = None;
        if self.rng.chance(40) {
            let (what, statement) = *self.rng.pick(&PLANTS);
            self.array_d |= statement.contains("a_d");
            self.channel |= statement.contains("c_n");
            self.inboxes |= statement.contains("b_n");
            planted = Some(what);
            self.plant = Some(statement);
        }
        if self.actives {
            (self.family2, self.handed, self.others) = (false, false, false);
        }
        self.inboxes |= self.handed;
        self.array_d |= self.ring;
        let width = self.width;
        let n = self.names;
        let mut pieces = vec![
            Piece::line(format!("#define N {n}")),
            Piece::line("#define NOBODY N"),
            Piece::line("mtype = { carries_name, carries_number };"),
        ];
        let start = if self.rng.chance(60) { self.nobody } else { "0" };
        pieces.push(Piece::line(format!("{width} g_n = {start};")));
        pieces.push(Piece::line("byte g_d;"));
        self.token = self.ring && self.rng.chance(60);
        if self.token {
            // Goes round among the names, and never stands for nobody.
            pieces.push(Piece::line(format!("{width} t_n;")));
        }
        if self.array_d {
            pieces.push(Piece::line("byte a_d[N];"));
        }
        if self.array_n {
            pieces.push(Piece::line(format!("byte a_n[N] = {};", self.nobody)));
        }
        let capacity = self.rng.between(1, 2);
        if self.channel {
            pieces.push(Piece::line(format!("chan c_n = [{capacity}] of {{ byte }};")));
        }
        if self.tagged {
            pieces.push(Piece::line(format!("chan c_t = [{capacity}] of {{ mtype, byte }};")));
        }
        if self.inboxes {
            pieces.push(Piece::line("chan b_n[N] = [1] of { byte };"));
        }
        if self.rendezvous {
            pieces.push(Piece::line("chan r_n = [0] of { byte };"));
        }
        if self.own {
            pieces.push(Piece::line("chan c_c = [1] of { chan };"));
        }
        let mut types = vec!["P"];
        if self.family2 {
            types.push("Q");
        }
        for ty in types {
            let head = if self.actives {
                format!("active [N] proctype {ty}() {{")
            } else if self.handed {
                format!("proctype {ty}(byte me; chan in_c) {{")
            } else {
                format!("proctype {ty}(byte me) {{")
            };
            let provided = match self.rng.below(12) {
                0 => "provided (g_d != 2) {",
                1 if self.actives => "provided (g_n != _pid) {",
                _ => "{",
            };
            let head = head.replace('{', provided);
            let body = self.body(ty == "P");
            pieces.push(Piece::group(head, body, "}"));
        }
        if self.actives {
            pieces.insert(0, Piece::line("#define me _pid"));
        }
        if self.server {
            self.served = true;
            let head = if self.actives { "active proctype S() {" } else { "proctype S() {" };
            let body = self.body(false);
            pieces.push(Piece::group(head, body, "}"));
        }
        if self.others {
            pieces.push(Piece::line("byte h_m = 255; byte e_d[2];"));
            let body = self.other_body();
            pieces.push(Piece::group("proctype R(byte it) {", body, "}"));
        }
        if self.data {
            pieces.extend(scalarsets(self.rng.between(2, 3)));
            let body = self.data_body();
            pieces.push(Piece::group("active proctype D() {", body, "}"));
        }
        if !self.actives {
            let runs = self.starts();
            pieces.push(runs);
        }
        // Orbits are counted by what names are for; a token that nobody reads is for nothing.
        let counts = !self.others
            && !self.data
            && !self.token
            && !self.plant.is_some_and(|p| MIXED.contains(&p));
        Symmetric { text: Text { pieces }, names: n, counts, planted }
    }

    fn starts(&mut self) -> Piece {
        let mut runs = Vec::new();
        if self.server && self.rng.chance(50) {
            runs.push("run S();".to_owned());
            self.server = false;
        }
        for k in 0..self.names {
            runs.push(if self.handed {
                format!("run P({k}, b_n[{k}]);")
            } else {
                format!("run P({k});")
            });
        }
        if self.family2 {
            runs.extend((0..self.names).map(|k| {
                if self.handed {
                    format!("run Q({k}, b_n[{k}]);")
                } else {
                    format!("run Q({k});")
                }
            }));
        }
        if self.others {
            runs.extend((0..2).map(|k| format!("run R({k});")));
        }
        if self.server {
            runs.push("run S();".to_owned());
        }
        self.early = self.rng.chance(8);
        let open = if self.early { "{" } else { "atomic {" };
        let atomic = Piece::group(open, runs.into_iter().map(Piece::line).collect(), "}");
        Piece::group("init {", vec![atomic], "}")
    }
}

/// A set of `n` names that is declared, for Spin as bytes, and what holds them.
fn scalarsets(n: usize) -> impl Iterator<Item = Piece> {
    let lines = [
        "#ifndef __ISOSPIN__".to_owned(),
        "#define scalarset(set, n) byte".to_owned(),
        "#endif".to_owned(),
        format!("#define K {n}"),
        "scalarset(Datum, K) k_v = 255; byte k_d[K];".to_owned(),
    ];
    lines.into_iter().map(Piece::line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isospin::model_of;

    #[test]
    fn symmetric_models_are_read() {
        for seed in 0..300 {
            let text = symmetric(seed).text.to_string();
            model_of(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        }
    }
}
