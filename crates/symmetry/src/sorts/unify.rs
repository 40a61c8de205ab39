//! Sorts as sets that are joined: of values, and with them of what channels carry.

use super::{SortVariable, Sorts};

impl Sorts<'_> {
    /// The representative of a node's sort.
    pub fn find(&self, mut node: SortVariable) -> SortVariable {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    pub(super) fn fresh(&mut self, channel: bool) -> SortVariable {
        self.parent.push(self.parent.len() as SortVariable);
        self.channel_kind.push(channel);
        (self.parent.len() - 1) as SortVariable
    }

    pub(super) fn unify(&mut self, a: Option<SortVariable>, b: Option<SortVariable>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (self.find(a), self.find(b));
        let channels = self.channel_kind[a as usize] && self.channel_kind[b as usize];
        if !self.channels_only || channels {
            self.union(a, b);
        }
    }

    /// Joins two sorts; nothing any more once all have been inferred.
    pub(super) fn union(&mut self, a: SortVariable, b: SortVariable) {
        if self.inferred {
            return;
        }
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.parent[b as usize] = a;
            let channel = self.channel_kind[b as usize];
            self.channel_kind[a as usize] |= channel;
            if let Some(theirs) = self.points_to.remove(&b) {
                match self.points_to.get(&a) {
                    Some(&mine) => todo.push((mine, theirs)),
                    None => {
                        self.points_to.insert(a, theirs);
                    }
                }
            }
            // For channels, their messages.
            if self.untagged.remove(&b).is_some() {
                self.untagged.insert(a, ());
            }
            let moved: Vec<_> = self.fields.keys().filter(|k| k.0 == b).copied().collect();
            for key in moved {
                if let Some(node) = self.fields.remove(&key) {
                    self.add_field((a, key.1, key.2), node, &mut todo);
                }
            }
            if self.untagged.contains_key(&a) {
                self.drop_tags(a, &mut todo);
            }
        }
    }

    fn add_field(
        &mut self,
        key: (SortVariable, Option<i32>, usize),
        node: SortVariable,
        todo: &mut Vec<(SortVariable, SortVariable)>,
    ) {
        match self.fields.get(&key) {
            Some(&there) => todo.push((there, node)),
            None => {
                self.fields.insert(key, node);
            }
        }
    }

    fn drop_tags(&mut self, class: SortVariable, todo: &mut Vec<(SortVariable, SortVariable)>) {
        let tagged: Vec<_> =
            self.fields.keys().filter(|k| k.0 == class && k.1.is_some()).copied().collect();
        for key in tagged {
            if let Some(node) = self.fields.remove(&key) {
                self.add_field((class, None, key.2), node, todo);
            }
        }
    }

    /// The sort of a field of the messages in the channels of `class`.
    pub(super) fn field(
        &mut self,
        class: SortVariable,
        tag: Option<i32>,
        field: usize,
        channel: bool,
    ) -> SortVariable {
        let class = self.find(class);
        let untags = field > 0 && tag.is_none() && !self.inferred;
        if untags && self.untagged.insert(class, ()).is_none() {
            let mut todo = Vec::new();
            self.drop_tags(class, &mut todo);
            todo.into_iter().for_each(|(a, b)| self.union(a, b));
        }
        let class = self.find(class);
        let tag = if field == 0 || self.untagged.contains_key(&class) { None } else { tag };
        if let Some(&node) = self.fields.get(&(class, tag, field)) {
            return node;
        }
        let node = self.fresh(channel);
        self.fields.insert((class, tag, field), node);
        node
    }

    /// The channels that a channel-valued node names.
    pub(super) fn channels(&mut self, node: SortVariable) -> SortVariable {
        let root = self.find(node);
        if let Some(&class) = self.points_to.get(&root) {
            return class;
        }
        let class = self.fresh(false);
        self.points_to.insert(root, class);
        class
    }
}
