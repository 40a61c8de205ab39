//! Loops over all members of a set, one after the other, whose order does not matter.
//!
//! `for (j : 0 .. N - 1) { ... }` goes through the names in order, which no permutation respects
//! step by step. As a whole it may be symmetric all the same: when nobody else can move in between,
//! and when the bodies for two different members can change places. Then the loop is one big step
//! that does something for every member, in whatever order.
//!
//! The loop must not lose control in between, which cannot be seen from the text where a body may
//! block. Its points are [reported](Loop::points) instead, and a search that finds a process
//! standing there has to give symmetry up.

use isospin_model::{
    Action, BinaryOp, ChannelOwner, ElementIndex, Expr, Model, Place, ReceiveArg, Region,
};

use crate::flow::{for_each_store, is_single, slot_of, Flow, FlowArc, Point};
use crate::normal::fold;

/// A loop over the numbers from `low` to `high`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The variable that counts.
    pub slot: usize,
    /// Where it is compared with the bound.
    pub head: Point,
    /// The first number.
    pub low: i32,
    /// The last number.
    pub high: i32,
    /// All points of the loop, the head among them.
    pub points: Vec<Point>,
    /// Why the order of the members matters, if it does.
    pub obstacle: Option<String>,
}

impl Loop {
    /// Whether the arc sets, compares or advances the counter.
    pub fn is_control(&self, flow: &Flow, arc: &FlowArc) -> bool {
        let counter = |place: &Place| {
            place.region == Region::Local
                && place.indices.is_empty()
                && flow.slot(place) == self.slot
        };
        match arc.action {
            Action::Assign(Some(place), _) => arc.to == self.head && counter(place),
            Action::Condition(_) | Action::Skip => arc.from == self.head,
            _ => false,
        }
    }
}

/// The loops of a process type.
pub fn find(model: &Model, flow: &Flow) -> Vec<Loop> {
    let mut loops: Vec<Loop> = Vec::new();
    for arc in &flow.arcs {
        if let Some(found) = around(model, flow, arc) {
            if !loops.iter().any(|l| l.head == found.head) {
                loops.push(found);
            }
        }
    }
    loops
}

/// The local single variable that an expression is.
fn variable(flow: &Flow, expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Load(place) if place.region == Region::Local && place.indices.is_empty() => {
            let slot = flow.slot(place);
            is_single(&flow.proctype.frame.slots[slot]).then_some(slot)
        }
        _ => None,
    }
}

/// The variable that an action advances by one.
fn advanced(flow: &Flow, action: &Action) -> Option<usize> {
    let Action::Assign(Some(place), Expr::Binary(BinaryOp::Add, a, b)) = action else {
        return None;
    };
    let slot = variable(flow, &Expr::Load(place.clone()))?;
    (variable(flow, a) == Some(slot) && **b == Expr::Const(1)).then_some(slot)
}

/// The comparison that an action waits for.
fn comparison(action: &Action) -> Option<(BinaryOp, Expr, Expr)> {
    match action {
        Action::Condition(e) => match fold(e) {
            Expr::Binary(op, a, b) => Some((op, *a, *b)),
            _ => None,
        },
        _ => None,
    }
}

