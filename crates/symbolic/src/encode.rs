//! Variables as bits. A bit now and the same bit next stand side by side; inputs have no next
//! bits, and a frozen variable's next bits are its bits.

use isospin_relation::{Kind, Relation, Value, VarId};

/// A bit now and next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) now: u32,
    pub(crate) next: u32,
}

/// Where every variable's bits are, the lowest bit of a code first.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    pub(crate) variables: Vec<Vec<Pair>>,
    /// Further bits, for formulas.
    pub(crate) extra: Vec<Pair>,
    /// How many bits there are.
    pub(crate) bits: u32,
}

impl Encoding {
    /// Places the variables' bits in the given order; the further ones come first.
    pub(crate) fn new(relation: &Relation, order: &[(VarId, u32)], extra: usize) -> Encoding {
        let mut bits = 0;
        let mut pair = |with_next: bool| {
            let now = bits;
            bits += 1 + with_next as u32;
            Pair { now, next: if with_next { now + 1 } else { now } }
        };
        let extra = (0..extra).map(|_| pair(true)).collect();
        let none = Pair { now: 0, next: 0 };
        let mut variables: Vec<Vec<Pair>> =
            relation.variables.iter().map(|v| vec![none; v.domain.bits() as usize]).collect();
        for &(variable, bit) in order {
            let changes = relation.variable(variable).kind == Kind::State;
            variables[variable.index()][bit as usize] = pair(changes);
        }
        Encoding { variables, extra, bits }
    }

    /// The bits that stay together when they are moved: now and next.
    pub(crate) fn groups(&self) -> Vec<Vec<u32>> {
        let pairs = self.extra.iter().chain(self.variables.iter().flatten());
        pairs.map(|p| if p.now == p.next { vec![p.now] } else { vec![p.now, p.next] }).collect()
    }

    /// The bits of variables that belong to states.
    pub(crate) fn state_bits<'a>(
        &'a self,
        relation: &'a Relation,
    ) -> impl Iterator<Item = Pair> + 'a {
        let states = relation.numbered().filter(|(_, v)| v.kind != Kind::Input);
        states.flat_map(|(id, _)| self.variables[id.index()].iter().copied())
    }

    /// The values of variables now, from the values of all bits.
    pub(crate) fn decode(&self, relation: &Relation, bits: &[bool], next: bool) -> Vec<Value> {
        let value = |(id, variable): (VarId, &isospin_relation::Variable)| {
            let pairs = &self.variables[id.index()];
            let mut code = 0u64;
            for (k, pair) in pairs.iter().enumerate() {
                let bit = if next { pair.next } else { pair.now };
                code |= (bits[bit as usize] as u64) << k;
            }
            if variable.kind == Kind::Input && next {
                return 0;
            }
            // A code outside the domain is never picked; the first value is as good as any.
            variable.domain.value(if code < variable.domain.size() { code } else { 0 })
        };
        relation.numbered().map(value).collect()
    }
}
