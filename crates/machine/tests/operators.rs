//! Both machines compute what the operators of the model mean: every operator on values at the
//! edges, as variables and as constants, and random expressions.

mod random;

use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, NativeMachine, RuntimeError, Successors};
use isospin_model::{
    Action, Activation, Automaton, BinaryOp, DivisionByZero, Edge, Expr, FrameLayout, Layout,
    Location, LocationId, Model, Pid, Place, ProcKind, ProcType, ProcTypeId, Region, Scalar,
    SourceRef, UnaryOp,
};
use random::Random;

const EDGES: [i32; 18] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    31,
    32,
    33,
    127,
    128,
    255,
    256,
    -32_768,
    65_536,
    i32::MIN,
    i32::MAX,
    i32::MAX - 1,
];

/// The variables: where each is, and what it holds.
const VARIABLES: [(u32, Scalar); 5] =
    [(1, Scalar::INT), (5, Scalar::INT), (9, Scalar::BYTE), (10, Scalar::BIT), (11, Scalar::SHORT)];
const RESULT: (u32, Scalar) = (13, Scalar::INT);

fn place((offset, ty): (u32, Scalar)) -> Place {
    Place { region: Region::Global, offset, indices: Vec::new(), ty }
}

fn variable(k: usize) -> Expr {
    Expr::Load(place(VARIABLES[k]))
}

/// A process that stores each of the values, as it chooses.
fn model(values: &[Expr]) -> Model {
    let edge = |value: &Expr| Edge {
        from: LocationId(0),
        target: LocationId(0),
        action: Action::Assign(Some(place(RESULT)), value.clone()),
        atomic: false,
        urgency: Default::default(),
        escape: 0,
        resets: Vec::new(),
        statement: 0,
        source: SourceRef::default(),
        text: String::new(),
    };
    let location = Location { edge_count: values.len() as u32, ..Location::default() };
    Model {
        layout: Layout { frames: 17, ..Layout::default() },
        proctypes: vec![ProcType {
            name: "P".to_owned(),
            kind: ProcKind::Process,
            parameters: 0,
            frame: FrameLayout { location_width: 1, size: 2, ..FrameLayout::default() },
            initializers: Vec::new(),
            provided: None,
            deterministic: false,
            automaton: Automaton {
                initial: LocationId(0),
                locations: vec![location],
                edges: values.iter().map(edge).collect(),
            },
            source: SourceRef::default(),
        }],
        initial: vec![Activation { proctype: ProcTypeId(0), priority: 1 }],
        ..Model::default()
    }
}

/// What the operators of the model say.
fn meaning(expr: &Expr, values: &[i32; 5]) -> Result<i32, DivisionByZero> {
    Ok(match expr {
        Expr::Const(value) => *value,
        Expr::Load(place) => {
            let k = VARIABLES.iter().position(|v| v.0 == place.offset).expect("a variable");
            place.ty.truncate(values[k])
        }
        Expr::Unary(op, e) => op.apply(meaning(e, values)?),
        Expr::Binary(op, a, b) => {
            let a = meaning(a, values)?;
            match op.decided_by(a) {
                Some(value) => value,
                None => op.apply(a, meaning(b, values)?)?,
            }
        }
        Expr::Conditional(condition, a, b) => {
            meaning(if meaning(condition, values)? != 0 { a } else { b }, values)?
        }
        other => panic!("{other:?} has no operator"),
    })
}

