//! A tree is printed, read back, and printed the same.

mod common;

use common::check_text;
use isospin_promela::syntax::ast::*;
use isospin_promela::syntax::print::tree_text;
use isospin_promela::{parse, Options};
use isospin_source::{render, Name, Span, Style};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::path::Path;

fn ident(name: &str) -> Ident {
    Ident { name: Name::from(name), span: Span::NONE, occurrence: Occurrence::default() }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { span: Span::NONE, kind }
}

fn any_name() -> impl Strategy<Value = Ident> {
    prop::sample::select(vec!["a", "b", "count", "x1", "_pid", "t", "flag"]).prop_map(ident)
}

fn constant() -> impl Strategy<Value = Const> {
    prop_oneof![
        (0..=i32::MAX).prop_map(Const::Int),
        Just(Const::True),
        Just(Const::False),
        Just(Const::Skip),
        (b' '..=b'~').prop_map(Const::Char),
        Just(Const::Char(b'\n')),
    ]
}

fn simple_var() -> impl Strategy<Value = VarRef> {
    any_name().prop_map(|name| var_of(vec![Segment { name, index: None }]))
}

fn var_of(segments: Vec<Segment>) -> VarRef {
    VarRef { span: Span::NONE, segments }
}

fn var(index: BoxedStrategy<Expr>) -> BoxedStrategy<VarRef> {
    let segment = (any_name(), option::weighted(0.3, index))
        .prop_map(|(name, index)| Segment { name, index: index.map(Box::new) });
    vec(segment, 1..3).prop_map(var_of).boxed()
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![
        Add, Sub, Mul, Div, Rem, BitAnd, BitXor, BitOr, Gt, Lt, Ge, Le, Eq, Ne, And, Or, Shl, Shr,
    ])
}

fn unary_op() -> impl Strategy<Value = UnaryOp> {
    prop::sample::select(vec![UnaryOp::Not, UnaryOp::Complement, UnaryOp::Negate])
}

fn receive_arg(inner: BoxedStrategy<Expr>) -> BoxedStrategy<ReceiveArg> {
    prop_oneof![
        var(inner.clone()).prop_map(ReceiveArgKind::Var),
        inner.prop_map(ReceiveArgKind::Eval),
        constant().prop_map(ReceiveArgKind::Const),
        (-100..0).prop_map(|n| ReceiveArgKind::Const(Const::Int(n))),
    ]
    .prop_map(|kind| ReceiveArg { span: Span::NONE, kind })
    .boxed()
}

/// Expressions; those of formulas have the temporal operators too.
fn any_expr(formula: bool) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        4 => constant().prop_map(ExprKind::Const),
        4 => simple_var().prop_map(ExprKind::Var),
        1 => Just(ExprKind::Timeout),
        1 => Just(ExprKind::NonProgress),
        1 => Just(ExprKind::RemoteLabel { proctype: ident("P"), pid: None, label: ident("L") }),
    ]
    .prop_map(expr);
    leaf.prop_recursive(5, 40, 4, move |inner| {
        let boxed = inner.clone().prop_map(Box::new).boxed();
        let common =
            prop_oneof![
                var(inner.clone().boxed()).prop_map(ExprKind::Var),
                (unary_op(), boxed.clone()).prop_map(|(op, e)| ExprKind::Unary(op, e)),
                (binary_op(), boxed.clone(), boxed.clone())
                    .prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
                var(inner.clone().boxed()).prop_map(ExprKind::Len),
                boxed.clone().prop_map(ExprKind::Enabled),
                boxed.clone().prop_map(ExprKind::PcValue),
                boxed.clone().prop_map(ExprKind::GetPriority),
                (
                    any::<bool>(),
                    var(inner.clone().boxed()),
                    vec(receive_arg(inner.clone().boxed()), 1..3)
                )
                    .prop_map(|(random, channel, args)| ExprKind::Poll(Box::new(
                        Poll { channel, random, args }
                    ))),
                boxed.clone().prop_map(|pid| ExprKind::RemoteVar {
                    proctype: ident("P"),
                    pid: Some(pid),
                    var: Box::new(Segment { name: ident("x1"), index: None }),
                }),
            ];
        if formula {
            let op = prop::sample::select(vec![
                BinaryOp::Until,
                BinaryOp::Release,
                BinaryOp::WeakUntil,
                BinaryOp::Implies,
                BinaryOp::Equivalent,
            ]);
            let before =
                prop::sample::select(vec![UnaryOp::Next, UnaryOp::Always, UnaryOp::Eventually]);
            prop_oneof![
                common,
                (op, boxed.clone(), boxed.clone())
                    .prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
                (before, boxed).prop_map(|(op, e)| ExprKind::Unary(op, e)),
            ]
            .prop_map(expr)
            .boxed()
        } else {
            let priority = option::of(Just(expr(ExprKind::Const(Const::Int(3)))));
            prop_oneof![
                common,
                (boxed.clone(), boxed.clone(), boxed).prop_map(|(cond, then, otherwise)| {
                    ExprKind::Conditional { cond, then, otherwise }
                }),
                (vec(inner, 0..3), priority).prop_map(|(args, priority)| {
                    ExprKind::Run(Box::new(Run { proctype: ident("P"), args, priority }))
                }),
            ]
            .prop_map(expr)
            .boxed()
        }
    })
    .boxed()
}

