//! What was asked, of this model.

use isospin_model::Model;
use isospin_promela::formula_name;
use isospin_report::check::PropertyKind;
use isospin_search::liveness::PropertyAutomaton;

use crate::args::{CheckArgs, EmptinessChoice, Fairness};
use crate::failure::Failure;

/// The names of the properties that every model has.
pub const ASSERTIONS: &str = "assertions";
/// See [`ASSERTIONS`].
pub const END_STATES: &str = "end-states";
/// See [`ASSERTIONS`].
pub const RUNTIME_ERRORS: &str = "runtime-errors";

/// The name of the property that every model with timers has: time always goes on.
pub const TIME_PASSES: &str = "time-passes";

/// A question about infinite executions, or to an observer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The property's name.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// The automaton of what violates it, where that was given as one.
    pub automaton: Option<PropertyAutomaton>,
}

impl Question {
    fn new(name: impl Into<String>, kind: PropertyKind) -> Question {
        Question { name: name.into(), kind, automaton: None }
    }
}

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Failed assertions.
    pub assertions: bool,
    /// States in which nobody can move.
    pub end_states: bool,
    /// Mistakes that show when the model runs.
    pub runtime: bool,
    /// The trace assertion, by name.
    pub trace: Option<&'static str>,
    /// Everything else.
    pub temporal: Vec<Question>,
}

impl Plan {
    /// The plan for this command line and model, with `formulas` given beside the model and an
    /// automaton. Without a choice, everything that the model states.
    pub fn new(
        args: &CheckArgs,
        model: &Model,
        formulas: usize,
        automaton: Option<(String, PropertyAutomaton)>,
    ) -> Result<Plan, Failure> {
        // A formula or a kind of cycle that is asked for is asked for alone.
        let all = args.property.is_empty()
            && formulas == 0
            && automaton.is_none()
            && !args.acceptance
            && !args.progress;
        let wanted = |name: &str| all || args.property.iter().any(|p| p == name);
        let mut plan = Plan {
            assertions: wanted(ASSERTIONS) && !args.ignore_assertions,
            end_states: wanted(END_STATES) && !args.ignore_end_states,
            runtime: wanted(RUNTIME_ERRORS),
            trace: model.trace.as_ref().map(|t| t.name()).filter(|name| wanted(name)),
            temporal: Vec::new(),
        };
        let stated = stated(model);
        for name in &args.property {
            let known = [ASSERTIONS, END_STATES, RUNTIME_ERRORS].contains(&name.as_str())
                || model.trace.as_ref().is_some_and(|t| t.name() == name)
                || stated.iter().any(|q| q.name == *name);
            if !known {
                return Err(no_such_property(name, &stated));
            }
        }
        if args.safety {
            return Ok(plan);
        }
        let asked: Vec<String> = (0..formulas).map(formula_name).collect();
        plan.temporal =
            stated.into_iter().filter(|q| wanted(&q.name) || asked.contains(&q.name)).collect();
        for (asked, name, kind) in [
            (args.acceptance, "acceptance", PropertyKind::Acceptance),
            (args.progress, "progress", PropertyKind::Progress),
        ] {
            if asked {
                plan.temporal.push(Question::new(name, kind));
            }
        }
        if let Some((name, automaton)) = automaton {
            let automaton = Some(automaton);
            plan.temporal.push(Question { name, kind: PropertyKind::Never, automaton });
        }
        Ok(plan)
    }

    /// Whether anything needs a look at every state.
    pub fn safety(&self) -> bool {
        self.assertions || self.end_states || self.runtime || self.trace.is_some()
    }
}

/// The formulas and claims that the model itself states; with timers, that time passes.
fn stated(model: &Model) -> Vec<Question> {
    let formulas = model.formulas.iter().map(|f| Question::new(&f.name, PropertyKind::Ltl));
    let claims = model.claims.iter().map(|c| Question::new(&c.name, PropertyKind::Never));
    let time = model.time.iter().map(|_| Question::new(TIME_PASSES, PropertyKind::Time));
    time.chain(formulas).chain(claims).collect()
}

fn no_such_property(name: &str, stated: &[Question]) -> Failure {
    let mut names = vec![ASSERTIONS, END_STATES, RUNTIME_ERRORS];
    names.extend(stated.iter().map(|q| q.name.as_str()));
    Failure::new(format_args!(
        "the model has no property named `{name}`; it has {}",
        names.join(", ")
    ))
}

/// Refuses what no engine can do (yet). What takes its engine's place removes its line here.
pub fn refuse_unsupported(args: &CheckArgs) -> Result<(), Failure> {
    if args.emptiness == EmptinessChoice::Nested && args.fair == Fairness::Strong {
        return Err(Failure::new(
            "a nested search knows no strong fairness: leave --emptiness out, or choose components",
        ));
    }
    let alone = args.progress
        && !args.acceptance
        && args.property.is_empty()
        && args.ltl.is_empty()
        && args.fair == Fairness::None;
    if args.emptiness == EmptinessChoice::Direct && !alone {
        return Err(Failure::new(
            "--emptiness direct looks for non-progress cycles alone: it needs --progress and \
             nothing else, without fairness",
        ));
    }
    Ok(())
}
