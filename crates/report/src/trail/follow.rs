//! Following a trail: every step does in this model what the trail says that it did.
//!
//! Whether the execution violates what it is said to violate is not decided here; see
//! `isospin_check::reconfirm`.

use isospin_machine::{RuntimeError, Step};

use super::{Trail, TrailStep};
use crate::names::Names;
use crate::story::{retell, Retold, Story, Untellable};

/// How a trail's execution ends.
#[allow(clippy::large_enum_variant)] // There is one of it.
pub enum Ending {
    /// After its last step.
    At(Retold),
    /// Before its first: the model cannot start.
    NoStart(RuntimeError),
}

/// Executes a trail and compares every step with what the trail says happened. The error says, as
/// a clause, what does not fit.
pub fn follow(names: &Names, trail: &Trail, hear: &mut dyn FnMut(Story)) -> Result<Ending, String> {
    let steps: Vec<Step> = trail.steps.iter().map(TrailStep::step).collect();
    let mut wrong = None;
    let told = retell(names, &steps, &mut |story| {
        let number = story.number;
        if wrong.is_none() && !trail.steps[number - 1].agrees(&TrailStep::of(names, &story)) {
            wrong = Some(number);
        }
        if wrong.is_none() {
            hear(story);
        }
    });
    if let Some(number) = wrong {
        return Err(format!("step {number} does something else in this model"));
    }
    match told {
        Ok(retold) => Ok(Ending::At(retold)),
        Err(Untellable::Start(error)) if steps.is_empty() => Ok(Ending::NoStart(error)),
        Err(Untellable::Start(error)) => Err(format!("the model cannot start: {error}")),
        Err(Untellable::Misfit(misfit)) => Err(format!("{misfit} in this model")),
    }
}

#[cfg(test)]
mod tests {
    use isospin_machine::Fault;

    use super::super::{hash_sources, read, write};
    use super::super::{Header, TrailAct, TrailOptions, TrailProperty, FORMAT};
    use super::*;
    use crate::testing::{names, start, take};

    const MODEL: &str = "byte x; active proctype P() { x = 1; x = 2; assert(x == 1) }
        active proctype Q() { end: false }";

    /// The trail of an execution with these statements.
    fn written(names: &Names, statements: &[&str]) -> Trail {
        let mut execution = start(names);
        let steps: Vec<Step> =
            statements.iter().map(|s| take(names, &mut execution, s).step).collect();
        let header = Header {
            isospin: "1.2.3".to_owned(),
            format: FORMAT,
            model: "m.pml".to_owned(),
            model_hash: hash_sources([MODEL].into_iter()),
            options: TrailOptions::default(),
            property: TrailProperty {
                name: "p".to_owned(),
                kind: "assertion".to_owned(),
                message: "as claimed".to_owned(),
                location: String::new(),
                unreadable: false,
            },
            cycle_start: None,
            renaming: None,
        };
        let mut text = Vec::new();
        let told = write(&mut text, names, &header, &steps, &mut |_| {}).expect("memory is there");
        assert!(told.is_ok());
        let trail = read(std::str::from_utf8(&text).expect("text")).expect("a trail");
        assert_eq!(trail.header, header);
        assert!(super::super::starts_like_one(&text));
        trail
    }

    #[test]
    fn what_is_written_is_read_back_and_fits_the_model() {
        let names = names(MODEL);
        let trail = written(&names, &["x = 1", "x = 2", "assert(x == 1)"]);
        let TrailAct::Process { mover, partner: None } = &trail.steps[1].act else {
            panic!("{trail:?}")
        };
        assert_eq!((mover.proctype.as_str(), mover.statement.as_str()), ("P", "x = 2"));
        assert_eq!(mover.location, "m.pml:1:38");
        assert_eq!(trail.steps[1].changes["x"], 2);
        let mut heard = 0;
        let ending = follow(&names, &trail, &mut |_| heard += 1);
        assert!(matches!(ending, Ok(Ending::At(r)) if r.fault == Some(Fault::Assertion)));
        assert_eq!(heard, 3);
    }

    #[test]
    fn a_step_that_did_something_else_is_refused_by_its_number() {
        let names = names(MODEL);
        let statements = ["x = 1", "x = 2", "assert(x == 1)"];
        let mut trail = written(&names, &statements);
        trail.steps[1].changes.insert("x".to_owned(), 3.into());
        let refused = follow(&names, &trail, &mut |_| {}).err();
        assert_eq!(refused.as_deref(), Some("step 2 does something else in this model"));
        let mut trail = written(&names, &statements);
        trail.steps.remove(0);
        assert!(follow(&names, &trail, &mut |_| {}).is_err());
    }
}
