//! What a model declares: variables, channels, macros.

use super::Gen;
use crate::tree::Piece;

/// A type of variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u8),
    Mtype,
    Chan,
}

impl Ty {
    /// The declaration of a variable of this type.
    pub fn declare(self, name: &str) -> String {
        match self {
            Ty::Bit => format!("bit {name}"),
            Ty::Bool => format!("bool {name}"),
            Ty::Byte => format!("byte {name}"),
            Ty::Short => format!("short {name}"),
            Ty::Int => format!("int {name}"),
            Ty::Unsigned(bits) => format!("unsigned {name} : {bits}"),
            Ty::Mtype => format!("mtype {name}"),
            Ty::Chan => format!("chan {name}"),
        }
    }

    /// Whether every value of a message field of this type can be kept in a variable of type
    /// `var`. A truth value that is a message's only field is a whole byte to Spin.
    pub fn fits_into(self, var: Ty, alone: bool) -> bool {
        match self {
            Ty::Bit | Ty::Bool if !alone => true,
            Ty::Short => matches!(var, Ty::Short | Ty::Int),
            Ty::Int => var == Ty::Int,
            _ => !matches!(var, Ty::Bit | Ty::Bool | Ty::Unsigned(2)),
        }
    }
}

/// A variable. A `#` in its text stands for an index below `len`.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub text: String,
    pub ty: Ty,
    pub len: usize,
}

/// A channel. A `#` in its text stands for an index below `len`.
#[derive(Clone, Debug)]
pub(super) struct Chan {
    pub text: String,
    pub capacity: usize,
    pub fields: Vec<Ty>,
    pub len: usize,
    /// Whether it is a variable, so that it may be another channel, and a rendez-vous.
    pub varies: bool,
}

/// A process type that the rest of the model may start or look at.
#[derive(Clone, Debug)]
pub(super) struct Proc {
    pub name: String,
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// The numbers of its processes that are there from the start.
    pub pids: Vec<usize>,
    pub locals: Vec<Var>,
    pub labels: Vec<String>,
}

/// Everything that is global.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    pub vars: Vec<Var>,
    pub chans: Vec<Chan>,
    pub procs: Vec<Proc>,
    /// Macros that stand for a condition.
    pub conditions: Vec<String>,
    /// Whether there is a channel of records.
    pub record_messages: bool,
    /// Inlines: a name, and whether it takes a variable and a value.
    pub inlines: Vec<String>,
}

/// The names of the symbolic type.
pub(super) const SYMBOLS: [&str; 3] = ["red", "green", "blue"];

impl Gen {
    pub(super) fn scalar_type(&mut self) -> Ty {
        let wide = if self.swarm.wide { 2 } else { 0 };
        let symbolic = if self.swarm.mtypes { 2 } else { 0 };
        self.rng.weighted(&[
            (2, Ty::Bit),
            (2, Ty::Bool),
            (4, Ty::Byte),
            (wide, Ty::Short),
            (wide, Ty::Int),
            (1, Ty::Unsigned(2)),
            (wide / 2, Ty::Unsigned(11)),
            (symbolic, Ty::Mtype),
        ])
    }

    /// What a variable of this type starts with, or nothing.
    pub(super) fn initial_value(&mut self, ty: Ty) -> String {
        if ty == Ty::Mtype {
            return if self.rng.chance(70) {
                format!(" = {}", self.rng.pick(&SYMBOLS))
            } else {
                String::new()
            };
        }
        if !self.rng.chance(40) {
            return String::new();
        }
        let edge = match ty {
            Ty::Bit | Ty::Bool => 1,
            Ty::Byte => 255,
            Ty::Short => 32_767,
            Ty::Int => 2_147_483_647,
            Ty::Unsigned(bits) => (1 << bits) - 1,
            Ty::Mtype | Ty::Chan => return String::new(),
        };
        if self.rng.chance(20) {
            format!(" = {edge}")
        } else {
            format!(" = {}", self.rng.below(3))
        }
    }

