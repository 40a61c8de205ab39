//! Every flaw that is looked for is found, and named with its place.

use crate::action::{Action, DetStep};
use crate::automaton::{Edge, SourceRef};
use crate::expr::{ChannelOwner, Expr, Index, Place, Region};
use crate::ids::{ChannelTypeId, EdgeId, LocationId, Pid, ProcTypeId};
use crate::model::{Member, Model, ProcKind};
use crate::scalar::{Kind, Scalar};
use crate::text;

const EVERYTHING: &str = include_str!("../../tests/models/everything.model");

/// Breaks a model that is sound and compares the sentence.
#[track_caller]
fn check(expected: &str, change: impl FnOnce(&mut Model)) {
    let mut model = text::read(EVERYTHING).expect("a model");
    assert_eq!(model.verify(), Ok(()));
    change(&mut model);
    let flaw = model.verify().expect_err(expected).to_string();
    assert!(flaw.contains(expected), "{flaw}\ninstead of\n{expected}");
}

/// Gives the first edge of the first process type another action.
#[track_caller]
fn check_action(expected: &str, action: Action) {
    check(expected, |m| edge(m).action = action);
}

fn edge(model: &mut Model) -> &mut Edge {
    &mut model.proctypes[0].automaton.edges[1]
}

fn place(region: Region, offset: u32) -> Place {
    Place { region, offset, indices: Vec::new(), ty: Scalar::BYTE }
}

fn load(region: Region, offset: u32) -> Action {
    Action::Condition(Expr::Load(place(region, offset)))
}

#[test]
fn an_empty_model_is_sound() {
    assert_eq!(text::read("model m").expect("a model").verify(), Ok(()));
}

#[test]
fn the_vector_holds_everything_once() {
    let layout = "the layout of global variables: ";
    check(&format!("{layout}`x` and `y` lie on top"), |m| m.layout.slots[2].offset = 6);
    check("`secret` ends after the last byte", |m| m.layout.slots[0].offset = u32::MAX);
    check("elements of `flags` lie on top", |m| {
        m.layout.slots[4].path[0].array = Some((3, 0));
    });
    check("the array `flags` has no elements", |m| {
        m.layout.slots[4].path[0].array = Some((0, 1));
    });
    check("`flags` is larger", |m| m.layout.slots[4].path[0].array = Some((u32::MAX, u32::MAX)));
    check("more than a state can have", |m| m.layout.frames = u32::MAX);
    check("the channel `q` ends at byte", |m| m.layout.channels[0].offset = 100_000);
    check("the channel `q` has no type", |m| m.layout.channels[0].ty = ChannelTypeId(99));
    check("`secret` is half hidden", |m| m.layout.hidden = 1);
    check("the number of processes is hidden", |m| m.layout.hidden = 3);
    check("`x` is a parameter of nobody", |m| m.layout.slots[1].parameter = true);
}

#[test]
fn frames_have_room_for_what_is_in_them() {
    let frame = "process type 0, `P`: ";
    check(&format!("{frame}`me` and `mine` lie"), |m| m.proctypes[0].frame.slots[1].offset = 3);
    check("the priority of a process and `me` lie", |m| m.proctypes[0].frame.priority = Some(3));
    check("a location takes 3 bytes", |m| m.proctypes[0].frame.location_width = 3);
    check("locations do not fit into 1 bytes", |m| {
        let locations = &mut m.proctypes[1].automaton.locations;
        locations.resize(257, locations[1].clone());
    });
    check("it has more parameters than variables", |m| m.proctypes[0].parameters = 99);
    check("the parameters are the first 1", |m| m.proctypes[0].parameters = 1);
    check("the parameter `me` is an array", |m| {
        m.proctypes[0].frame.slots[0].path[0].array = Some((1, 1));
    });
    check("it is a never claim", |m| m.proctypes[0].kind = ProcKind::NeverClaim);
}

#[test]
fn types_are_types() {
    check("a value of 0 bits", |m| m.layout.slots[1].ty.bits = 0);
    check("symbolic type 7, which there is not", |m| m.layout.slots[1].ty.kind = Kind::Mtype(7));
    check("scalarset 7, which there is not", |m| m.layout.slots[1].ty.kind = Kind::Name(7));
    check("a timer of an unusual width", |m| m.layout.slots[1].ty.kind = Kind::Timer);
    check("channel type 0: a message holds a timer", |m| {
        m.channel_types[0].fields[0] = Scalar::TIMER;
    });
    check("do not follow each other", |m| m.channel_types[0].field_offsets[1] = 0);
    check("the scalarset `Who`: it has no members", |m| m.scalarsets[0].size = 0);
}

#[test]
fn automata_hang_together() {
    let automaton = "the automaton of `P`: ";
    check(&format!("{automaton}it starts at location 9"), |m| {
        m.proctypes[0].automaton.initial = LocationId(9)
    });
    check("the edges of location 1 start at 2, not at 1", |m| {
        m.proctypes[0].automaton.locations[1].first_edge = EdgeId(2);
    });
    check("the locations have", |m| m.proctypes[0].automaton.locations[3].edge_count = 2);
    check("location 1 of `P`: one of its edges starts elsewhere", |m| edge(m).from = LocationId(2));
    check("edge 1 of `P` (`when x == 0", |m| edge(m).target = LocationId(77));
    check("it leads to location 77, which there is not", |m| edge(m).target = LocationId(77));
    check("it is statement 1000 of", |m| edge(m).statement = 1000);
    check("source file 9, which there is not", |m| {
        edge(m).source = SourceRef { file: 9, line: 1, column: 1 };
    });
    check("an escape stands after what it escapes from", |m| {
        m.proctypes[0].automaton.edges[5].escape = 1;
    });
    check("edges of one escape do not stand together", |m| {
        let escapes = [1, 2, 1];
        for (edge, escape) in m.proctypes[0].automaton.edges[1..].iter_mut().zip(escapes) {
            edge.escape = escape;
        }
    });
    for reset in [(0, 2), (2, 1), (14, 9), (u32::MAX, u32::MAX)] {
        check("which are no variables", |m| edge(m).resets = vec![reset]);
    }
}

