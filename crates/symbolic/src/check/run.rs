//! What the thread does: build, look for what is wrong, reach, decide.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::Arc;

use isospin_relation::{Property, Relation};

use super::early::Watch;
use super::property::Decider;
use super::{Event, Options};
use crate::diagram::{Moves, Result, Stop, WORK};
use crate::engine::{Engine, Room};
use crate::ltl;
use crate::order::Order;
use crate::reach::Reached;
use crate::report::Status;
use crate::witness::is_execution;

/// Runs everything and sends what happens.
pub(super) fn run(
    relation: &Arc<Relation>,
    options: &Options,
    stop: &Arc<AtomicBool>,
    sender: &Sender<Event>,
) {
    let asked: Rc<dyn Fn() -> bool> = {
        let stop = Arc::clone(stop);
        Rc::new(move || stop.load(Ordering::Relaxed))
    };
    // If nobody listens any more, nobody is interested in the rest.
    let send = |event: Event| drop(sender.send(event));
    let mut nodes = 0;
    let status = match everything(relation, options, &asked, &send, &mut nodes) {
        Ok(status) => status,
        Err(Stop::Nodes) => Status::Nodes,
        Err(Stop::Asked) => Status::Stopped,
        Err(Stop::Enough) => Status::Enough,
    };
    send(Event::End(status, nodes));
}

/// The room that there is. A node takes 16 bytes and its place in the tables. The cache of results
/// has to be made in full before anything is done, so that a model of few bits gets a small one.
pub(crate) fn room(options: &Options, bits: u32) -> Room {
    let most = ((options.memory / 160) as usize).clamp(1 << 12, 1 << 23);
    let cache = match bits {
        0..16 => 1 << 16,
        16..40 => 1 << 20,
        _ => 1 << 22,
    };
    Room {
        nodes: (options.memory / 40).clamp(1 << 14, 1 << 30) as usize,
        cache: most.min(cache),
        cluster: options.cluster,
    }
}

fn everything(
    relation: &Arc<Relation>,
    options: &Options,
    stop: &Rc<dyn Fn() -> bool>,
    send: &dyn Fn(Event),
    nodes: &mut usize,
) -> Result<Status> {
    let extra = relation.specifications.iter().map(|s| match &s.property {
        Property::Ltl(formula) => ltl::tableau_bits(relation, formula),
        _ => 0,
    });
    let extra = extra.max().unwrap_or(0);
    let bits = relation.variables.iter().map(|v| v.domain.bits()).sum::<u32>() + extra as u32;
    let room = room(options, bits);
    let mut engine = build(relation, options, extra, room, stop, send)?;
    let wrong = engine.wrong()?;
    if !wrong.is_empty() {
        send(Event::Wrong(wrong));
        return Ok(Status::Refused);
    }
    let d = Rc::clone(&engine.system.diagrams);
    let bits = engine.system.bits.len() as u32;
    let mut watch = Watch::new(&mut engine, options, send)?;
    let mut each = |reached: &Reached| watch.look(&engine, reached);
    let reached = engine.system.reached(&engine.system.init, options.strategy, &mut each)?;
    let has_initial = !d.is_no(&engine.system.init);
    let rings = reached.rings.then_some(reached.layers.len());
    send(Event::Reached(d.count(&reached.states, bits), rings, has_initial));
    engine.system.transition = engine.system.transition.simplified(&d, &reached.states)?;
    let alive = engine.system.before(&reached.states, &reached.states)?;
    let dead = d.minus(&reached.states, &alive)?;
    if !d.is_no(&dead) {
        if let Some(path) = engine.system.path_to(&reached.layers, &dead)? {
            let trace = path.trace(relation, &engine.encoding);
            if is_execution(relation, &trace).is_err() {
                send(Event::Unconfirmed);
            }
            send(Event::Deadlock(trace));
        }
    }
    let total = d.is_no(&dead);
    let mut decider = Decider::new(&mut engine, reached, total, options.traces);
    for (index, specification) in relation.specifications.iter().enumerate() {
        let asked = options.only.as_ref().is_none_or(|only| only.contains(&index));
        if !asked || watch.decided.contains(&index) {
            continue;
        }
        let (found, sound) = decider.decide(&specification.property)?;
        if !sound {
            send(Event::Unconfirmed);
        }
        send(Event::Decided(index, found));
        *nodes = d.nodes();
    }
    *nodes = d.nodes();
    send(Event::Ordered(Order::of_bits(relation, &engine.encoding, &d.order())));
    Ok(Status::Complete)
}

