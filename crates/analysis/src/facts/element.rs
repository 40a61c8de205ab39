//! Elements of global arrays whose indices a process settles when it starts: `flag[_pid]`,
//! `fork[(_pid + 1) % N]`, `box[i]` with a parameter `i`. Which element that is can be looked up in
//! a state, and stays so as long as the process lives.

use isospin_model::{Expr, Index, Place, Region};

use super::access::{Access, OwnObject, Reader};
use super::set::{End, Objects};
use super::{Facts, ProcTypeId};

/// An element of a global array, by indices that depend on nothing but what a process has settled.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// What the array is of.
    pub sort: Sort,
    /// Where it starts: an offset in the vector, or a position among the channels.
    pub first: u32,
    /// The indices, outermost first.
    pub indices: Vec<Index>,
}

/// What an array is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Values.
    Value,
    /// Channels.
    Channel,
}

impl Element {
    /// How far behind the first element the last one is.
    fn span(&self) -> u32 {
        self.indices.iter().map(|i| (i.len - 1) * i.stride).sum()
    }

    /// The variables of the process that decide which element it is: where they are in the frame,
    /// and how long.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(u32, u32)) {
        for index in &self.indices {
            index.expr.walk(&mut |e| {
                if let Expr::Load(place) = e {
                    visit(place.offset, place.ty.width());
                }
            });
        }
    }
}

impl Reader<'_> {
    /// The element of an array of values, if the process has settled which it is.
    pub(super) fn value_element(&self, place: &Place) -> Option<OwnObject> {
        if place.indices.is_empty() {
            return None;
        }
        let (first, indices) = (place.offset, place.indices.clone());
        self.number(Element { sort: Sort::Value, first, indices })
    }

    /// The element of an array of channels, if the process has settled which it is.
    pub(super) fn channel_element(&self, first: u16, index: &Index) -> Option<OwnObject> {
        let (first, indices) = (u32::from(first), vec![index.clone()]);
        self.number(Element { sort: Sort::Channel, first, indices })
    }

    fn number(&self, element: Element) -> Option<OwnObject> {
        let mut elements = self.elements?.borrow_mut();
        if !element.indices.iter().all(|i| self.is_settled(&i.expr)) {
            return None;
        }
        let number = elements.iter().position(|e| *e == element).unwrap_or_else(|| {
            elements.push(element);
            elements.len() - 1
        });
        u16::try_from(number).ok().map(OwnObject::Element)
    }

    /// Whether the value is the same as long as the process lives.
    fn is_settled(&self, expr: &Expr) -> bool {
        !expr.any(&|e| match e {
            Expr::Const(_)
            | Expr::Pid
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..) => false,
            Expr::Load(Place { region: Region::Local, offset, indices, .. }) => {
                !indices.is_empty() || !self.settled.contains(offset)
            }
            _ => true,
        })
    }
}

impl Facts {
    /// The number of the value at an offset of the global part, among [`Objects`].
    pub fn value_at(&self, offset: usize) -> Option<usize> {
        self.values.at.get(offset).copied().flatten()
    }

    /// What a process of type `ty` touches, whichever process it is: every element of an array
    /// counts, while its channels stay its own.
    pub fn of_each(&self, ty: ProcTypeId, access: &Access) -> Access {
        let (mut spread, own) = (access.clone(), &access.own);
        spread.own.retain(|o| !matches!(o.object, OwnObject::Element(_)));
        for used in own {
            let OwnObject::Element(number) = used.object else { continue };
            let element = &self.elements[ty.index()][usize::from(number)];
            let objects = if used.read_only { &mut spread.reads } else { &mut spread.writes };
            self.add_all(element, used.end, objects);
        }
        spread
    }

    /// The same, with all channels for its own.
    pub fn of_any(&self, ty: ProcTypeId, access: &Access) -> Access {
        let mut spread = self.of_each(ty, access);
        for own in std::mem::take(&mut spread.own) {
            let objects = if own.read_only { &mut spread.reads } else { &mut spread.writes };
            objects.add_all_channels(own.end.whole());
        }
        spread
    }

    fn add_all(&self, element: &Element, end: End, objects: &mut Objects) {
        for at in element.first..=element.first + element.span() {
            match element.sort {
                Sort::Value => {
                    self.value_at(at as usize).into_iter().for_each(|v| objects.add_value(v));
                }
                Sort::Channel => objects.add_channel(at as usize, end),
            }
        }
    }
}