/// An expression in which probes may stand.
fn full_expr() -> BoxedStrategy<Expr> {
    let probe = prop::sample::select(vec![Probe::Full, Probe::Empty, Probe::NFull, Probe::NEmpty]);
    let probe = (probe, simple_var()).prop_map(|(p, v)| expr(ExprKind::Probe(p, v))).boxed();
    let op = prop::sample::select(vec![BinaryOp::And, BinaryOp::Or]);
    prop_oneof![
        4 => any_expr(false),
        1 => probe.clone(),
        1 => (op, probe, any_expr(false)).prop_map(|(op, a, b)| expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))),
    ]
    .boxed()
}

fn var_decl(brace: bool) -> BoxedStrategy<VarDecl> {
    let ty = prop::sample::select(vec![
        TypeKind::Bit,
        TypeKind::Bool,
        TypeKind::Byte,
        TypeKind::Pid,
        TypeKind::Short,
        TypeKind::Int,
        TypeKind::Chan,
        TypeKind::Mtype(None),
        TypeKind::Mtype(Some(ident("colour"))),
        TypeKind::Named(ident("T")),
    ]);
    let visibility = option::weighted(
        0.2,
        prop::sample::select(vec![Visibility::Hidden, Visibility::Show, Visibility::Local]),
    );
    let size = option::weighted(0.3, (1..9).prop_map(|n| expr(ExprKind::Const(Const::Int(n)))));
    let number = (0..300).prop_map(|n| expr(ExprKind::Const(Const::Int(n))));
    let init = prop_oneof![
        Just(None),
        any_expr(false).prop_map(|e| Some(Initializer::Expr(e))),
        vec(number.clone(), 1..4)
            .prop_map(|items| Some(Initializer::List { span: Span::NONE, items })),
        (number, vec(ty.clone(), 1..3)).prop_map(|(capacity, fields)| Some(Initializer::Channel(
            ChannelInit {
                span: Span::NONE,
                capacity,
                fields: fields.into_iter().map(|kind| Type { span: Span::NONE, kind }).collect(),
            }
        ))),
    ];
    let declarator = (any_name(), size, init).prop_map(|(name, size, init)| Declarator {
        span: Span::NONE,
        name,
        width: None,
        size,
        init,
    });
    (visibility, ty, vec(declarator, 1..3))
        .prop_map(move |(visibility, kind, mut vars)| {
            // After the brace of an initialiser, a comma is not read.
            let last = vars.len() - 1;
            for (i, var) in vars.iter_mut().enumerate() {
                let braces =
                    matches!(var.init, Some(Initializer::List { .. } | Initializer::Channel(_)));
                if braces && (i < last || !brace) {
                    var.init = None;
                }
            }
            VarDecl { span: Span::NONE, visibility, ty: Type { span: Span::NONE, kind }, vars }
        })
        .boxed()
}

fn stmt_of(labels: Vec<Ident>, kind: StmtKind) -> Stmt {
    Stmt { span: Span::NONE, labels, kind }
}

fn block_of(stmts: Vec<Stmt>) -> Block {
    Block { span: Span::NONE, stmts }
}

