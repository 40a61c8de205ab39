//! What lies at the edges: sequences that do not end, too many processes and channels, deep
//! expressions, states that are none, and machines on several threads.

mod common;

use std::sync::Arc;

use common::{compare, Bounds};
use isospin_machine::{Fault, Machine, NativeMachine, RuntimeError, Successors};
use isospin_model::{
    Action, Activation, Automaton, BinaryOp, ChannelInstance, ChannelOwner, ChannelType,
    ChannelTypeId, DetEdge, DetNode, DetStep, Edge, Expr, FrameLayout, Layout, Location,
    LocationId, Model, Pid, Place, ProcKind, ProcType, ProcTypeId, Region, Scalar, Segment, Slot,
    SourceRef, UnaryOp,
};

const BOUNDS: Bounds = Bounds { states: 400, processes: 255 };

/// The first byte behind the number of processes.
fn variable() -> Place {
    Place { region: Region::Global, offset: 1, indices: Vec::new(), ty: Scalar::BYTE }
}

/// A model with one process, one variable and one location, which every edge comes back to.
fn model(actions: Vec<Action>) -> Model {
    let edges: Vec<Edge> = actions
        .into_iter()
        .map(|action| Edge {
            from: LocationId(0),
            target: LocationId(0),
            action,
            atomic: false,
            urgency: Default::default(),
            escape: 0,
            resets: Vec::new(),
            statement: 0,
            source: SourceRef::default(),
            text: String::new(),
        })
        .collect();
    let location = Location { edge_count: edges.len() as u32, ..Location::default() };
    Model {
        layout: Layout {
            process_count: 0,
            slots: vec![Slot {
                path: vec![Segment { name: "x".to_owned(), array: None }],
                offset: 1,
                ty: Scalar::BYTE,
                parameter: false,
            }],
            frames: 2,
            ..Layout::default()
        },
        proctypes: vec![ProcType {
            name: "P".to_owned(),
            kind: ProcKind::Process,
            parameters: 0,
            frame: FrameLayout { location_width: 1, size: 2, ..FrameLayout::default() },
            initializers: Vec::new(),
            provided: None,
            deterministic: false,
            automaton: Automaton { initial: LocationId(0), locations: vec![location], edges },
            source: SourceRef::default(),
        }],
        initial: vec![Activation { proctype: ProcTypeId(0), priority: 1 }],
        ..Model::default()
    }
}

fn det_edge(action: Action, target: Option<u32>) -> DetEdge {
    DetEdge { action, target, source: SourceRef::default(), text: String::new() }
}

fn faults(model: Model) -> Vec<Option<Fault>> {
    let mut native = NativeMachine::new(Arc::new(model)).expect("native code");
    let (mut state, mut out) = (Vec::new(), Successors::default());
    native.initial(&mut state).expect("an initial state");
    native.all_steps(&state, false, &mut out);
    out.list().iter().map(|s| s.fault).collect()
}

fn run() -> Expr {
    Expr::Run { proctype: ProcTypeId(0), args: Vec::new(), priority: 1 }
}

#[test]
fn a_sequence_that_does_not_end_is_an_error() {
    let turn = det_edge(Action::Skip, Some(0));
    let step = DetStep { nodes: vec![DetNode { edges: vec![turn] }] };
    let found = faults(model(vec![Action::DetStep(Box::new(step))]));
    assert_eq!(found, [Some(Fault::Runtime(RuntimeError::EndlessDetStep))]);
}

#[test]
fn a_sequence_that_turns_back_runs_to_its_end() {
    let less = Expr::binary(BinaryOp::Less, Expr::Load(variable()), Expr::Const(200));
    let more = Expr::binary(BinaryOp::Add, Expr::Load(variable()), Expr::Const(1));
    let step = DetStep {
        nodes: vec![
            DetNode {
                edges: vec![
                    det_edge(Action::Condition(less), Some(1)),
                    det_edge(Action::Else, None),
                ],
            },
            DetNode { edges: vec![det_edge(Action::Assign(Some(variable()), more), Some(0))] },
        ],
    };
    let looked = compare(Arc::new(model(vec![Action::DetStep(Box::new(step))])), BOUNDS);
    assert_eq!(looked.expect("both agree").states, 2);
}

