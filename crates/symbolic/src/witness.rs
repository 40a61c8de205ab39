//! Executions: paths and lassos through sets of states, as states of the model.

mod confirm;
mod explain;

pub use confirm::{is_execution, judge};

use std::collections::HashMap;

use isospin_relation::Relation;

use crate::diagram::{Diagram, Result};
use crate::encode::Encoding;
use crate::fair::{Justice, System};
use crate::report::Trace;

/// So many steps are taken before a loop is looked for among components.
const FAR: usize = 300;

/// One state, as values of all bits.
pub(crate) type Point = Vec<bool>;

/// Points, and for each the values of all bits on the transition that leaves it.
#[derive(Clone, Default)]
pub(crate) struct Path {
    pub(crate) points: Vec<Point>,
    pub(crate) moves: Vec<Point>,
    pub(crate) back: Option<usize>,
}

impl System {
    /// Some state of a set.
    pub(crate) fn point(&self, set: &Diagram) -> Option<Point> {
        self.diagrams.pick(set)
    }

    /// The set of one state.
    pub(crate) fn only(&self, point: &Point) -> Result<Diagram> {
        let d = &self.diagrams;
        let mut bits = self.bits.clone();
        bits.sort_unstable();
        let mut set = d.yes();
        for bit in bits.into_iter().rev() {
            let literal = d.bit(bit);
            let literal = if point[bit as usize] { literal } else { d.not(&literal)? };
            set = d.and(&literal, &set)?;
        }
        Ok(set)
    }

    /// A shortest path from a state, through a set, to a state of a target, which may be the state
    /// itself. Without the first state.
    pub(crate) fn walk(
        &self,
        from: &Point,
        through: &Diagram,
        target: &Diagram,
    ) -> Result<Option<Vec<Point>>> {
        let d = &self.diagrams;
        let start = self.only(from)?;
        let mut rings = vec![start.clone()];
        let (mut seen, mut front) = (start.clone(), start);
        while d.is_no(&d.and(&front, target)?) {
            let next = self.image(&front)?;
            // The target need not be in what is walked through.
            let allowed = d.and(&next, &d.or(through, target)?)?;
            front = d.minus(&allowed, &seen)?;
            if d.is_no(&front) {
                return Ok(None);
            }
            seen = d.or(&seen, &front)?;
            rings.push(front.clone());
        }
        let last = d.and(&front, target)?;
        Ok(Some(self.back_through(&rings, &last)?))
    }

    /// The points of a path through rings to a state of a set in the last, without the first.
    pub(crate) fn back_through(&self, rings: &[Diagram], last: &Diagram) -> Result<Vec<Point>> {
        let mut points = Vec::new();
        let mut set = last.clone();
        for ring in rings[..rings.len() - 1].iter().rev() {
            let Some(point) = self.point(&set) else { break };
            set = self.before(&self.only(&point)?, ring)?;
            points.push(point);
        }
        points.reverse();
        Ok(points)
    }

    /// A path from an initial state to a state of a set, by the layers of a search: each state is
    /// reached from the first layer from which it can be, so the layers' numbers fall.
    pub(crate) fn path_to(&self, layers: &[Diagram], target: &Diagram) -> Result<Option<Path>> {
        let Some((mut at, mut set)) = self.first_with(layers, target)? else { return Ok(None) };
        let mut points = Vec::new();
        loop {
            let Some(point) = self.point(&set) else { return Ok(None) };
            if at == 0 {
                points.push(point);
                break;
            }
            let before = self.before(&self.only(&point)?, &self.states)?;
            points.push(point);
            let Some(found) = self.first_with(&layers[..at], &before)? else { return Ok(None) };
            (at, set) = found;
        }
        points.reverse();
        let mut path = Path { points: vec![points[0].clone()], ..Path::default() };
        for point in &points[1..] {
            self.step(&mut path, point, None)?;
        }
        Ok(Some(path))
    }