    /// Declares everything global.
    pub(super) fn declarations(&mut self, out: &mut Vec<Piece>) {
        if self.swarm.mtypes {
            // Several declarations go on where the one before has stopped, from the last name down.
            let rest = if self.rng.chance(50) { 1 } else { SYMBOLS.len() };
            for names in [&SYMBOLS[..rest], &SYMBOLS[rest..]] {
                if !names.is_empty() {
                    out.push(Piece::line(format!("mtype = {{ {} }};", names.join(", "))));
                }
            }
            if self.rng.chance(30) {
                out.push(Piece::line("mtype:fruit = { apple, pear };"));
                out.push(Piece::line("mtype:fruit g_f = pear;"));
            }
        }
        self.macros(out);
        for i in 0..self.rng.between(1, 3) {
            let (name, ty) = (format!("g{i}"), self.scalar_type());
            let init = self.initial_value(ty);
            out.push(Piece::line(format!("{}{init};", ty.declare(&name))));
            self.world.vars.push(Var { text: name, ty, len: 0 });
        }
        if self.swarm.arrays {
            let ty = match self.scalar_type() {
                Ty::Unsigned(_) => Ty::Byte,
                ty => ty,
            };
            let len = *self.rng.pick(&[2, 2, 4]);
            let init = self.initial_value(ty);
            let text = ty.declare(&format!("a0[{len}]"));
            out.push(Piece::line(format!("{text}{init};")));
            self.world.vars.push(Var { text: "a0[#]".to_owned(), ty, len });
        }
        if self.swarm.records {
            self.record(out);
        }
        if self.swarm.hidden {
            out.push(Piece::line("hidden byte h;"));
        }
        self.channels(out);
    }

    fn macros(&mut self, out: &mut Vec<Piece>) {
        if !self.swarm.macros {
            return;
        }
        out.push(Piece::line("#define TWO 2"));
        out.push(Piece::line("#define next(v) (((v) + 1) % 3)"));
        out.push(Piece::line("#define low (g0 < TWO)"));
        self.world.conditions.push("low".to_owned());
    }

    fn record(&mut self, out: &mut Vec<Piece>) {
        let (a, b) = (self.scalar_type(), *self.rng.pick(&[Ty::Byte, Ty::Bit]));
        let init = self.initial_value(a);
        out.push(Piece::line(format!(
            "typedef R {{ {}{init}; {}; }};",
            a.declare("u"),
            b.declare("v[2]")
        )));
        // A message has no field of a chosen width.
        self.world.record_messages = self.swarm.record_messages && !matches!(a, Ty::Unsigned(_));
        if self.world.record_messages {
            let capacity = self.rng.between(1, 2);
            out.push(Piece::line(format!("chan cr = [{capacity}] of {{ R }};")));
        }
        let array = self.rng.chance(50);
        let (decl, base) = if array { ("R r0[2];", "r0[#]") } else { ("R r0;", "r0") };
        out.push(Piece::line(decl));
        self.world.vars.push(Var { text: format!("{base}.u"), ty: a, len: 2 });
        self.world.vars.push(Var { text: format!("{base}.v[#]"), ty: b, len: 2 });
    }

    /// The capacity of a channel, 0 only where rendez-vous are in use.
    pub(super) fn capacity(&mut self) -> usize {
        if self.swarm.rendezvous {
            self.rng.below(3)
        } else {
            self.rng.between(1, 2)
        }
    }

    fn field_types(&mut self) -> Vec<Ty> {
        let count = self.rng.weighted(&[(5, 1), (3, 2), (1, 3)]);
        (0..count).map(|_| self.scalar_type()).collect()
    }

    fn channels(&mut self, out: &mut Vec<Piece>) {
        let mut add = |me: &mut Gen, name: &str, capacity: usize, fields: Vec<Ty>, len: usize| {
            out.push(Piece::line(channel_declaration(name, capacity, &fields, len)));
            let text = match len {
                0 => name.to_owned(),
                _ => format!("{name}[#]"),
            };
            me.world.chans.push(Chan { text, capacity, fields, len, varies: false });
        };
        if self.swarm.buffered {
            let (capacity, fields) = (self.rng.between(1, 3), self.field_types());
            add(self, "c0", capacity, fields, 0);
        }
        if self.swarm.rendezvous {
            let fields = self.field_types();
            add(self, "s0", 0, fields.clone(), 0);
            if self.rng.chance(30) {
                add(self, "s1", 0, fields, 0);
            }
        }
        if self.swarm.channel_arrays {
            let capacity = self.capacity();
            let fields = self.field_types();
            add(self, "ca", capacity, fields, 2);
        }
        if self.swarm.channels_in_messages && !self.world.chans.is_empty() {
            let capacity = self.capacity().min(1);
            let mut fields = vec![Ty::Chan];
            if self.rng.chance(40) {
                fields.insert(self.rng.below(2), Ty::Byte);
            }
            add(self, "cc", capacity, fields, 0);
        }
    }
}

/// `chan name[len] = [capacity] of { fields }`
pub(super) fn channel_declaration(
    name: &str,
    capacity: usize,
    fields: &[Ty],
    len: usize,
) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|ty| match ty {
            // A field has no width of its own.
            Ty::Unsigned(_) => "byte".to_owned(),
            ty => ty.declare("").trim().to_owned(),
        })
        .collect();
    let array = match len {
        0 => String::new(),
        len => format!("[{len}]"),
    };
    format!("chan {name}{array} = [{capacity}] of {{ {} }};", fields.join(", "))
}