/// The loop that an arc advances the counter of.
fn around(model: &Model, flow: &Flow, advance: &FlowArc) -> Option<Loop> {
    let slot = advanced(flow, advance.action)?;
    let head = advance.to;
    let selects = flow.arcs.iter().any(|a| a.from == head && *a.action == Action::Skip);
    // One way on, while the counter is within bounds, and one way out.
    let (mut body, mut high) = (None, 0);
    let out = flow.arcs.iter().filter(|a| a.from == head);
    for arc in out.clone() {
        if let Some((op, a, b)) = comparison(arc.action) {
            if let (Some(s), Expr::Const(bound)) = (variable(flow, &a), b) {
                let last = match op {
                    BinaryOp::LessEqual => Some(bound),
                    BinaryOp::Less if selects => Some(bound),
                    BinaryOp::Less => bound.checked_sub(1),
                    _ => None,
                };
                let Some(last) = last else { continue };
                if s == slot && body.replace(arc.to).is_some() {
                    return None;
                }
                high = last;
            }
        }
    }
    let body = body?;
    // `select`: the way out is always open, and any of the numbers comes out.
    let chooses = out.clone().any(|a| *a.action == Action::Skip)
        && flow.arcs.iter().filter(|a| a.from == body).all(|a| a.to == head);
    let leaves = |arc: &FlowArc| match comparison(arc.action) {
        None if chooses => *arc.action == Action::Skip,
        None => *arc.action == Action::Else,
        Some((op, a, b)) => {
            let past = match (op, b) {
                (BinaryOp::Greater, Expr::Const(v)) => v == high,
                (BinaryOp::GreaterEqual | BinaryOp::Equal, Expr::Const(v)) => {
                    Some(v) == high.checked_add(1)
                }
                _ => false,
            };
            past && variable(flow, &a) == Some(slot)
        }
    };
    if out.clone().count() != 2 || out.clone().filter(|a| leaves(a)).count() != 1 {
        return None;
    }
    // What lies between the comparison and the advance.
    let mut inside = vec![body];
    let mut k = 0;
    while k < inside.len() {
        let at = inside[k];
        for arc in flow.arcs.iter().filter(|a| a.from == at) {
            if arc.to != head && !inside.contains(&arc.to) {
                inside.push(arc.to);
            }
        }
        k += 1;
    }
    if body == head || inside.contains(&head) {
        return None;
    }
    let mut low = None;
    for arc in &flow.arcs {
        let (from, to) = (inside.contains(&arc.from), inside.contains(&arc.to));
        if arc.to == head {
            if from {
                if advanced(flow, arc.action) != Some(slot) {
                    return None;
                }
                continue;
            }
            let Action::Assign(Some(place), value) = arc.action else { return None };
            let Expr::Const(first) = fold(value) else { return None };
            let counter = variable(flow, &Expr::Load(place.clone())) == Some(slot);
            if !counter || low.is_some_and(|l| l != first) {
                return None;
            }
            low = Some(first);
            continue;
        }
        let enters = to && !from && !(arc.from == head && arc.to == body);
        let spoils = from && (*arc.action == Action::End || stores_in(flow, arc.action, slot));
        if enters || spoils {
            return None;
        }
    }
    let mut points = inside;
    points.push(head);
    let mut found = Loop { slot, head, low: low?, high, points, obstacle: None };
    found.obstacle = obstacle(model, flow, &found);
    Some(found)
}

fn stores_in(flow: &Flow, action: &Action, slot: usize) -> bool {
    let mut found = false;
    for_each_store(action, &mut |place| {
        found |= place.region == Region::Local && flow.slot(place) == slot;
    });
    found
}

/// What a body touches.
#[derive(Clone, Debug, PartialEq)]
enum Object {
    Global(usize),
    Local(usize),
    Channels(u16, u32, u32),
    /// Some channel, nobody knows which.
    AnyChannel,
}

/// How it touches it.
#[derive(Clone, Debug, PartialEq)]
enum Manner {
    Read,
    /// A constant is stored.
    Constant(i32),
    /// A constant is added.
    Added,
    Write,
}

struct Touch {
    object: Object,
    /// The dimension in which the counter is the index.
    dim: Option<usize>,
    manner: Manner,
}

/// Why the bodies for two members cannot change places, if they cannot.
fn obstacle(model: &Model, flow: &Flow, over: &Loop) -> Option<String> {
    let inside = |p: Point| over.points.contains(&p);
    if flow.arcs.iter().filter(|a| inside(a.to)).any(|a| !a.keeps_control) {
        return Some(
            "others can move while the loop goes through the names one by one: put it into an \
             atomic sequence"
                .to_owned(),
        );
    }
    let mut touches = Vec::new();
    for arc in flow.arcs.iter().filter(|a| inside(a.from) && !over.is_control(flow, a)) {
        if let Err(why) = touch_all(model, flow, over, arc, &mut touches) {
            return Some(why);
        }
    }
    for a in &touches {
        if a.manner == Manner::Read {
            continue;
        }
        // Each of these may belong to a round of its own, two rounds doing the same among them.
        for b in &touches {
            let meets = a.object == b.object
                || (matches!(a.object, Object::Channels(..)) && b.object == Object::AnyChannel)
                || (a.object == Object::AnyChannel && matches!(b.object, Object::Channels(..)));
            let apart = a.dim.is_some() && a.dim == b.dim;
            let agree = match (&a.manner, &b.manner) {
                (Manner::Constant(x), Manner::Constant(y)) => x == y,
                (Manner::Added, Manner::Added) => true,
                _ => false,
            };
            if meets && !apart && !agree {
                return Some(
                    "the order in which the loop goes through the names counts".to_owned(),
                );
            }
        }
    }
    None
}