#[test]
fn deterministic_sequences_stay_within_themselves() {
    let change = |change: fn(&mut DetStep)| {
        move |m: &mut Model| {
            let last = m.proctypes[0].automaton.edges.last_mut().expect("an edge");
            let Action::DetStep(step) = &mut last.action else { panic!("no sequence") };
            change(step);
        }
    };
    check("a deterministic sequence of nothing", change(|s| s.nodes.clear()));
    check("node 5 of a deterministic", change(|s| s.nodes[0].edges[0].target = Some(5)));
    check("an end or another sequence", change(|s| s.nodes[0].edges[0].action = Action::End));
    check(
        "a value at byte 2 that is no variable",
        change(|s| s.nodes[0].edges[0].action = load(Region::Local, 2)),
    );
}

#[test]
fn places_are_variables() {
    check_action(
        "a value at byte 99, near `own_timer`, that is no variable",
        load(Region::Local, 99),
    );
    check_action("that is no variable", load(Region::Local, 2));
    let remote = Region::Remote { proctype: ProcTypeId(9), pid: None };
    check_action("a variable of process type 9, which there is not", load(remote, 5));
    let int = Place { ty: Scalar::INT, ..place(Region::Local, 5) };
    check_action("that is no variable", Action::Assign(Some(int), Expr::Const(0)));
    check("a local variable of nobody", |m| {
        m.initializers[0].value = Expr::Load(place(Region::Local, 5));
    });
    check("the initial values of global variables: somebody else's", |m| {
        m.initializers[0].place.region = Region::Local;
    });
    check("somebody else's variable is given its first value", |m| {
        m.proctypes[0].initializers[0].place = place(Region::Global, 6);
    });
}

#[test]
fn expressions_are_about_what_there_is() {
    let channel = |owner, first, index| Action::Condition(Expr::ChannelId { owner, first, index });
    check_action("channels 7 to 8, and there are 5", channel(ChannelOwner::Global, 7, None));
    let index = Box::new(Index { expr: Expr::Const(0), len: 2, stride: 1 });
    check_action("and there are 1", channel(ChannelOwner::Executing, 0, Some(index)));
    let index = Box::new(Index { expr: Expr::Const(0), len: 2, stride: 2 });
    check_action("do not follow each other", channel(ChannelOwner::Global, 1, Some(index)));
    let run = |proctype, args, priority| Expr::Run { proctype, args, priority };
    check_action("process type 9, which", Action::Condition(run(ProcTypeId(9), Vec::new(), 1)));
    check_action(
        "`P` takes 2 parameters and gets 0",
        Action::Condition(run(ProcTypeId(0), Vec::new(), 1)),
    );
    check_action("with priority 0", Action::Condition(run(ProcTypeId(1), Vec::new(), 0)));
    check_action("where nothing may change", Action::Assert(run(ProcTypeId(1), Vec::new(), 1)));
    let at = |proctype, location| Expr::AtLocation { proctype, pid: None, location };
    check_action("process type 9, which there is not", Action::Condition(at(ProcTypeId(9), None)));
    check_action(
        "a location that `P` does not have",
        Action::Condition(at(ProcTypeId(0), Some(LocationId(77)))),
    );
    check("it uses `_last`, and the model says that nobody does", |m| {
        m.features.last = false;
        m.layout.last = None;
    });
}

#[test]
fn flags_say_what_is_there() {
    let whole = "what the model makes use of: ";
    check(&format!("{whole}there are escapes"), |m| m.features.escapes = false);
    check("there are rendez-vous channels", |m| m.features.rendezvous = false);
    check("there are `provided` clauses", |m| m.features.provided = false);
    check("there are bytes for priorities", |m| m.features.priorities = false);
    check("there are bytes for a trace", |m| m.trace = None);
    check("the timers: they are not where", |m| m.time = None);
}

#[test]
fn properties_and_promises_are_about_what_there_is() {
    check("the processes at the start: process type 9", |m| m.initial[0].proctype = ProcTypeId(9));
    check("a process of priority 0", |m| m.initial[0].priority = 0);
    check("the never claim `claim`: it is no claim", |m| m.claims[0].kind = ProcKind::Process);
    check("a local variable of nobody", |m| {
        m.claims[0].automaton.edges[0].action = load(Region::Local, 5);
    });
    check("the trace assertion: it goes on at location 9", |m| {
        m.trace.as_mut().expect("a trace").locations[0][0].target = LocationId(9);
    });
    check("not every location is an end or not", |m| {
        m.trace.as_mut().expect("a trace").ends.clear();
    });
    check("the formula `p`: it stands in source file 9", |m| m.formulas[0].source.file = 9);
    check("a promise of exclusive access: it is made by process type 9", |m| {
        m.exclusives[0].proctype = ProcTypeId(9);
    });
    check("the cluster `inner`: process type 9", |m| {
        m.clusters[0].members[0].proctype = ProcTypeId(9)
    });
    check("it has some, and not all, of the members of `inner`", |m| {
        m.clusters[0].members = vec![Member { proctype: ProcTypeId(0), pid: None }];
        m.clusters[1].members = vec![Member { proctype: ProcTypeId(0), pid: Some(Pid(1)) }];
    });
}
