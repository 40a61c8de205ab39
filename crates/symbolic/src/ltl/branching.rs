//! Formulas of linear time without a tableau. Whether some path does something can be asked by
//! fixpoints of branching time wherever at most one operand of a conjunction looks ahead, as in
//! `F (p & G q)`: that is what it takes to violate `G (p -> F !q)`, and nearly everything that
//! people write down. What is always true, or again and again, may be combined (`G p & G F q`).

use isospin_relation::{Formula, FormulaId, Operator, Relation};

use super::bits;
use crate::diagram::{Diagram, Diagrams, Result};
use crate::fair::{Justice, System};
use crate::translate::Translator;
use crate::witness::Path;

/// Formulas that are nested deeper are left to the tableau.
const DEEP: usize = 200;

/// A formula that speaks of one state, and whether it is negated.
type State = (FormulaId, bool);

/// What a path does.
#[derive(Clone, Debug)]
enum Course {
    /// Its first state is such a one.
    Now(State),
    /// And it does something.
    And(State, Box<Course>),
    Either(Box<Course>, Box<Course>),
    Next(Box<Course>),
    /// Its states are such ones until it does something.
    Until(State, Box<Course>),
    /// All of its states are such ones, and some are others again and again.
    Always(Vec<State>, Vec<State>),
}

/// How to find the paths that violate a formula.
pub(crate) struct Violations<'f> {
    formula: &'f Formula,
    /// What they do, one or the other, and whether they may begin anywhere and not only in initial
    /// states: whatever can be reached is on a path from one.
    courses: Vec<(bool, Course)>,
}

impl<'f> Violations<'f> {
    /// Nothing if it takes a tableau.
    pub(crate) fn of(relation: &Relation, formula: &'f Formula) -> Option<Violations<'f>> {
        let mut plain = Vec::new();
        for (index, operator) in formula.operators().iter().enumerate() {
            let looks = match operator {
                Operator::True => false,
                Operator::Atom(_) => {
                    let mut atom = formula.clone();
                    atom.set_root(FormulaId(index as u32));
                    bits(relation, &atom) > 0
                }
                Operator::Not(_) | Operator::And(..) | Operator::Or(..) | Operator::Iff(..) => {
                    false
                }
                _ => true,
            };
            let id = FormulaId(index as u32);
            plain.push(!looks && formula.operands(id).all(|f| plain[f.index()]));
        }
        let course = Reader { formula, plain }.course(formula.root(), true, 0)?;
        let (mut open, mut courses) = (vec![course], Vec::new());
        while let Some(course) = open.pop() {
            match course {
                Course::Either(a, b) => open.extend([*b, *a]),
                Course::Until((f, false), rest) if formula.operator(f) == Operator::True => {
                    courses.push((true, *rest));
                }
                other => courses.push((false, other)),
            }
        }
        Some(Violations { formula, courses })
    }

    /// Where such a path begins to do so within a set (of all states that can be reached), and how
    /// it goes on; nothing if there is none.
    pub(crate) fn find(
        &self,
        system: &mut System,
        translator: &mut Translator,
        within: &Diagram,
        fair: &Diagram,
    ) -> Result<Option<(Diagram, Goal)>> {
        let d = std::rc::Rc::clone(&system.diagrams);
        let sets = states(&d, translator, self.formula, within)?;
        let finder = Finder { sets, within, fair, d: &d };
        for (anywhere, course) in &self.courses {
            let goal = finder.goal(system, course)?;
            let start =
                if *anywhere { goal.states.clone() } else { d.and(&goal.states, &system.init)? };
            if !d.is_no(&start) {
                return Ok(Some((start, goal)));
            }
        }
        Ok(None)
    }
}

/// The states that satisfy each subformula that speaks of one state; nothing for the others.
fn states(
    d: &Diagrams,
    translator: &mut Translator,
    formula: &Formula,
    within: &Diagram,
) -> Result<Vec<Diagram>> {
    let used = formula.used();
    let mut sets: Vec<Diagram> = Vec::new();
    for (operator, used) in formula.operators().iter().zip(used) {
        let of = |f: FormulaId| &sets[f.index()];
        let set = match *operator {
            _ if !used => d.no(),
            Operator::True => within.clone(),
            Operator::Atom(expr) => d.and(&translator.truth(expr)?, within)?,
            Operator::Not(f) => d.minus(within, of(f))?,
            Operator::And(f, g) => d.and(of(f), of(g))?,
            Operator::Or(f, g) => d.or(of(f), of(g))?,
            Operator::Iff(f, g) => d.and(&d.same(of(f), of(g))?, within)?,
            _ => d.no(),
        };
        sets.push(set);
    }
    Ok(sets)
}

struct Reader<'f> {
    formula: &'f Formula,
    /// Which formulas speak of one state.
    plain: Vec<bool>,
}

