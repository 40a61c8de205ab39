//! The diagrams of `oxidd`, and what they are asked here.

mod product;
mod sift;
mod simplify;

pub(crate) use product::{Product, Shift};
pub(crate) use sift::WORK;

use std::cell::{Cell, RefCell};
use std::hash::BuildHasherDefault;

use oxidd::bcdd::{new_manager, BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, FxHasher, OptBool, OutOfMemory, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager,
    ManagerRef, Subst, VarNo,
};

use crate::count::Count;

/// A function of bits.
pub(crate) type Diagram = BCDDFunction;

/// When bits are moved to where diagrams are smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Moves {
    /// Never.
    Never,
    /// When diagrams are large, unless an order was given.
    #[default]
    WhenLarge,
    /// Again and again: slow, and for tests.
    Always,
}

/// Why a computation was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// There is no room for more nodes.
    Nodes,
    /// Somebody said so.
    Asked,
    /// Everything is known that was asked for.
    Enough,
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::Nodes
    }
}

pub(crate) type Result<T> = std::result::Result<T, Stop>;

/// Where diagrams live.
pub(crate) struct Diagrams {
    manager: BCDDManagerRef,
    yes: Diagram,
    no: Diagram,
    bits: Vec<Diagram>,
    /// With so many nodes it is time to look for those that nobody refers to.
    untidy: Cell<usize>,
    /// Bits that stay together when bits are moved; none if they are not to be moved.
    groups: RefCell<Vec<Vec<u32>>>,
    /// With so many nodes it is time to move bits.
    large: Cell<usize>,
    /// Whether bits stay where they are for the moment.
    still: Cell<bool>,
    /// The most nodes that there can be.
    room: usize,
    /// How many kinds of products there are.
    products: Cell<u32>,
}

/// With fewer nodes than this nothing is dropped.
const UNTIDY: usize = 4 << 20;

/// With fewer nodes than this no bit is moved.
const LARGE: usize = 2 << 20;

/// Bits that take the places of others, one for one.
pub(crate) type Renaming = Subst<Diagram, Vec<VarNo>, Vec<Diagram>>;

impl Diagrams {
    /// Room for so many nodes over so many bits.
    pub(crate) fn new(nodes: usize, cache: usize, bits: u32) -> Result<Diagrams> {
        let manager = new_manager(nodes, cache, 1);
        manager.with_manager_exclusive(|m| {
            m.add_vars(bits);
        });
        let (yes, no, all) = manager.with_manager_shared(|m| {
            let all: std::result::Result<Vec<Diagram>, OutOfMemory> =
                (0..bits).map(|k| Diagram::var(m, k)).collect();
            (Diagram::t(m), Diagram::f(m), all)
        });
        Ok(Diagrams {
            manager,
            yes,
            no,
            bits: all?,
            untidy: Cell::new(UNTIDY),
            groups: RefCell::default(),
            large: Cell::new(LARGE),
            still: Cell::new(false),
            room: nodes,
            products: Cell::new(0),
        })
    }

    /// Does something that makes nodes; where there is no room for them, once more if there is
    /// after what nobody refers to was dropped.
    fn tried(&self, make: impl Fn() -> AllocResult<Diagram>) -> Result<Diagram> {
        match make() {
            Ok(made) => Ok(made),
            Err(OutOfMemory) => {
                self.manager.with_manager_shared(|m| m.gc());
                if 4 * self.nodes() > 3 * self.room {
                    return Err(Stop::Nodes);
                }
                Ok(make()?)
            }
        }
    }

    pub(crate) fn constant(&self, value: bool) -> Diagram {
        if value {
            self.yes.clone()
        } else {
            self.no.clone()
        }
    }

    pub(crate) fn yes(&self) -> Diagram {
        self.yes.clone()
    }

    pub(crate) fn no(&self) -> Diagram {
        self.no.clone()
    }

    pub(crate) fn is_yes(&self, f: &Diagram) -> bool {
        *f == self.yes
    }

    pub(crate) fn is_no(&self, f: &Diagram) -> bool {
        *f == self.no
    }

    pub(crate) fn bit(&self, bit: u32) -> Diagram {
        self.bits[bit as usize].clone()
    }

    pub(crate) fn and(&self, a: &Diagram, b: &Diagram) -> Result<Diagram> {
        if self.is_yes(a) || self.is_no(b) {
            return Ok(b.clone());
        }
        if self.is_yes(b) || self.is_no(a) {
            return Ok(a.clone());
        }
        self.tried(|| a.and(b))
    }

    pub(crate) fn or(&self, a: &Diagram, b: &Diagram) -> Result<Diagram> {
        if self.is_no(a) || self.is_yes(b) {
            return Ok(b.clone());
        }
        if self.is_no(b) || self.is_yes(a) {
            return Ok(a.clone());
        }
        self.tried(|| a.or(b))
    }

    pub(crate) fn not(&self, a: &Diagram) -> Result<Diagram> {
        Ok(a.not()?)
    }