/// A statement without statements in it, and no declaration.
fn simple_stmt() -> BoxedStrategy<StmtKind> {
    let inner = || any_expr(false);
    prop_oneof![
        (var(inner()), full_expr()).prop_map(|(target, value)| StmtKind::Assign { target, value }),
        var(inner()).prop_map(StmtKind::Increment),
        var(inner()).prop_map(StmtKind::Decrement),
        (var(inner()), any::<bool>(), vec(inner(), 1..4))
            .prop_map(|(channel, sorted, args)| StmtKind::Send(Send { channel, sorted, args })),
        (var(inner()), any::<bool>(), any::<bool>(), vec(receive_arg(inner()), 1..4)).prop_map(
            |(channel, random, copy, args)| StmtKind::Receive(Receive {
                channel,
                random,
                copy,
                args
            })
        ),
        full_expr().prop_map(StmtKind::Expr),
        Just(StmtKind::Else),
        Just(StmtKind::Break),
        Just(StmtKind::Goto(ident("L"))),
        full_expr().prop_map(StmtKind::Assert),
        vec(inner(), 0..3).prop_map(|args| StmtKind::Printf {
            format: Str { span: Span::NONE, text: Name::from("%d \\n \\\" text") },
            args,
        }),
        simple_var().prop_map(|v| StmtKind::Printm(expr(ExprKind::Var(v)))),
        (inner(), inner()).prop_map(|(pid, priority)| StmtKind::SetPriority { pid, priority }),
        (simple_var(), inner(), inner()).prop_map(|(var, from, to)| {
            StmtKind::Select(Box::new(Select { var, from, to, literal: false }))
        }),
    ]
    .boxed()
}

fn labels() -> impl Strategy<Value = Vec<Ident>> {
    let name = prop::sample::select(vec!["L", "end_here", "again"]).prop_map(ident);
    prop_oneof![4 => Just(Vec::new()), 1 => vec(name, 1..3)]
}

fn labelled(kind: BoxedStrategy<StmtKind>) -> BoxedStrategy<Stmt> {
    (labels(), kind).prop_map(|(labels, kind)| stmt_of(labels, kind)).boxed()
}

fn any_stmt() -> BoxedStrategy<Stmt> {
    labelled(simple_stmt())
        .prop_recursive(3, 24, 3, |inner| {
            let decl = var_decl(true).prop_map(|d| stmt_of(Vec::new(), StmtKind::Decl(d)));
            let item = prop_oneof![5 => inner.clone(), 1 => decl];
            let block = vec(item, 1..4).prop_map(block_of).boxed();
            let branch =
                vec(inner.clone(), 1..3).prop_map(|stmts| Branch { span: Span::NONE, stmts });
            let branches = vec(branch, 1..3);
            let range = prop_oneof![
                (any_expr(false), any_expr(false))
                    .prop_map(|(from, to)| ForRange::Range { from, to }),
                simple_var().prop_map(ForRange::In),
            ];
            let compound = prop_oneof![
                branches.clone().prop_map(StmtKind::If),
                branches.prop_map(StmtKind::Do),
                block.clone().prop_map(StmtKind::Atomic),
                block.clone().prop_map(StmtKind::DStep),
                block.clone().prop_map(StmtKind::Block),
                (simple_var(), range, block.clone()).prop_map(|(var, range, body)| StmtKind::For(
                    Box::new(For { var, range, body })
                )),
            ]
            .boxed();
            let unless =
                (labelled(compound.clone()), labelled(block.prop_map(StmtKind::Block).boxed()))
                    .prop_map(|(body, escape)| {
                        let kind =
                            StmtKind::Unless { body: Box::new(body), escape: Box::new(escape) };
                        stmt_of(Vec::new(), kind)
                    });
            // An `unless` cannot be part of another one without a block.
            prop_oneof![3 => labelled(compound), 1 => unless]
        })
        .boxed()
}

fn body() -> BoxedStrategy<Block> {
    let decl = var_decl(true).prop_map(|d| stmt_of(Vec::new(), StmtKind::Decl(d)));
    let exclusive = (any::<bool>(), vec(simple_var(), 1..3))
        .prop_map(|(send, channels)| stmt_of(Vec::new(), StmtKind::Exclusive { send, channels }));
    (vec(prop_oneof![3 => decl, 1 => exclusive], 0..3), vec(any_stmt(), 1..5))
        .prop_map(|(mut start, stmts)| {
            start.extend(stmts);
            block_of(start)
        })
        .boxed()
}