impl Reader<'_> {
    /// What a path does that satisfies a formula, or its negation.
    fn course(&self, f: FormulaId, negated: bool, depth: usize) -> Option<Course> {
        if self.plain[f.index()] {
            return Some(Course::Now((f, negated)));
        }
        if depth > DEEP {
            return None;
        }
        let of = |f: FormulaId| self.course(f, negated, depth + 1);
        match (self.formula.operator(f), negated) {
            (Operator::Not(g), _) => self.course(g, !negated, depth + 1),
            (Operator::And(g, h), false) | (Operator::Or(g, h), true) => both(of(g)?, of(h)?),
            (Operator::And(g, h), true) | (Operator::Or(g, h), false) => {
                Some(Course::Either(Box::new(of(g)?), Box::new(of(h)?)))
            }
            (Operator::Next(g), _) => Some(Course::Next(Box::new(of(g)?))),
            (Operator::Until(g, h), false) if self.plain[g.index()] => {
                Some(Course::Until((g, false), Box::new(of(h)?)))
            }
            (Operator::Until(g, h), true) if self.formula.operator(g) == Operator::True => {
                always(self.formula, of(h)?)
            }
            (Operator::Until(g, h), true) if self.plain[h.index()] => {
                // The second never comes, or the first ends before.
                let never = Course::Always(vec![(h, true)], Vec::new());
                let ends = Course::And((h, true), Box::new(of(g)?));
                let before = Course::Until((h, true), Box::new(ends));
                Some(Course::Either(Box::new(never), Box::new(before)))
            }
            _ => None,
        }
    }
}

/// A path that does both.
fn both(a: Course, b: Course) -> Option<Course> {
    match (a, b) {
        (Course::Now(state), other) | (other, Course::Now(state)) => {
            Some(Course::And(state, Box::new(other)))
        }
        (Course::Always(mut all, mut again), Course::Always(more, often)) => {
            all.extend(more);
            again.extend(often);
            Some(Course::Always(all, again))
        }
        (Course::And(state, a), b) | (b, Course::And(state, a)) => {
            Some(Course::And(state, Box::new(both(*a, b)?)))
        }
        _ => None,
    }
}

/// A path that does something from each of its states on.
fn always(formula: &Formula, course: Course) -> Option<Course> {
    match course {
        Course::Now(state) => Some(Course::Always(vec![state], Vec::new())),
        Course::And(state, rest) => {
            both(Course::Always(vec![state], Vec::new()), always(formula, *rest)?)
        }
        Course::Always(..) => Some(course),
        Course::Until((f, false), then) if formula.operator(f) == Operator::True => match *then {
            Course::Now(state) => Some(Course::Always(Vec::new(), vec![state])),
            // Again and again for ever is once for ever.
            Course::Always(..) => Some(Course::Until((f, false), then)),
            _ => None,
        },
        _ => None,
    }
}

/// States from which paths do something, and how they go on.
pub(crate) struct Goal {
    states: Diagram,
    then: Then,
}

enum Then {
    Nothing,
    This(Box<Goal>),
    Either(Box<Goal>, Box<Goal>),
    Next(Box<Goal>),
    Through(Diagram, Box<Goal>),
    Inside(Diagram, Vec<Diagram>),
}

