//! The largest message of a model, which bounds what can be sent.

use super::constants;
use crate::syntax::ast::{Block, Initializer, Item, Stmt, StmtKind, Tree, Type, TypeKind, VarDecl};
use isospin_source::Name;
use std::collections::HashMap;

/// The most fields that the messages of any channel in the tree have, those of
/// structures counted one by one.
pub(super) fn most_fields(tree: &Tree) -> usize {
    let mut finder = MostFields::default();
    for item in &tree.items {
        match item {
            Item::Typedef(typedef) => {
                let mut size = 0usize;
                for decl in &typedef.fields {
                    finder.decl(decl);
                    for var in &decl.vars {
                        let each = finder.width(&decl.ty);
                        let elements = var.size.as_ref().and_then(constants::value).unwrap_or(1);
                        size = size.saturating_add(each.saturating_mul(elements.max(1) as usize));
                    }
                }
                finder.typedefs.insert(typedef.name.name.clone(), size);
            }
            Item::Variables(decl) => finder.decl(decl),
            Item::Proctype(p) => finder.block(&p.body),
            Item::Init(i) => finder.block(&i.body),
            Item::Never(n) => finder.block(&n.body),
            Item::Trace(t) => finder.block(&t.body),
            _ => {}
        }
    }
    finder.most
}

#[derive(Default)]
struct MostFields {
    typedefs: HashMap<Name, usize>,
    most: usize,
}

impl MostFields {
    fn width(&self, ty: &Type) -> usize {
        match &ty.kind {
            TypeKind::Named(name) => self.typedefs.get(&name.name).copied().unwrap_or(1),
            _ => 1,
        }
    }

    fn decl(&mut self, decl: &VarDecl) {
        for var in &decl.vars {
            if let Some(Initializer::Channel(channel)) = &var.init {
                let fields = channel.fields.iter().map(|ty| self.width(ty));
                let total = fields.fold(0usize, usize::saturating_add);
                self.most = self.most.max(total);
            }
        }
    }

    /// Channels are declared with their messages at the start of a body only.
    fn block(&mut self, block: &Block) {
        for Stmt { kind, .. } in &block.stmts {
            if let StmtKind::Decl(decl) = kind {
                self.decl(decl);
            }
        }
    }
}
