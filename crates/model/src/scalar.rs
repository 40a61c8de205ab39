//! The types of single values: what kind of thing they are, how wide, signed or not.

/// What a value stands for. Machines only need its width; everything that permutes, ticks, prints
/// or compares states needs to know this as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A truth value.
    Bool,
    /// A plain number.
    Number,
    /// A symbolic name; the index says which [`MtypeSet`](crate::MtypeSet) it is drawn from.
    Mtype(u16),
    /// The number of a channel, 0 for none.
    Channel,
    /// The number of a process.
    Pid,
    /// A name; the index says of which [`Scalarset`](crate::Scalarset).
    Name(u16),
    /// A timer: -1 off, 0 expired, and above that the time that is left. See [`Time`](crate::Time).
    Timer,
    /// A clock that counts up: 0 while it does not run, and otherwise its value and `base`, which
    /// grows with time and is cut off at `top`: no larger value means anything else. See
    /// [`Time`](crate::Time).
    Clock {
        /// What is stored for a clock of value 0.
        base: u16,
        /// The greatest value that is stored.
        top: u16,
    },
}

/// The type of a single value in the state vector.
///
/// A value is computed as a 32-bit signed integer and cut down to `bits` when it is stored, as the
/// C code that Spin generates does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    /// What the value stands for.
    pub kind: Kind,
    /// How many bits survive an assignment (1 to 32).
    pub bits: u8,
    /// Whether the stored bits are sign-extended when read.
    pub signed: bool,
}

impl Scalar {
    /// A truth value that keeps one bit.
    pub const BIT: Scalar = Scalar::new(Kind::Bool, 1, false);
    /// A truth value in an array: Spin maps bit arrays onto byte arrays, so eight bits survive.
    pub const BIT_ELEMENT: Scalar = Scalar::new(Kind::Bool, 8, false);
    /// An unsigned number of eight bits.
    pub const BYTE: Scalar = Scalar::new(Kind::Number, 8, false);
    /// A signed number of sixteen bits.
    pub const SHORT: Scalar = Scalar::new(Kind::Number, 16, true);
    /// A signed number of thirty-two bits.
    pub const INT: Scalar = Scalar::new(Kind::Number, 32, true);
    /// The number of a channel.
    pub const CHANNEL: Scalar = Scalar::new(Kind::Channel, 8, false);
    /// The number of a process.
    pub const PID: Scalar = Scalar::new(Kind::Pid, 8, false);
    /// A timer, as wide as any value that it can be set to.
    pub const TIMER: Scalar = Scalar::new(Kind::Timer, 32, true);

    /// A clock with this base and top, as wide as it has to be.
    pub const fn clock(base: u16, top: u16) -> Scalar {
        Scalar::new(Kind::Clock { base, top }, if top < 256 { 8 } else { 16 }, false)
    }

    /// A type with the given parts.
    pub const fn new(kind: Kind, bits: u8, signed: bool) -> Scalar {
        Scalar { kind, bits, signed }
    }

    /// An unsigned number of `bits` bits.
    pub const fn unsigned(bits: u8) -> Scalar {
        Scalar::new(Kind::Number, bits, false)
    }

    /// How many bytes the value takes in the state vector: 1, 2 or 4.
    pub const fn width(self) -> u32 {
        match self.bits {
            0..=8 => 1,
            9..=16 => 2,
            _ => 4,
        }
    }

    /// What remains of `value` once it has been stored and read back.
    pub const fn truncate(self, value: i32) -> i32 {
        let unused = 32 - self.bits as u32;
        if self.signed {
            (value << unused) >> unused
        } else {
            (((value as u32) << unused) >> unused) as i32
        }
    }

    /// Reads the value at `offset`.
    #[inline]
    pub fn load(self, vector: &[u8], offset: usize) -> i32 {
        match self.width() {
            1 if self.signed => vector[offset] as i8 as i32,
            1 => vector[offset] as i32,
            2 => {
                let raw = u16::from_le_bytes([vector[offset], vector[offset + 1]]);
                if self.signed {
                    raw as i16 as i32
                } else {
                    raw as i32
                }
            }
            _ => i32::from_le_bytes(vector[offset..offset + 4].try_into().expect("four bytes")),
        }
    }

    /// Writes `value`, cut down to this type, at `offset`.
    #[inline]
    pub fn store(self, vector: &mut [u8], offset: usize, value: i32) {
        let value = self.truncate(value);
        match self.width() {
            1 => vector[offset] = value as u8,
            2 => vector[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => vector[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_as_in_c() {
        assert_eq!(Scalar::BYTE.truncate(256 + 7), 7);
        assert_eq!(Scalar::BYTE.truncate(-1), 255);
        assert_eq!(Scalar::BIT.truncate(2), 0);
        assert_eq!(Scalar::BIT_ELEMENT.truncate(2), 2);
        assert_eq!(Scalar::SHORT.truncate(40_000), 40_000 - 65_536);
        assert_eq!(Scalar::unsigned(5).truncate(33), 1);
        assert_eq!(Scalar::INT.truncate(i32::MIN), i32::MIN);
    }

    #[test]
    fn what_is_stored_is_what_truncate_says() {
        let mut vector = [0u8; 8];
        for ty in [Scalar::BIT, Scalar::BYTE, Scalar::SHORT, Scalar::INT, Scalar::unsigned(11)] {
            for value in [0, 1, -1, 255, 256, 70_000, -70_000, i32::MAX, i32::MIN] {
                ty.store(&mut vector, 3, value);
                assert_eq!(ty.load(&vector, 3), ty.truncate(value), "{ty:?} {value}");
            }
        }
    }
}