    /// What is in the first and not in the second.
    pub(crate) fn minus(&self, a: &Diagram, b: &Diagram) -> Result<Diagram> {
        self.and(a, &b.not()?)
    }

    pub(crate) fn same(&self, a: &Diagram, b: &Diagram) -> Result<Diagram> {
        if a == b {
            return Ok(self.yes());
        }
        if self.is_yes(a) {
            return Ok(b.clone());
        }
        if self.is_yes(b) {
            return Ok(a.clone());
        }
        self.tried(|| a.equiv(b))
    }

    pub(crate) fn differ(&self, a: &Diagram, b: &Diagram) -> Result<Diagram> {
        self.not(&self.same(a, b)?)
    }

    pub(crate) fn choose(&self, c: &Diagram, a: &Diagram, b: &Diagram) -> Result<Diagram> {
        if a == b || self.is_yes(c) {
            return Ok(a.clone());
        }
        if self.is_no(c) {
            return Ok(b.clone());
        }
        self.tried(|| c.ite(a, b))
    }

    pub(crate) fn exists(&self, a: &Diagram, bits: &Diagram) -> Result<Diagram> {
        if self.is_yes(bits) {
            return Ok(a.clone());
        }
        self.tried(|| a.exists(bits))
    }

    /// The conjunction, with bits quantified.
    pub(crate) fn and_exists(&self, a: &Diagram, b: &Diagram, bits: &Diagram) -> Result<Diagram> {
        if self.is_yes(bits) {
            return self.and(a, b);
        }
        if self.is_yes(b) {
            return self.exists(a, bits);
        }
        self.tried(|| a.apply_exists(BooleanOperator::And, b, bits))
    }

    /// The conjunction of bits.
    pub(crate) fn cube(&self, bits: impl IntoIterator<Item = u32>) -> Result<Diagram> {
        let mut bits: Vec<u32> = bits.into_iter().collect();
        bits.sort_unstable();
        let mut cube = self.yes();
        for bit in bits.into_iter().rev() {
            cube = self.and(&self.bits[bit as usize], &cube)?;
        }
        Ok(cube)
    }

    /// Bits that take the places of others.
    pub(crate) fn renaming(&self, pairs: &[(u32, u32)]) -> Renaming {
        let from = pairs.iter().map(|(from, _)| *from).collect();
        let to = pairs.iter().map(|(_, to)| self.bit(*to)).collect();
        Subst::new(from, to)
    }

    pub(crate) fn rename(&self, a: &Diagram, renaming: &Renaming) -> Result<Diagram> {
        self.tried(|| a.substitute(renaming))
    }

    /// The number of values of so many bits that make a function true; it reads no others.
    pub(crate) fn count(&self, a: &Diagram, bits: u32) -> Count {
        let mut cache: SatCountCache<Count, BuildHasherDefault<FxHasher>> =
            SatCountCache::default();
        a.sat_count(bits, &mut cache)
    }

    /// Values of all bits that make a function true; what may be either is false.
    pub(crate) fn pick(&self, a: &Diagram) -> Option<Vec<bool>> {
        let cube = a.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|bit| bit == OptBool::True).collect())
    }

    /// Values of all bits that make a function true, those that may be either by a coin.
    pub(crate) fn pick_by(&self, a: &Diagram, coin: &mut dyn FnMut() -> bool) -> Option<Vec<bool>> {
        let cube = a.pick_cube(|_, _, _| coin())?;
        let value = |bit: OptBool| match bit {
            OptBool::True => true,
            OptBool::False => false,
            OptBool::None => coin(),
        };
        Some(cube.into_iter().map(value).collect())
    }

    /// The number of nodes of a function.
    pub(crate) fn size(&self, a: &Diagram) -> usize {
        a.node_count()
    }

    /// The number of nodes of everything that is kept.
    pub(crate) fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    /// Drops what nobody refers to, where that is likely to be much.
    pub(crate) fn tidy(&self) {
        self.move_when_large();
        if self.nodes() > self.untidy.get() {
            self.manager.with_manager_shared(|m| m.gc());
            self.untidy.set((2 * self.nodes()).max(UNTIDY));
        }
    }

    /// Whether bits stay where they are, however many nodes there are.
    pub(crate) fn stay(&self, still: bool) {
        self.still.set(still);
    }

    /// The bits that a function reads.
    pub(crate) fn support(&self, a: &Diagram) -> Vec<u32> {
        use oxidd::{HasLevel, InnerNode, Node};
        a.with_manager_shared(|manager, edge| {
            let mut seen = std::collections::HashSet::new();
            let mut bits = std::collections::BTreeSet::new();
            let mut stack = vec![edge];
            while let Some(edge) = stack.pop() {
                if !seen.insert(edge.node_id()) {
                    continue;
                }
                if let Node::Inner(node) = manager.get_node(edge) {
                    bits.insert(manager.level_to_var(node.level()));
                    stack.extend(node.children());
                }
            }
            bits.into_iter().collect()
        })
    }
}
