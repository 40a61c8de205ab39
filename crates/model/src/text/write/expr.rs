//! Expressions and places as text.

use super::super::names::{
    find_channel, find_channels, find_slot, precedence, spelled, spelled_channel,
};
use super::{Scope, Writer};
use crate::action::ReceiveArg;
use crate::element::ElementIndex;
use crate::expr::{ChannelOwner, Expr, Index, Place, Region, UnaryOp};
use crate::ids::LocationId;
use crate::layout::Slot;

/// How tightly an operand of a unary operator binds.
const UNARY: u8 = 11;

impl Writer<'_> {
    pub(super) fn expr(&self, scope: Scope, expr: &Expr) -> String {
        let mut out = String::new();
        self.bound(scope, expr, 0, &mut out);
        out
    }

    /// Writes an expression, in parentheses where it binds less tightly than `tight`.
    fn bound(&self, scope: Scope, expr: &Expr, tight: u8, out: &mut String) {
        match expr {
            Expr::Binary(op, a, b) => {
                let own = precedence(*op);
                let parentheses = own < tight;
                out.push_str(if parentheses { "(" } else { "" });
                self.bound(scope, a, own, out);
                out.push_str(&format!(" {} ", op.symbol()));
                self.bound(scope, b, own + 1, out);
                out.push_str(if parentheses { ")" } else { "" });
            }
            Expr::Unary(op, e) => {
                out.push_str(op.symbol());
                // `-1` is a number, and not the negation of one.
                let number = *op == UnaryOp::Negate && matches!(**e, Expr::Const(v) if v >= 0);
                out.push_str(if number { "(" } else { "" });
                self.bound(scope, e, UNARY, out);
                out.push_str(if number { ")" } else { "" });
            }
            Expr::Conditional(c, a, b) => {
                out.push_str("(if ");
                self.bound(scope, c, 0, out);
                out.push_str(" then ");
                self.bound(scope, a, 0, out);
                out.push_str(" else ");
                self.bound(scope, b, 0, out);
                out.push(')');
            }
            other => out.push_str(&self.operand(scope, other)),
        }
    }

    fn operand(&self, scope: Scope, expr: &Expr) -> String {
        let call = |name: &str, e: &Expr| format!("{name}({})", self.expr(scope, e));
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Load(place) => self.place(scope, place),
            Expr::ChannelId { owner, first, index } => {
                self.channel(scope, *owner, *first, index.as_deref())
            }
            Expr::Len(e) => call("len", e),
            Expr::Full(e) => call("full", e),
            Expr::Empty(e) => call("empty", e),
            Expr::Enabled(e) => call("enabled", e),
            Expr::PcValue(e) => call("pc_value", e),
            Expr::Priority(e) => call("priority", e),
            Expr::Poll { channel, pattern, random } => {
                let any = if *random { " any" } else { "" };
                let mut parts = vec![self.expr(scope, channel)];
                parts.extend(pattern.iter().map(|a| self.pattern(scope, a)));
                format!("poll{any}({})", parts.join(", "))
            }
            Expr::Run { proctype, args, priority } => {
                let name = self.proctype(proctype.index());
                let priority = super::priority(*priority);
                format!("run {name}({}){priority}", self.list(scope, args))
            }
            Expr::Timeout => "timeout".to_owned(),
            Expr::NonProgress => "np_".to_owned(),
            Expr::Pid => "_pid".to_owned(),
            Expr::ProcessCount => "_nr_pr".to_owned(),
            Expr::Last => "_last".to_owned(),
            Expr::AtLocation { proctype, pid, location } => {
                let who = self.process_of(scope, proctype.index(), pid.as_deref());
                let place = match location {
                    Some(location) => self.location(proctype.index(), *location),
                    None => "none".to_owned(),
                };
                format!("{who}@{place}")
            }
            Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => {
                format!("({})", self.expr(scope, expr))
            }
        }
    }

    pub(super) fn list(&self, scope: Scope, exprs: &[Expr]) -> String {
        let all: Vec<String> = exprs.iter().map(|e| self.expr(scope, e)).collect();
        all.join(", ")
    }

    pub(super) fn patterns(&self, scope: Scope, pattern: &[ReceiveArg]) -> String {
        let all: Vec<String> = pattern.iter().map(|a| self.pattern(scope, a)).collect();
        all.join(", ")
    }

    fn pattern(&self, scope: Scope, arg: &ReceiveArg) -> String {
        match arg {
            ReceiveArg::Ignore => "_".to_owned(),
            ReceiveArg::Match(Expr::Const(value)) => value.to_string(),
            ReceiveArg::Match(e) => format!("eval({})", self.expr(scope, e)),
            ReceiveArg::Store(place) => self.place(scope, place),
        }
    }

    /// A process of a type, by its number or the oldest.
    fn process_of(&self, scope: Scope, ty: usize, pid: Option<&Expr>) -> String {
        let name = self.proctype(ty);
        match pid {
            Some(pid) => format!("{name}[{}]", self.expr(scope, pid)),
            None => name,
        }
    }

    /// A location, by the first label that stands nowhere before.
    fn location(&self, ty: usize, location: LocationId) -> String {
        let locations = self.model.proctypes.get(ty).map(|p| &p.automaton.locations);
        let Some(locations) = locations else { return location.to_string() };
        let stands = |label: &String, l: &crate::automaton::Location| l.labels.contains(label);
        let first = |label: &&String| {
            locations.iter().position(|l| stands(label, l)) == Some(location.index())
        };
        let label = locations.get(location.index()).and_then(|l| l.labels.iter().find(first));
        label.map_or_else(|| location.to_string(), |label| spelled(label))
    }

    fn channel(
        &self,
        scope: Scope,
        owner: ChannelOwner,
        first: u16,
        index: Option<&Index>,
    ) -> String {
        let own = owner == ChannelOwner::Executing;
        let channels = self.channels(scope.filter(|_| own));
        let at = usize::from(first);
        if let (Some(channel), false) = (channels.get(at), own && scope.is_none()) {
            let by_name = |name: &str, text: String| {
                let hidden = !own && self.is_own_channel(scope, name);
                format!("&{}{text}", if hidden { "::" } else { "" })
            };
            let name = &channel.name;
            match index {
                None if find_channel(channels, name) == Some(at) => {
                    return by_name(name, spelled_channel(name));
                }
                Some(index) => {
                    let base = name.strip_suffix("[0]").unwrap_or_default();
                    let array = Some((at, index.len as usize));
                    if index.stride == 1 && find_channels(channels, base) == array {
                        let text = self.index(scope, index);
                        return by_name(name, format!("{}[{text}]", spelled_channel(base)));
                    }
                }
                None => {}
            }
        }
        let own = if own { "own " } else { "" };
        match index {
            None => format!("channel({own}{first})"),
            Some(index) => {
                format!("channel({own}{first}, {} of {})", self.expr(scope, &index.expr), index.len)
            }
        }
    }

    /// An index that is evaluated when the model runs.
    fn index(&self, scope: Scope, index: &Index) -> String {
        match &index.expr {
            Expr::Const(k) if *k >= 0 && (*k as u32) < index.len => format!("({k})"),
            expr => self.expr(scope, expr),
        }
    }

    pub(super) fn place(&self, scope: Scope, place: &Place) -> String {
        let unknown = || format!("?{}", place.offset);
        let (slots, mut prefix): (&[Slot], String) = match (&place.region, scope) {
            (Region::Global, _) => (&self.model.layout.slots, String::new()),
            (Region::Local, Some(ty)) => (&self.model.proctypes[ty].frame.slots, String::new()),
            (Region::Local, None) => return unknown(),
            (Region::Remote { proctype, pid }, _) => {
                let ty = proctype.index();
                let Some(proctype) = self.model.proctypes.get(ty) else { return unknown() };
                let who = self.process_of(scope, ty, pid.as_deref());
                (&proctype.frame.slots, format!("{who}:"))
            }
        };
        let found = slots.iter().find_map(|slot| Some((slot, slot.element(place)?)));
        let Some((slot, indices)) = found else { return unknown() };
        let names: Vec<&str> = slot.path.iter().map(|s| s.name.as_str()).collect();
        if let (Region::Global, Some(ty)) = (&place.region, scope) {
            let locals = &self.model.proctypes[ty].frame.slots;
            if locals.iter().any(|l| l.path[0].name == names[0]) {
                prefix = "::".to_owned();
            }
        }
        let mut indices = indices.into_iter();
        let mut parts = Vec::new();
        for segment in &slot.path {
            let index = match segment.array.and_then(|_| indices.next()) {
                None => String::new(),
                Some(ElementIndex::Computed(index)) => format!("[{}]", self.index(scope, index)),
                Some(ElementIndex::Known(k)) => format!("[{k}]"),
            };
            parts.push(spelled(&segment.name) + &index);
        }
        let first = find_slot(slots, &names, None).map(|s| s.offset) == Some(slot.offset);
        let offset = if first { String::new() } else { format!("#{}", slot.offset) };
        format!("{prefix}{}{offset}", parts.join("."))
    }
}
