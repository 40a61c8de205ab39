//! Simulation by hand: every choice is shown with its effect, and every step can be taken back.

use isospin_model::Pid;
use std::io::{self, BufRead};

use isospin_replay::Choice;
use isospin_report::msc::Chart;
use isospin_report::narrate::Narrator;
use isospin_report::snapshot::Snapshot;
use isospin_report::Story;

use super::{movers, Simulation};
use crate::Status;

const HELP: &str =
    "  NUMBER   take that step           Enter    take the step, if there is only one
  u        undo the last step       j N      jump to step N, backwards or forwards again
  s        show the state           b        who waits, and why
  m        the chart so far         q        quit
  ?        this help";

/// A state on the way, to come back to.
struct Visit {
    state: Vec<u8>,
    control: Option<Pid>,
    time: u64,
    /// How it was come to.
    story: Option<Story>,
}

/// What was asked for on one line.
#[derive(Debug, PartialEq, Eq)]
enum Order {
    Take(usize),
    Only,
    Undo,
    Jump(usize),
    State,
    Blocked,
    Chart,
    Help,
    Quit,
    Unknown,
}

/// Reads choices from standard input until it ends.
pub fn run(simulation: &mut Simulation) -> Status {
    let mut lines = io::stdin().lock().lines();
    // `visits[k]` is the state after k steps; those beyond the current one can be gone to again.
    let mut visits = vec![visit(simulation, None)];
    let limit = simulation.args.steps.unwrap_or(u64::MAX);
    let style = simulation.out.style();
    simulation.out.line(&style.dim("? for help"));
    loop {
        let choices = simulation.execution.choices();
        show(simulation, &choices);
        if simulation.steps as u64 >= limit {
            let sentence = format!("{limit} steps were asked for; undo or quit");
            simulation.out.line(&sentence);
        }
        loop {
            simulation.out.text(&style.bold("> "));
            simulation.out.flush();
            let line = match lines.next() {
                Some(Ok(line)) => line,
                _ => {
                    simulation.out.text("\n");
                    return Status::Fine;
                }
            };
            simulation.out.answered();
            match order(&line) {
                Order::Take(n) if (1..=choices.len()).contains(&n) => {
                    if (simulation.steps as u64) < limit {
                        take(simulation, &choices[n - 1], &mut visits);
                    }
                    break;
                }
                Order::Only if choices.len() == 1 => {
                    if (simulation.steps as u64) < limit {
                        take(simulation, &choices[0], &mut visits);
                    }
                    break;
                }
                Order::Undo if simulation.steps > 0 => {
                    go_to(simulation, &visits, simulation.steps - 1);
                    break;
                }
                Order::Jump(n) if n < visits.len() => {
                    go_to(simulation, &visits, n);
                    break;
                }
                Order::Jump(_) => {
                    let last = visits.len() - 1;
                    simulation.out.line(&format!("there are {last} steps so far"));
                }
                Order::Undo => simulation.out.line("this is the start"),
                Order::State => state(simulation),
                Order::Blocked => standing(simulation, &choices),
                Order::Chart => chart(simulation, &visits),
                Order::Quit => return Status::Fine,
                Order::Help => simulation.out.line(HELP),
                Order::Only | Order::Take(_) | Order::Unknown => {
                    let sentence = match choices.len() {
                        0 => "nothing can happen; u, j N or q".to_owned(),
                        n => format!("a number from 1 to {n}, or ? for help"),
                    };
                    simulation.out.line(&sentence);
                }
            }
        }
    }
}

fn order(line: &str) -> Order {
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or("");
    let number = words.next().and_then(|w| w.parse().ok());
    match (word, number) {
        ("", _) => Order::Only,
        ("u" | "undo", _) => Order::Undo,
        ("j" | "jump", Some(n)) => Order::Jump(n),
        ("s" | "state", _) => Order::State,
        ("b" | "blocked", _) => Order::Blocked,
        ("m" | "msc", _) => Order::Chart,
        ("q" | "quit" | "exit", _) => Order::Quit,
        ("?" | "h" | "help", _) => Order::Help,
        (word, _) => word.parse().map_or(Order::Unknown, Order::Take),
    }
}

