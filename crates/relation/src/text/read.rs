//! A relation read from the text that [`print`](super::print) writes. Places are not written, so
//! that none are read.

use crate::{
    Binary, Domain, Duty, ExprId, Formula, FormulaId, Kind, Node, Obligation, Operator, Part,
    Property, Relation, Sort, Specification, Trouble, Unary, Value, VarId, Variable, SYMBOL_BASE,
};

/// Reads a relation; otherwise says which line is wrong, and why.
pub fn read(text: &str) -> Result<Relation, String> {
    let mut relation = Relation::default();
    for (k, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            let mut words = Words { rest: line };
            read_line(&mut relation, &mut words).map_err(|why| format!("line {}: {why}", k + 1))?;
            if !words.rest.trim().is_empty() {
                return Err(format!("line {}: `{}` is too much", k + 1, words.rest.trim()));
            }
        }
    }
    crate::verify::verify(&relation)?;
    Ok(relation)
}

/// What is left of a line.
struct Words<'w> {
    rest: &'w str,
}

impl<'w> Words<'w> {
    /// The next word: up to a space, or a parenthesis, which is one by itself.
    fn word(&mut self) -> Result<&'w str, String> {
        let text = self.rest.trim_start();
        if text.is_empty() {
            return Err("there is something missing at the end".into());
        }
        let end = text.find([' ', '(', ')']).unwrap_or(text.len()).max(1);
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        Ok(word)
    }

    /// A text in quotes.
    fn quoted(&mut self) -> Result<String, String> {
        let text = self.rest.trim_start();
        let inner = text.strip_prefix('"').ok_or("a text in quotes is missing")?;
        let (mut out, mut escaped) = (String::new(), false);
        for (at, c) in inner.char_indices() {
            match c {
                '"' if !escaped => {
                    self.rest = &inner[at + 1..];
                    return Ok(out);
                }
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                'n' if escaped => out.push('\n'),
                'r' if escaped => out.push('\r'),
                't' if escaped => out.push('\t'),
                c => out.push(c),
            }
            escaped = false;
        }
        Err("a text does not end".into())
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("`{word}` is no number that fits here"))
    }

    fn numbered(&mut self, letter: char, count: usize) -> Result<u32, String> {
        let word = self.word()?;
        let number = word.strip_prefix(letter).and_then(|digits| digits.parse::<u32>().ok());
        let number = number.filter(|n| (*n as usize) < count);
        number.ok_or_else(|| format!("there is no `{word}` before this"))
    }

    fn expr(&mut self, relation: &Relation) -> Result<ExprId, String> {
        self.numbered('e', relation.expressions.len()).map(ExprId)
    }

    fn variable(&mut self, relation: &Relation) -> Result<VarId, String> {
        self.numbered('v', relation.variables.len()).map(VarId)
    }

    fn part(&mut self, relation: &Relation) -> Result<Part, String> {
        Ok(Part { expr: self.expr(relation)?, place: None })
    }
}

