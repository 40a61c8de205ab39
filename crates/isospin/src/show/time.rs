//! `isospin show time`: the time slices of a trail.

use isospin_report::narrate::Narrator;
use isospin_report::slices::Slices;
use isospin_report::trail;

use crate::args::TimeArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::replay::{open, Following};

/// The slices as text.
pub fn slices(args: &TimeArgs) -> Result<String, Failure> {
    let opened = open(&args.files, Following { quiet: args.quiet, ..Following::default() })?;
    let (trail, names) = (&opened.trail, &opened.names);
    if names.model.time.is_none() {
        return Err(Failure::new(format_args!(
            "{} has no timers, so that no time passes in it",
            names.model.name
        )));
    }
    let style = Output::new().style();
    let narrator = Narrator::new(names, style);
    let mut slices = Slices::new(trail.header.cycle_start);
    // How much time passes in a step shows in the time of the next.
    let mut waiting = None;
    let told = trail::follow(names, trail, &mut |story| {
        if let Some(before) = waiting.take() {
            let before: isospin_report::Story = before;
            slices.add(&narrator, &before, story.time - before.time);
        }
        waiting = Some(story);
    });
    if let Some(last) = waiting {
        let end = match &told {
            Ok(trail::Ending::At(retold)) => retold.execution.time(),
            _ => last.time,
        };
        slices.add(&narrator, &last, end.saturating_sub(last.time));
    }
    Ok(slices.text(style))
}
