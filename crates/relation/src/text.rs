//! A relation as text, and values in the model's own names.

mod read;

pub use read::read;

use std::collections::HashMap;
use std::fmt::Write;

use crate::operators::number;
use crate::{
    Domain, Duty, ExprId, Formula, FormulaId, Kind, Node, Operator, Property, Relation, Sort,
    Trouble, Unary, Value, VarId, SYMBOL_BASE,
};

/// A value of the given sort, as the model writes it.
pub fn value(relation: &Relation, sort: Sort, value: Value) -> String {
    match sort {
        Sort::Boolean if value == 0 => "FALSE".into(),
        Sort::Boolean => "TRUE".into(),
        Sort::Scalar if value >= SYMBOL_BASE => {
            let symbol = relation.symbols.get((value - SYMBOL_BASE) as usize);
            symbol.cloned().unwrap_or_else(|| "?".into())
        }
        Sort::Scalar => value.to_string(),
        Sort::Word { signed, width } => {
            let number = number(sort, value);
            let (sign, letter) =
                (if number < 0 { "-" } else { "" }, if signed { 's' } else { 'u' });
            format!("{sign}0{letter}d{width}_{}", number.unsigned_abs())
        }
    }
}

/// The value of a variable.
pub fn variable_value(relation: &Relation, variable: VarId, of: Value) -> String {
    value(relation, relation.variable(variable).sort(), of)
}

/// A domain.
pub fn domain(relation: &Relation, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".into(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Values(values) => {
            let names: Vec<String> =
                values.iter().map(|v| value(relation, Sort::Scalar, *v)).collect();
            format!("{{{}}}", names.join(", "))
        }
        Domain::Word { signed: true, width } => format!("signed word[{width}]"),
        Domain::Word { signed: false, width } => format!("unsigned word[{width}]"),
    }
}

/// The whole relation: symbols, variables, the expressions that are used (each once, by number),
/// and what is made of them. [`read`] reads it back.
pub fn print(relation: &Relation) -> String {
    let mut out = String::new();
    for symbol in &relation.symbols {
        let _ = writeln!(out, "symbol {symbol:?}");
    }
    for (id, variable) in relation.numbered() {
        let kind = match variable.kind {
            Kind::State => "state",
            Kind::Frozen => "frozen",
            Kind::Input => "input",
        };
        let of = domain(relation, &variable.domain);
        let _ = writeln!(out, "{kind} v{} {:?} : {of}", id.0, variable.name);
    }
    if let Some(selector) = relation.selector {
        let _ = writeln!(out, "selector v{}", selector.0);
    }
    for (trouble, _) in &relation.troubles {
        let word = match trouble {
            Trouble::NoCase => "case",
            Trouble::OutsideBounds => "bounds",
            Trouble::DivisionByZero => "zero",
        };
        let _ = writeln!(out, "trouble {word}");
    }
    let reached = relation.expressions.reached(roots(relation));
    let numbers: Numbers =
        reached.iter().enumerate().map(|(k, id)| (*id, ExprId(k as u32))).collect();
    for id in reached {
        let line = node(relation, id, &numbers);
        let _ =
            writeln!(out, "e{} = {} {line}", numbers[&id].0, sort(relation.expressions.sort(id)));
    }
    let mut parts = |word: &str, exprs: &[crate::Part]| {
        for part in exprs {
            let _ = writeln!(out, "{word} e{}", numbers[&part.expr].0);
        }
    };
    parts("init", &relation.init);
    parts("invariant", &relation.invariants);
    parts("transition", &relation.transitions);
    parts("justice", &relation.justice);
    for (p, q) in &relation.compassion {
        let _ = writeln!(out, "compassion e{} e{}", numbers[&p.expr].0, numbers[&q.expr].0);
    }
    for obligation in &relation.obligations {
        let expr = numbers[&obligation.expr].0;
        let _ = match obligation.duty {
            Duty::Fits(v) => writeln!(out, "fits v{} e{expr}", v.0),
            Duty::Defined(of) => writeln!(out, "defined e{} e{expr}", numbers[&of].0),
        };
    }
    for (name, expr) in &relation.definitions {
        let _ = writeln!(out, "define {name:?} e{}", numbers[expr].0);
    }
    for specification in &relation.specifications {
        if let Some(name) = &specification.name {
            let _ = write!(out, "name {name:?} ");
        }
        let text = &specification.text;
        let of = |f: &Formula| renumbered_formula(f, &numbers);
        let _ = match &specification.property {
            Property::Ctl(f) => writeln!(out, "ctl {text:?} {}", of(f)),
            Property::Ltl(f) => writeln!(out, "ltl {text:?} {}", of(f)),
            Property::Invariant(expr) => writeln!(out, "holds {text:?} e{}", numbers[expr].0),
            Property::Compute { longest, from, to } => {
                let word = if *longest { "longest" } else { "shortest" };
                writeln!(out, "{word} {text:?} {} {}", of(from), of(to))
            }
        };
    }
    out
}

/// The numbers with which expressions are written.
type Numbers = HashMap<ExprId, ExprId>;

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "boolean".into(),
        Sort::Scalar => "scalar".into(),
        Sort::Word { signed: true, width } => format!("signed {width}"),
        Sort::Word { signed: false, width } => format!("unsigned {width}"),
    }
}

