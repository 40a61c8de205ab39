//! What is compiled, and what is left to the interpreter.
//!
//! Everything that real models do in their hot loops is compiled. The interpreter steps whole
//! models with priorities or `provided` clauses, and single locations that use `enabled`, a `run`
//! inside a larger expression or a deterministic sequence, or expressions of absurd depth.

use isospin_model::{Action, ChannelOwner, Expr, Model, Place, ProcType, ReceiveArg, Region};

/// Generating code recurses on the depth of expressions; deeper ones are left to the interpreter.
const MAX_DEPTH: usize = 2_000;

/// Making code takes more than proportionally longer for what is very large, and what is so large
/// is not what a search spends its time in: longer deterministic sequences are interpreted, and so
/// are locations with more edges.
const MAX_SEQUENCE: usize = 2_000;
const MAX_EDGES: usize = 2_000;

/// More kinds of channels than this are not told apart in generated code.
pub(super) const MAX_CHANNEL_KINDS: usize = 24;

/// A set of channels. Channels with the same [`bit`] are not told apart, so that a set may have
/// members that it should not, but never lacks one.
pub(super) type ChannelSet = u64;

/// The set of all channels.
const EVERY_CHANNEL: ChannelSet = u64::MAX;

/// Which bit of a [`ChannelSet`] stands for the channel with this number.
pub(super) fn bit(number: u32) -> u32 {
    number.wrapping_sub(1) % ChannelSet::BITS
}

/// Which bit of a set of promises stands for the one at this position. The last bit stands for all
/// that are too many.
pub(super) fn claim_bit(position: usize) -> u32 {
    position.min(u64::BITS as usize - 1) as u32
}

/// For every location of every process type, in the order of the code tables.
pub(super) struct Support {
    /// Whether the steps out of the location are compiled.
    pub steps: Vec<bool>,
    /// On which channels a process there may receive in a rendez-vous.
    pub receives: Vec<ChannelSet>,
}

impl Support {
    /// Looks at every edge of the model.
    pub fn of(model: &Model) -> Support {
        let whole = !model.features.priorities && !model.features.provided && model.trace.is_none();
        let kinds = distinct_channels(model).len() <= MAX_CHANNEL_KINDS;
        let mut support = Support { steps: Vec::new(), receives: Vec::new() };
        // Whether every process that may receive in a rendez-vous can do so in compiled code.
        let mut receivers = true;
        for proctype in &model.proctypes {
            let automaton = &proctype.automaton;
            for location in automaton.location_ids() {
                let edges = automaton.edges_of(location);
                let compiled = whole
                    && edges.len() <= MAX_EDGES
                    && edges.iter().all(|e| {
                        compilable(model, &e.action) && (kinds || !uses_channels(&e.action))
                    });
                let receives =
                    edges.iter().fold(0, |set, e| set | receives(model, proctype, &e.action));
                let fits = edges.iter().all(|e| receivable(&e.action));
                receivers &= receives == 0 || (compiled && fits);
                support.steps.push(compiled);
                support.receives.push(receives);
            }
        }
        if !receivers {
            support.leave_rendezvous(model);
        }
        support
    }

    /// Leaves every location that may send in a rendez-vous to the interpreter.
    fn leave_rendezvous(&mut self, model: &Model) {
        let locations = model
            .proctypes
            .iter()
            .flat_map(|p| p.automaton.location_ids().map(move |l| p.automaton.edges_of(l)));
        for (compiled, edges) in self.steps.iter_mut().zip(locations) {
            *compiled &= !edges.iter().any(|e| matches!(e.action, Action::Send { .. }));
        }
        self.receives.fill(0);
    }
}

/// One channel type of each kind: types with the same capacity and fields are of one kind.
pub(super) fn distinct_channels(model: &Model) -> Vec<usize> {
    let types = &model.channel_types;
    (0..types.len()).filter(|&k| !types[..k].contains(&types[k])).collect()
}