/// The proctype that remote references refer to.
fn referred() -> Item {
    let skip = StmtKind::Expr(expr(ExprKind::Const(Const::Skip)));
    Item::Proctype(Proctype {
        span: Span::NONE,
        name: ident("P"),
        deterministic: true,
        active: None,
        params: Vec::new(),
        priority: None,
        provided: None,
        body: block_of(vec![stmt_of(vec![ident("L")], skip)]),
    })
}

fn plain_field() -> VarDecl {
    let kind = TypeKind::Int;
    let var =
        Declarator { span: Span::NONE, name: ident("a"), width: None, size: None, init: None };
    VarDecl {
        span: Span::NONE,
        visibility: None,
        ty: Type { span: Span::NONE, kind },
        vars: vec![var],
    }
}

fn typedef_of(name: &str, fields: Vec<VarDecl>) -> Item {
    Item::Typedef(Typedef { span: Span::NONE, name: ident(name), fields })
}

/// A proctype and a typedef that the rest refers to, then anything.
fn tree() -> BoxedStrategy<Tree> {
    let typedef = vec(var_decl(true), 1..3);
    let item =
        prop_oneof![
            body().prop_map(|body| Item::Init(Init {
                span: Span::NONE,
                keyword: Span::NONE,
                priority: None,
                body
            })),
            (option::of(Just(ident("claim"))), body()).prop_map(|(name, body)| Item::Never(
                Never { span: Span::NONE, keyword: Span::NONE, name, body }
            )),
            (any::<bool>(), body()).prop_map(|(negated, body)| Item::Trace(Trace {
                span: Span::NONE,
                keyword: Span::NONE,
                negated,
                body
            })),
            (option::of(Just(ident("prop"))), any_expr(true)).prop_map(|(name, formula)| {
                Item::Ltl(Ltl { span: Span::NONE, name, formula, tokens: Vec::new() })
            }),
            var_decl(true).prop_map(Item::Variables),
            vec(any_name(), 1..4).prop_map(|names| Item::Mtype(MtypeDecl {
                span: Span::NONE,
                subtype: Some(ident("colour")),
                names
            })),
        ];
    let provided = option::of(full_expr());
    (typedef, vec(var_decl(false), 0..3), provided, body(), vec(item, 0..3))
        .prop_map(|(fields, mut params, provided, body, mut items)| {
            for param in &mut params {
                param.visibility = None;
            }
            let proctype = Item::Proctype(Proctype {
                span: Span::NONE,
                name: ident("Main"),
                deterministic: false,
                active: Some(Active { span: Span::NONE, count: None }),
                params,
                priority: None,
                provided,
                body,
            });
            let mut all = vec![referred()];
            all.push(typedef_of("T", vec![plain_field()]));
            all.push(typedef_of("U", fields));
            all.push(proctype);
            all.append(&mut items);
            Tree { items: all, formulas: Vec::new() }
        })
        .boxed()
}

/// The text of a tree that was read from the text, or what was wrong with it.
fn again(text: &str) -> Result<String, String> {
    let mut reader = |_: &Path| Ok(text.as_bytes().to_vec());
    let parsed = parse(Path::new("printed.pml"), &Options::default(), &mut reader);
    if parsed.has_errors() {
        return Err(render(&parsed.sources, &parsed.diagnostics, Style::Plain));
    }
    Ok(tree_text(&parsed.tree))
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 192,
        max_shrink_iters: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_tree_prints_and_reads_back(printed in tree().prop_map(|tree| tree_text(&tree))) {
        prop_assert_eq!(again(&printed), Ok(printed));
    }
}

#[test]
fn an_inline_prints_as_it_was_defined_and_called() {
    let text =
        "inline twice(v, by) {\n\tv = v + by\n\tv = v + by\n}\ninit { int x; twice(x, 2); skip }\n";
    let printed = tree_text(&check_text(text).tree);
    assert!(printed.contains("twice(x, 2)"), "{printed}");
    assert_eq!(again(&printed), Ok(printed));
}

#[test]
fn tokens_from_different_macros_do_not_run_into_each_other() {
    let text = "#define A int\n#define B x;\ninline f() { A B x = 1 }\ninit { f() }\n";
    let printed = tree_text(&check_text(text).tree);
    assert_eq!(again(&printed), Ok(printed));
}