/// The expressions that a relation is made of.
pub fn roots(relation: &Relation) -> Vec<ExprId> {
    let parts = [&relation.init, &relation.invariants, &relation.transitions, &relation.justice];
    let mut roots: Vec<ExprId> = parts.into_iter().flatten().map(|p| p.expr).collect();
    roots.extend(relation.compassion.iter().flat_map(|(p, q)| [p.expr, q.expr]));
    for obligation in &relation.obligations {
        roots.push(obligation.expr);
        if let Duty::Defined(of) = obligation.duty {
            roots.push(of);
        }
    }
    roots.extend(relation.definitions.iter().map(|(_, expr)| *expr));
    for specification in &relation.specifications {
        match &specification.property {
            Property::Ctl(f) | Property::Ltl(f) => roots.extend(f.atoms()),
            Property::Invariant(expr) => roots.push(*expr),
            Property::Compute { from, to, .. } => roots.extend(from.atoms().chain(to.atoms())),
        }
    }
    roots
}

fn node(relation: &Relation, id: ExprId, numbers: &Numbers) -> String {
    let table = &relation.expressions;
    let e = |id: ExprId| format!("e{}", numbers[&id].0);
    match table.node(id) {
        Node::Constant(of) if table.sort(id) == Sort::Scalar => {
            format!("constant {}", value(relation, Sort::Scalar, of))
        }
        Node::Constant(of) => format!("constant {of}"),
        Node::Current(v) => format!("now v{}", v.0),
        Node::Next(v) => format!("next v{}", v.0),
        Node::Undefined(k) => format!("undefined {k}"),
        Node::Unary(Unary::Resize { signed, width }, a) => {
            format!("resize {} {width} {}", if signed { "signed" } else { "unsigned" }, e(a))
        }
        Node::Unary(Unary::Select { high, low }, a) => format!("select {high} {low} {}", e(a)),
        Node::Unary(Unary::Reinterpret { signed }, a) => {
            format!("{} {}", if signed { "signed" } else { "unsigned" }, e(a))
        }
        Node::Unary(operator, a) => format!("{} {}", word(&operator), e(a)),
        Node::Binary(operator, a, b) => format!("{} {} {}", word(&operator), e(a), e(b)),
        Node::Choose(a, b, c) => format!("choose {} {} {}", e(a), e(b), e(c)),
    }
}

/// An operator's name, in lower case.
fn word(operator: &impl std::fmt::Debug) -> String {
    format!("{operator:?}").to_lowercase()
}

/// A formula in prefix form.
pub fn formula(formula: &Formula) -> String {
    formula_by(formula, &|expr| expr)
}

fn renumbered_formula(formula: &Formula, numbers: &Numbers) -> String {
    formula_by(formula, &|expr| numbers[&expr])
}

fn formula_by(formula: &Formula, number: &dyn Fn(ExprId) -> ExprId) -> String {
    enum Piece {
        Formula(FormulaId),
        Close,
    }
    let (mut out, mut stack) = (String::new(), vec![Piece::Formula(formula.root())]);
    while let Some(piece) = stack.pop() {
        let Piece::Formula(id) = piece else {
            out.push(')');
            continue;
        };
        if !out.is_empty() && !out.ends_with(['(', ' ']) {
            out.push(' ');
        }
        let (word, operands): (String, Vec<FormulaId>) = match formula.operator(id) {
            Operator::Atom(expr) => {
                let _ = write!(out, "e{}", number(expr).0);
                continue;
            }
            Operator::True => {
                out.push_str("true");
                continue;
            }
            Operator::Not(f) => ("not".into(), vec![f]),
            Operator::And(f, g) => ("and".into(), vec![f, g]),
            Operator::Or(f, g) => ("or".into(), vec![f, g]),
            Operator::Iff(f, g) => ("iff".into(), vec![f, g]),
            Operator::Ex(f) => ("EX".into(), vec![f]),
            Operator::Eg(f) => ("EG".into(), vec![f]),
            Operator::Eu(f, g) => ("EU".into(), vec![f, g]),
            Operator::Next(f) => ("X".into(), vec![f]),
            Operator::Until(f, g) => ("U".into(), vec![f, g]),
            Operator::Previous(f) => ("Y".into(), vec![f]),
            Operator::Since(f, g) => ("S".into(), vec![f, g]),
        };
        let _ = write!(out, "({word}");
        stack.push(Piece::Close);
        stack.extend(operands.into_iter().rev().map(Piece::Formula));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_with_their_width() {
        let relation = Relation::default();
        let signed = Sort::Word { signed: true, width: 4 };
        assert_eq!(value(&relation, signed, 15), "-0sd4_1");
        assert_eq!(value(&relation, Sort::Word { signed: false, width: 4 }, 15), "0ud4_15");
    }

    #[test]
    fn formulas_are_written_in_prefix_form() {
        let mut f = Formula::default();
        let p = f.add(Operator::Atom(ExprId(3)));
        let q = f.not(p);
        f.add(Operator::Eu(p, q));
        assert_eq!(formula(&f), "(EU e3 (not e3))");
    }
}
