//! The whole system.

use crate::{Domain, ExprId, Expressions, Formula, Sort, Support};

/// The number of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

impl VarId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where something was written: a number that the front end gave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place(pub u32);

/// Whether a variable belongs to states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// It does, and may change.
    State,
    /// It does, and never changes.
    Frozen,
    /// It belongs to transitions.
    Input,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, with the instances that it is in.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Whether it belongs to states.
    pub kind: Kind,
}

impl Variable {
    /// The sort of expressions that name it.
    pub fn sort(&self) -> Sort {
        match self.domain {
            Domain::Boolean => Sort::Boolean,
            Domain::Range(..) | Domain::Values(_) => Sort::Scalar,
            Domain::Word { signed, width } => Sort::Word { signed, width },
        }
    }
}

/// A conjunct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What has to be true.
    pub expr: ExprId,
    /// Where it was written.
    pub place: Option<Place>,
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trouble {
    /// No condition of a case is true.
    NoCase,
    /// An index outside an array, or a shift by more bits than a word has.
    OutsideBounds,
    /// A divisor that is zero.
    DivisionByZero,
}

/// What an obligation is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Duty {
    /// An expression has a value.
    Defined(ExprId),
    /// What is assigned to a variable lies in its domain.
    Fits(VarId),
}

/// What has to be true for all values of the variables in their domains, reachable or not, for the
/// model to mean anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What has to be true.
    pub expr: ExprId,
    /// What for.
    pub duty: Duty,
    /// Where it was written.
    pub place: Option<Place>,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// A formula of branching time holds in all initial states.
    Ctl(Formula),
    /// A formula of linear time holds on all fair paths from initial states.
    Ltl(Formula),
    /// An expression is true in every reachable state; if it mentions inputs or next values, on
    /// every transition from one.
    Invariant(ExprId),
    /// The length of the shortest or longest path from states where the first formula holds, to
    /// states where the second one does.
    Compute {
        /// Whether the longest is asked for.
        longest: bool,
        /// Where paths start.
        from: Formula,
        /// Where they end.
        to: Formula,
    },
}

/// A specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The name that it was given.
    pub name: Option<String>,
    /// As it was written, with the instance that it is in.
    pub text: String,
    /// What it says.
    pub property: Property,
    /// Where it was written.
    pub place: Option<Place>,
}

/// A system: variables, and which of their values are initial states, states and transitions.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// The symbolic constants, by their numbers.
    pub symbols: Vec<String>,
    /// The variables, in the order of their declarations.
    pub variables: Vec<Variable>,
    /// All expressions.
    pub expressions: Expressions,
    /// The conjunction of these is true of initial states.
    pub init: Vec<Part>,
    /// The conjunction of these is true of states.
    pub invariants: Vec<Part>,
    /// The conjunction of these is true of transitions.
    pub transitions: Vec<Part>,
    /// Each of these is true infinitely often on fair paths.
    pub justice: Vec<Part>,
    /// Where the first is true infinitely often on a fair path, so is the second.
    pub compassion: Vec<(Part, Part)>,
    /// Why each undefined expression has no value, and where it was written.
    pub troubles: Vec<(Trouble, Option<Place>)>,
    /// What has to be true for the model to mean anything.
    pub obligations: Vec<Obligation>,
    /// What is asked.
    pub specifications: Vec<Specification>,
    /// Names for expressions, shown beside the variables.
    pub definitions: Vec<(String, ExprId)>,
    /// The input that chooses the process that moves, if there are processes.
    pub selector: Option<VarId>,
}

impl Relation {
    /// A variable.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// All variables with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter().enumerate().map(|(k, v)| (VarId(k as u32), v))
    }

    /// Whether an expression is about states alone: neither about next values nor about inputs,
    /// which belong to transitions.
    pub fn is_of_states(&self, expr: ExprId) -> bool {
        let support = Support::of(&self.expressions, expr);
        let is_input = |v| self.variable(v).kind == Kind::Input;
        support.writes().next().is_none() && !support.reads().any(is_input)
    }

    /// A variable's value now, as an expression.
    pub fn current(&mut self, id: VarId) -> ExprId {
        let sort = self.variable(id).sort();
        self.expressions.current(id, sort)
    }

    /// A variable's next value, as an expression.
    pub fn next(&mut self, id: VarId) -> ExprId {
        let sort = self.variable(id).sort();
        self.expressions.next(id, sort)
    }
}
