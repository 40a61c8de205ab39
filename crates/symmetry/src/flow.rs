//! Process types as flat graphs: deterministic sequences are taken apart, so that one kind of arc
//! is left, and for every point it is known which variables are still needed there.

use isospin_model::{
    Action, EdgeId, Expr, Model, Place, ProcType, ReceiveArg, Region, Slot, SourceRef,
};

/// A location, or (from [`Flow::locations`] on) a node of a deterministic sequence.
pub type Point = usize;

/// One simple action between two points.
#[derive(Clone, Copy, Debug)]
pub struct FlowArc<'m> {
    /// Where it starts.
    pub from: Point,
    /// Where it leads.
    pub to: Point,
    /// What it does; never a deterministic sequence.
    pub action: &'m Action,
    /// The edge that it is, or is part of.
    pub edge: EdgeId,
    /// Whether nobody else can move where it leads, unless the process is blocked there.
    pub keeps_control: bool,
    /// Where it stands in the source.
    pub source: SourceRef,
}

/// The graph of a process type.
#[derive(Clone, Debug)]
pub struct Flow<'m> {
    /// The process type.
    pub proctype: &'m ProcType,
    /// How many of the points are locations.
    pub locations: usize,
    /// How many points there are.
    pub points: usize,
    /// The arcs.
    pub arcs: Vec<FlowArc<'m>>,
    /// For each point and slot of the frame, whether the value may still be read.
    pub live: Vec<Vec<bool>>,
    /// Slots that are looked at from outside.
    pub watched: Vec<bool>,
}

const ENTER: Action = Action::Skip;

