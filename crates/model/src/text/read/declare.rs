//! Types, variables and channels.

use super::super::lex::Token;
use super::super::TextError;
use super::layout::{Declared, Fixed};
use super::{Reader, Scope};
use crate::expr::{Place, Region};
use crate::ids::ChannelTypeId;
use crate::layout::{ChannelInstance, ChannelType, Segment, Slot};
use crate::model::{Initializer, MtypeSet, Scalarset};
use crate::scalar::{Kind, Scalar};

impl Reader<'_> {
    /// Whether `mtype`, which has been read, starts the declaration of a set: the type of a
    /// variable is followed by its name.
    pub(super) fn is_mtype_set(&self) -> bool {
        let brace = Token::Sign("{");
        *self.peek() == brace || self.is_name() && *self.peek_second() == brace
    }

    pub(super) fn mtype_set(&mut self) -> Result<(), TextError> {
        let name = if self.is_name() { self.name()? } else { String::new() };
        self.expect("{")?;
        let members = self.list_to("}", |me| {
            let name = me.name()?;
            me.expect("=")?;
            Ok((name, me.signed()?))
        })?;
        self.model.mtypes.push(MtypeSet { name, members });
        Ok(())
    }

    pub(super) fn scalarset(&mut self) -> Result<(), TextError> {
        let name = self.name()?;
        let size = self.number()?;
        let source = self.source()?;
        self.model.scalarsets.push(Scalarset { name, size, source });
        Ok(())
    }

    pub(super) fn vector(&mut self) -> Result<(), TextError> {
        self.expect_word("hidden")?;
        let hidden = self.number()?;
        self.expect_word("count")?;
        let count = self.number()?;
        let last = self.accept_number("last")?;
        let event = self.accept_number("event")?;
        self.expect_word("frames")?;
        let frames = self.number()?;
        self.globals.fixed = Some(Fixed::Globals { hidden, count, last, event, frames });
        Ok(())
    }

    /// `[2] of { byte, bit }`
    pub(super) fn contents(&mut self) -> Result<ChannelType, TextError> {
        self.expect("[")?;
        let capacity = self.number()?;
        self.expect("]")?;
        self.expect_word("of")?;
        self.expect("{")?;
        let fields = self.list_to("}", Self::scalar)?;
        Ok(ChannelType::new(capacity, fields))
    }

    pub(super) fn scalar(&mut self) -> Result<Scalar, TextError> {
        let start = self.here();
        let mut ty = match self.word()?.as_str() {
            "bit" => Scalar::BIT,
            "byte" => Scalar::BYTE,
            "short" => Scalar::SHORT,
            "int" => Scalar::INT,
            "pid" => Scalar::PID,
            "chan" => Scalar::CHANNEL,
            "timer" => Scalar::TIMER,
            "clock" => {
                let base = self.number()?;
                Scalar::clock(base, self.number()?)
            }
            "unsigned" => Scalar::unsigned(self.bits()?),
            "signed" => Scalar::new(Kind::Number, self.bits()?, true),
            "mtype" => {
                let name = if self.accept(":") { self.name()? } else { String::new() };
                let set = self.model.mtypes.iter().position(|s| s.name == name);
                let set = set.ok_or_else(|| self.error_at(start, "there is no such mtype"))?;
                Scalar::new(Kind::Mtype(set as u16), 8, false)
            }
            "name" => {
                self.expect(":")?;
                let name = self.name()?;
                let set = self.model.scalarsets.iter().position(|s| s.name == name);
                let set = set.ok_or_else(|| self.error_at(start, "there is no such scalarset"))?;
                Scalar::new(Kind::Name(set as u16), 8, false)
            }
            _ => {
                self.back_to(start);
                return Err(self.unexpected("a declaration"));
            }
        };
        if self.accept("/") {
            ty.bits = self.bits()?;
        }
        Ok(ty)
    }

    fn bits(&mut self) -> Result<u8, TextError> {
        let start = self.here();
        let bits = self.number()?;
        if (1..=32).contains(&bits) {
            Ok(bits)
        } else {
            Err(self.error_at(start, "a value has 1 to 32 bits"))
        }
    }

    fn declared(&mut self, scope: Scope) -> &mut Declared {
        match scope {
            Some(ty) => &mut self.frames[ty],
            None => &mut self.globals,
        }
    }

    /// A variable, and what it starts with.
    pub(super) fn variable(&mut self, scope: Scope, hidden: bool) -> Result<(), TextError> {
        let start = self.here();
        self.declare(scope, hidden, false)?;
        if !self.accept("=") {
            return Ok(());
        }
        let value = self.expr(scope)?;
        let Some(place) = self.last_declared(scope) else {
            return Err(self.error_at(start, "an array is given values with `initially`"));
        };
        let init = Initializer { place, value };
        match scope {
            Some(ty) => self.model.proctypes[ty].initializers.push(init),
            None => self.model.initializers.push(init),
        }
        Ok(())
    }

    /// The variable that was declared last, if it is a single value.
    fn last_declared(&mut self, scope: Scope) -> Option<Place> {
        let k = self.declared(scope).slots.len() - 1;
        let slot = self.declared(scope).slots[k].0.clone();
        let (region, known) = match scope {
            Some(ty) => (Region::Local, self.known.map(|m| &m.proctypes[ty].frame.slots)),
            None => (Region::Global, self.known.map(|m| &m.layout.slots)),
        };
        let offset = known.map_or(0, |slots| slots[k].offset);
        let single = slot.dimensions().next().is_none();
        single.then_some(Place { region, offset, indices: Vec::new(), ty: slot.ty })
    }

    pub(super) fn declare(
        &mut self,
        scope: Scope,
        hidden: bool,
        parameter: bool,
    ) -> Result<(), TextError> {
        let ty = self.scalar()?;
        let path = self.path(ty)?;
        let at = self.accept_number("at")?;
        let slot = Slot { path, offset: 0, ty, parameter };
        self.declared(scope).slots.push((slot, at, hidden));
        Ok(())
    }

    /// `a[3].b[2 by 5]`
    fn path(&mut self, ty: Scalar) -> Result<Vec<Segment>, TextError> {
        let mut given = Vec::new();
        loop {
            let name = self.name()?;
            let array = if self.accept("[") {
                let len: u32 = self.number()?;
                let stride = self.accept_number("by")?;
                self.expect("]")?;
                Some((len, stride))
            } else {
                None
            };
            given.push((name, array));
            if !self.accept(".") {
                break;
            }
        }
        // Elements follow each other unless told otherwise.
        let mut inner = ty.width();
        let mut path = Vec::new();
        for (name, array) in given.into_iter().rev() {
            let array = array.map(|(len, stride): (u32, Option<u32>)| {
                let stride = stride.unwrap_or(inner);
                inner = len.wrapping_mul(stride);
                (len, stride)
            });
            path.push(Segment { name, array });
        }
        path.reverse();
        Ok(path)
    }

    /// `q = type 0`, or `q = [1] of { byte }`
    pub(super) fn channel(&mut self, scope: Scope) -> Result<(), TextError> {
        let name = self.channel_name()?;
        self.expect("=")?;
        let ty = if self.accept_word("type") {
            ChannelTypeId(self.number()?)
        } else {
            let contents = self.contents()?;
            let types = &mut self.model.channel_types;
            let ty = types.iter().position(|t| *t == contents).unwrap_or_else(|| {
                types.push(contents);
                types.len() - 1
            });
            ChannelTypeId::at(ty)
        };
        let at = self.accept_number("at")?;
        let channel = ChannelInstance { name, ty, offset: 0 };
        self.declared(scope).channels.push((channel, at));
        Ok(())
    }

    /// `x = 3`, for what a variable starts with.
    pub(super) fn initializer(&mut self, scope: Scope) -> Result<Initializer, TextError> {
        let place = self.place(scope)?;
        self.expect("=")?;
        let value = self.expr(scope)?;
        Ok(Initializer { place, value })
    }
}
