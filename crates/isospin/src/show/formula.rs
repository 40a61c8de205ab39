//! The automaton of a formula.

use std::fmt::Display;

use isospin_check::to_logic;
use isospin_logic::{translate, Error, Formula, Limits, Translation};
use isospin_promela::formula_name;
use isospin_report::format::plural;

use crate::args::{AutomatonArgs, AutomatonFormat as Format};
use crate::failure::Failure;
use crate::given::{line_and_column, Given};
use crate::load::{load, load_with};

/// The automaton that was asked for, as text in the format that was asked for.
pub fn automaton(args: &AutomatonArgs) -> Result<String, Failure> {
    if args.generalized && args.format == Format::Never {
        return Err(Failure::new("a never claim has accepting states: leave --generalized out"));
    }
    let (text, formula) = formula(args)?;
    let shown = if args.positive { formula } else { formula.negated() };
    let automata = translate(&shown, &Limits::default())
        .map_err(|error| Failure::new(format_args!("`{text}`: {error}")))?;
    Ok(write(args, &text, &shown, &automata))
}

/// The formula's text and the formula.
fn formula(args: &AutomatonArgs) -> Result<(String, Formula), Failure> {
    let given = Given::formulas(&args.ltl, &args.ltl_file)?.into_iter().next();
    let (loaded, name) = match (&args.model, &given, &args.property) {
        (None, Some(given), _) => return without_model(given),
        (Some(model), Some(given), _) => {
            (load_with(model, &args.reading, std::slice::from_ref(given))?, formula_name(0))
        }
        (Some(model), None, Some(name)) => (load(model, &args.reading)?, name.clone()),
        // The command line is not accepted like that.
        _ => return Err(Failure::new("--ltl, --ltl-file or --property with a model is needed")),
    };
    let model = &loaded.model;
    let Some(found) = model.formulas.iter().find(|f| f.name == name) else {
        let known: Vec<&str> = model.formulas.iter().map(|f| f.name.as_str()).collect();
        return Err(Failure::new(if known.is_empty() {
            format!("the model has no formula named `{name}`, nor any other")
        } else {
            format!("the model has no formula named `{name}`; it has {}", known.join(", "))
        }));
    };
    let (formula, _) = to_logic(&found.temporal)
        .map_err(|error| Failure::new(format_args!("`{}`: {error}", found.text)))?;
    Ok((one_line(&found.text), formula))
}

/// A formula whose atoms nobody looks at.
fn without_model(given: &Given) -> Result<(String, Formula), Failure> {
    let text = one_line(&given.text);
    let formula = Formula::parse(&given.text).map_err(|error| {
        let message = match &error {
            Error::Syntax { message, .. } => message.clone(),
            _ => error.to_string(),
        };
        let place = error.position().map(|at| line_and_column(&given.text, at));
        let origin = given.origin.as_deref().unwrap_or("the formula");
        Failure::new(match place {
            Some((1, column)) => format!("column {column} of {origin}: {message}"),
            Some((line, column)) => format!("line {line}, column {column} of {origin}: {message}"),
            None => format!("{origin}: {message}"),
        })
    })?;
    Ok((text, formula))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write(args: &AutomatonArgs, text: &str, shown: &Formula, automata: &Translation) -> String {
    let what = if args.positive {
        format!("accepts what satisfies {text}")
    } else {
        format!("accepts what violates {text}")
    };
    let name = if args.positive { text.to_owned() } else { format!("!({text})") };
    let (buchi, generalized) = (&automata.buchi, &automata.generalized);
    match (args.format, args.generalized) {
        (Format::Never, _) => buchi.never_claim(&what),
        (Format::Hoa, false) => buchi.hoa(&name),
        (Format::Hoa, true) => generalized.hoa(&name),
        (Format::Dot, false) => format!("// {what}\n{}", buchi.dot()),
        (Format::Dot, true) => format!("// {what}\n{}", generalized.dot()),
        (Format::Text, false) => {
            let size = (buchi.len(), buchi.edge_count());
            for_people(args, text, shown, size, buchi)
        }
        (Format::Text, true) => {
            let size = (generalized.len(), generalized.edge_count());
            for_people(args, text, shown, size, generalized)
        }
    }
}

fn for_people(
    args: &AutomatonArgs,
    text: &str,
    shown: &Formula,
    (states, edges): (usize, usize),
    automaton: &dyn Display,
) -> String {
    let accepts = if args.positive {
        "the executions that satisfy it".to_owned()
    } else {
        format!("the executions that violate it: {shown}")
    };
    let size = format!("{}, {}", plural(states as u64, "state"), plural(edges as u64, "edge"));
    format!("formula  {text}\naccepts  {accepts}\nsize     {size}\n\n{automaton}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str, origin: Option<&str>) -> Given {
        Given { text: text.to_owned(), origin: origin.map(str::to_owned) }
    }

    #[test]
    fn a_formula_of_several_lines_is_shown_in_one() {
        let (text, formula) = without_model(&given("[] (p\n  -> <> q)", None)).expect("a formula");
        assert_eq!(text, "[] (p -> <> q)");
        assert_eq!(formula.to_string(), Formula::parse(&text).expect("a formula").to_string());
    }

    #[test]
    fn a_mistake_has_its_line_where_there_are_several() {
        let said = |text, origin| match without_model(&given(text, origin)) {
            Err(Failure::Said(sentence)) => sentence,
            other => panic!("{other:?}"),
        };
        assert!(said("[] && p", None).starts_with("column 4 of the formula: "));
        let sentence = said("[] (p &&\n &&)", Some("the formula in f.ltl"));
        assert!(sentence.starts_with("line 2, column 2 of the formula in f.ltl: "), "{sentence}");
    }
}
