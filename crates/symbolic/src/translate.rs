//! Expressions as vectors of diagrams.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use isospin_relation::{Binary, Domain, ExprId, Node, Relation, Sort, Unary, VarId};

use crate::diagram::{Diagram, Diagrams, Result};
use crate::encode::Encoding;
use crate::vector::Vector;

/// Translates expressions, each once.
pub(crate) struct Translator {
    relation: Arc<Relation>,
    diagrams: Rc<Diagrams>,
    encoding: Rc<Encoding>,
    known: HashMap<ExprId, Vector>,
}

impl Translator {
    pub(crate) fn new(
        relation: Arc<Relation>,
        diagrams: Rc<Diagrams>,
        encoding: Rc<Encoding>,
    ) -> Self {
        Translator { relation, diagrams, encoding, known: HashMap::new() }
    }

    /// Forgets what was translated, so that nobody refers to it.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Where the bits are.
    pub(crate) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// A truth value.
    pub(crate) fn truth(&mut self, expr: ExprId) -> Result<Diagram> {
        Ok(self.vector(expr)?[0].clone())
    }

    /// Any value.
    pub(crate) fn vector(&mut self, expr: ExprId) -> Result<Vector> {
        if let Some(known) = self.known.get(&expr) {
            return Ok(known.clone());
        }
        for id in self.needed(expr) {
            let vector = self.node(id)?;
            self.known.insert(id, vector);
        }
        Ok(self.known[&expr].clone())
    }

    /// What has to be translated for an expression, operands first.
    fn needed(&self, expr: ExprId) -> Vec<ExprId> {
        let table = &self.relation.expressions;
        let (mut stack, mut seen) = (vec![expr], std::collections::BTreeSet::new());
        while let Some(id) = stack.pop() {
            if !self.known.contains_key(&id) && seen.insert(id) {
                stack.extend(table.operands(id));
            }
        }
        seen.into_iter().collect()
    }

    /// Codes that belong to a domain, now or next.
    pub(crate) fn mask(&self, variable: VarId, next: bool) -> Result<Diagram> {
        let d = &*self.diagrams;
        let size = self.relation.variable(variable).domain.size();
        let code = self.code(variable, next);
        if code.len() >= 64 || size == 1 << code.len() {
            return Ok(d.yes());
        }
        let limit = d.word(size, code.len() as u32 + 1);
        d.less(&d.widened(&code, limit.len(), false), &limit, false)
    }

    fn code(&self, variable: VarId, next: bool) -> Vector {
        let pairs = &self.encoding.variables[variable.index()];
        pairs.iter().map(|p| self.diagrams.bit(if next { p.next } else { p.now })).collect()
    }

    /// The value of a variable.
    fn variable(&self, variable: VarId, next: bool) -> Result<Vector> {
        let d = &*self.diagrams;
        let mut code = self.code(variable, next);
        match &self.relation.variable(variable).domain {
            Domain::Boolean | Domain::Word { .. } => Ok(code),
            Domain::Range(low, _) => {
                code.push(d.no());
                let low = d.integer(*low);
                let width = code.len().max(low.len()) + 1;
                let sum =
                    d.sum(&d.widened(&code, width, true), &d.widened(&low, width, true), false)?;
                Ok(d.shortened(sum))
            }
            Domain::Values(values) => {
                let vectors: Vec<Vector> = values.iter().map(|v| d.integer(*v)).collect();
                let width = vectors.iter().map(Vec::len).max().unwrap_or(1);
                let mut whole = vec![d.no(); width];
                for (k, vector) in vectors.iter().enumerate() {
                    let here = d.equal(&code, &d.word(k as u64, code.len() as u32))?;
                    for (bit, value) in whole.iter_mut().zip(d.widened(vector, width, true)) {
                        if d.is_yes(&value) {
                            *bit = d.or(bit, &here)?;
                        }
                    }
                }
                Ok(d.shortened(whole))
            }
        }
    }

    fn node(&self, id: ExprId) -> Result<Vector> {
        let (d, table) = (&*self.diagrams, &self.relation.expressions);
        let sort = table.sort(id);
        match table.node(id) {
            Node::Constant(value) => Ok(match sort {
                Sort::Boolean => vec![d.constant(value != 0)],
                Sort::Scalar => d.integer(value),
                Sort::Word { width, .. } => d.word(value as u64, width),
            }),
            // What is never needed may be anything.
            Node::Undefined(_) => Ok(match sort {
                Sort::Boolean | Sort::Scalar => vec![d.no()],
                Sort::Word { width, .. } => d.word(0, width),
            }),
            Node::Current(variable) => self.variable(variable, false),
            Node::Next(variable) => self.variable(variable, true),
            Node::Unary(operator, a) => self.unary(operator, a, sort),
            Node::Binary(operator, a, b) => self.binary(operator, a, b, sort),
            Node::Choose(c, a, b) => {
                let (a, b) = self.alike(sort, &self.known[&a], &self.known[&b]);
                Ok(self.trimmed(sort, d.selected(&self.known[&c][0], &a, &b)?))
            }
        }
    }

