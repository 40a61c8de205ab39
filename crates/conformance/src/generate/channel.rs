//! Sends, receives and polls.

use super::expr::{base, words};
use super::world::{Chan, Ty, Var};
use super::Gen;

impl Gen {
    /// A channel that `fits`, as text and in full.
    pub(super) fn channel(&mut self, fits: impl Fn(&Chan) -> bool) -> Option<(String, Chan)> {
        let chans: Vec<Chan> =
            self.world.chans.iter().chain(&self.body.chans).filter(|c| fits(c)).cloned().collect();
        if chans.is_empty() {
            return None;
        }
        let chan = self.rng.pick(&chans).clone();
        // An index that the statement itself changes leads Spin's verifier to another channel when
        // it takes the statement back.
        let index = if self.rng.chance(30) {
            (*self.rng.pick(&["(_pid & 1)", "((_pid + 1) & 1)"])).to_owned()
        } else {
            self.rng.below(chan.len.max(1)).to_string()
        };
        Some((chan.text.replace('#', &index), chan))
    }

    /// A channel that can be sent in a message: one of the same form as the model's first, because
    /// the receiver uses it as such.
    pub(super) fn plain_channel(&mut self) -> Option<String> {
        let first = self.world.chans.first()?.fields.clone();
        self.channel(|c| c.fields == first).map(|(text, _)| text)
    }

    /// A send, as a statement.
    pub(super) fn send(&mut self, rendezvous: bool) -> Option<String> {
        let (text, chan) = self.channel(|c| rendezvous || c.capacity > 0)?;
        let args: Vec<String> = chan.fields.iter().map(|&ty| self.value(ty)).collect();
        let sorted = self.swarm.sorted && chan.capacity > 0 && self.rng.chance(40);
        let op = if sorted { "!!" } else { "!" };
        // `c!name(rest)` is another way to write `c!name,rest`.
        if args.len() > 1 && chan.fields[0] == Ty::Mtype && self.rng.chance(30) {
            return Some(format!("{text}{op}{}({});", args[0], args[1..].join(", ")));
        }
        Some(format!("{text}{op}{};", args.join(", ")))
    }

    /// A receive, as a statement.
    pub(super) fn receive(&mut self, rendezvous: bool) -> Option<String> {
        let (text, chan) = self.channel(|c| rendezvous || c.capacity > 0)?;
        let args = self.receive_args(&chan.fields).join(", ");
        let buffered = chan.capacity > 0 && !chan.varies;
        let random = self.swarm.random_receive && self.rng.chance(40);
        let op = if random { "??" } else { "?" };
        let copy = buffered && self.swarm.copy_receive && self.rng.chance(30);
        Some(if copy { format!("{text}{op}<{args}>;") } else { format!("{text}{op}{args};") })
    }

    /// The pattern of a receive. A variable that is stored into is not used anywhere else in it:
    /// when Spin's verifier takes such a receive back, it puts another message into the channel
    /// than the one that was there.
    fn receive_args(&mut self, fields: &[Ty]) -> Vec<String> {
        let alone = fields.len() == 1;
        let mut args: Vec<String> = fields.iter().map(|&ty| self.receive_arg(ty, alone)).collect();
        for at in 0..args.len() {
            let name = base(&args[at]).to_owned();
            let used = args
                .iter()
                .enumerate()
                .any(|(i, arg)| i != at && words(arg).any(|word| word == name));
            let in_index = words(&args[at]).filter(|word| *word == name).count() > 1;
            if args[at] != "_" && (used || in_index) {
                args[at] = "_".to_owned();
            }
        }
        args
    }

    fn receive_arg(&mut self, ty: Ty, alone: bool) -> String {
        if ty == Ty::Chan {
            let vars: Vec<Var> = self.body.locals.clone();
            return match vars.iter().find(|v| v.ty == Ty::Chan) {
                Some(var) => var.text.clone(),
                None => "_".to_owned(),
            };
        }
        match self.rng.below(6) {
            0 => "_".to_owned(),
            1 => self.pattern_constant(ty),
            2 => match self.target() {
                (text, _) if !text.contains('[') => format!("eval({text})"),
                _ => self.pattern_constant(ty),
            },
            3 if ty != Ty::Mtype => match self.number(1) {
                // What a receive changes besides the variables is the channel itself.
                text if text.contains("len(") || text.contains('?') => self.pattern_constant(ty),
                text => format!("eval({text})"),
            },
            _ => self.target_of(ty, alone),
        }
    }

    fn pattern_constant(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Mtype => self.value(ty),
            _ => self.rng.below(3).to_string(),
        }
    }

    /// A variable that the field fits in: when Spin's verifier takes a receive back, the message
    /// that it puts into the channel is what the variable has kept of it.
    fn target_of(&mut self, ty: Ty, alone: bool) -> String {
        for _ in 0..8 {
            let (text, found) = self.target();
            let symbolic = (found == Ty::Mtype) == (ty == Ty::Mtype);
            if symbolic && ty.fits_into(found, alone) {
                return text;
            }
        }
        "_".to_owned()
    }

    /// `c?[pattern]`.
    pub(super) fn poll(&mut self) -> Option<String> {
        let (text, chan) = self.channel(|c| c.capacity > 0)?;
        let args = self.receive_args(&chan.fields);
        let op = if self.rng.chance(30) { "??" } else { "?" };
        Some(format!("{text}{op}[{}]", args.join(", ")))
    }
}
