//! What names mean is decided once, and lowering goes by it.

use isospin_model::{Action, Expr, Model, Place, Region};
use isospin_promela::symbols::{Kind, Meaning, Place as Declared};
use isospin_promela::syntax::ast::{Item, Stmt, StmtKind};
use isospin_promela::{read, Options, Reading};
use std::path::Path;

fn reading(text: &str) -> Reading {
    let mut file = |_: &Path| Ok(text.as_bytes().to_vec());
    read(Path::new("m.pml"), &Options::default(), &mut file)
}

fn model(text: &str) -> Model {
    reading(text).into_model().expect("a model")
}

/// The places that a process type's assignments store in, in the order of its edges.
fn stored<'m>(model: &'m Model, proctype: &str) -> Vec<&'m Place> {
    let found = model.proctypes.iter().find(|p| p.name == proctype).expect("it is there");
    let actions = found.automaton.edges.iter().map(|e| &e.action);
    actions
        .filter_map(|action| match action {
            Action::Assign(place, _) => place.as_ref(),
            _ => None,
        })
        .collect()
}

/// The condition that a claim's first edge has.
fn claimed(model: &Model) -> &Expr {
    match &model.claims[0].automaton.edges[0].action {
        Action::Condition(condition) => condition,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_constant_that_is_declared_further_down_does_not_stand_for_a_local_variable() {
    let text = "byte a[4]; active proctype P() { byte x; x = 2; a[x] = 1 } mtype = { x }";
    let model = model(text);
    let [_, element] = stored(&model, "P")[..] else { panic!("two assignments") };
    assert_eq!(element.indices.len(), 1);
}

#[test]
fn an_argument_that_is_put_in_twice_can_mean_two_variables() {
    let text = "inline twice(v) { { byte q; v = 1 }; { byte q; v = 2 } } init { twice(q); skip }";
    let model = model(text);
    let [_, first, _, second] = stored(&model, "init")[..] else { panic!("four assignments") };
    assert_ne!(first.offset, second.offset);
}

#[test]
fn what_an_inline_returns_goes_to_what_the_name_means_at_the_call() {
    let text = "inline f() { { byte q; return 1 } } init { q = f(); skip }";
    let messages = reading(text).into_model().expect_err("it is rejected");
    assert_eq!(messages, "m.pml:1:44: `q` is not declared");
}

#[test]
fn a_remote_variable_is_found_behind_a_wide_location() {
    let long = "x++; ".repeat(300);
    let text = format!(
        "active proctype P() {{ byte x, y; {long} y = x }}
         never {{ do :: P:y == 0 od }}"
    );
    let model = model(&text);
    let Expr::Binary(_, left, _) = claimed(&model) else { panic!("a comparison") };
    let Expr::Load(Place { region: Region::Remote { .. }, offset, .. }) = &**left else {
        panic!("a remote variable: {left:?}")
    };
    let slots = &model.proctypes[0].frame.slots;
    let y = slots.iter().find(|s| s.path[0].name == "y").expect("it is there");
    assert_eq!(*offset, y.offset);
}

#[test]
fn a_claim_that_is_named_like_a_proctype_does_not_take_its_labels() {
    let text = "active proctype P() { skip; L: skip } never P { do :: P@L od }";
    let model = model(text);
    let Expr::AtLocation { location, .. } = claimed(&model) else { panic!("a remote reference") };
    assert_eq!(*location, Some(isospin_model::LocationId(1)));
}

#[test]
fn a_process_can_look_at_its_own_kind_whose_variables_come_later() {
    let text = "active [2] proctype P() { P[1]:later == 0; byte later; later = 1 }";
    let reading = reading(text);
    assert_eq!(reading.diagnostics, []);
    let unknown = text.replace("later == 0", "latter == 0");
    let messages = self::reading(&unknown).into_model().expect_err("it is rejected");
    assert_eq!(messages, "m.pml:1:32: proctype `P` has no variable `latter`");
}

#[test]
fn symbols_say_what_is_declared_and_what_refers_to_it() {
    let text = "mtype = { no, yes }; typedef T { byte a; short b }; T t; init { t.b = yes }";
    let Reading { tree, symbols, .. } = reading(text);
    let Some(Item::Init(init)) = tree.items.last() else { panic!("an init") };
    let Stmt { kind: StmtKind::Assign { target, value }, .. } = &init.body.stmts[0] else {
        panic!("an assignment")
    };
    let t = symbols.variable_of(target.name()).expect("a variable");
    assert_eq!(symbols.variable(t).place, Declared::Global);
    let Kind::Record(typedef) = symbols.variable(t).kind else { panic!("a structure") };
    assert_eq!(symbols.meaning(&target.segments[1].name), Some(Meaning::Field(typedef, 1)));
    assert_eq!(symbols.typedef(typedef).fields[1].kind, Kind::Short);
    // Within one declaration the last constant comes first.
    assert_eq!(symbols.constant(value), Some(1));
}

#[test]
fn symbols_are_there_after_a_syntax_error() {
    let reading = reading("byte n; proctype P() { n = 1; n = = 2 } init { run P() }");
    assert!(reading.model.is_none());
    let Some(Item::Proctype(p)) = reading.tree.items.get(1) else { panic!("a proctype") };
    let StmtKind::Assign { target, .. } = &p.body.stmts[0].kind else { panic!("an assignment") };
    assert!(reading.symbols.variable_of(target.name()).is_some());
}
