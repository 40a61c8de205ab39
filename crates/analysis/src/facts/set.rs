//! Sets of shared objects.

/// How many channels can be told apart: as many as there can be.
const CHANNEL_WORDS: usize = 4;

/// Which end of a channel an operation uses. On a buffered channel the two ends do not disturb
/// each other while messages are there and there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// Where messages are put in.
    Send,
    /// Where messages are taken out.
    Receive,
    /// Both: rendez-vous, sorted sends, random receives, tests of what the channel holds.
    Both,
    /// Neither, but whether somebody stands there who could receive in a rendez-vous.
    Offer,
}

impl End {
    /// What it is of a rendez-vous channel, which has only one end.
    pub fn whole(self) -> End {
        match self {
            End::Offer => End::Offer,
            _ => End::Both,
        }
    }

    fn sends(self) -> bool {
        matches!(self, End::Send | End::Both)
    }

    fn receives(self) -> bool {
        matches!(self, End::Receive | End::Both)
    }

    /// Whether two uses of a channel at these ends have nothing to do with each other.
    pub fn is_apart(self, other: End) -> bool {
        !(self.sends() && other.sends()
            || self.receives() && other.receives()
            || self == End::Offer && other == End::Offer)
    }
}

/// A set of shared objects: values in the global part of the vector, ends of channels, or simply
/// everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Objects {
    values: Vec<u64>,
    send: [u64; CHANNEL_WORDS],
    receive: [u64; CHANNEL_WORDS],
    offer: [u64; CHANNEL_WORDS],
    /// Anything at all.
    pub everything: bool,
}

impl Objects {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        !self.everything
            && self.values.iter().all(|&w| w == 0)
            && self.send == [0; CHANNEL_WORDS]
            && self.receive == [0; CHANNEL_WORDS]
            && self.offer == [0; CHANNEL_WORDS]
    }

    /// Adds the value with this number.
    pub fn add_value(&mut self, value: usize) {
        let word = value / 64;
        if self.values.len() <= word {
            self.values.resize(word + 1, 0);
        }
        self.values[word] |= 1 << (value % 64);
    }

    /// Whether the value with this number is in it.
    pub fn has_value(&self, value: usize) -> bool {
        self.values.get(value / 64).is_some_and(|w| w & 1 << (value % 64) != 0)
    }

    /// Adds an end of the channel at this position.
    pub fn add_channel(&mut self, channel: usize, end: End) {
        let (word, bit) = ((channel / 64).min(CHANNEL_WORDS - 1), 1 << (channel % 64));
        if end.sends() {
            self.send[word] |= bit;
        }
        if end.receives() {
            self.receive[word] |= bit;
        }
        if end == End::Offer {
            self.offer[word] |= bit;
        }
    }

    /// Whether an end of the channel at this position is in it.
    pub fn has_channel(&self, channel: usize, end: End) -> bool {
        let (word, bit) = ((channel / 64).min(CHANNEL_WORDS - 1), 1 << (channel % 64));
        self.everything
            || (end.sends() && self.send[word] & bit != 0)
            || (end.receives() && self.receive[word] & bit != 0)
            || (end == End::Offer && self.offer[word] & bit != 0)
    }

    /// Adds an end of every channel.
    pub fn add_all_channels(&mut self, end: End) {
        if end.sends() {
            self.send = [u64::MAX; CHANNEL_WORDS];
        }
        if end.receives() {
            self.receive = [u64::MAX; CHANNEL_WORDS];
        }
        if end == End::Offer {
            self.offer = [u64::MAX; CHANNEL_WORDS];
        }
    }

    /// Whether such an end of some channel is in it.
    pub fn has_some_channel(&self, end: End) -> bool {
        let some = |words: &[u64]| words.iter().any(|&w| w != 0);
        self.everything
            || (end.sends() && some(&self.send))
            || (end.receives() && some(&self.receive))
            || (end == End::Offer && some(&self.offer))
    }

    /// Whether there are channels in it.
    pub fn has_channels(&self) -> bool {
        self.has_some_channel(End::Both)
    }

    /// Adds another set; says whether that changed anything.
    pub fn add(&mut self, other: &Objects) -> bool {
        let mut changed = false;
        let mut or = |mine: &mut u64, theirs: u64| {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        };
        if self.values.len() < other.values.len() {
            self.values.resize(other.values.len(), 0);
        }
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            or(mine, *theirs);
        }
        for k in 0..CHANNEL_WORDS {
            or(&mut self.send[k], other.send[k]);
            or(&mut self.receive[k], other.receive[k]);
            or(&mut self.offer[k], other.offer[k]);
        }
        changed |= other.everything && !self.everything;
        self.everything |= other.everything;
        changed
    }

    /// Whether the sets have something in common.
    pub fn meets(&self, other: &Objects) -> bool {
        if self.everything || other.everything {
            return !self.is_empty() && !other.is_empty();
        }
        self.values.iter().zip(&other.values).any(|(a, b)| a & b != 0)
            || self.send.iter().zip(&other.send).any(|(a, b)| a & b != 0)
            || self.receive.iter().zip(&other.receive).any(|(a, b)| a & b != 0)
            || self.offer.iter().zip(&other.offer).any(|(a, b)| a & b != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_channel_are_apart() {
        let (mut a, mut b) = (Objects::default(), Objects::default());
        a.add_channel(3, End::Send);
        b.add_channel(3, End::Receive);
        assert!(!a.meets(&b));
        b.add_channel(3, End::Both);
        assert!(a.meets(&b));
    }

    #[test]
    fn an_offer_is_no_end() {
        let (mut a, mut b) = (Objects::default(), Objects::default());
        a.add_channel(3, End::Offer);
        b.add_channel(3, End::Both);
        assert!(!a.meets(&b) && !a.has_channels() && !a.is_empty());
        b.add_channel(3, End::Offer);
        assert!(a.meets(&b));
        assert!(End::Offer.is_apart(End::Both) && !End::Offer.is_apart(End::Offer));
        assert!(End::Send.is_apart(End::Receive) && !End::Send.is_apart(End::Both));
    }

    #[test]
    fn everything_meets_whatever_is_there() {
        let everything = Objects { everything: true, ..Objects::default() };
        let mut one = Objects::default();
        assert!(!everything.meets(&one));
        one.add_value(70);
        assert!(everything.meets(&one) && one.meets(&everything));
        assert!(one.has_value(70) && !one.has_value(6));
    }
}