fn visit(simulation: &Simulation, story: Option<Story>) -> Visit {
    Visit {
        state: simulation.execution.state().to_vec(),
        control: simulation.execution.control(),
        time: simulation.execution.time(),
        story,
    }
}

fn chart(simulation: &mut Simulation, visits: &[Visit]) {
    let start = Snapshot::read(simulation.names, &visits[0].state);
    let mut chart = Chart::new(start.heads());
    for visit in &visits[1..=simulation.steps] {
        visit.story.iter().for_each(|story| chart.add(story));
    }
    let text = chart.text(simulation.out.style());
    simulation.out.text(&text);
}

fn take(simulation: &mut Simulation, choice: &Choice, visits: &mut Vec<Visit>) {
    let sentence = choice.fault.and_then(|_| simulation.fault(choice));
    let names = simulation.names;
    let number = simulation.steps + 1;
    let story = Story::of(names, &mut simulation.execution, choice, number);
    let mut teller = simulation.teller();
    visits.truncate(simulation.steps + 1);
    let fault = simulation.take(choice, &mut teller);
    if let Some(sentence) = sentence {
        let line = simulation.out.style().bad(&sentence);
        simulation.out.line(&line);
    }
    if matches!(fault, Some(isospin_machine::Fault::Runtime(_))) {
        // The step was not taken.
        simulation.steps -= 1;
        return;
    }
    visits.push(visit(simulation, Some(story)));
}

fn go_to(simulation: &mut Simulation, visits: &[Visit], steps: usize) {
    let to = &visits[steps];
    simulation.execution.restore(to.state.clone(), to.control, to.time);
    simulation.steps = steps;
}

fn show(simulation: &mut Simulation, choices: &[Choice]) {
    let names = simulation.names;
    let style = simulation.out.style();
    let narrator = Narrator::new(names, style);
    let title = match simulation.steps {
        0 => "at the start".to_owned(),
        n => format!("after step {n}"),
    };
    let title = match names.model.time {
        Some(_) => format!("{title}, time {}", simulation.execution.time()),
        None => title,
    };
    let title = style.bold(&title);
    simulation.out.line(&format!("\n{title}"));
    for (k, choice) in choices.iter().enumerate() {
        let story = Story::of(names, &mut simulation.execution, choice, k + 1);
        let mut line = narrator.step(&story);
        if let Some(sentence) = narrator.fault(&story) {
            line.push_str(&format!("  ({})", style.bad(&sentence)));
        }
        if !story.printed.is_empty() {
            line.push_str(&format!("  (prints {:?})", story.printed));
        }
        simulation.out.line(&line);
    }
    if choices.is_empty() {
        let state = simulation.execution.state();
        let over = Snapshot::read(names, state).processes.is_empty();
        if over {
            simulation.out.line("all processes have ended")
        } else {
            simulation.out.line("nobody can move:");
            standing(simulation, choices);
        }
    }
}

fn state(simulation: &mut Simulation) {
    let narrator = Narrator::new(simulation.names, simulation.out.style());
    let snapshot = Snapshot::read(simulation.names, simulation.execution.state());
    let text = narrator.state(&snapshot);
    simulation.out.text(&text);
}

fn standing(simulation: &mut Simulation, choices: &[Choice]) {
    let ready = movers(choices);
    let narrator = Narrator::new(simulation.names, simulation.out.style());
    let text = narrator.standing(&mut simulation.execution, &ready);
    simulation.out.text(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_letters_words_or_numbers() {
        assert_eq!([order("3"), order(" 12 ")], [Order::Take(3), Order::Take(12)]);
        assert_eq!([order("u"), order("undo")], [Order::Undo, Order::Undo]);
        assert_eq!([order("j 4"), order("jump 0")], [Order::Jump(4), Order::Jump(0)]);
        assert_eq!([order(""), order("?"), order("q")], [Order::Only, Order::Help, Order::Quit]);
    }

    #[test]
    fn what_is_no_order_is_unknown() {
        for line in ["j", "j x", "-1", "uu", "99999999999999999999"] {
            assert_eq!(order(line), Order::Unknown, "{line}");
        }
    }
}
