//! Names in expressions: variables, channels, processes.

use super::super::lex::Token;
use super::super::names::{find_channel, find_channels, find_slot};
use super::super::TextError;
use super::{Reader, Scope};
use crate::expr::{ChannelOwner, Expr, Index, Place, Region};
use crate::ids::ProcTypeId;
use crate::layout::{ChannelInstance, Slot};
use crate::scalar::Scalar;

/// An index as it is written.
enum Written {
    /// A number: it is part of the offset, if it is in range.
    Number(u32),
    Expr(Expr),
}

impl Written {
    fn into_expr(self) -> Expr {
        match self {
            Written::Number(k) => Expr::Const(k as i32),
            Written::Expr(expr) => expr,
        }
    }
}

/// A variable as it is written: the parts of its name, each with its index, and its offset.
struct Reference {
    start: usize,
    path: Vec<(String, Option<Written>)>,
    offset: Option<u32>,
}

impl Reader<'_> {
    /// A variable of the process, a global one, or one of another process.
    pub(super) fn place(&mut self, scope: Scope) -> Result<Place, TextError> {
        let start = self.here();
        match self.place_or_location(scope)? {
            Expr::Load(place) => Ok(place),
            _ => Err(self.error_at(start, "nothing can be stored here")),
        }
    }

    /// What starts with a name.
    pub(super) fn place_or_location(&mut self, scope: Scope) -> Result<Expr, TextError> {
        let start = self.here();
        if self.accept("::") {
            let reference = self.reference(scope, start)?;
            return self.resolve(Region::Global, reference).map(Expr::Load);
        }
        let mut reference = self.reference(scope, start)?;
        if reference.path.len() == 1 && (self.is_sign(":") || self.is_sign("@")) {
            let (name, index) = reference.path.remove(0);
            let proctype = self.proctype_named(start, &name, reference.offset)?;
            let pid = index.map(|i| Box::new(i.into_expr()));
            if self.accept("@") {
                let location =
                    if self.accept_word("none") { None } else { Some(self.target(proctype)?) };
                return Ok(Expr::AtLocation { proctype: ProcTypeId::at(proctype), pid, location });
            }
            self.expect(":")?;
            let start = self.here();
            let reference = self.reference(scope, start)?;
            let region = Region::Remote { proctype: ProcTypeId::at(proctype), pid };
            return self.resolve(region, reference).map(Expr::Load);
        }
        let local = self.known.is_some_and(|model| {
            let name = &reference.path[0].0;
            scope.is_some_and(|ty| {
                model.proctypes[ty].frame.slots.iter().any(|s| s.path[0].name == *name)
            })
        });
        let region = if local { Region::Local } else { Region::Global };
        let scope = scope.filter(|_| local);
        self.resolve_in(scope, region, reference).map(Expr::Load)
    }

    fn reference(&mut self, scope: Scope, start: usize) -> Result<Reference, TextError> {
        let mut path = Vec::new();
        let mut offset = None;
        loop {
            let name = self.name()?;
            if path.is_empty() && self.accept("#") {
                offset = Some(self.number()?);
            }
            path.push((name, self.index(scope)?));
            if !self.accept(".") {
                break;
            }
        }
        if self.accept("#") {
            offset = Some(self.number()?);
        }
        Ok(Reference { start, path, offset })
    }

    fn index(&mut self, scope: Scope) -> Result<Option<Written>, TextError> {
        if !self.accept("[") {
            return Ok(None);
        }
        let index = match *self.peek() {
            Token::Number(k) if k <= i32::MAX as u64 && *self.peek_second() == Token::Sign("]") => {
                self.advance();
                Written::Number(k as u32)
            }
            _ => Written::Expr(self.nested(|me| me.expr(scope))?),
        };
        self.expect("]")?;
        Ok(Some(index))
    }

    fn resolve(&self, region: Region, reference: Reference) -> Result<Place, TextError> {
        let scope = match &region {
            Region::Remote { proctype, .. } => Some(proctype.index()),
            Region::Global | Region::Local => None,
        };
        self.resolve_in(scope, region, reference)
    }

    /// The place that a reference means, among the variables of a process type or the global ones.
    fn resolve_in(
        &self,
        scope: Scope,
        region: Region,
        reference: Reference,
    ) -> Result<Place, TextError> {
        let Reference { start, path, offset } = reference;
        let Some(model) = self.known else {
            return Ok(Place { region, offset: 0, indices: Vec::new(), ty: Scalar::BYTE });
        };
        let slots: &[Slot] = match scope {
            Some(ty) => &model.proctypes[ty].frame.slots,
            None => &model.layout.slots,
        };
        let names: Vec<&str> = path.iter().map(|(name, _)| name.as_str()).collect();
        let Some(slot) = find_slot(slots, &names, offset) else {
            let name = names.join(".");
            return Err(self.error_at(start, format!("there is no variable `{name}`")));
        };
        let mut place = Place { region, offset: slot.offset, indices: Vec::new(), ty: slot.ty };
        for ((name, index), segment) in path.into_iter().zip(&slot.path) {
            match (segment.array, index) {
                (None, None) => {}
                (Some((len, stride)), Some(Written::Number(k))) if k < len => {
                    place.offset = place.offset.saturating_add(k.saturating_mul(stride));
                }
                (Some((len, stride)), Some(index)) => {
                    place.indices.push(Index { expr: index.into_expr(), len, stride });
                }
                (Some(_), None) => {
                    return Err(self.error_at(start, format!("`{name}` is an array")));
                }
                (None, Some(_)) => {
                    return Err(self.error_at(start, format!("`{name}` is no array")));
                }
            }
        }
        Ok(place)
    }

    /// The number of a process type that is named here.
    pub(super) fn proctype(&mut self) -> Result<usize, TextError> {
        let start = self.here();
        let name = self.name()?;
        let number = if self.accept("#") { Some(self.number()?) } else { None };
        self.proctype_named(start, &name, number)
    }

    fn proctype_named(
        &self,
        start: usize,
        name: &str,
        number: Option<u32>,
    ) -> Result<usize, TextError> {
        let Some(model) = self.known else { return Ok(0) };
        let named = |&(k, p): &(usize, &crate::model::ProcType)| {
            p.name == name && number.is_none_or(|n| n as usize == k)
        };
        let found = model.proctypes.iter().enumerate().find(named);
        let none = || self.error_at(start, format!("there is no process type `{name}`"));
        found.map(|(k, _)| k).ok_or_else(none)
    }

    /// The name of a channel, with numbers for indices.
    pub(super) fn channel_name(&mut self) -> Result<String, TextError> {
        let mut name = self.name()?;
        loop {
            if let (true, Token::Number(k)) = (self.is_sign("["), self.peek_second().clone()) {
                let start = self.here();
                self.advance();
                self.advance();
                if !self.accept("]") {
                    self.back_to(start);
                    return Ok(name);
                }
                name += &format!("[{k}]");
            } else if self.accept(".") {
                name += ".";
                name += &self.name()?;
            } else {
                return Ok(name);
            }
        }
    }

    /// What follows `&`: a channel that a declaration creates.
    pub(super) fn channel_id(&mut self, scope: Scope) -> Result<Expr, TextError> {
        let start = self.here();
        let global = self.accept("::");
        let name = self.channel_name()?;
        let index = self.index(scope)?.map(Written::into_expr);
        let Some(model) = self.known else {
            return Ok(Expr::ChannelId { owner: ChannelOwner::Global, first: 0, index: None });
        };
        let own = scope.filter(|_| !global).map(|ty| &model.proctypes[ty].frame.channels[..]);
        let of_model = &model.layout.channels[..];
        let wanted = |channels: &[ChannelInstance]| match &index {
            None => find_channel(channels, &name).map(|first| (first, 1)),
            Some(_) => find_channels(channels, &name),
        };
        let found = own.and_then(wanted).map(|at| (ChannelOwner::Executing, at));
        let found = found.or_else(|| wanted(of_model).map(|at| (ChannelOwner::Global, at)));
        let Some((owner, (first, len))) = found else {
            return Err(self.error_at(start, format!("there is no channel `{name}`")));
        };
        let index = index.map(|expr| Box::new(Index { expr, len: len as u32, stride: 1 }));
        Ok(Expr::ChannelId { owner, first: first as u16, index })
    }

    /// What follows `channel`: the same by number.
    pub(super) fn numbered_channel(&mut self, scope: Scope) -> Result<Expr, TextError> {
        self.expect("(")?;
        let own = self.accept_word("own");
        let owner = if own { ChannelOwner::Executing } else { ChannelOwner::Global };
        let first = self.number()?;
        let mut index = None;
        if self.accept(",") {
            let expr = self.nested(|me| me.expr(scope))?;
            self.expect_word("of")?;
            index = Some(Box::new(Index { expr, len: self.number()?, stride: 1 }));
        }
        self.expect(")")?;
        Ok(Expr::ChannelId { owner, first, index })
    }
}