struct Finder<'a> {
    sets: Vec<Diagram>,
    within: &'a Diagram,
    fair: &'a Diagram,
    d: &'a Diagrams,
}

impl Finder<'_> {
    fn states(&self, (f, negated): State) -> Result<Diagram> {
        let set = &self.sets[f.index()];
        if negated {
            self.d.minus(self.within, set)
        } else {
            Ok(set.clone())
        }
    }

    fn goal(&self, system: &mut System, course: &Course) -> Result<Goal> {
        let d = self.d;
        Ok(match course {
            Course::Now(state) => {
                Goal { states: d.and(&self.states(*state)?, self.fair)?, then: Then::Nothing }
            }
            Course::And(state, rest) => {
                let rest = self.goal(system, rest)?;
                let states = d.and(&self.states(*state)?, &rest.states)?;
                Goal { states, then: Then::This(Box::new(rest)) }
            }
            Course::Either(a, b) => {
                let (a, b) = (self.goal(system, a)?, self.goal(system, b)?);
                let states = d.or(&a.states, &b.states)?;
                Goal { states, then: Then::Either(Box::new(a), Box::new(b)) }
            }
            Course::Next(rest) => {
                let rest = self.goal(system, rest)?;
                let states = system.before(&rest.states, self.within)?;
                Goal { states, then: Then::Next(Box::new(rest)) }
            }
            Course::Until(state, rest) => {
                let rest = self.goal(system, rest)?;
                let through = self.states(*state)?;
                let states = system.until(&through, &rest.states)?;
                Goal { states, then: Then::Through(through, Box::new(rest)) }
            }
            Course::Always(all, again) => {
                let mut inside = self.within.clone();
                for state in all {
                    inside = d.and(&inside, &self.states(*state)?)?;
                }
                let again: Result<Vec<Diagram>> = again.iter().map(|s| self.states(*s)).collect();
                let again = again?;
                let states = with_justice(system, &again, |system| system.fair_forever(&inside))?;
                Goal { states, then: Then::Inside(inside, again) }
            }
        })
    }
}

/// Does something with a system in which further states come again and again.
fn with_justice<T>(
    system: &mut System,
    again: &[Diagram],
    act: impl FnOnce(&System) -> Result<T>,
) -> Result<T> {
    let before = system.justice.len();
    let more = again.iter();
    let more = more.map(|set| Justice { condition: set.clone(), on_transitions: false });
    system.justice.extend(more);
    let done = act(system);
    system.justice.truncate(before);
    done
}

impl Goal {
    /// Extends a path whose last state is one of the goal, so that it does what the goal says; it
    /// becomes a fair lasso within a set. False if it cannot be done.
    pub(crate) fn show(
        &self,
        system: &mut System,
        path: &mut Path,
        within: &Diagram,
        fair: &Diagram,
    ) -> Result<bool> {
        let mut goal = self;
        loop {
            let Some(last) = path.points.last().cloned() else { return Ok(false) };
            let d = &system.diagrams;
            goal = match &goal.then {
                Then::Nothing => {
                    let hull = system.hull_of(within, fair)?;
                    return system.end_in_lasso(path, within, &hull);
                }
                Then::This(rest) => rest,
                Then::Either(a, b) => {
                    let here = system.only(&last)?;
                    if d.is_no(&d.and(&here, &a.states)?) {
                        b
                    } else {
                        a
                    }
                }
                Then::Next(rest) => {
                    let next = d.and(&system.image(&system.only(&last)?)?, &rest.states)?;
                    let Some(to) = system.point(&next) else { return Ok(false) };
                    system.follow(path, &[to])?;
                    rest
                }
                Then::Through(through, rest) => {
                    let Some(points) = system.walk(&last, through, &rest.states)? else {
                        return Ok(false);
                    };
                    system.follow(path, &points)?;
                    rest
                }
                Then::Inside(inside, again) => {
                    return with_justice(system, again, |system| {
                        let hull = system.hull_of(inside, &goal.states)?;
                        system.end_in_lasso(path, inside, &hull)
                    });
                }
            };
        }
    }
}
