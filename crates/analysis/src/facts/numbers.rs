//! Whether the numbers of processes and channels make a difference.

use isospin_model::{Action, ChannelOwner, Expr, Kind, Model, Place, Region};

use super::started_by;

/// Whether the numbers of processes and channels can make a difference. Where nothing looks at
/// them, two orders of starting and ending lead to states that differ only in the numbers, and in
/// processes that wait at their end for younger ones: no property can tell those apart, unless a
/// process that waits there still claims a channel.
pub(super) fn numbers_matter(model: &Model, observers: &[Expr]) -> bool {
    let mut matter = !model.exclusives.is_empty();
    let channels_matter = channel_numbers_matter(model, observers);
    let mut look = |e: &Expr| match e {
        Expr::Pid
        | Expr::ProcessCount
        | Expr::AtLocation { .. }
        | Expr::Last
        | Expr::Enabled(_)
        | Expr::PcValue(_)
        | Expr::Priority(_)
        | Expr::Load(Place { region: Region::Remote { .. }, .. }) => matter = true,
        // Starting a process with channels of its own decides their numbers.
        Expr::Run { proctype, .. } => {
            matter |=
                channels_matter && !model.proctypes[proctype.index()].frame.channels.is_empty();
        }
        _ => {}
    };
    for proctype in &model.proctypes {
        for edge in &proctype.automaton.edges {
            edge.action.walk(&mut look);
        }
        proctype.initializers.iter().for_each(|i| i.value.walk(&mut look));
    }
    observers.iter().for_each(|e| e.walk(&mut look));
    // The number that `run` yields may be used, unless it is a statement of its own.
    let used = |action: &Action| match action {
        Action::Condition(Expr::Run { args, .. }) => {
            args.iter().any(|a| a.any(&|e| matches!(e, Expr::Run { .. })))
        }
        action => !started_by(action).is_empty(),
    };
    matter || model.proctypes.iter().flat_map(|p| &p.automaton.edges).any(|e| used(&e.action))
}

/// Whether something is done with the numbers of channels that processes create, other than to
/// name the channel of an operation or to hand it to a new process. Where nothing is, two orders of
/// starting lead to states that differ only in these numbers.
fn channel_numbers_matter(model: &Model, observers: &[Expr]) -> bool {
    let is_channel = |ty: &isospin_model::Scalar| ty.kind == Kind::Channel;
    if model.channel_types.iter().any(|ty| ty.fields.iter().any(is_channel)) {
        return true;
    }
    let (mut named, mut harmless, mut stored) = (0usize, 0usize, false);
    let mut look = |e: &Expr| {
        named += usize::from(names_channel(e));
        harmless += match e {
            Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) | Expr::Poll { channel: c, .. } => {
                usize::from(names_channel(c))
            }
            Expr::Run { proctype, args, .. } => {
                let slots = &model.proctypes[proctype.index()].frame.slots;
                let handed = args.iter().zip(slots).filter(|(_, s)| s.ty.kind == Kind::Channel);
                handed.filter(|(arg, _)| names_channel(arg)).count()
            }
            _ => 0,
        };
    };
    let mut operands = 0;
    for proctype in &model.proctypes {
        for edge in &proctype.automaton.edges {
            edge.action.walk(&mut look);
            operands += operands_of(&edge.action);
            edge.action.for_each_store(&mut |place| stored |= place.ty.kind == Kind::Channel);
        }
        let provided = proctype.provided.iter();
        provided.for_each(|e| e.walk(&mut look));
    }
    let own = model.proctypes.iter().flat_map(|p| &p.initializers);
    for initializer in model.initializers.iter().chain(own) {
        initializer.value.walk(&mut look);
        let names = initializer.place.ty.kind == Kind::Channel;
        operands += usize::from(names && names_channel(&initializer.value));
    }
    observers.iter().for_each(|e| e.walk(&mut look));
    stored || named > harmless + operands
}

/// Whether the value is the number of a channel that a process may have created.
fn names_channel(expr: &Expr) -> bool {
    match expr {
        Expr::ChannelId { owner, .. } => *owner == ChannelOwner::Executing,
        Expr::Load(place) => place.ty.kind == Kind::Channel,
        _ => false,
    }
}

/// How many sends and receives of an action name a channel.
fn operands_of(action: &Action) -> usize {
    match action {
        Action::Send { channel, .. } | Action::Receive { channel, .. } => {
            usize::from(names_channel(channel))
        }
        Action::DetStep(step) => {
            step.nodes.iter().flat_map(|n| &n.edges).map(|e| operands_of(&e.action)).sum()
        }
        _ => 0,
    }
}