fn touch_all(
    model: &Model,
    flow: &Flow,
    over: &Loop,
    arc: &FlowArc,
    touches: &mut Vec<Touch>,
) -> Result<(), String> {
    let counts = "the order in which the loop goes through the names counts";
    let is_counter = |e: &Expr| variable(flow, e) == Some(over.slot);
    // Variables that every round sets anew belong to the round.
    let is_private = |slot: usize| slot == over.slot || !flow.live[over.head][slot];
    let place = |place: &Place| -> Option<(Object, Option<usize>)> {
        let (slots, global) = match &place.region {
            Region::Global => (&model.layout.slots, true),
            Region::Local => (&flow.proctype.frame.slots, false),
            Region::Remote { .. } => return None,
        };
        let k = slot_of(slots, place);
        if !global && is_private(k) {
            return None;
        }
        let by_counter =
            |i: ElementIndex| matches!(i, ElementIndex::Computed(i) if is_counter(&i.expr));
        let dim = slots[k].element(place).into_iter().flatten().position(by_counter);
        Some((if global { Object::Global(k) } else { Object::Local(k) }, dim))
    };
    let channel = |e: &Expr| match e {
        Expr::ChannelId { owner: ChannelOwner::Global, first, index: Some(i) } => {
            let dim = is_counter(&i.expr).then_some(0);
            (Object::Channels(*first, i.len, i.stride), dim)
        }
        _ => (Object::AnyChannel, None),
    };
    let mut trouble = false;
    let mut own_read = None;
    let stored = |action: &Action| match action {
        Action::Assign(Some(to), Expr::Const(v)) => Some((to.clone(), Manner::Constant(*v))),
        Action::Assign(Some(to), Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b)) => {
            match (&**a, &**b) {
                (Expr::Load(from), Expr::Const(_)) if from == to => {
                    Some((to.clone(), Manner::Added))
                }
                _ => Some((to.clone(), Manner::Write)),
            }
        }
        Action::Assign(Some(to), _) => Some((to.clone(), Manner::Write)),
        _ => None,
    };
    if let Some((to, manner)) = stored(arc.action) {
        if matches!(to.region, Region::Remote { .. }) {
            trouble = true;
        }
        if manner == Manner::Added {
            own_read = Some(to.clone());
        }
        if let Some((object, dim)) = place(&to) {
            touches.push(Touch { object, dim, manner });
        }
    }
    match arc.action {
        Action::Send { channel: c, .. } | Action::Receive { channel: c, .. } => {
            let (object, dim) = channel(c);
            // A rendez-vous lets another process in.
            let meets = match c {
                Expr::ChannelId { owner: ChannelOwner::Global, first, .. } => {
                    let ty = model.layout.channels[*first as usize].ty;
                    model.channel_types[ty.index()].capacity == 0
                }
                _ => model.features.rendezvous,
            };
            trouble |= dim.is_none() || meets;
            touches.push(Touch { object, dim, manner: Manner::Write });
            if let Action::Receive { pattern, .. } = arc.action {
                for arg in pattern {
                    if let ReceiveArg::Store(to) = arg {
                        if let Some((object, dim)) = place(to) {
                            touches.push(Touch { object, dim, manner: Manner::Write });
                        }
                    }
                }
            }
        }
        Action::SetPriority { .. } | Action::End => trouble = true,
        _ => {}
    }
    arc.action.walk(&mut |e| match e {
        Expr::Load(Place { region: Region::Remote { .. }, .. }) => trouble = true,
        Expr::Load(from) => {
            if own_read.as_ref() == Some(from) {
                // The old value of what something is added to.
            } else if let Some((object, dim)) = place(from) {
                touches.push(Touch { object, dim, manner: Manner::Read });
            }
        }
        Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) => {
            let (object, dim) = channel(c);
            touches.push(Touch { object, dim, manner: Manner::Read });
        }
        Expr::Poll { channel: c, .. } => {
            let (object, dim) = channel(c);
            touches.push(Touch { object, dim, manner: Manner::Read });
        }
        Expr::Run { .. } | Expr::Timeout | Expr::Enabled(_) | Expr::Last | Expr::NonProgress => {
            trouble = true;
        }
        _ => {}
    });
    if trouble {
        Err(counts.to_owned())
    } else {
        Ok(())
    }
}