    /// The first layer that has states of a set, and these.
    fn first_with(&self, layers: &[Diagram], target: &Diagram) -> Result<Option<(usize, Diagram)>> {
        let d = &self.diagrams;
        for (k, layer) in layers.iter().enumerate() {
            let here = d.and(layer, target)?;
            if !d.is_no(&here) {
                return Ok(Some((k, here)));
            }
        }
        Ok(None)
    }

    /// Adds a state to a path, with the inputs that lead to it.
    fn step(&self, path: &mut Path, to: &Point, when: Option<&Diagram>) -> Result<bool> {
        let Some(from) = path.points.last() else { return Ok(false) };
        let found = self.transition.between(&self.diagrams, from, to, &self.bits, when)?;
        let Some(inputs) = found else { return Ok(false) };
        path.moves.push(inputs);
        path.points.push(to.clone());
        Ok(true)
    }

    /// Extends a path through a set into a hull, and by a fair lasso there.
    pub(crate) fn end_in_lasso(
        &self,
        path: &mut Path,
        through: &Diagram,
        hull: &Diagram,
    ) -> Result<bool> {
        let Some(from) = self.last(path) else { return Ok(false) };
        if let Some(points) = self.walk(&from, through, hull)? {
            self.steps(path, &points)?;
        }
        self.lasso(path, hull)
    }

    /// Adds a transition that has a property.
    pub(crate) fn bad_step(&self, path: &mut Path, when: &Diagram) -> Result<()> {
        let Some(from) = self.last(path) else { return Ok(()) };
        let mut left = self.image(&self.only(&from)?)?;
        while let Some(to) = self.point(&left) {
            if self.step(path, &to, Some(when))? {
                break;
            }
            left = self.diagrams.minus(&left, &self.only(&to)?)?;
        }
        Ok(())
    }

    /// Adds states to a path.
    pub(crate) fn follow(&self, path: &mut Path, points: &[Point]) -> Result<()> {
        self.steps(path, points)
    }

    fn steps(&self, path: &mut Path, points: &[Point]) -> Result<()> {
        for point in points {
            self.step(path, point, None)?;
        }
        Ok(())
    }

    /// Extends a path by a fair lasso inside a hull: first into a component that is fair, then
    /// around it so that every condition is met.
    pub(crate) fn lasso(&self, path: &mut Path, hull: &Diagram) -> Result<bool> {
        let d = &self.diagrams;
        if self.justice.is_empty() && self.compassion.is_empty() && self.wander(path, hull)? {
            return Ok(true);
        }
        loop {
            let Some(start) = path.points.last().cloned() else { return Ok(false) };
            let here = self.only(&start)?;
            let forward = self.inside(&here, hull)?;
            let backward = self.until(&forward, &here)?;
            let component = d.and(&forward, &backward)?;
            if self.is_fair(&component)? {
                return self.around(path, &start, &component);
            }
            // Deeper: a state from which there is no way back.
            let deeper = d.minus(&forward, &backward)?;
            let Some(points) = self.walk(&start, hull, &deeper)? else { return Ok(false) };
            if points.is_empty() {
                return Ok(false);
            }
            self.steps(path, &points)?;
        }
    }

    /// Where every infinite path will do: goes on and on until a state comes again, at most so far
    /// that components may be cheaper.
    fn wander(&self, path: &mut Path, hull: &Diagram) -> Result<bool> {
        let start = path.clone();
        let from = path.points.len() - 1;
        let mut seen: HashMap<Point, usize> = HashMap::new();
        for at in from..from + FAR {
            let Some(last) = self.last(path) else { break };
            if let Some(back) = seen.insert(last.clone(), at) {
                path.points.pop();
                path.back = Some(back);
                return Ok(true);
            }
            let next = self.diagrams.and(&self.image(&self.only(&last)?)?, hull)?;
            let Some(to) = self.point(&next) else { break };
            if !self.step(path, &to, None)? {
                break;
            }
        }
        *path = start;
        Ok(false)
    }

