//! Automata that take no notice of how often a letter is repeated.
//!
//! A run over one word is to be turned into a run over a word that repeats letters more often, or
//! less, while that word is still being made: a game. Spoiler moves along a run of the automaton;
//! for each letter of the other word it says where the run has come to, having read that letter
//! once or several times, or that the run has not gone on because it has read enough of them; and
//! it says what the next letter will be. Duplicator reads the letter with a run of its own. Who has
//! a way to play it that accepts whenever Spoiler's run does shows a *fair simulation* [Henzinger
//! 1997].
//!
//! Then the language is closed under stuttering, as simulation implies inclusion. It is more than
//! that: partial-order reduction in a product with the automaton chooses as the automaton's state
//! has it, and so needs a run that goes along with each choice as it is made. That the language is
//! closed is not enough there [Siegel 2019]. What is known is the next letter: the step of the
//! model is chosen before the automaton's.

use std::collections::HashMap;

use crate::automaton::GeneralizedBuchi;
use crate::construct::degeneralize::{degeneralize, ways};
use crate::construct::graph::Graph;
use crate::translate::spelled;

/// The most letters and states of an automaton that is looked at.
const MAX_LETTERS: usize = 64;
const MAX_STATES: usize = 64;
/// The most moves and answers of the game, and how many of them are looked at before the answer is
/// no.
const MAX_MOVES: usize = 2_000_000;
const MAX_LOOKS: usize = 50_000_000;

/// Whether runs of the automaton can be led along every stuttering of a word. A run that comes to
/// one of the states in `ends` accepts at once, and the other run has to come to one with the same
/// letter. Where the answer takes long to find it is no.
///
/// ```
/// use isospin_logic::{is_stutter_closed, translate, Formula, Limits};
/// let closed = |text: &str| {
///     let automata = translate(&Formula::parse(text).unwrap(), &Limits::default()).unwrap();
///     is_stutter_closed(&automata.buchi.generalized(), &[])
/// };
/// assert!(closed("[] (p -> <> q)") && !closed("[] (p -> X q)"));
/// ```
pub fn is_stutter_closed(automaton: &GeneralizedBuchi, ends: &[usize]) -> bool {
    if automaton.len() > MAX_STATES {
        return false;
    }
    let Ok((letters, mut graph)) = spelled(automaton, MAX_LETTERS) else { return false };
    let mut end = vec![false; graph.states()];
    for &state in ends {
        end[state] = true;
    }
    match (graph.sets, ends.is_empty()) {
        (1, _) => {}
        (0, _) => {
            graph.sets = 1;
            graph.edges.iter_mut().flatten().for_each(|edge| edge.marks = 1);
        }
        (sets, true) => {
            let way = &ways(sets, true)[0];
            let Some(plain) = degeneralize(&graph, way, MAX_STATES) else { return false };
            graph = plain;
            end = vec![false; graph.states()];
        }
        _ => return false,
    }
    // Whoever comes to where nothing is accepted any more has lost, or has shown nothing.
    let useful = graph.useful();
    if !useful[graph.initial] {
        return true;
    }
    graph.edges.iter_mut().for_each(|edges| edges.retain(|edge| useful[edge.to]));
    Game::of(&graph, letters, &end).is_some_and(|game| game.is_won())
}

/// Where the players stand: Spoiler's state, whether it has read the next letter before, that
/// letter, and Duplicator's state.
type Place = (usize, bool, usize, usize);

/// A move of Spoiler's: whether its run meets a mark, and Duplicator's answers, each with whether
/// its own run does.
struct Move {
    marked: bool,
    answers: Vec<(bool, usize)>,
}

/// The game: for each place, the moves of Spoiler's.
struct Game {
    /// How many places Spoiler can choose to start from: the first ones.
    starts: usize,
    moves: Vec<Vec<Move>>,
    /// How many moves and answers there are.
    size: usize,
}

impl Game {
    /// The game from the initial state; none if it is too large.
    fn of(graph: &Graph, letters: usize, end: &[bool]) -> Option<Game> {
        let repeated: Vec<Vec<Vec<(usize, bool)>>> = (0..graph.states())
            .map(|state| (0..letters).map(|letter| repeats(graph, state, letter)).collect())
            .collect();
        let mut order: Vec<Place> =
            (0..letters).map(|letter| (graph.initial, false, letter, graph.initial)).collect();
        let mut numbers: HashMap<Place, usize> = order.iter().copied().zip(0..).collect();
        let mut game = Game { starts: letters, moves: Vec::new(), size: 0 };
        while game.moves.len() < order.len() {
            let (spoiler, read, letter, duplicator) = order[game.moves.len()];
            let mut moves = Vec::new();
            let stays = read.then_some((spoiler, false));
            for &(to, marked) in repeated[spoiler][letter].iter().chain(&stays) {
                for next in 0..letters {
                    let answers = graph.edges[duplicator]
                        .iter()
                        .filter(|edge| edge.letters.contains(letter) && end[to] <= end[edge.to])
                        .map(|edge| {
                            let place = (to, next == letter, next, edge.to);
                            let number = *numbers.entry(place).or_insert_with(|| {
                                order.push(place);
                                order.len() - 1
                            });
                            (edge.marks & 1 == 1, number)
                        });
                    moves.push(Move { marked, answers: answers.collect() });
                    game.size += graph.edges[duplicator].len() + 1;
                }
            }
            game.moves.push(moves);
            if game.size > MAX_MOVES {
                return None;
            }
        }
        Some(game)
    }

    /// Whether Duplicator wins from the start: it meets marks again and again, unless Spoiler does
    /// not. That is a parity game with three colours, solved as a nest of fixed points [Emerson
    /// 1991]: the greatest set `again` from which a mark of its own leads back into the set,
    /// within finitely many marks of Spoiler's (the least set `soon`), between which anything may
    /// happen (the greatest set `now`).
    fn is_won(&self) -> bool {
        let (count, mut looks) = (self.moves.len(), 0);
        let mut again = vec![true; count];
        loop {
            let mut soon = vec![false; count];
            loop {
                let mut now = vec![true; count];
                loop {
                    looks += self.size;
                    if looks > MAX_LOOKS {
                        return false;
                    }
                    let answered = |m: &Move| {
                        m.answers.iter().any(|&(marked, to)| match (marked, m.marked) {
                            (true, _) => again[to],
                            (false, true) => soon[to],
                            (false, false) => now[to],
                        })
                    };
                    let next: Vec<bool> =
                        self.moves.iter().map(|moves| moves.iter().all(answered)).collect();
                    if next == now {
                        break;
                    }
                    now = next;
                }
                if now == soon {
                    break;
                }
                soon = now;
            }
            if soon == again {
                return again[..self.starts].iter().all(|&won| won);
            }
            again = soon;
        }
    }
}

/// Where a run can come to from a state with one letter, read once or several times, and whether it
/// meets a mark on the way, if it can.
fn repeats(graph: &Graph, state: usize, letter: usize) -> Vec<(usize, bool)> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    let mut todo = vec![(state, false)];
    while let Some((at, marked)) = todo.pop() {
        for edge in graph.edges[at].iter().filter(|edge| edge.letters.contains(letter)) {
            let next = (edge.to, marked || edge.marks & 1 == 1);
            if !found.contains(&next) {
                found.push(next);
                todo.push(next);
            }
        }
    }
    let better = found.clone();
    found.retain(|&(to, marked)| marked || !better.contains(&(to, true)));
    found
}
