//! Where the parts of a value lie.

use isospin_model::{Kind, Scalar, Segment};

use crate::system::{System, Type};

/// A single value within a value, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its name, part by part; the first part has the name of the variable.
    pub path: Vec<Segment>,
    /// Where it starts.
    pub offset: u32,
    /// Its type.
    pub ty: Scalar,
}

/// The value that a variable starts with, in one of its places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Where it is.
    pub offset: u32,
    /// Its type.
    pub ty: Scalar,
    /// What it starts with.
    pub initial: i32,
    /// Its least and greatest value, where it is a range.
    pub range: Option<(i32, i32)>,
}

/// The types of values in the state vector. Clocks have one type for each variable.
pub(super) struct Types<'s> {
    pub system: &'s System,
    /// The type of clocks.
    pub clock: Scalar,
}

impl Types<'_> {
    /// The type of a single value.
    pub fn scalar(&self, ty: &Type) -> Option<Scalar> {
        Some(match ty {
            Type::Integer | Type::Wrong => Scalar::INT,
            Type::Boolean => Scalar::new(Kind::Bool, 8, false),
            Type::Pid => Scalar::PID,
            Type::Clock => self.clock,
            Type::Range(low, high) => range(*low, *high),
            Type::Enum(set) => Scalar::new(Kind::Mtype(1 + *set as u16), 8, false),
            Type::Record(_) | Type::Array(..) => return None,
        })
    }

    /// How many bytes a value takes.
    pub fn size(&self, ty: &Type) -> u32 {
        match ty {
            Type::Record(record) => self.fields(*record).map(|(_, ty)| self.size(ty)).sum(),
            Type::Array(len, element) => len.saturating_mul(self.size(element)),
            ty => self.scalar(ty).map_or(0, Scalar::width),
        }
    }

    fn fields(&self, record: usize) -> impl Iterator<Item = &(String, Type)> {
        self.system.records[record].fields.iter()
    }

    /// Where a field starts within its record, and its type.
    pub fn field(&self, record: usize, field: usize) -> (u32, Type) {
        let before = self.fields(record).take(field).map(|(_, ty)| self.size(ty)).sum();
        (before, self.system.records[record].fields[field].1.clone())
    }

    /// The parts of a value, as the layout names them.
    pub fn leaves(&self, ty: &Type) -> Vec<Leaf> {
        let bare = |array| Segment { name: String::new(), array };
        match ty {
            Type::Record(record) => {
                let mut all = Vec::new();
                let mut start = 0;
                for (name, ty) in self.fields(*record) {
                    for mut leaf in self.leaves(ty) {
                        leaf.path[0].name.clone_from(name);
                        leaf.path.insert(0, bare(None));
                        leaf.offset += start;
                        all.push(leaf);
                    }
                    start += self.size(ty);
                }
                all
            }
            Type::Array(len, element) => {
                let array = Some((*len, self.size(element)));
                let mut all = self.leaves(element);
                for leaf in &mut all {
                    if leaf.path[0].array.is_none() {
                        leaf.path[0].array = array;
                    } else {
                        "of".clone_into(&mut leaf.path[0].name);
                        leaf.path.insert(0, bare(array));
                    }
                }
                all
            }
            ty => match self.scalar(ty) {
                Some(scalar) => vec![Leaf { path: vec![bare(None)], offset: 0, ty: scalar }],
                None => Vec::new(),
            },
        }
    }

    /// Every single value in a value.
    pub fn cells(&self, ty: &Type) -> Vec<Cell> {
        match ty {
            Type::Record(record) => {
                let mut all = Vec::new();
                let mut start = 0;
                for (_, ty) in self.fields(*record) {
                    let moved = self.cells(ty).into_iter();
                    all.extend(moved.map(|c| Cell { offset: c.offset + start, ..c }));
                    start += self.size(ty);
                }
                all
            }
            Type::Array(len, element) => {
                let (size, cells) = (self.size(element), self.cells(element));
                let each = (0..*len).flat_map(|k| {
                    cells.iter().map(move |c| Cell { offset: c.offset + k * size, ..*c })
                });
                each.collect()
            }
            ty => {
                let Some(scalar) = self.scalar(ty) else { return Vec::new() };
                let range = match ty {
                    Type::Range(low, high) => Some((*low, *high)),
                    _ => None,
                };
                let initial = range.map_or(0, |(low, _)| low);
                vec![Cell { offset: 0, ty: scalar, initial, range }]
            }
        }
    }
}

/// The narrowest type that holds all these values.
fn range(low: i32, high: i32) -> Scalar {
    let bits = |v: i32| 32 - v.leading_zeros();
    if low >= 0 {
        // Whole bytes: nothing is gained by fewer bits, and nothing is cut off unnoticed.
        return match bits(high) {
            0..=8 => Scalar::BYTE,
            9..=16 => Scalar::unsigned(16),
            _ => Scalar::INT,
        };
    }
    let widest = bits(high.max(-(low + 1))) + 1;
    match widest {
        0..=8 => Scalar::new(Kind::Number, 8, true),
        9..=16 => Scalar::SHORT,
        _ => Scalar::INT,
    }
}
