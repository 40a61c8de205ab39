//! Small models for the tests beside the code, and walks through them.

use std::path::Path;
use std::sync::Arc;

use isospin_model::{Model, Shape};
use isospin_replay::Execution;

use crate::{Names, Story};

/// The model with this text, in a file named `m.pml`.
pub fn model(text: &str) -> Arc<Model> {
    let mut files = |_: &Path| Ok(text.as_bytes().to_vec());
    let reading = isospin_promela::read(Path::new("m.pml"), &Default::default(), &mut files);
    Arc::new(reading.into_model().expect(text))
}

/// Its names.
pub fn names(text: &str) -> Names {
    Names::new(model(text))
}

/// Its initial state.
pub fn start(names: &Names) -> Execution {
    Execution::new(Arc::clone(&names.model)).expect("a model that starts")
}

/// Where everything is in a state.
pub fn shape(names: &Names, execution: &Execution) -> Shape {
    let mut shape = Shape::default();
    shape.read(&names.model, execution.state());
    shape
}

/// Takes the first step with this statement, and tells it.
pub fn take(names: &Names, execution: &mut Execution, statement: &str) -> Story {
    for choice in execution.choices() {
        let story = Story::of(names, execution, &choice, 1);
        if story.part.text == statement {
            execution.take(&choice);
            return story;
        }
    }
    panic!("`{statement}` cannot be taken");
}

/// Takes these steps one after the other.
pub fn walk(names: &Names, execution: &mut Execution, statements: &[&str]) {
    for statement in statements {
        take(names, execution, statement);
    }
}
