//! The stack of a depth-first search in the product.

use super::arcs::Arcs;
use super::lasso::PathNode;
use super::visited::Stopped;
use crate::room::make_room;

/// A node on the stack, with the arcs that it still has to follow.
pub(super) struct StackNode<I, T> {
    /// The arc that led to it.
    pub arc: usize,
    /// Its id in the store.
    pub id: I,
    /// What the search notes with it.
    pub note: T,
    first: usize,
    next: usize,
    end: usize,
}

/// Nodes from the first to the current one. The arcs of a node lie behind those of the nodes below.
pub(super) struct Stack<I, T> {
    /// The arcs of all nodes on the stack; arc 0 leads to the first node.
    pub arcs: Arcs<I>,
    /// The nodes.
    pub nodes: Vec<StackNode<I, T>>,
    /// Room for the node that is being entered.
    node: Vec<u8>,
}

impl<I: Copy, T> Stack<I, T> {
    /// A stack onto which `node`, to which arc 0 leads, can be entered.
    pub fn new(node: &[u8], id: I) -> Stack<I, T> {
        Stack::ranked(node, &[], id)
    }

    /// The same, where nodes have ranks.
    pub fn ranked(node: &[u8], ranks: &[u8], id: I) -> Stack<I, T> {
        let mut arcs = Arcs::default();
        arcs.push(node, ranks, id);
        Stack { arcs, nodes: Vec::new(), node: Vec::new() }
    }

    /// Enters the node that `arc` leads to; `expand` pushes the arcs that are to be followed.
    pub fn enter(
        &mut self,
        arc: usize,
        note: T,
        expand: impl FnOnce(&[u8], &mut Arcs<I>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        self.node.clear();
        self.node.extend_from_slice(self.arcs.node(arc));
        let id = self.arcs.id(arc);
        let first = self.arcs.len();
        expand(&self.node, &mut self.arcs)?;
        let end = self.arcs.len();
        make_room(&mut self.nodes, 1);
        self.nodes.push(StackNode { arc, id, note, first, next: first, end });
        Ok(())
    }

    /// The next arc of the node on top.
    pub fn next(&mut self) -> Option<usize> {
        let node = self.nodes.last_mut()?;
        (node.next < node.end).then(|| {
            node.next += 1;
            node.next - 1
        })
    }

    /// Leaves the node on top.
    pub fn leave(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.arcs.truncate(node.first);
        }
    }

    /// The nodes from the first to the one on top.
    pub fn path(&self) -> Vec<PathNode> {
        self.nodes.iter().map(|f| PathNode::at(&self.arcs, f.arc)).collect()
    }
}