#[test]
fn the_256th_process_is_an_error() {
    let looked = compare(Arc::new(model(vec![Action::Condition(run())])), BOUNDS);
    let looked = looked.expect("both agree");
    assert_eq!(looked.states, 255);
    assert!(looked.faults.contains("TooManyProcesses"));
}

#[test]
fn the_256th_channel_is_an_error() {
    let mut model = model(vec![Action::Assign(Some(variable()), run())]);
    model.channel_types = vec![ChannelType::new(1, vec![Scalar::BYTE])];
    model.proctypes[0].frame.size = 6;
    model.proctypes[0].frame.channels = (0..2)
        .map(|k| ChannelInstance { name: format!("c{k}"), ty: ChannelTypeId(0), offset: 2 + 2 * k })
        .collect();
    let looked = compare(Arc::new(model), BOUNDS).expect("both agree");
    assert_eq!(looked.states, 127);
    assert!(looked.faults.contains("TooManyChannels"));
}

#[test]
fn processes_that_come_and_go_keep_their_channels_apart() {
    let own = || Expr::ChannelId { owner: ChannelOwner::Executing, first: 0, index: None };
    let send = Action::Send { channel: own(), args: vec![Expr::Pid], sorted: false };
    let mut model = model(vec![
        Action::Condition(run()),
        send,
        Action::Assign(Some(variable()), own()),
        Action::Receive {
            channel: Expr::Load(variable()),
            pattern: vec![isospin_model::ReceiveArg::Ignore],
            random: false,
            copy: false,
            saved: Vec::new(),
        },
        Action::End,
    ]);
    model.channel_types = vec![ChannelType::new(2, vec![Scalar::BYTE])];
    model.proctypes[0].frame.size = 5;
    model.proctypes[0].frame.channels =
        vec![ChannelInstance { name: "c".to_owned(), ty: ChannelTypeId(0), offset: 2 }];
    let bounds = Bounds { states: 3_000, processes: 5 };
    compare(Arc::new(model), bounds).expect("both agree");
}

#[test]
fn deep_expressions_are_compiled() {
    let mut deep = Expr::Load(variable());
    for k in 0..1_000 {
        deep = match k % 3 {
            0 => Expr::binary(BinaryOp::Add, deep, Expr::Const(1)),
            1 => Expr::unary(UnaryOp::Not, deep),
            _ => Expr::binary(BinaryOp::Or, deep, Expr::Load(variable())),
        };
    }
    let model = model(vec![Action::Condition(deep.clone()), Action::Assign(None, deep)]);
    let looked = compare(Arc::new(model), BOUNDS).expect("both agree");
    assert_eq!(looked.interpreted, 0);
}

#[test]
#[should_panic(expected = "not a state of the model")]
fn bytes_that_are_no_state_are_refused() {
    let mut native = NativeMachine::new(Arc::new(model(vec![Action::Skip]))).expect("native code");
    native.steps(&[1, 0, 0, 7], Pid(0), false, &mut Successors::default());
}

#[test]
fn clones_share_the_code_on_other_threads() {
    let more = Expr::binary(BinaryOp::Add, Expr::Load(variable()), Expr::Const(1));
    let model = model(vec![Action::Assign(Some(variable()), more)]);
    let native = NativeMachine::new(Arc::new(model)).expect("native code");
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let mut machine = native.clone();
            std::thread::spawn(move || {
                let (mut state, mut out) = (Vec::new(), Successors::default());
                machine.initial(&mut state).expect("an initial state");
                for _ in 0..1_000 {
                    out.clear();
                    machine.all_steps(&state, false, &mut out);
                    state = out.state(&out.list()[0]).to_vec();
                }
                state
            })
        })
        .collect();
    drop(native);
    for thread in threads {
        assert_eq!(thread.join().expect("no panic"), [1, (1_000 % 256) as u8, 0, 0]);
    }
}