impl<'m> Flow<'m> {
    /// The graphs of all process types. `observers` are expressions of properties.
    pub fn all(model: &'m Model, observers: &[Expr]) -> Vec<Flow<'m>> {
        let watched = watched(model, observers);
        let flow = |(proctype, watched)| Flow::of(proctype, watched);
        model.proctypes.iter().zip(watched).map(flow).collect()
    }

    fn of(proctype: &'m ProcType, watched: Vec<bool>) -> Flow<'m> {
        let locations = proctype.automaton.locations.len();
        let mut flow = Flow {
            proctype,
            locations,
            points: locations,
            arcs: Vec::new(),
            live: Vec::new(),
            watched,
        };
        for (edge, id) in proctype.automaton.edges.iter().zip((0..).map(EdgeId)) {
            let (from, to) = (edge.from.index(), edge.target.index());
            let mut push = |from, to, action, source, keeps_control| {
                flow.arcs.push(FlowArc { from, to, action, edge: id, keeps_control, source });
            };
            let Action::DetStep(step) = &edge.action else {
                push(from, to, &edge.action, edge.source, edge.atomic);
                continue;
            };
            let first = flow.points;
            push(from, first, &ENTER, edge.source, true);
            for (n, node) in step.nodes.iter().enumerate() {
                for inner in &node.edges {
                    let (to, keeps) = match inner.target {
                        Some(node) => (first + node as usize, true),
                        None => (to, edge.atomic),
                    };
                    push(first + n, to, &inner.action, inner.source, keeps);
                }
            }
            flow.points += step.nodes.len();
        }
        flow.arcs.sort_by_key(|a| a.from);
        flow.find_live();
        flow
    }

    /// The slot of the frame that a place of this process type lies in.
    pub fn slot(&self, place: &Place) -> usize {
        slot_of(&self.proctype.frame.slots, place)
    }

    /// Whether some arc stores in the slot, other than those that `skip` says.
    pub fn is_written(&self, slot: usize, skip: impl Fn(&FlowArc) -> bool) -> bool {
        self.arcs.iter().filter(|a| !skip(a)).any(|a| {
            let mut written = false;
            for_each_store(a.action, &mut |place| {
                written |= place.region == Region::Local && self.slot(place) == slot;
            });
            written
        })
    }

    fn find_live(&mut self) {
        let slots = self.proctype.frame.slots.len();
        let mut always = self.watched.clone();
        if let Some(provided) = &self.proctype.provided {
            provided.walk(&mut |e| self.read_here(e, &mut always));
        }
        let mut effects = Vec::new();
        for arc in &self.arcs {
            let mut read = vec![false; slots];
            arc.action.walk(&mut |e| self.read_here(e, &mut read));
            let mut killed = vec![arc.action == &Action::End; slots];
            for_each_store(arc.action, &mut |place| {
                if place.region == Region::Local {
                    let k = self.slot(place);
                    killed[k] |= is_single(&self.proctype.frame.slots[k]);
                }
            });
            effects.push((read, killed));
        }
        let mut live = vec![always; self.points];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (arc, (read, killed)) in self.arcs.iter().zip(&effects).rev() {
                isospin_limits::check_many(1 + slots as u32 / 16);
                for k in 0..slots {
                    if !live[arc.from][k] && (read[k] || (live[arc.to][k] && !killed[k])) {
                        live[arc.from][k] = true;
                        changed = true;
                    }
                }
            }
        }
        self.live = live;
    }

    fn read_here(&self, expr: &Expr, read: &mut [bool]) {
        if let Expr::Load(place) = expr {
            if place.region == Region::Local {
                read[self.slot(place)] = true;
            }
        }
    }
}

/// Whether a slot is a single value.
pub fn is_single(slot: &Slot) -> bool {
    slot.dimensions().next().is_none()
}

/// The slot that a place is an element of.
pub fn slot_of(slots: &[Slot], place: &Place) -> usize {
    let element = |slot: &Slot| slot.element(place).is_some();
    slots.iter().position(element).expect("every place is an element of a slot")
}

/// Calls `visit` for every place that a simple action stores in.
pub fn for_each_store<'m>(action: &'m Action, visit: &mut impl FnMut(&'m Place)) {
    match action {
        Action::Assign(Some(place), _) => visit(place),
        Action::Receive { pattern, .. } => {
            for arg in pattern {
                if let ReceiveArg::Store(place) = arg {
                    visit(place);
                }
            }
        }
        _ => {}
    }
}

/// For each process type, the slots that others or properties look at, or that name a channel
/// which the process claims for itself.
fn watched(model: &Model, observers: &[Expr]) -> Vec<Vec<bool>> {
    let mut watched: Vec<Vec<bool>> =
        model.proctypes.iter().map(|p| vec![false; p.frame.slots.len()]).collect();
    let mut look = |expr: &Expr| {
        if let Expr::Load(place) = expr {
            if let Region::Remote { proctype, .. } = &place.region {
                let slots = &model.proctypes[proctype.index()].frame.slots;
                watched[proctype.index()][slot_of(slots, place)] = true;
            }
        }
    };
    for proctype in &model.proctypes {
        for edge in &proctype.automaton.edges {
            edge.action.walk(&mut look);
        }
        proctype.provided.iter().for_each(|e| e.walk(&mut look));
    }
    observers.iter().for_each(|e| e.walk(&mut look));
    for promise in &model.exclusives {
        if let Expr::Load(place @ Place { region: Region::Local, .. }) = &promise.channel {
            let slots = &model.proctypes[promise.proctype.index()].frame.slots;
            watched[promise.proctype.index()][slot_of(slots, place)] = true;
        }
    }
    watched
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::text;

    const SEQUENCE: &str = "byte g
        process P() {
          byte i byte j byte seen
          location 0 i = 1 -> 1
          location 1 d_step { node 0 when i == 1 -> 1 node 1 j = i -> 2 node 2 g = j -> out } -> 2
          location 2 g = 2 -> 0
        }
        process Q() { location 0 when P:seen == 1 -> 0 }";

    fn model() -> Model {
        text::read(SEQUENCE).expect("a model")
    }

    #[test]
    fn deterministic_sequences_are_taken_apart() {
        let model = model();
        let flow = &Flow::all(&model, &[])[0];
        assert_eq!((flow.locations, flow.points), (3, 6));
        let ways: Vec<(Point, Point)> = flow.arcs.iter().map(|a| (a.from, a.to)).collect();
        assert_eq!(ways, [(0, 1), (1, 3), (2, 0), (3, 4), (4, 5), (5, 2)]);
        assert!(flow.arcs.iter().all(|a| !matches!(a.action, Action::DetStep(_))));
        let kept: Vec<bool> = flow.arcs.iter().map(|a| a.keeps_control).collect();
        assert_eq!(kept, [false, true, false, true, true, false]);
    }

    #[test]
    fn a_value_is_needed_until_it_is_read_for_the_last_time() {
        let model = model();
        let flow = &Flow::all(&model, &[])[0];
        let needed = |slot: usize| -> Vec<bool> { flow.live.iter().map(|l| l[slot]).collect() };
        assert_eq!(needed(0), [false, true, false, true, true, false]);
        assert_eq!(needed(1), [false, false, false, false, false, true]);
        // Somebody else looks at it at any time.
        assert_eq!(flow.watched, [false, false, true]);
        assert_eq!(needed(2), [true; 6]);
    }

    #[test]
    fn what_is_stored_is_found_unless_it_is_to_be_passed_over() {
        let model = model();
        let flow = &Flow::all(&model, &[])[0];
        assert!(flow.is_written(0, |_| false));
        assert!(!flow.is_written(0, |arc| arc.from == 0));
        assert!(!flow.is_written(2, |_| false));
    }
}