fn read_line(relation: &mut Relation, words: &mut Words<'_>) -> Result<(), String> {
    let first = words.word()?;
    match first {
        "symbol" => relation.symbols.push(words.quoted()?),
        "state" | "frozen" | "input" => {
            let kind = match first {
                "state" => Kind::State,
                "frozen" => Kind::Frozen,
                _ => Kind::Input,
            };
            words.word()?;
            let name = words.quoted()?;
            words.word()?;
            let domain = read_domain(relation, words)?;
            relation.variables.push(Variable { name, domain, kind });
        }
        "selector" => relation.selector = Some(words.variable(relation)?),
        "trouble" => relation.troubles.push((
            match words.word()? {
                "case" => Trouble::NoCase,
                "bounds" => Trouble::OutsideBounds,
                "zero" => Trouble::DivisionByZero,
                other => return Err(format!("there is no trouble `{other}`")),
            },
            None,
        )),
        "init" => relation.init.push(words.part(relation)?),
        "invariant" => relation.invariants.push(words.part(relation)?),
        "transition" => relation.transitions.push(words.part(relation)?),
        "justice" => relation.justice.push(words.part(relation)?),
        "compassion" => {
            let pair = (words.part(relation)?, words.part(relation)?);
            relation.compassion.push(pair);
        }
        "fits" | "defined" => {
            let duty = if first == "fits" {
                Duty::Fits(words.variable(relation)?)
            } else {
                Duty::Defined(words.expr(relation)?)
            };
            let expr = words.expr(relation)?;
            relation.obligations.push(Obligation { expr, duty, place: None });
        }
        "define" => {
            let name = words.quoted()?;
            let expr = words.expr(relation)?;
            relation.definitions.push((name, expr));
        }
        "name" => {
            let name = words.quoted()?;
            let kind = words.word()?;
            specification(relation, Some(name), kind, words)?;
        }
        "ctl" | "ltl" | "holds" | "shortest" | "longest" => {
            specification(relation, None, first, words)?;
        }
        _ => {
            let next = relation.expressions.len();
            if first != format!("e{next}") {
                return Err(format!("`{first}` is not understood; e{next} would come next"));
            }
            words.word()?;
            let (node, sort) = read_node(relation, words)?;
            if relation.expressions.push(node, sort).index() != next {
                return Err("this expression is there already".into());
            }
        }
    }
    Ok(())
}

fn specification(
    relation: &mut Relation,
    name: Option<String>,
    kind: &str,
    words: &mut Words<'_>,
) -> Result<(), String> {
    let text = words.quoted()?;
    let property = match kind {
        "ctl" => Property::Ctl(read_formula(relation, words)?),
        "ltl" => Property::Ltl(read_formula(relation, words)?),
        "holds" => Property::Invariant(words.expr(relation)?),
        "shortest" | "longest" => {
            let from = read_formula(relation, words)?;
            let to = read_formula(relation, words)?;
            Property::Compute { longest: kind == "longest", from, to }
        }
        other => return Err(format!("there is no kind of specification `{other}`")),
    };
    relation.specifications.push(Specification { name, text, property, place: None });
    Ok(())
}

fn read_domain(relation: &Relation, words: &mut Words<'_>) -> Result<Domain, String> {
    let text = std::mem::take(&mut words.rest).trim();
    if text == "boolean" {
        return Ok(Domain::Boolean);
    }
    let word = |signed: bool, rest: &str| {
        let width = rest.strip_suffix(']').and_then(|digits| digits.parse().ok());
        width.map(|width| Domain::Word { signed, width })
    };
    let found = if let Some(rest) = text.strip_prefix("unsigned word[") {
        word(false, rest)
    } else if let Some(rest) = text.strip_prefix("signed word[") {
        word(true, rest)
    } else if let Some(inner) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        let values: Option<Vec<Value>> =
            inner.split(", ").map(|name| scalar(relation, name)).collect();
        values.map(Domain::Values)
    } else {
        let bounds = text.split_once("..");
        bounds.and_then(|(a, b)| Some(Domain::Range(a.parse().ok()?, b.parse().ok()?)))
    };
    found.ok_or_else(|| format!("`{text}` is no domain"))
}

fn scalar(relation: &Relation, text: &str) -> Option<Value> {
    let symbol = relation.symbols.iter().position(|name| name == text);
    symbol.map(|k| SYMBOL_BASE + k as Value).or_else(|| text.parse().ok())
}

fn read_sort(words: &mut Words<'_>) -> Result<Sort, String> {
    Ok(match words.word()? {
        "boolean" => Sort::Boolean,
        "scalar" => Sort::Scalar,
        "unsigned" => Sort::Word { signed: false, width: words.number()? },
        "signed" => Sort::Word { signed: true, width: words.number()? },
        other => return Err(format!("there is no sort `{other}`")),
    })
}

