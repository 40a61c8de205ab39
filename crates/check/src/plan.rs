//! What was asked, of this model: the questions that searches answer.

use isospin_model::Model;
use isospin_search::liveness::Fairness;

use crate::asked::{
    Asked, GivenAutomaton, ACCEPTANCE, ASSERTIONS, END_STATES, PROGRESS, RUNTIME_ERRORS,
    TIME_PASSES,
};
use crate::failure::Failure;
use crate::options::{EmptinessChoice, Engine, Options};
use crate::report::PropertyKind;

/// A question about infinite executions, or to an observer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The property's name.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// The automaton of what violates it, where that was given as one.
    pub automaton: Option<GivenAutomaton>,
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
    /// The plan for this model. Without a choice, everything that the model states.
    pub fn new(asked: &Asked, model: &Model) -> Result<Plan, Failure> {
        let all = asked.is_everything();
        let wanted = |name: &str| all || asked.properties.iter().any(|p| p == name);
        let mut plan = Plan {
            assertions: wanted(ASSERTIONS) && !asked.ignore_assertions,
            end_states: wanted(END_STATES) && !asked.ignore_end_states,
            runtime: wanted(RUNTIME_ERRORS),
            trace: model.trace.as_ref().map(|t| t.name()).filter(|name| wanted(name)),
            temporal: Vec::new(),
        };
        let stated = stated(model);
        for name in &asked.properties {
            let known = [ASSERTIONS, END_STATES, RUNTIME_ERRORS, ACCEPTANCE, PROGRESS]
                .contains(&name.as_str())
                || model.trace.as_ref().is_some_and(|t| t.name() == name)
                || stated.iter().any(|q| q.name == *name);
            if !known {
                return Err(no_such_property(name, &stated));
            }
        }
        if asked.safety_only {
            return Ok(plan);
        }
        let asked_for = |name: &str| asked.properties.iter().any(|p| p == name);
        let is_asked = |q: &Question| wanted(&q.name) || asked.given.contains(&q.name);
        plan.temporal = stated.into_iter().filter(is_asked).collect();
        for (asked, question) in [asked.acceptance, asked.progress].into_iter().zip(on_request()) {
            // A formula of the model may have that name.
            let stated = plan.temporal.iter().any(|q| q.name == question.name);
            if asked || (!stated && asked_for(&question.name)) {
                plan.temporal.push(question);
            }
        }
        plan.temporal.extend(asked.automaton.as_ref().map(of_automaton));
        Ok(plan)
    }

    /// Refuses a question by name that the engine cannot answer.
    pub fn refuse_cycles(&self, asked: &Asked, options: &Options) -> Result<(), Failure> {
        let named = |q: &Question| asked.properties.contains(&q.name);
        if options.engine == Engine::Symbolic && self.temporal.iter().any(named) {
            return Err(Failure::Impossible(ONLY_SAFETY));
        }
        Ok(())
    }

    /// Run-time errors alone.
    pub fn runtime_errors() -> Plan {
        let (assertions, end_states, runtime) = (false, false, true);
        Plan { assertions, end_states, runtime, trace: None, temporal: Vec::new() }
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

/// What every model can be asked, and is not unless somebody does.
fn on_request() -> [Question; 2] {
    [
        Question::new(ACCEPTANCE, PropertyKind::Acceptance),
        Question::new(PROGRESS, PropertyKind::Progress),
    ]
}

fn of_automaton(automaton: &GivenAutomaton) -> Question {
    let question = Question::new(&automaton.name, PropertyKind::Never);
    Question { automaton: Some(automaton.clone()), ..question }
}

/// The question with this name and kind, among those that can be asked of the model and of the
/// automaton beside it.
pub fn question(
    model: &Model,
    name: &str,
    kind: PropertyKind,
    automaton: Option<&GivenAutomaton>,
) -> Option<Question> {
    let given = automaton.into_iter().map(of_automaton);
    let mut all = given.chain(stated(model)).chain(on_request());
    all.find(|q| q.name == name && q.kind == kind)
}

fn no_such_property(name: &str, stated: &[Question]) -> Failure {
    let every = [ASSERTIONS, END_STATES, RUNTIME_ERRORS].map(str::to_owned);
    let known = every.into_iter().chain(stated.iter().map(|q| q.name.clone()));
    Failure::NoSuchProperty { name: name.to_owned(), known: known.collect() }
}

/// What is said to whoever asks the symbolic engine for more.
const ONLY_SAFETY: &str = "--engine symbolic checks assertions, end states and run-time errors of \
                           Promela models: leave it out for formulas, claims and cycles";

/// Refuses what no search can do.
pub fn refuse_impossible(asked: &Asked, options: &Options) -> Result<(), Failure> {
    let cycles =
        asked.acceptance || asked.progress || asked.automaton.is_some() || !asked.given.is_empty();
    if options.engine == Engine::Symbolic && cycles {
        return Err(Failure::Impossible(ONLY_SAFETY));
    }
    if options.engine == Engine::Symbolic && options.depth.is_some() {
        return Err(Failure::Impossible(
            "--engine symbolic explores whole sets of states and knows no --depth: leave one out",
        ));
    }
    if options.emptiness == EmptinessChoice::Nested && options.fairness == Fairness::Strong {
        return Err(Failure::Impossible(
            "a nested search knows no strong fairness: leave --emptiness out, or choose components",
        ));
    }
    let progress_alone = asked.progress
        && !asked.acceptance
        && asked.properties.is_empty()
        && asked.given.is_empty()
        && options.fairness == Fairness::None;
    if options.emptiness == EmptinessChoice::Direct && !progress_alone {
        return Err(Failure::Impossible(
            "--emptiness direct looks for non-progress cycles alone: it needs --progress and \
             nothing else, without fairness",
        ));
    }
    Ok(())
}
