//! Vectors in and out, one by one.

use super::table::{List, Lists, Stop};

impl Lists {
    /// The set of one vector.
    pub fn single(&mut self, vector: &[u32]) -> Result<List, Stop> {
        let mut list = List::END;
        for &value in vector.iter().rev() {
            list = self.make(value, list, List::EMPTY)?;
        }
        Ok(list)
    }

    /// How vectors of a set go on that begin with `value`.
    pub fn find(&self, mut list: List, value: u32) -> Option<List> {
        while list.0 > 1 {
            let node = self.node(list);
            if node.value >= value {
                return (node.value == value).then_some(node.down);
            }
            list = node.right;
        }
        None
    }

    /// Whether a vector is in the set.
    pub fn contains(&self, mut list: List, vector: &[u32]) -> bool {
        for &value in vector {
            match self.find(list, value) {
                Some(down) => list = down,
                None => return false,
            }
        }
        list == List::END
    }

    /// The vectors of a set, in lexicographic order.
    pub fn vectors(&self, list: List) -> Vectors<'_> {
        Vectors { lists: self, next: list, path: Vec::new(), vector: Vec::new(), begun: false }
    }

    /// Some vector of a set: the first.
    pub fn first(&self, list: List) -> Option<Vec<u32>> {
        self.vectors(list).next_vector().map(<[u32]>::to_vec)
    }

    /// How many nodes a set has.
    pub fn size(&self, list: List) -> usize {
        let (mut seen, mut todo) = (std::collections::HashSet::new(), vec![list]);
        while let Some(list) = todo.pop() {
            if list.0 > 1 && seen.insert(list) {
                let node = self.node(list);
                todo.extend([node.right, node.down]);
            }
        }
        seen.len()
    }
}

/// The vectors of a set, in lexicographic order.
pub struct Vectors<'l> {
    lists: &'l Lists,
    next: List,
    path: Vec<List>,
    vector: Vec<u32>,
    begun: bool,
}

impl Vectors<'_> {
    /// The next vector.
    pub fn next_vector(&mut self) -> Option<&[u32]> {
        if self.begun {
            // Back to the last level that has another value.
            loop {
                let list = self.path.pop()?;
                self.vector.pop();
                self.next = self.lists.node(list).right;
                if !self.next.is_empty() {
                    break;
                }
            }
        }
        self.begun = true;
        if self.next.is_empty() {
            return None;
        }
        while self.next != List::END {
            let node = self.lists.node(self.next);
            self.path.push(self.next);
            self.vector.push(node.value);
            self.next = node.down;
        }
        Some(&self.vector)
    }
}

impl Lists {
    /// The set of these vectors, which come in any order and more than once.
    pub fn of_vectors(&mut self, vectors: &mut [Vec<u32>]) -> Result<List, Stop> {
        vectors.sort_unstable();
        self.of_sorted(vectors, 0)
    }

    fn of_sorted(&mut self, vectors: &[Vec<u32>], level: usize) -> Result<List, Stop> {
        let Some(first) = vectors.first() else { return Ok(List::EMPTY) };
        if level == first.len() {
            return Ok(List::END);
        }
        let base = self.scratch.len();
        for alike in vectors.chunk_by(|a, b| a[level] == b[level]) {
            let down = self.of_sorted(alike, level + 1)?;
            self.scratch.push((alike[0][level], down));
        }
        self.build(base)
    }
}