fn uses_channels(action: &Action) -> bool {
    match action {
        Action::Send { .. } | Action::Receive { .. } => true,
        Action::DetStep(step) => {
            step.nodes.iter().flat_map(|n| &n.edges).any(|e| uses_channels(&e.action))
        }
        _ => !expressions(action).all(|root| {
            all(root, |e| {
                !matches!(e, Expr::Len(_) | Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. })
            })
        }),
    }
}

fn compilable(model: &Model, action: &Action) -> bool {
    match action {
        Action::SetPriority { .. } => false,
        Action::Condition(run @ Expr::Run { .. })
        | Action::Assign(None, run @ Expr::Run { .. }) => runnable(model, run),
        Action::Assign(Some(place), run @ Expr::Run { .. }) => {
            runnable(model, run) && simple_place(place)
        }
        Action::DetStep(step) => {
            !step.nodes.is_empty()
                && step.nodes.len() <= MAX_SEQUENCE
                && step.nodes.iter().flat_map(|n| &n.edges).all(|e| {
                    !matches!(
                        e.action,
                        Action::End | Action::DetStep(_) | Action::SetPriority { .. }
                    ) && expressions(&e.action).all(plain)
                })
        }
        _ => expressions(action).all(plain),
    }
}

/// Whether an expression has no effects and asks nothing that takes other processes' guards.
fn plain(root: &Expr) -> bool {
    all(root, |e| !matches!(e, Expr::Run { .. } | Expr::Enabled(_)))
}

/// Whether an expression is compiled for an observer, who is no process and owns nothing.
pub(super) fn observable(model: &Model, root: &Expr) -> bool {
    let own = |place: &Place| place.region == Region::Local;
    let kinds = distinct_channels(model).len() <= MAX_CHANNEL_KINDS;
    all(root, |e| match e {
        Expr::Run { .. } | Expr::Enabled(_) | Expr::Pid => false,
        Expr::Load(place) => !own(place),
        Expr::ChannelId { owner, .. } => *owner == ChannelOwner::Global,
        Expr::Len(_) | Expr::Full(_) | Expr::Empty(_) => kinds,
        Expr::Poll { pattern, .. } => {
            kinds && !pattern.iter().any(|a| matches!(a, ReceiveArg::Store(place) if own(place)))
        }
        _ => true,
    })
}