    /// Two vectors of one width.
    fn alike(&self, sort: Sort, a: &Vector, b: &Vector) -> (Vector, Vector) {
        let width = a.len().max(b.len());
        let signed = sort == Sort::Scalar;
        (self.diagrams.widened(a, width, signed), self.diagrams.widened(b, width, signed))
    }

    fn trimmed(&self, sort: Sort, vector: Vector) -> Vector {
        if sort == Sort::Scalar {
            self.diagrams.shortened(vector)
        } else {
            vector
        }
    }

    fn unary(&self, operator: Unary, operand: ExprId, sort: Sort) -> Result<Vector> {
        let d = &*self.diagrams;
        let a = &self.known[&operand];
        let of = self.relation.expressions.sort(operand);
        let signed = matches!(of, Sort::Scalar | Sort::Word { signed: true, .. });
        match operator {
            Unary::Not => d.inverted(a),
            Unary::Minus if sort == Sort::Scalar => {
                Ok(d.shortened(d.negated(&d.widened(a, a.len() + 1, true))?))
            }
            Unary::Minus => d.negated(a),
            Unary::ToBoolean => {
                let zero = vec![d.no(); a.len()];
                Ok(vec![d.not(&d.equal(a, &zero)?)?])
            }
            Unary::ToInteger => {
                let wide = d.widened(a, a.len() + 1, signed);
                Ok(d.shortened(wide))
            }
            Unary::Resize { signed: to_signed, width } => {
                let width = width as usize;
                if width >= a.len() {
                    return Ok(d.widened(a, width, signed));
                }
                let mut low = a[..width].to_vec();
                if to_signed && width > 0 {
                    low[width - 1] = a[a.len() - 1].clone();
                }
                Ok(low)
            }
            Unary::Reinterpret { .. } => Ok(a.clone()),
            Unary::Select { high, low } => Ok(a[low as usize..=high as usize].to_vec()),
        }
    }

    fn binary(&self, operator: Binary, x: ExprId, y: ExprId, sort: Sort) -> Result<Vector> {
        let d = &*self.diagrams;
        let of = self.relation.expressions.sort(x);
        let signed = matches!(of, Sort::Scalar | Sort::Word { signed: true, .. });
        if let Binary::Concatenate | Binary::ShiftLeft | Binary::ShiftRight = operator {
            return self.bits(operator, x, y, signed);
        }
        let (a, b) = self.alike(of, &self.known[&x], &self.known[&y]);
        let each = |f: fn(&Diagrams, &Diagram, &Diagram) -> Result<Diagram>| -> Result<Vector> {
            a.iter().zip(&b).map(|(x, y)| f(d, x, y)).collect()
        };
        let room = |more: usize| {
            let width = if sort == Sort::Scalar { a.len() + more } else { a.len() };
            (d.widened(&a, width, true), d.widened(&b, width, true))
        };
        let vector = match operator {
            Binary::And => each(Diagrams::and)?,
            Binary::Or => each(Diagrams::or)?,
            Binary::Xor => each(Diagrams::differ)?,
            Binary::Equal => return Ok(vec![d.equal(&a, &b)?]),
            Binary::Less => return Ok(vec![d.less(&a, &b, signed)?]),
            Binary::LessEqual => return Ok(vec![d.not(&d.less(&b, &a, signed)?)?]),
            Binary::Add => {
                let (a, b) = room(1);
                d.sum(&a, &b, false)?
            }
            Binary::Subtract => {
                let (a, b) = room(1);
                d.difference(&a, &b)?
            }
            Binary::Multiply => {
                let (a, b) = room(a.len());
                d.product(&a, &b)?
            }
            Binary::Divide | Binary::Remainder => {
                // The smallest number divided by -1 needs a bit more.
                let (a, b) = room(1);
                let (q, r) = if signed { d.signed_quotient(&a, &b)? } else { d.quotient(&a, &b)? };
                if operator == Binary::Divide {
                    q
                } else {
                    r
                }
            }
            Binary::Concatenate | Binary::ShiftLeft | Binary::ShiftRight => a,
        };
        Ok(self.trimmed(sort, vector))
    }

    fn bits(&self, operator: Binary, x: ExprId, y: ExprId, signed: bool) -> Result<Vector> {
        let d = &*self.diagrams;
        let (a, b) = (&self.known[&x], &self.known[&y]);
        if operator == Binary::Concatenate {
            let mut whole = b.clone();
            whole.extend(a.iter().cloned());
            return Ok(whole);
        }
        let left = operator == Binary::ShiftLeft;
        let fill = match a.last() {
            Some(sign) if signed && !left => sign.clone(),
            _ => d.no(),
        };
        // A negative distance is never needed; its sign is no distance.
        let distance = &b[..b.len() - 1];
        d.shifted(a, distance, left, &fill)
    }
}
