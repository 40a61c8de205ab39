//! Places that follow their variables when those are given other types.

use crate::action::{Action, ReceiveArg};
use crate::expr::{Expr, Place, Region};
use crate::layout::Slot;
use crate::model::{Model, Temporal};

/// Something that has places in it.
enum Part<'m> {
    Expr(&'m mut Expr),
    Place(&'m mut Place),
    Arg(&'m mut ReceiveArg),
    Action(&'m mut Action),
}

impl Model {
    /// Gives every place the type of the variable that it is an element of.
    pub fn retype_places(&mut self) {
        let globals = self.layout.slots.clone();
        let frames: Vec<Vec<Slot>> = self.proctypes.iter().map(|p| p.frame.slots.clone()).collect();
        let retype = |executing: Option<usize>, place: &mut Place| {
            let slots = match &place.region {
                Region::Global => Some(&globals),
                Region::Local => executing.and_then(|ty| frames.get(ty)),
                Region::Remote { proctype, .. } => frames.get(proctype.index()),
            };
            for slot in slots.into_iter().flatten() {
                let typed = Place { ty: slot.ty, ..place.clone() };
                if slot.element(&typed).is_some() {
                    place.ty = slot.ty;
                    return;
                }
            }
        };
        let mut of_nobody = Vec::new();
        for init in &mut self.initializers {
            of_nobody.extend([Part::Place(&mut init.place), Part::Expr(&mut init.value)]);
        }
        let claims = self.claims.iter_mut().flat_map(|c| &mut c.automaton.edges);
        of_nobody.extend(claims.map(|e| Part::Action(&mut e.action)));
        for edge in self.trace.iter_mut().flat_map(|t| t.locations.iter_mut().flatten()) {
            of_nobody.push(Part::Expr(&mut edge.channel));
            of_nobody.extend(edge.pattern.iter_mut().map(Part::Arg));
        }
        for formula in &mut self.formulas {
            push_atoms(&mut formula.temporal, &mut of_nobody);
        }
        for_each_place(of_nobody, &mut |place| retype(None, place));
        for (ty, proctype) in self.proctypes.iter_mut().enumerate() {
            let mut parts = Vec::new();
            for init in &mut proctype.initializers {
                parts.extend([Part::Place(&mut init.place), Part::Expr(&mut init.value)]);
            }
            parts.extend(proctype.provided.iter_mut().map(Part::Expr));
            let edges = proctype.automaton.edges.iter_mut();
            parts.extend(edges.map(|e| Part::Action(&mut e.action)));
            for_each_place(parts, &mut |place| retype(Some(ty), place));
        }
        for condition in self.time.iter_mut().flat_map(|t| &mut t.conditions) {
            let ty = Some(condition.proctype.index());
            let parts = vec![Part::Expr(&mut condition.holds)];
            for_each_place(parts, &mut |place| retype(ty, place));
        }
        for promise in &mut self.exclusives {
            let ty = Some(promise.proctype.index());
            let parts = vec![Part::Expr(&mut promise.channel)];
            for_each_place(parts, &mut |place| retype(ty, place));
        }
    }
}

/// Calls `visit` for every place in the parts, and for those in their indices.
fn for_each_place(mut todo: Vec<Part>, visit: &mut dyn FnMut(&mut Place)) {
    while let Some(part) = todo.pop() {
        match part {
            Part::Place(place) => {
                visit(place);
                if let Region::Remote { pid: Some(pid), .. } = &mut place.region {
                    todo.push(Part::Expr(pid));
                }
                todo.extend(place.indices.iter_mut().map(|i| Part::Expr(&mut i.expr)));
            }
            Part::Arg(ReceiveArg::Match(e)) => todo.push(Part::Expr(e)),
            Part::Arg(ReceiveArg::Store(place)) => todo.push(Part::Place(place)),
            Part::Arg(ReceiveArg::Ignore) => {}
            Part::Expr(expr) => push_expr(expr, &mut todo),
            Part::Action(action) => push_action(action, &mut todo),
        }
    }
}

fn push_expr<'m>(expr: &'m mut Expr, todo: &mut Vec<Part<'m>>) {
    match expr {
        Expr::Const(_)
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Last => {}
        Expr::Load(place) => todo.push(Part::Place(place)),
        Expr::Unary(_, e)
        | Expr::Len(e)
        | Expr::Full(e)
        | Expr::Empty(e)
        | Expr::Enabled(e)
        | Expr::PcValue(e)
        | Expr::Priority(e) => todo.push(Part::Expr(e)),
        Expr::Binary(_, a, b) => todo.extend([Part::Expr(a), Part::Expr(b)]),
        Expr::Conditional(c, a, b) => {
            todo.extend([Part::Expr(c), Part::Expr(a), Part::Expr(b)]);
        }
        Expr::ChannelId { index, .. } => {
            todo.extend(index.as_deref_mut().map(|i| Part::Expr(&mut i.expr)));
        }
        Expr::Poll { channel, pattern, .. } => {
            todo.push(Part::Expr(channel));
            todo.extend(pattern.iter_mut().map(Part::Arg));
        }
        Expr::Run { args, .. } => todo.extend(args.iter_mut().map(Part::Expr)),
        Expr::AtLocation { pid, .. } => todo.extend(pid.as_deref_mut().map(Part::Expr)),
    }
}

fn push_action<'m>(action: &'m mut Action, todo: &mut Vec<Part<'m>>) {
    match action {
        Action::Skip | Action::Else | Action::End | Action::Fail(_) => {}
        Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => {
            todo.push(Part::Expr(e));
        }
        Action::Assign(place, e) => {
            todo.extend(place.as_mut().map(Part::Place));
            todo.push(Part::Expr(e));
        }
        Action::Send { channel, args, .. } => {
            todo.push(Part::Expr(channel));
            todo.extend(args.iter_mut().map(Part::Expr));
        }
        Action::Receive { channel, pattern, .. } => {
            todo.push(Part::Expr(channel));
            todo.extend(pattern.iter_mut().map(Part::Arg));
        }
        Action::Print { args, .. } => todo.extend(args.iter_mut().map(Part::Expr)),
        Action::SetPriority { pid, priority } => {
            todo.extend([Part::Expr(pid), Part::Expr(priority)]);
        }
        Action::DetStep(step) => {
            let edges = step.nodes.iter_mut().flat_map(|n| &mut n.edges);
            todo.extend(edges.map(|e| Part::Action(&mut e.action)));
        }
    }
}

fn push_atoms<'m>(formula: &'m mut Temporal, parts: &mut Vec<Part<'m>>) {
    let mut todo = vec![formula];
    while let Some(formula) = todo.pop() {
        match formula {
            Temporal::Const(_) => {}
            Temporal::Atom { expr, .. } => parts.push(Part::Expr(expr)),
            Temporal::Not(a)
            | Temporal::Next(a)
            | Temporal::Always(a)
            | Temporal::Eventually(a) => todo.push(a),
            Temporal::And(a, b)
            | Temporal::Or(a, b)
            | Temporal::Implies(a, b)
            | Temporal::Equivalent(a, b)
            | Temporal::Until(a, b)
            | Temporal::WeakUntil(a, b)
            | Temporal::Release(a, b) => {
                todo.push(a);
                todo.push(b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Model;
    use crate::scalar::Kind;
    use crate::text;

    const EVERYTHING: &str = include_str!("../tests/models/everything.model");

    #[test]
    fn places_follow_every_variable_that_is_given_another_type() {
        let original = text::read(EVERYTHING).expect("a model");
        let check = |change: &dyn Fn(&mut Model) -> bool| {
            let mut model = original.clone();
            if change(&mut model) {
                model.retype_places();
                assert_eq!(model.verify(), Ok(()));
            }
        };
        for k in 0..original.layout.slots.len() {
            check(&|m| rename(&mut m.layout.slots[k].ty));
        }
        for (ty, proctype) in original.proctypes.iter().enumerate() {
            for k in 0..proctype.frame.slots.len() {
                check(&|m| rename(&mut m.proctypes[ty].frame.slots[k].ty));
            }
        }
    }

    /// Makes a variable one that holds names, unless it is a timer.
    fn rename(ty: &mut crate::scalar::Scalar) -> bool {
        let changes = ty.kind != Kind::Timer;
        if changes {
            ty.kind = Kind::Name(0);
        }
        changes
    }

    #[test]
    fn places_that_fit_stay_what_they_are() {
        let mut model = text::read(EVERYTHING).expect("a model");
        let before = model.clone();
        model.retype_places();
        assert_eq!(model, before);
    }
}