/// The diagrams under the order that was given, or under the one of several that makes the
/// transition relation smallest, with bits moved where that makes it smaller still: the sets of
/// states follow it as a rule.
fn build(
    relation: &Arc<Relation>,
    options: &Options,
    extra: usize,
    room: Room,
    stop: &Rc<dyn Fn() -> bool>,
    send: &dyn Fn(Event),
) -> Result<Engine> {
    let make = |order: &Order, room: Room| -> Result<(Engine, usize)> {
        let moves = match options.moves {
            Moves::WhenLarge if options.order.is_some() => Moves::Never,
            moves => moves,
        };
        let mut engine =
            Engine::new(Arc::clone(relation), order, extra, room, moves, Rc::clone(stop))?;
        engine.translator.forget();
        let (system, d) = (&engine.system, &engine.system.diagrams);
        let size = system.transition.size(d) + d.size(&system.states);
        Ok((engine, size))
    };
    if let Some(order) = &options.order {
        let (engine, size) = make(order, room)?;
        send(Event::Built(order.clone(), size));
        return Ok(engine);
    }
    let best = best_order(relation, room, &make)?;
    let (engine, mut size) = make(&best, room)?;
    let d = Rc::clone(&engine.system.diagrams);
    if options.moves != Moves::Never && size > LARGE {
        let before = d.order();
        d.sift(WORK);
        let smaller = engine.system.transition.size(&d);
        // Where one part moves at a time, the relation alone says less about sets of states.
        let times = if engine.system.transition.disjuncts.len() > 1 { 4 } else { 1 };
        if times * smaller > size {
            d.set_order(&before);
        } else {
            size = smaller;
        }
    }
    send(Event::Built(Order::of_bits(relation, &engine.encoding, &d.order()), size));
    Ok(engine)
}

/// Builds everything under an order with so much room; with the number of nodes.
type Make<'m> = dyn Fn(&Order, Room) -> Result<(Engine, usize)> + 'm;

/// The order under which the transition relation is smallest. Every one is tried with little room
/// first, and with more only if none gets by: some need a thousand times the nodes of others.
fn best_order(relation: &Arc<Relation>, room: Room, make: &Make<'_>) -> Result<Order> {
    let orders = Order::candidates(relation);
    let mut most = LITTLE.min(room.nodes);
    loop {
        // The best so far, and how many nodes building it has taken.
        let mut best: Option<(usize, usize, &Order)> = None;
        for order in &orders {
            // Whatever needs much more room than the best so far is not better.
            let nodes = best.map_or(most, |(_, nodes, _)| most.min((2 * nodes).max(LITTLE)));
            // With a cache that is too small for it the same is done again and again.
            let small = Room { nodes, cache: room.cache.min(8 * nodes), ..room };
            match make(order, small) {
                Ok((engine, size)) => {
                    if best.is_none_or(|(smallest, ..)| size < smallest) {
                        best = Some((size, engine.system.diagrams.nodes(), order));
                    }
                    if size <= SMALL {
                        break;
                    }
                }
                Err(Stop::Nodes) => {}
                Err(stop) => return Err(stop),
            }
        }
        match best {
            Some((_, _, order)) => return Ok(order.clone()),
            None if most == room.nodes => return Err(Stop::Nodes),
            None => most = (4 * most).min(room.nodes),
        }
    }
}

/// Orders are tried with room for so many nodes first.
const LITTLE: usize = 1 << 16;

/// Transition relations with fewer nodes are small under any order.
const SMALL: usize = 200;

/// Transition relations with more nodes are worth moving bits for.
const LARGE: usize = 2000;