    /// What can be reached inside a set.
    fn inside(&self, from: &Diagram, within: &Diagram) -> Result<Diagram> {
        let d = &self.diagrams;
        let (mut all, mut front) = (from.clone(), from.clone());
        while !d.is_no(&front) {
            let next = d.and(&self.image(&front)?, within)?;
            front = d.minus(&next, &all)?;
            all = d.or(&all, &front)?;
        }
        Ok(all)
    }

    /// Whether a strongly connected component has fair cycles through all of it.
    fn is_fair(&self, component: &Diagram) -> Result<bool> {
        let d = &self.diagrams;
        if d.is_no(&self.before(component, component)?) {
            return Ok(false);
        }
        for justice in &self.justice {
            if d.is_no(&self.before_by(justice, component, component)?) {
                return Ok(false);
            }
        }
        for (p, q) in &self.compassion {
            if !d.is_no(&d.and(p, component)?) && d.is_no(&d.and(q, component)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn around(&self, path: &mut Path, start: &Point, component: &Diagram) -> Result<bool> {
        let d = &self.diagrams;
        let loop_start = path.points.len() - 1;
        for justice in &self.justice {
            if !self.met(path, loop_start, justice)? {
                self.meet(path, component, justice)?;
            }
        }
        for (p, q) in &self.compassion {
            if d.is_no(&d.and(p, component)?) {
                continue;
            }
            let target = d.and(q, component)?;
            if let Some(points) =
                self.last(path).map_or(Ok(None), |from| self.walk(&from, component, &target))?
            {
                self.steps(path, &points)?;
            }
        }
        // Home: one step at least.
        let here = self.only(start)?;
        let home = self.before(&here, component)?;
        let Some(from) = self.last(path) else { return Ok(false) };
        let Some(points) = self.walk(&from, component, &home)? else { return Ok(false) };
        self.steps(path, &points)?;
        if !self.step(path, start, None)? {
            return Ok(false);
        }
        path.points.pop();
        path.back = Some(loop_start);
        Ok(true)
    }

    fn last(&self, path: &Path) -> Option<Point> {
        path.points.last().cloned()
    }

    /// Whether a condition about states is true somewhere on the loop so far.
    fn met(&self, path: &Path, from: usize, justice: &Justice) -> Result<bool> {
        if justice.on_transitions {
            return Ok(false);
        }
        for point in &path.points[from..] {
            let here = self.only(point)?;
            if !self.diagrams.is_no(&self.diagrams.and(&here, &justice.condition)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes to where a condition is true, and on if a transition makes it true.
    fn meet(&self, path: &mut Path, component: &Diagram, justice: &Justice) -> Result<()> {
        let d = &self.diagrams;
        let target = self.before_by(justice, component, component)?;
        let Some(from) = self.last(path) else { return Ok(()) };
        let Some(points) = self.walk(&from, component, &target)? else { return Ok(()) };
        self.steps(path, &points)?;
        if !justice.on_transitions {
            return Ok(());
        }
        let Some(from) = self.last(path) else { return Ok(()) };
        let mut left = d.and(&self.image(&self.only(&from)?)?, component)?;
        while let Some(to) = self.point(&left) {
            if self.step(path, &to, Some(&justice.condition))? {
                break;
            }
            left = d.minus(&left, &self.only(&to)?)?;
        }
        Ok(())
    }
}

impl Path {
    /// The execution, in the variables' values.
    pub(crate) fn trace(&self, relation: &Relation, encoding: &Encoding) -> Trace {
        let mut states = Vec::new();
        for (k, point) in self.points.iter().enumerate() {
            let mut state = encoding.decode(relation, point, false);
            for (id, variable) in relation.numbered() {
                if variable.kind == isospin_relation::Kind::Input {
                    let inputs = self.moves.get(k).map(|m| encoding.decode(relation, m, false));
                    state[id.index()] = inputs.map_or(0, |inputs| inputs[id.index()]);
                }
            }
            states.push(state);
        }
        Trace { states, back: self.back, branches: Vec::new(), partial: false }
    }
}
