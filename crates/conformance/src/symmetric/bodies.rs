//! Bodies of processes: sequences, choices, loops.

use super::Gen;
use crate::tree::Piece;

impl Gen {
    /// A process with another kind of name.
    pub(super) fn other_body(&mut self) -> Vec<Piece> {
        let mut options = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let guard = *self.rng.pick(&[
                "h_m == 255 -> h_m = it;",
                "h_m == it -> h_m = 255;",
                "h_m != it && h_m != 255 -> e_d[h_m] = 1;",
                "e_d[it] == 1 -> e_d[it] = 0; g_d = 1;",
                "g_n == NOBODY -> e_d[it] = 1;",
                "atomic { h_m == it && g_d == 1 -> assert(e_d[it] == 0); h_m = 255; };",
                "atomic { g_d == 0; select(l_m : 0 .. 1); e_d[l_m] = 1; l_m = 255; };",
            ]);
            options.push(Piece::line(format!(":: {guard}")));
        }
        options.push(Piece::line(":: (h_m == it && e_d[it] == 0);"));
        vec![Piece::line("byte l_m = 255;"), Piece::group("do", options, "od;")]
    }

    /// A process that has names as data.
    pub(super) fn data_body(&mut self) -> Vec<Piece> {
        let mut options = Vec::new();
        for _ in 0..self.rng.between(2, 4) {
            let guard = *self.rng.pick(&[
                "mine != 255 && k_d[mine] == 0 -> k_d[mine] = 1;",
                "mine != 255 && k_d[mine] == 1 -> k_d[mine] = 0; mine = 255;",
                "k_v == 255 && mine != 255 -> k_v = mine;",
                "k_v != 255 && k_v == mine -> k_v = 255;",
                "k_v != 255 && k_v != mine -> mine = k_v; g_d = 1;",
                "atomic { mine != 255 && g_d == 1 -> assert(k_d[mine] == 0 || k_v == mine); };",
                "g_n == NOBODY -> k_v = 255;",
            ]);
            options.push(Piece::line(format!(":: {guard}")));
        }
        options.push(Piece::line(":: atomic { mine == 255; select(mine : 0 .. K - 1); };"));
        let declaration = Piece::line("scalarset(Datum, K) mine = 255;");
        vec![declaration, Piece::group("do", options, "od;")]
    }

    pub(super) fn body(&mut self, plants: bool) -> Vec<Piece> {
        let width = self.width;
        let mut inner = vec![Piece::line(format!("{width} l_n = NOBODY; byte l_d; byte i;"))];
        if self.own && !self.served {
            inner.push(Piece::line("chan o_n = [1] of { byte }; chan h_c;"));
        }
        if self.timers {
            inner.push(Piece::line("timer t_d;"));
        }
        let declarations = inner.len();
        for _ in 0..self.rng.between(0, 2) {
            let statement = self.statement(2);
            inner.push(statement);
        }
        let forever = self.rng.chance(60) || self.timers || self.own;
        let mut options = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let mut inner = vec![self.guard()];
            inner.extend((0..self.rng.below(3)).map(|_| self.statement(1)));
            options.push(Piece::group("::", inner, ""));
        }
        if !forever {
            options.push(Piece::group("::", vec![self.guard(), Piece::line("break;")], ""));
        }
        if plants {
            // Whatever else happens, these hold names or are indexed by them.
            let a_d = if self.array_d { " && a_d[me] != 7" } else { "" };
            let a_n = if self.array_n { " && a_n[me] != g_n" } else { "" };
            let condition = Piece::line(format!("(g_n == me{a_d}{a_n});"));
            options.push(Piece::group("::", vec![condition], ""));
        }
        if self.handed && !self.served {
            options.push(Piece::line(":: (len(in_c) == 3);"));
        }
        let mut planted = self.plant.filter(|_| plants).map(Piece::line);
        if let Some(statement) = planted.take_if(|_| self.rng.chance(50)) {
            options.push(Piece::group("::", vec![statement], ""));
        }
        let label = if plants { "here: " } else { "" };
        let end = if self.rng.chance(70) { "end_here: " } else { "" };
        inner.push(Piece::group(format!("{end}{label}do"), options, "od;"));
        if let Some(statement) = planted {
            let at = self.rng.between(declarations, inner.len() - 1);
            inner.insert(at, statement);
        }
        if !forever && self.ends && self.rng.chance(50) {
            let statement = self.statement(1);
            inner.push(statement);
        }
        inner
    }

    fn statement(&mut self, depth: usize) -> Piece {
        let deep = usize::from(depth > 0);
        let (unless, loops) = (usize::from(self.unless), usize::from(self.loops));
        match self.rng.weighted(&[
            (5, 0),
            (2, 1),
            (3 * deep, 2),
            (2 * deep, 3),
            (3 * deep, 4),
            (2 * deep * unless, 5),
            (3 * loops, 6),
            (1, 7),
        ]) {
            0 => self.effect(),
            1 => self.guard(),
            2 => {
                let inner = vec![self.guard(), self.effect(), self.statement(depth - 1)];
                Piece::group("atomic {", inner, "};")
            }
            3 => {
                let first = Piece::line(format!("({});", self.condition()));
                Piece::group("d_step {", vec![first, self.effect(), self.effect()], "};")
            }
            4 => {
                let first = Piece::group("::", vec![self.guard(), self.statement(depth - 1)], "");
                let second = if self.rng.chance(50) {
                    Piece::line(":: else")
                } else {
                    Piece::group("::", vec![self.guard(), self.effect()], "")
                };
                Piece::group("if", vec![first, second], "fi;")
            }
            5 => {
                let inner = vec![self.effect(), self.statement(depth - 1), self.guard()];
                let main = Piece::group("{", inner, "} unless {");
                let escape = vec![self.guard(), self.effect()];
                Piece::group("{", vec![main, Piece::group("", escape, "}")], "};")
            }
            6 => self.each(),
            _ => {
                let after = self.effect();
                let select = Piece::line("select(l_n : 0 .. N - 1);");
                let name = if self.served { "g_n" } else { "me" };
                let use_it = format!("if :: (l_n == {name}) -> l_d = 1; :: else -> skip; fi;");
                Piece::group("atomic {", vec![select, Piece::line(use_it), after], "};")
            }
        }
    }

    /// A loop over all names.
    fn each(&mut self) -> Piece {
        let value = self.rng.below(3);
        let other = self.rng.below(3);
        let mut bodies = vec![format!("if :: i != g_n -> skip; :: else -> l_d = {value}; fi")];
        if self.array_d {
            bodies.push(format!("a_d[i] = {value};"));
            bodies
                .push(format!("if :: a_d[i] == {value} -> a_d[i] = {other}; :: else -> skip; fi"));
            bodies.push(format!("if :: a_d[i] == {value} -> l_d = {other}; :: else -> skip; fi"));
            bodies.push("a_d[i] = (a_d[i] + 1) % 3;".to_owned());
            if !self.served {
                bodies.push(format!("if :: i != me -> a_d[i] = {value}; :: else -> skip; fi"));
            }
        }
        if self.array_n {
            bodies.push("a_n[i] = g_n;".to_owned());
            bodies.push(format!("a_n[i] = {};", self.nobody));
            bodies
                .push("if :: a_n[i] == i -> a_n[i] = NOBODY; :: else -> a_n[i] = i; fi".to_owned());
        }
        if self.inboxes {
            let sent = if self.served { "g_n" } else { "me" };
            bodies.push(format!("if :: nfull(b_n[i]) -> b_n[i]!{sent}; :: else -> skip; fi"));
            bodies.push("if :: nempty(b_n[i]) -> b_n[i]?_; :: else -> skip; fi".to_owned());
            if !self.served {
                bodies.push("if :: i != me -> b_n[i]!me; :: else -> skip; fi".to_owned());
            }
            bodies.push(format!("b_n[i]!{sent};"));
        }
        let mut body = self.rng.pick(&bodies).clone();
        if self.rough {
            bodies.push("l_n = i;".to_owned());
            bodies.push(format!("g_d = {value};"));
            bodies.push("l_d = l_d + 1;".to_owned());
            bodies.push("if :: i == g_n -> g_d = 1; :: else -> skip; fi".to_owned());
            bodies.push(format!("if :: g_d == {value} -> g_d = {other}; :: else -> skip; fi"));
            if self.array_d {
                bodies.push("if :: l_d == 0 -> a_d[i] = 1; l_d = 1; :: else -> skip; fi".into());
                bodies.push(format!("l_d = a_d[i]; a_d[i] = {value};"));
                if !self.served {
                    let set = format!("a_d[i] = {value};");
                    bodies.push(format!("if :: a_d[me] == 0 -> {set} :: else -> skip; fi"));
                    bodies.push("a_d[i] = a_d[me];".to_owned());
                }
            }
            if self.array_n {
                bodies.push("if :: a_n[i] == g_n -> g_n = i; :: else -> skip; fi".to_owned());
            }
            if self.channel {
                bodies.push("if :: nfull(c_n) -> c_n!i; :: else -> skip; fi".to_owned());
            }
            let second = self.rng.pick(&bodies).clone();
            body = format!("{body} ; {second}").replace(";;", ";").replace("; ;", ";");
        }
        let kind = *self.rng.pick(&["atomic {", "atomic {", "d_step {"]);
        let inner = Piece::line(format!("for (i : 0 .. N - 1) {{ {body} }} i = 0;"));
        let mut all = Vec::new();
        if kind == "d_step {" || self.rng.chance(30) {
            all.push(Piece::line(format!("({});", self.condition())));
        }
        all.push(inner);
        Piece::group(kind, all, "};")
    }
}