fn read_node(relation: &Relation, words: &mut Words<'_>) -> Result<(Node, Sort), String> {
    let sort = read_sort(words)?;
    let operator = words.word()?;
    let node = match operator {
        "next" => Node::Next(words.variable(relation)?),
        "now" => Node::Current(words.variable(relation)?),
        "constant" => {
            let word = words.word()?;
            let value = match sort {
                Sort::Scalar => scalar(relation, word),
                _ => word.parse().ok(),
            };
            Node::Constant(value.ok_or_else(|| format!("`{word}` is no value"))?)
        }
        "undefined" => Node::Undefined(words.number()?),
        "choose" => {
            Node::Choose(words.expr(relation)?, words.expr(relation)?, words.expr(relation)?)
        }
        "resize" => {
            let signed = words.word()? == "signed";
            let width = words.number()?;
            Node::Unary(Unary::Resize { signed, width }, words.expr(relation)?)
        }
        "select" => {
            let (high, low) = (words.number()?, words.number()?);
            Node::Unary(Unary::Select { high, low }, words.expr(relation)?)
        }
        "signed" | "unsigned" => {
            let signed = operator == "signed";
            Node::Unary(Unary::Reinterpret { signed }, words.expr(relation)?)
        }
        other => {
            let named = |word: String| word == other;
            if let Some(unary) = UNARY.iter().find(|o| named(super::word(o))) {
                Node::Unary(*unary, words.expr(relation)?)
            } else if let Some(binary) = BINARY.iter().find(|o| named(super::word(o))) {
                Node::Binary(*binary, words.expr(relation)?, words.expr(relation)?)
            } else {
                return Err(format!("there is no operator `{other}`"));
            }
        }
    };
    Ok((node, sort))
}

const UNARY: [Unary; 4] = [Unary::Not, Unary::Minus, Unary::ToBoolean, Unary::ToInteger];

const BINARY: [Binary; 14] = [
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Equal,
    Binary::Less,
    Binary::LessEqual,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::Concatenate,
    Binary::ShiftLeft,
    Binary::ShiftRight,
];

/// A formula in prefix form.
fn read_formula(relation: &Relation, words: &mut Words<'_>) -> Result<Formula, String> {
    let mut formula = Formula::default();
    // Operators that are open, each with the operands that it has got.
    let mut open: Vec<(&str, Vec<FormulaId>)> = Vec::new();
    loop {
        let word = words.word()?;
        let done = match word {
            "(" => {
                open.push((words.word()?, Vec::new()));
                continue;
            }
            ")" => {
                let (name, operands) = open.pop().ok_or("a parenthesis is closed too often")?;
                let operator = operator(name, &operands)
                    .ok_or_else(|| format!("`{name}` has other operands"))?;
                formula.add(operator)
            }
            "true" => formula.add(Operator::True),
            atom => {
                let mut atom = Words { rest: atom };
                formula.add(Operator::Atom(atom.expr(relation)?))
            }
        };
        match open.last_mut() {
            Some((_, operands)) => operands.push(done),
            None => {
                formula.set_root(done);
                return Ok(formula);
            }
        }
    }
}

fn operator(name: &str, operands: &[FormulaId]) -> Option<Operator> {
    Some(match (name, operands) {
        ("not", [f]) => Operator::Not(*f),
        ("and", [f, g]) => Operator::And(*f, *g),
        ("or", [f, g]) => Operator::Or(*f, *g),
        ("iff", [f, g]) => Operator::Iff(*f, *g),
        ("EX", [f]) => Operator::Ex(*f),
        ("EG", [f]) => Operator::Eg(*f),
        ("EU", [f, g]) => Operator::Eu(*f, *g),
        ("X", [f]) => Operator::Next(*f),
        ("U", [f, g]) => Operator::Until(*f, *g),
        ("Y", [f]) => Operator::Previous(*f),
        ("S", [f, g]) => Operator::Since(*f, *g),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let cases = [
            ("state v0 \"x\" : nothing", "line 1: `nothing` is no domain"),
            ("e0 = boolean now v0", "line 1: there is no `v0` before this"),
            ("\ne1 = boolean constant 1", "line 2: `e1` is not understood; e0 would come next"),
            ("e0 = boolean constant 1 2", "line 1: `2` is too much"),
            ("e0 = boolean constant 1\ninit e1", "line 2: there is no `e1` before this"),
            ("symbol \"red", "line 1: a text does not end"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).err().as_deref(), Some(expected));
        }
    }
}
