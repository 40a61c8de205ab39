//! Reduced ordered binary decision diagrams (Bryant 1986), as small as this crate needs them.

use std::collections::HashMap;

use crate::error::Error;

/// A function of a [`Manager`]; equal functions have equal indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub const FALSE: Bdd = Bdd(0);
    pub const TRUE: Bdd = Bdd(1);
}

/// A conjunction of variables and negated variables.
pub(crate) type Product = Vec<(u32, bool)>;

/// The most nodes in all, and of one piece of work.
const MAX_NODES: usize = 1 << 20;
const MAX_NEW_NODES: usize = 1 << 17;

/// The most products of one sum.
const MAX_PRODUCTS: usize = 10_000;

/// The steps of one piece of work.
const FUEL: usize = 2_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

pub(crate) struct Manager {
    nodes: Vec<Node>,
    unique: HashMap<Node, Bdd>,
    ands: HashMap<(Bdd, Bdd), Bdd>,
    nots: HashMap<Bdd, Bdd>,
    fuel: usize,
    node_limit: usize,
}

impl Manager {
    pub fn new() -> Self {
        let leaf = |bdd| Node { variable: u32::MAX, low: bdd, high: bdd };
        Self {
            nodes: vec![leaf(Bdd::FALSE), leaf(Bdd::TRUE)],
            unique: HashMap::new(),
            ands: HashMap::new(),
            nots: HashMap::new(),
            fuel: FUEL,
            node_limit: MAX_NEW_NODES,
        }
    }

    /// Starts a new piece of work, of which each may take a second or so before it is given up.
    pub fn refuel(&mut self) {
        self.fuel = FUEL;
        self.node_limit = MAX_NODES.min(self.nodes.len() + MAX_NEW_NODES);
    }

    fn burn(&mut self) -> Result<(), Error> {
        isospin_limits::check();
        if self.fuel == 0 {
            return Err(Error::TooLarge { what: "decision diagram steps", limit: FUEL });
        }
        self.fuel -= 1;
        Ok(())
    }

    fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Result<Bdd, Error> {
        if low == high {
            return Ok(low);
        }
        let node = Node { variable, low, high };
        if let Some(&bdd) = self.unique.get(&node) {
            return Ok(bdd);
        }
        if self.nodes.len() >= self.node_limit {
            return Err(Error::TooLarge { what: "decision diagram nodes", limit: MAX_NEW_NODES });
        }
        let bdd = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, bdd);
        Ok(bdd)
    }

    /// The variable tested first; larger than any other for a constant.
    pub fn top(&self, bdd: Bdd) -> u32 {
        self.nodes[bdd.0 as usize].variable
    }

    /// The function where a variable, at or above the top one, is false, and where it is true.
    pub fn cofactors(&self, bdd: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.nodes[bdd.0 as usize];
        if node.variable == variable {
            (node.low, node.high)
        } else {
            (bdd, bdd)
        }
    }

    pub fn literal(&mut self, variable: u32, positive: bool) -> Result<Bdd, Error> {
        if positive {
            self.make(variable, Bdd::FALSE, Bdd::TRUE)
        } else {
            self.make(variable, Bdd::TRUE, Bdd::FALSE)
        }
    }

    pub fn and(&mut self, left: Bdd, right: Bdd) -> Result<Bdd, Error> {
        let (left, right) = (left.min(right), left.max(right));
        if left == Bdd::FALSE || left == right {
            return Ok(left);
        }
        if left == Bdd::TRUE {
            return Ok(right);
        }
        if let Some(&known) = self.ands.get(&(left, right)) {
            return Ok(known);
        }
        self.burn()?;
        let variable = self.top(left).min(self.top(right));
        let (l0, l1) = self.cofactors(left, variable);
        let (r0, r1) = self.cofactors(right, variable);
        let low = self.and(l0, r0)?;
        let high = self.and(l1, r1)?;
        let result = self.make(variable, low, high)?;
        self.ands.insert((left, right), result);
        Ok(result)
    }

    pub fn not(&mut self, bdd: Bdd) -> Result<Bdd, Error> {
        if bdd == Bdd::FALSE {
            return Ok(Bdd::TRUE);
        }
        if bdd == Bdd::TRUE {
            return Ok(Bdd::FALSE);
        }
        if let Some(&known) = self.nots.get(&bdd) {
            return Ok(known);
        }
        self.burn()?;
        let node = self.nodes[bdd.0 as usize];
        let low = self.not(node.low)?;
        let high = self.not(node.high)?;
        let result = self.make(node.variable, low, high)?;
        self.nots.insert(bdd, result);
        self.nots.insert(result, bdd);
        Ok(result)
    }

    pub fn or(&mut self, left: Bdd, right: Bdd) -> Result<Bdd, Error> {
        let left = self.not(left)?;
        let right = self.not(right)?;
        let neither = self.and(left, right)?;
        self.not(neither)
    }

    pub fn minus(&mut self, left: Bdd, right: Bdd) -> Result<Bdd, Error> {
        let right = self.not(right)?;
        self.and(left, right)
    }

    /// An irredundant sum of products (Minato 1992).
    pub fn products(&mut self, bdd: Bdd) -> Result<Vec<Product>, Error> {
        let mut products = Vec::new();
        self.cover(bdd, bdd, &mut Vec::new(), &mut products)?;
        Ok(products)
    }

    /// Adds products that cover at least `lower` and at most `upper`; returns what they cover.
    fn cover(
        &mut self,
        lower: Bdd,
        upper: Bdd,
        path: &mut Product,
        products: &mut Vec<Product>,
    ) -> Result<Bdd, Error> {
        if lower == Bdd::FALSE {
            return Ok(Bdd::FALSE);
        }
        if upper == Bdd::TRUE {
            if products.len() >= MAX_PRODUCTS {
                return Err(Error::TooLarge { what: "products in a label", limit: MAX_PRODUCTS });
            }
            products.push(path.clone());
            return Ok(Bdd::TRUE);
        }
        self.burn()?;
        let variable = self.top(lower).min(self.top(upper));
        let (l0, l1) = self.cofactors(lower, variable);
        let (u0, u1) = self.cofactors(upper, variable);
        let only0 = self.minus(l0, u1)?;
        path.push((variable, false));
        let c0 = self.cover(only0, u0, path, products)?;
        path.pop();
        let only1 = self.minus(l1, u0)?;
        path.push((variable, true));
        let c1 = self.cover(only1, u1, path, products)?;
        path.pop();
        let rest0 = self.minus(l0, c0)?;
        let rest1 = self.minus(l1, c1)?;
        let rest = self.or(rest0, rest1)?;
        let both = self.and(u0, u1)?;
        let shared = self.cover(rest, both, path, products)?;
        let low = self.or(c0, shared)?;
        let high = self.or(c1, shared)?;
        self.make(variable, low, high)
    }
}