/// Whether an expression depends on nothing but variables and its own process, so that it means
/// the same while a process is being started.
fn simple(root: &Expr) -> bool {
    all(root, |e| match e {
        Expr::Const(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(..)
        | Expr::ChannelId { .. }
        | Expr::Timeout
        | Expr::Pid => true,
        Expr::Load(place) => !matches!(place.region, Region::Remote { .. }),
        _ => false,
    })
}

fn simple_place(place: &Place) -> bool {
    !matches!(place.region, Region::Remote { .. }) && place.indices.iter().all(|i| simple(&i.expr))
}

/// Whether a `run` is compiled: its arguments are plain and its process type starts simply.
fn runnable(model: &Model, run: &Expr) -> bool {
    let Expr::Run { proctype, args, .. } = run else {
        return false;
    };
    let ProcType { initializers, .. } = &model.proctypes[proctype.index()];
    args.iter().all(plain)
        && initializers.iter().all(|init| simple_place(&init.place) && simple(&init.value))
}

/// On which channels an action may be the second half of a rendez-vous. Where finding out which
/// channel is meant can fail, it must be tried for every rendez-vous.
fn receives(model: &Model, proctype: &ProcType, action: &Action) -> ChannelSet {
    let channel = match action {
        Action::Receive { channel, .. } => channel,
        Action::DetStep(step) => {
            let first = step.nodes.first().into_iter().flat_map(|n| &n.edges);
            return first.fold(0, |set, e| set | receives(model, proctype, &e.action));
        }
        _ => return 0,
    };
    let Expr::ChannelId { owner, first, index } = channel else {
        return EVERY_CHANNEL;
    };
    let step = match index {
        None => 0,
        Some(index) => match index.expr {
            Expr::Const(k) if (0..i64::from(index.len)).contains(&i64::from(k)) => k as u32,
            _ => return EVERY_CHANNEL,
        },
    };
    let position = u32::from(*first) + step;
    let instances = match owner {
        ChannelOwner::Global => &model.layout.channels,
        ChannelOwner::Executing => &proctype.frame.channels,
    };
    match instances.get(position as usize) {
        Some(c) if model.channel_types[c.ty.index()].capacity > 0 => 0,
        Some(_) if *owner == ChannelOwner::Global => 1 << bit(position + 1),
        _ => EVERY_CHANNEL,
    }
}

/// Whether a receive means the same in the state before the rendez-vous as in its middle, where
/// the sender has moved on already and has forgotten what it does not need there.
fn receivable(action: &Action) -> bool {
    match action {
        Action::Receive { .. } => expressions(action).all(|root| {
            all(root, |e| match e {
                Expr::AtLocation { .. }
                | Expr::PcValue(_)
                | Expr::NonProgress
                | Expr::Last
                | Expr::Poll { .. } => false,
                Expr::Load(place) => !matches!(place.region, Region::Remote { .. }),
                _ => true,
            })
        }),
        Action::DetStep(step) => {
            step.nodes.first().is_none_or(|n| n.edges.iter().all(|e| receivable(&e.action)))
        }
        _ => true,
    }
}

/// The outermost expressions of an action that is not a deterministic sequence.
fn expressions(action: &Action) -> impl Iterator<Item = &Expr> {
    let mut roots = Vec::new();
    match action {
        Action::Skip | Action::Else | Action::End | Action::Fail(_) | Action::DetStep(_) => {}
        Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => roots.push(e),
        Action::Assign(place, e) => {
            if let Some(place) = place {
                of_place(place, &mut roots);
            }
            roots.push(e);
        }
        Action::Send { channel, args, .. } => {
            roots.push(channel);
            roots.extend(args);
        }
        Action::Receive { channel, pattern, .. } => {
            roots.push(channel);
            pattern.iter().for_each(|arg| of_argument(arg, &mut roots));
        }
        Action::Print { args, .. } => roots.extend(args),
        Action::SetPriority { pid, priority } => roots.extend([pid, priority]),
    }
    roots.into_iter()
}

fn of_place<'e>(place: &'e Place, into: &mut Vec<&'e Expr>) {
    if let Region::Remote { pid: Some(pid), .. } = &place.region {
        into.push(pid);
    }
    into.extend(place.indices.iter().map(|i| &i.expr));
}

fn of_argument<'e>(arg: &'e ReceiveArg, into: &mut Vec<&'e Expr>) {
    match arg {
        ReceiveArg::Match(e) => into.push(e),
        ReceiveArg::Store(place) => of_place(place, into),
        ReceiveArg::Ignore => {}
    }
}

/// Whether `test` holds for the expression and everything below it, and it is not too deep. Walks
/// with a stack of its own.
fn all(root: &Expr, test: impl Fn(&Expr) -> bool) -> bool {
    let mut stack = vec![(root, 0)];
    let mut below = Vec::new();
    while let Some((e, depth)) = stack.pop() {
        if depth > MAX_DEPTH || !test(e) {
            return false;
        }
        children(e, &mut below);
        stack.extend(below.drain(..).map(|child| (child, depth + 1)));
    }
    true
}

fn children<'e>(e: &'e Expr, into: &mut Vec<&'e Expr>) {
    match e {
        Expr::Const(_)
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Last => {}
        Expr::Load(place) => of_place(place, into),
        Expr::Unary(_, e)
        | Expr::Len(e)
        | Expr::Full(e)
        | Expr::Empty(e)
        | Expr::Enabled(e)
        | Expr::PcValue(e)
        | Expr::Priority(e) => into.push(e),
        Expr::Binary(_, a, b) => into.extend([&**a, &**b]),
        Expr::Conditional(a, b, c) => into.extend([&**a, &**b, &**c]),
        Expr::ChannelId { index, .. } => into.extend(index.iter().map(|i| &i.expr)),
        Expr::Poll { channel, pattern, .. } => {
            into.push(channel);
            pattern.iter().for_each(|arg| of_argument(arg, into));
        }
        Expr::Run { args, .. } => into.extend(args),
        Expr::AtLocation { pid, .. } => into.extend(pid.as_deref()),
    }
}
