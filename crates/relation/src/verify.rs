//! What everything that works on a relation relies on.

use crate::{ExprId, Formula, Kind, Node, Operator, Property, Relation, Sort, Support};

/// Says what is wrong with a relation, if anything is.
pub fn verify(relation: &Relation) -> Result<(), String> {
    for (id, variable) in relation.numbered() {
        if variable.domain.size() == 0 {
            return Err(format!("variable {} ({}) has no values", id.0, variable.name));
        }
    }
    for index in 0..relation.expressions.len() {
        expression(relation, ExprId(index as u32))?;
    }
    let table = &relation.expressions;
    let about_states = |what: &str, expr: ExprId| {
        truth(relation, what, expr)?;
        let support = Support::of(table, expr);
        if support.writes().next().is_some() {
            return Err(format!("{what} mentions a next value"));
        }
        if support.reads().any(|v| relation.variable(v).kind == Kind::Input) {
            return Err(format!("{what} mentions an input"));
        }
        Ok(())
    };
    for part in &relation.init {
        about_states("an initial condition", part.expr)?;
    }
    for part in &relation.invariants {
        about_states("an invariant", part.expr)?;
    }
    for part in &relation.transitions {
        truth(relation, "a transition", part.expr)?;
    }
    for obligation in &relation.obligations {
        truth(relation, "an obligation", obligation.expr)?;
    }
    for specification in &relation.specifications {
        match &specification.property {
            Property::Ctl(f) => formula(relation, f, true)?,
            Property::Ltl(f) => formula(relation, f, false)?,
            Property::Invariant(expr) => truth(relation, "an invariant property", *expr)?,
            Property::Compute { from, to, .. } => {
                formula(relation, from, true)?;
                formula(relation, to, true)?;
            }
        }
    }
    Ok(())
}

fn truth(relation: &Relation, what: &str, expr: ExprId) -> Result<(), String> {
    if relation.expressions.sort(expr) == Sort::Boolean {
        Ok(())
    } else {
        Err(format!("{what} is not a truth value"))
    }
}

fn expression(relation: &Relation, id: ExprId) -> Result<(), String> {
    let table = &relation.expressions;
    if table.operands(id).any(|operand| operand >= id) {
        return Err(format!("expression {} comes before an operand", id.0));
    }
    let sort = table.sort(id);
    if matches!(sort, Sort::Word { width, .. } if !(1..=64).contains(&width)) {
        return Err(format!("expression {} is a word of no width that there is", id.0));
    }
    match table.node(id) {
        Node::Current(v) | Node::Next(v) => {
            let variable = relation.variables.get(v.index());
            let variable = variable.ok_or(format!("there is no variable {}", v.0))?;
            if variable.sort() != sort {
                return Err(format!("expression {} has another sort than its variable", id.0));
            }
            if variable.kind == Kind::Input && matches!(table.node(id), Node::Next(_)) {
                return Err(format!("expression {} is the next value of an input", id.0));
            }
        }
        Node::Choose(c, a, b) => {
            if table.sort(c) != Sort::Boolean || table.sort(a) != table.sort(b) {
                return Err(format!("expression {} chooses between different sorts", id.0));
            }
        }
        Node::Undefined(k) if k as usize >= relation.troubles.len() => {
            return Err(format!("expression {} is undefined for no reason", id.0));
        }
        Node::Undefined(_) | Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => {}
    }
    Ok(())
}

fn formula(relation: &Relation, formula: &Formula, branching: bool) -> Result<(), String> {
    for operator in formula.operators() {
        let branches = match operator {
            Operator::Atom(expr) => {
                truth(relation, "an atom", *expr)?;
                continue;
            }
            Operator::True
            | Operator::Not(_)
            | Operator::And(..)
            | Operator::Or(..)
            | Operator::Iff(..) => continue,
            Operator::Next(_)
            | Operator::Until(..)
            | Operator::Previous(_)
            | Operator::Since(..) => false,
            _ => true,
        };
        if branches != branching {
            return Err("a formula mixes branching and linear time".into());
        }
    }
    Ok(())
}
