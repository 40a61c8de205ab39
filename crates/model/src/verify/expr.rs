//! Expressions, places, and who may evaluate what.

use super::layout::slot_name;
use super::{ensure, Checked};
use crate::action::{Action, ReceiveArg};
use crate::expr::{ChannelOwner, Expr, Index, Place, Region};
use crate::layout::Slot;
use crate::model::{Initializer, Model};

/// Who evaluates an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Nobody yet: the initial values of global variables.
    Start,
    /// A process of this type.
    Process(usize),
    /// A property, to which no process is its own.
    Observer,
}

/// Something to look at.
enum Part<'e> {
    Expr(&'e Expr),
    Place(&'e Place),
    Arg(&'e ReceiveArg),
}

impl Model {
    /// An action that is no deterministic sequence.
    pub(super) fn verify_simple_action(&self, scope: Scope, action: &Action) -> Checked {
        let mut parts = Vec::new();
        match action {
            // Here a process may be started.
            Action::Condition(e) => return self.verify_parts(scope, true, vec![Part::Expr(e)]),
            Action::Assign(place, e) => {
                self.verify_parts(scope, true, vec![Part::Expr(e)])?;
                parts.extend(place.as_ref().map(Part::Place));
            }
            Action::Skip | Action::Else | Action::End | Action::Fail(_) | Action::DetStep(_) => {}
            Action::Assert(e) | Action::PrintSymbol(e) => parts.push(Part::Expr(e)),
            Action::Send { channel, args, .. } => {
                parts.push(Part::Expr(channel));
                parts.extend(args.iter().map(Part::Expr));
            }
            Action::Receive { channel, pattern, random, saved, .. } => {
                ensure(*random || saved.is_empty(), || {
                    "messages are passed over by what takes the very first".to_owned()
                })?;
                parts.push(Part::Expr(channel));
                parts.extend(pattern.iter().map(Part::Arg));
            }
            Action::Print { args, .. } => parts.extend(args.iter().map(Part::Expr)),
            Action::SetPriority { pid, priority } => {
                parts.extend([Part::Expr(pid), Part::Expr(priority)]);
            }
        }
        self.verify_parts(scope, false, parts)
    }

    /// What a variable starts with. Nobody else is looked at, and nothing comes of it.
    pub(super) fn verify_initializer(&self, scope: Scope, init: &Initializer) -> Checked {
        let own = match scope {
            Scope::Process(_) => init.place.region == Region::Local,
            Scope::Start | Scope::Observer => init.place.region == Region::Global,
        };
        ensure(own, || "somebody else's variable is given its first value".to_owned())?;
        let part = vec![Part::Place(&init.place), Part::Expr(&init.value)];
        self.verify_parts(scope, false, part)
    }

    /// An expression without effects.
    pub(super) fn verify_expr(&self, scope: Scope, expr: &Expr) -> Checked {
        self.verify_parts(scope, false, vec![Part::Expr(expr)])
    }

    /// A pattern of a trace assertion.
    pub(super) fn verify_pattern(&self, scope: Scope, pattern: &[ReceiveArg]) -> Checked {
        self.verify_parts(scope, false, pattern.iter().map(Part::Arg).collect())
    }

    fn verify_parts(&self, scope: Scope, starts: bool, mut todo: Vec<Part>) -> Checked {
        while let Some(part) = todo.pop() {
            match part {
                Part::Place(place) => {
                    self.verify_place(scope, place)?;
                    if let Region::Remote { pid: Some(pid), .. } = &place.region {
                        todo.push(Part::Expr(pid));
                    }
                    todo.extend(place.indices.iter().map(|i| Part::Expr(&i.expr)));
                }
                Part::Arg(ReceiveArg::Match(e)) => todo.push(Part::Expr(e)),
                Part::Arg(ReceiveArg::Store(place)) => todo.push(Part::Place(place)),
                Part::Arg(ReceiveArg::Ignore) => {}
                Part::Expr(e) => {
                    self.verify_node(scope, starts, e)?;
                    push_below(e, &mut todo);
                }
            }
        }
        Ok(())
    }

    /// An expression, apart from what is below it.
    fn verify_node(&self, scope: Scope, starts: bool, expr: &Expr) -> Checked {
        match expr {
            Expr::ChannelId { owner, first, index } => {
                self.verify_channel(scope, *owner, *first, index.as_deref())
            }
            Expr::Run { proctype, args, priority } => {
                let Some(ty) = self.proctypes.get(proctype.index()) else {
                    return Err(format!("it starts process type {proctype}, which there is not"));
                };
                let expected = ty.parameters as usize;
                ensure(args.len() == expected, || {
                    format!("`{}` takes {expected} parameters and gets {}", ty.name, args.len())
                })?;
                ensure(*priority > 0, || "a process is started with priority 0".to_owned())?;
                ensure(starts && matches!(scope, Scope::Process(_)), || {
                    "a process is started where nothing may change".to_owned()
                })
            }
            Expr::AtLocation { proctype, location, .. } => {
                let Some(ty) = self.proctypes.get(proctype.index()) else {
                    return Err(format!("it looks at process type {proctype}, which there is not"));
                };
                let locations = ty.automaton.locations.len();
                ensure(location.is_none_or(|l| l.index() < locations), || {
                    format!("it asks for a location that `{}` does not have", ty.name)
                })
            }
            Expr::Last => self.used(self.features.last, "`_last`"),
            Expr::Enabled(_) => self.used(self.features.enabled, "`enabled`"),
            _ => Ok(()),
        }
    }

    fn used(&self, noted: bool, what: &str) -> Checked {
        ensure(noted, || format!("it uses {what}, and the model says that nobody does"))
    }

    fn verify_channel(
        &self,
        scope: Scope,
        owner: ChannelOwner,
        first: u16,
        index: Option<&Index>,
    ) -> Checked {
        let channels = match (owner, scope) {
            (ChannelOwner::Global, _) => &self.layout.channels,
            (ChannelOwner::Executing, Scope::Process(ty)) => &self.proctypes[ty].frame.channels,
            (ChannelOwner::Executing, _) => {
                return Err("a channel of its own, and it is nobody".to_owned());
            }
        };
        let len = index.map_or(1, |i| i.len);
        ensure(index.is_none_or(|i| i.stride == 1), || {
            "channels of an array do not follow each other".to_owned()
        })?;
        let last = u64::from(first) + u64::from(len);
        ensure(len > 0 && last <= channels.len() as u64, || {
            format!("channels {first} to {last}, and there are {}", channels.len())
        })
    }

    /// A place is a variable, or an element of one, and has its type.
    fn verify_place(&self, scope: Scope, place: &Place) -> Checked {
        let slots: &[Slot] = match (&place.region, scope) {
            (Region::Global, _) => &self.layout.slots,
            (Region::Local, Scope::Process(ty)) => &self.proctypes[ty].frame.slots,
            (Region::Local, _) => return Err("a local variable of nobody".to_owned()),
            (Region::Remote { proctype, .. }, _) => match self.proctypes.get(proctype.index()) {
                Some(ty) => &ty.frame.slots,
                None => {
                    return Err(format!(
                        "a variable of process type {proctype}, which there is not"
                    ))
                }
            },
        };
        ensure(slots.iter().any(|slot| slot.element(place).is_some()), || {
            let near = slots.iter().rfind(|slot| slot.offset <= place.offset);
            let near = near.map_or_else(String::new, |s| format!(", near `{}`,", slot_name(s)));
            format!("a value at byte {}{near} that is no variable", place.offset)
        })
    }
}

fn push_below<'e>(expr: &'e Expr, todo: &mut Vec<Part<'e>>) {
    match expr {
        Expr::Const(_)
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Last => {}
        Expr::Load(place) => todo.push(Part::Place(place)),
        Expr::Unary(_, e)
        | Expr::Len(e)
        | Expr::Full(e)
        | Expr::Empty(e)
        | Expr::Enabled(e)
        | Expr::PcValue(e)
        | Expr::Priority(e) => todo.push(Part::Expr(e)),
        Expr::Binary(_, a, b) => todo.extend([Part::Expr(a), Part::Expr(b)]),
        Expr::Conditional(c, a, b) => todo.extend([c, a, b].map(|e| Part::Expr(e))),
        Expr::ChannelId { index, .. } => {
            todo.extend(index.as_deref().map(|i| Part::Expr(&i.expr)));
        }
        Expr::Poll { channel, pattern, .. } => {
            todo.push(Part::Expr(channel));
            todo.extend(pattern.iter().map(Part::Arg));
        }
        Expr::Run { args, .. } => todo.extend(args.iter().map(Part::Expr)),
        Expr::AtLocation { pid, .. } => todo.extend(pid.as_deref().map(Part::Expr)),
    }
}