/// Checks all expressions for all values of the variables; says how many values were computed.
fn check(exprs: &[Expr], states: &[[i32; 5]]) -> usize {
    let model = Arc::new(model(exprs));
    let mut native = NativeMachine::new(Arc::clone(&model)).expect("native code");
    assert_eq!(native.coverage().1, 0, "everything is compiled");
    let mut interpreter = Interpreter::new(model);
    let mut state = Vec::new();
    interpreter.initial(&mut state).expect("an initial state");
    let mut computed = 0;
    for values in states {
        for (&(offset, ty), &value) in VARIABLES.iter().zip(values) {
            ty.store(&mut state, offset as usize, value);
        }
        let machines: [(&str, &mut dyn Machine); 2] =
            [("interpreter", &mut interpreter), ("native", &mut native)];
        for (name, machine) in machines {
            let mut out = Successors::default();
            machine.steps(&state, Pid(0), false, &mut out);
            assert_eq!(out.len(), exprs.len());
            for (expr, successor) in exprs.iter().zip(out.list()) {
                let found = match successor.fault {
                    None => Ok(RESULT.1.load(out.state(successor), RESULT.0 as usize)),
                    Some(Fault::Runtime(RuntimeError::DivisionByZero)) => Err(DivisionByZero),
                    Some(other) => panic!("{name}: {other:?} in {expr:?}"),
                };
                assert_eq!(found, meaning(expr, values), "{name}: {expr:?} at {values:?}");
                computed += 1;
            }
        }
    }
    computed
}

/// Each of them as it is, and as the condition of a choice.
fn as_number_and_as_truth(exprs: Vec<Expr>) -> Vec<Expr> {
    let choice = |e: &Expr| {
        let [condition, yes, no] = [e.clone(), Expr::Const(7), Expr::Const(9)].map(Box::new);
        Expr::Conditional(condition, yes, no)
    };
    let choices: Vec<Expr> = exprs.iter().map(choice).collect();
    exprs.into_iter().chain(choices).collect()
}

#[test]
fn every_operator_means_the_same_to_both_machines() {
    let mut exprs: Vec<Expr> = UnaryOp::ALL.map(|op| Expr::unary(op, variable(0))).to_vec();
    for op in BinaryOp::ALL {
        exprs.push(Expr::binary(op, variable(0), variable(1)));
        for value in EDGES {
            exprs.push(Expr::binary(op, variable(0), Expr::Const(value)));
            exprs.push(Expr::binary(op, Expr::Const(value), variable(1)));
        }
    }
    let states: Vec<[i32; 5]> =
        EDGES.iter().flat_map(|&a| EDGES.map(|b| [a, b, 0, 0, 0])).collect();
    let computed = check(&as_number_and_as_truth(exprs), &states);
    assert!(computed > 500_000, "{computed}");
}

#[test]
fn every_operator_means_the_same_on_constants() {
    let mut exprs = Vec::new();
    for a in EDGES {
        exprs.extend(UnaryOp::ALL.map(|op| Expr::unary(op, Expr::Const(a))));
        for b in EDGES {
            exprs.extend(BinaryOp::ALL.map(|op| Expr::binary(op, Expr::Const(a), Expr::Const(b))));
        }
    }
    for some in exprs.chunks(1_000) {
        check(some, &[[0; 5]]);
    }
}

/// A random expression over the variables; truth values are operands like any other.
fn tree(random: &mut Random, depth: usize) -> Expr {
    if depth == 0 || random.once_in(6) {
        return if random.once_in(3) {
            Expr::Const(random.pick(&EDGES))
        } else {
            variable(random.below(VARIABLES.len()))
        };
    }
    let mut below = || tree(random, depth - 1);
    let (a, b, c) = (below(), below(), below());
    match random.below(12) {
        0 => Expr::unary(random.pick(&UnaryOp::ALL), a),
        1 => Expr::Conditional(Box::new(a), Box::new(b), Box::new(c)),
        // A truth value with a number.
        2..=5 => {
            let truth = random.pick(&BinaryOp::ALL[10..]);
            Expr::binary(random.pick(&BinaryOp::ALL), Expr::binary(truth, a, b), c)
        }
        6 => Expr::unary(UnaryOp::Not, Expr::unary(UnaryOp::Not, a)),
        _ => Expr::binary(random.pick(&BinaryOp::ALL), a, b),
    }
}

#[test]
fn random_expressions_mean_the_same_to_both_machines() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let exprs: Vec<Expr> = (0..40).map(|_| tree(&mut random, 4)).collect();
        let states: Vec<[i32; 5]> =
            (0..40).map(|_| std::array::from_fn(|_| random.pick(&EDGES))).collect();
        check(&as_number_and_as_truth(exprs), &states);
    }
}
