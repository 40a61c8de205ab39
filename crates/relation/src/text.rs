//! A relation as text, and values in the model's own names.

use std::fmt::Write;

use crate::operators::number;
use crate::{
    Domain, ExprId, Formula, FormulaId, Kind, Node, Operator, Property, Relation, Sort, Unary,
    Value, VarId, SYMBOL_BASE,
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

/// The whole relation: variables, the expressions that are used (each once, by number), and what
/// is made of them.
pub fn print(relation: &Relation) -> String {
    let mut out = String::new();
    for (id, variable) in relation.numbered() {
        let kind = match variable.kind {
            Kind::State => "state",
            Kind::Frozen => "frozen",
            Kind::Input => "input",
        };
        let of = domain(relation, &variable.domain);
        let _ = writeln!(out, "{kind} v{} \"{}\" : {of}", id.0, variable.name);
    }
    for id in relation.expressions.reached(roots(relation)) {
        let _ = writeln!(out, "e{} = {}", id.0, node(relation, id));
    }
    let mut parts = |word: &str, exprs: Vec<ExprId>| {
        for expr in exprs {
            let _ = writeln!(out, "{word} e{}", expr.0);
        }
    };
    parts("init", relation.init.iter().map(|p| p.expr).collect());
    parts("invariant", relation.invariants.iter().map(|p| p.expr).collect());
    parts("transition", relation.transitions.iter().map(|p| p.expr).collect());
    parts("justice", relation.justice.iter().map(|p| p.expr).collect());
    for (p, q) in &relation.compassion {
        let _ = writeln!(out, "compassion e{} e{}", p.expr.0, q.expr.0);
    }
    for specification in &relation.specifications {
        let of = match &specification.property {
            Property::Ctl(f) => format!("ctl {}", formula(f)),
            Property::Ltl(f) => format!("ltl {}", formula(f)),
            Property::Invariant(expr) => format!("holds e{}", expr.0),
            Property::Compute { longest, from, to } => {
                let word = if *longest { "longest" } else { "shortest" };
                format!("{word} {} {}", formula(from), formula(to))
            }
        };
        let _ = writeln!(out, "{of}");
    }
    out
}

/// The expressions that a relation is made of.
pub fn roots(relation: &Relation) -> Vec<ExprId> {
    let parts = [&relation.init, &relation.invariants, &relation.transitions, &relation.justice];
    let mut roots: Vec<ExprId> = parts.into_iter().flatten().map(|p| p.expr).collect();
    roots.extend(relation.compassion.iter().flat_map(|(p, q)| [p.expr, q.expr]));
    for specification in &relation.specifications {
        match &specification.property {
            Property::Ctl(f) | Property::Ltl(f) => roots.extend(f.atoms()),
            Property::Invariant(expr) => roots.push(*expr),
            Property::Compute { from, to, .. } => roots.extend(from.atoms().chain(to.atoms())),
        }
    }
    roots
}

fn node(relation: &Relation, id: ExprId) -> String {
    let table = &relation.expressions;
    match table.node(id) {
        Node::Constant(of) => value(relation, table.sort(id), of),
        Node::Current(v) => format!("v{}", v.0),
        Node::Next(v) => format!("next v{}", v.0),
        Node::Undefined(k) => format!("undefined {k}"),
        Node::Unary(Unary::Resize { signed, width }, a) => {
            format!("resize {} {width} e{}", if signed { "signed" } else { "unsigned" }, a.0)
        }
        Node::Unary(Unary::Select { high, low }, a) => format!("select {high} {low} e{}", a.0),
        Node::Unary(Unary::Reinterpret { signed }, a) => {
            format!("{} e{}", if signed { "signed" } else { "unsigned" }, a.0)
        }
        Node::Unary(operator, a) => format!("{} e{}", word(&operator), a.0),
        Node::Binary(operator, a, b) => format!("{} e{} e{}", word(&operator), a.0, b.0),
        Node::Choose(a, b, c) => format!("choose e{} e{} e{}", a.0, b.0, c.0),
    }
}

/// An operator's name, in lower case.
fn word(operator: &impl std::fmt::Debug) -> String {
    format!("{operator:?}").to_lowercase()
}

/// A formula in prefix form.
pub fn formula(formula: &Formula) -> String {
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
                let _ = write!(out, "e{}", expr.0);
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
