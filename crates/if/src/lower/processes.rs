//! States and transitions.

use isospin_model::{Action, Condition, Expr as Value, Failure, LocationId, ProcTypeId};
use isospin_model::{Place as Cell, ReceiveArg, Region, Scalar, SourceRef, Urgency};

use super::builder::{Builder, Draft, Exit, Sequence, Spot};
use super::expressions::{both, channel, not};
use super::plan::first_values;
use super::Lowering;
use crate::labels::Part;
use crate::system::{Deadline, Next, State, Transition, Type};

/// More values than this are not tried for one signal from the environment, or for one choice.
const MAX_VALUES: usize = 4096;

/// The automaton of a process while it is built.
pub(super) struct Body {
    pub builder: Builder,
    /// Where instances stop.
    stop: Option<Spot>,
}

impl Lowering<'_> {
    pub(super) fn process(&mut self, number: usize) {
        self.process = Some(number);
        let system = self.system;
        let process = &system.processes[number];
        let mut body = Body { builder: Builder::default(), stop: None };
        // The places of states come first, in their order.
        for state in &process.states {
            // Who waits for a signal, or for nothing, is quiet; who waits for anything else is not.
            let inputs = state.transitions.iter().any(|t| t.input.is_some());
            let waits = inputs || state.transitions.is_empty();
            let source = self.source(state.span);
            body.builder.spot(vec![state.name.clone()], waits && !state.unstable, source);
        }
        if process.states.is_empty() {
            body.builder.spot(Vec::new(), true, self.source(process.span));
        }
        for (k, state) in process.states.iter().enumerate() {
            self.state(number, k, state, &mut body);
        }
        let start = Spot(process.start as u32);
        let source = self.source(process.span);
        let (automaton, labels) = body.builder.build(start);
        let slots = self.plan.frames[number].clone();
        let initializers = self.plan.frame_initializers[number].clone();
        let count = self.plan.pids[number].1;
        self.proctype(&process.name, slots, initializers, automaton, labels, source, count);
        self.process = None;
    }

    fn state(&mut self, process: usize, number: usize, state: &State, body: &mut Body) {
        let spot = Spot(number as u32);
        let proctype = ProcTypeId::at(process + 1);
        for condition in &state.tpc {
            let location = LocationId::at(number);
            let holds = self.truth(condition);
            self.plan.conditions.push(Condition { proctype, location, holds });
        }
        for transition in &state.transitions {
            self.chosen(process, number, state, transition, &mut Vec::new(), body);
        }
        if self.choices.discard && !state.unstable {
            self.discard(process, spot, state, body);
        }
        if state.unstable {
            let source = self.source(state.span);
            let stuck = body.builder.between(source);
            let text = format!("unstable state {}", state.name);
            let exit = Exit { to: stuck, atomic: true };
            // That it is never stuck is nothing to complain about: it goes with a transition.
            let first = state.transitions.first();
            let number = first.map(|t| self.numbered(std::ptr::from_ref(t) as usize));
            let draft = self.draft(Action::Else, exit, source, &text);
            let statement = number.unwrap_or(draft.statement);
            body.builder.edge(spot, Draft { statement, ..draft });
            let exit = Exit { to: stuck, atomic: false };
            let fail = Action::Fail(Failure::Unstable);
            let draft = self.draft(fail, exit, source, &text);
            body.builder.edge(stuck, Draft { statement, ..draft });
        }
    }

    /// An eager edge without a label.
    pub(super) fn draft(
        &mut self,
        action: Action,
        exit: Exit,
        source: SourceRef,
        text: &str,
    ) -> Draft {
        self.model.statements += 1;
        Draft {
            statement: self.model.statements - 1,
            action,
            exit,
            urgency: Urgency::Eager,
            resets: Vec::new(),
            source,
            text: text.to_owned(),
            label: Vec::new(),
        }
    }

    /// A transition, for all values of what is chosen freely.
    fn chosen(
        &mut self,
        process: usize,
        number: usize,
        state: &State,
        transition: &Transition,
        values: &mut Vec<i32>,
        body: &mut Body,
    ) {
        let Some(&(_, low, high)) = transition.choices.get(values.len()) else {
            self.bound.clone_from(values);
            self.transition(process, number, state, transition, body);
            self.bound.clear();
            return;
        };
        if i64::from(high) - i64::from(low) >= MAX_VALUES as i64 {
            self.error(transition.span, format!("there are more than {MAX_VALUES} values to try"));
            return;
        }
        for value in low..=high {
            values.push(value);
            self.chosen(process, number, state, transition, values, body);
            values.pop();
        }
    }

    fn transition(
        &mut self,
        process: usize,
        number: usize,
        state: &State,
        transition: &Transition,
        body: &mut Body,
    ) {
        let system = self.system;
        let mut guard = Value::Const(1);
        if number == system.processes[process].start {
            guard = both(guard, self.alive_of(process, &Value::Pid));
        }
        let resources: Vec<Cell> = transition.acquire.iter().map(|r| self.resource(*r)).collect();
        for resource in &resources {
            guard = both(guard, not(Value::Load(resource.clone())));
        }
        let mut text = Vec::new();
        if let Some(provided) = &transition.provided {
            guard = both(guard, self.truth(provided));
            text.push(format!("provided {}", self.text(provided.span)));
        }
        for constraint in &transition.when {
            guard = both(guard, self.truth(constraint));
            text.push(format!("when {}", self.text(constraint.span)));
        }
        let source = self.source(transition.span);
        let mut exit = self.next(process, transition.next, source, body);
        exit = self.block(&transition.body, exit, body);
        for resource in resources {
            let take = Action::Assign(Some(resource), Value::Const(1));
            let spot = body.builder.between(source);
            body.builder.edge(spot, self.draft(take, exit, source, "acquire"));
            exit = Exit { to: spot, atomic: true };
        }
        let timed = !transition.when.is_empty() || transition.deadline != Deadline::Eager;
        let mut label = Vec::new();
        if timed {
            label.push(Part::Silent);
        }
        let mut draft = Draft {
            statement: self.numbered(std::ptr::from_ref(transition) as usize),
            action: Action::Skip,
            exit,
            urgency: match transition.deadline {
                Deadline::Eager => Urgency::Eager,
                Deadline::Delayable => Urgency::Delayable,
                Deadline::Lazy => Urgency::Lazy,
            },
            resets: Vec::new(),
            source,
            text: String::new(),
            label,
        };
        let spot = Spot(number as u32);
        let Some(input) = &transition.input else {
            draft.text =
                if text.is_empty() { self.first_words(transition) } else { text.join(" ") };
            if guard != Value::Const(1) {
                draft.action = Action::Condition(guard);
            }
            body.builder.edge(spot, draft);
            return;
        };
        text.push(self.text(input.span));
        draft.text = text.join(" ");
        draft.source = self.source(input.span);
        self.environment_inputs(process, transition, &guard, &draft, body);
        // What nobody sends does not come.
        if !self.plan.buffered || !self.sent(input.signal) {
            return;
        }
        draft.action = self.receive(input.signal, &guard, Some(&input.places), state);
        let mut read = Vec::new();
        let parameters = system.signals[input.signal].parameters.iter().enumerate();
        for (place, (k, ty)) in input.places.iter().zip(parameters) {
            if !self.live.parameter(input.signal, k) {
                continue;
            }
            let cells = self.cells(place);
            read.extend(cells.into_iter().map(|(spot, _)| (Value::Load(spot), ty.clone())));
        }
        draft.label.push(Part::Input(input.signal, read));
        body.builder.edge(spot, draft);
    }

    /// The number of a statement or transition of the source, which may be on several edges.
    pub(super) fn numbered(&mut self, address: usize) -> u32 {
        let fresh = &mut self.model.statements;
        *self.numbers.entry(address).or_insert_with(|| {
            *fresh += 1;
            *fresh - 1
        })
    }

    /// Whether some process sends a signal.
    fn sent(&self, signal: usize) -> bool {
        let processes = self.system.processes.iter();
        let transitions = processes.flat_map(|p| &p.states).flat_map(|s| &s.transitions);
        transitions.into_iter().any(|t| super::statements::sends(&t.body, signal))
    }

    /// The words that stand for a transition without a guard.
    fn first_words(&self, transition: &Transition) -> String {
        let whole = self.text(transition.span);
        let first = whole.split(';').find(|s| !s.trim().starts_with("deadline")).unwrap_or("");
        first.trim().to_owned()
    }

    /// Takes a signal out of the buffer of a process, past what the state saves.
    fn receive(
        &mut self,
        signal: usize,
        guard: &Value,
        places: Option<&[crate::system::Place]>,
        state: &State,
    ) -> Action {
        let format = self.plan.format.clone();
        let tag = Value::Const(signal as i32 + 1);
        let wanted = match guard {
            Value::Const(1) => tag,
            // No signal has this number.
            guard => Value::Conditional(
                Box::new(guard.clone()),
                Box::new(tag),
                Box::new(Value::Const(-1)),
            ),
        };
        let mut pattern = vec![ReceiveArg::Ignore; format.fields.len()];
        pattern[0] = ReceiveArg::Match(wanted);
        if let Some(places) = places {
            let fields = &format.signals[signal];
            let mut cells = Vec::new();
            for place in places {
                cells.extend(self.cells(place).into_iter().map(|(spot, _)| spot));
            }
            for (field, spot) in fields.iter().zip(cells) {
                if let Some(field) = field {
                    pattern[*field] = ReceiveArg::Store(spot);
                }
            }
        }
        let saved: Vec<i32> = state.save.iter().map(|s| *s as i32 + 1).collect();
        Action::Receive {
            channel: channel(0, Value::Pid, self.plan.total),
            pattern,
            random: !saved.is_empty(),
            copy: false,
            saved,
        }
    }

    /// SDL's way with signals that a state neither takes nor saves.
    fn discard(&mut self, process: usize, spot: Spot, state: &State, body: &mut Body) {
        if !self.plan.buffered {
            return;
        }
        let source = self.source(state.span);
        for signal in 0..self.system.signals.len() {
            let taken = state.transitions.iter().filter_map(|t| t.input.as_ref());
            if state.save.contains(&signal) || taken.into_iter().any(|i| i.signal == signal) {
                continue;
            }
            let alive = if spot.0 as usize == self.system.processes[process].start {
                self.alive_of(process, &Value::Pid)
            } else {
                Value::Const(1)
            };
            let action = self.receive(signal, &alive, None, state);
            let text = format!("discard {}", self.system.signals[signal].name);
            let exit = Exit { to: spot, atomic: false };
            body.builder.edge(spot, self.draft(action, exit, source, &text));
        }
    }

    /// The edges along which a signal comes from the environment, with every value.
    fn environment_inputs(
        &mut self,
        process: usize,
        transition: &Transition,
        guard: &Value,
        draft: &Draft,
        body: &mut Body,
    ) {
        let Some(input) = &transition.input else { return };
        let routes = self.system.routes.iter();
        let open = routes.filter(|r| r.from.is_none() && r.to == Some(process));
        let comes = open.into_iter().any(|r| r.signals.contains(&input.signal));
        if !comes || self.choices.closed {
            return;
        }
        let types = self.types(Scalar::clock(1, 2));
        let parameters = &self.system.signals[input.signal].parameters;
        let mut domains: Vec<(i32, i32, Type)> = Vec::new();
        for (k, ty) in parameters.iter().enumerate() {
            for cell in types.cells(ty) {
                // What matters to nobody need not be tried.
                if !self.live.parameter(input.signal, k) {
                    domains.push((cell.initial, cell.initial, Type::Wrong));
                    continue;
                }
                let bounds = match (ty, cell.range, cell.ty.kind) {
                    (_, Some((low, high)), _) => {
                        (low, if self.choices.open_ranges { (high - 1).max(low) } else { high })
                    }
                    (_, None, isospin_model::Kind::Bool) => (0, 1),
                    (Type::Enum(e), ..) => {
                        (0, self.system.enumerations[*e].literals.len() as i32 - 1)
                    }
                    _ => {
                        let name = &self.system.signals[input.signal].name;
                        let message = format!(
                            "`{name}` comes from the environment, and its parameters have too many \
                             values to try them all"
                        );
                        let span = self.system.signals[input.signal].span;
                        let error = isospin_source::Diagnostic::error(span, message).help(
                            "give the parameter a range, or leave the environment silent \
                             (--closed), or let a process play it (--environment FILE)",
                        );
                        self.errors.push(error);
                        return;
                    }
                };
                domains.push((bounds.0, bounds.1, ty.clone()));
            }
        }
        let count = domains.iter().fold(1i64, |n, (low, high, _)| {
            n.saturating_mul(i64::from(*high) - i64::from(*low) + 1)
        });
        if count > MAX_VALUES as i64 {
            let message =
                format!("there are {count} values that could come from the environment: too many");
            self.error(input.span, message);
            return;
        }
        let mut cells = Vec::new();
        for place in &input.places {
            cells.extend(self.cells(place).into_iter().map(|(spot, _)| spot));
        }
        let spot = self.spot_of(transition, body, draft);
        let mut values: Vec<i32> = domains.iter().map(|d| d.0).collect();
        loop {
            let mut sequence = Sequence::new(draft.source, &draft.text);
            if *guard != Value::Const(1) || cells.is_empty() {
                sequence.then(match guard {
                    Value::Const(1) => Action::Skip,
                    guard => Action::Condition(guard.clone()),
                });
            }
            for (cell, value) in cells.iter().zip(&values) {
                sequence.then(Action::Assign(Some(cell.clone()), Value::Const(*value)));
            }
            let mut next = Draft { action: sequence.action(), ..draft.clone() };
            let tried = values.iter().zip(&domains).filter(|(_, d)| d.2 != Type::Wrong);
            let read = tried.map(|(v, d)| (Value::Const(*v), d.2.clone()));
            next.label.push(Part::Input(input.signal, read.collect()));
            let shown: Vec<String> = values.iter().map(i32::to_string).collect();
            next.text = format!("{} from env: {}", draft.text, shown.join(","));
            body.builder.edge(spot, next);
            let Some(k) = (0..values.len()).rev().find(|&k| values[k] < domains[k].1) else {
                return;
            };
            values[k] += 1;
            for later in k + 1..values.len() {
                values[later] = domains[later].0;
            }
        }
    }

    /// Where the transition that is being built starts.
    fn spot_of(&self, transition: &Transition, _: &Body, _: &Draft) -> Spot {
        let process = &self.system.processes[self.process.unwrap_or(0)];
        let at = process
            .states
            .iter()
            .position(|s| s.transitions.iter().any(|t| std::ptr::eq(t, transition)));
        Spot(at.unwrap_or(0) as u32)
    }

    pub(super) fn resource(&self, resource: usize) -> Cell {
        Cell {
            region: Region::Global,
            offset: self.plan.resources[resource],
            indices: Vec::new(),
            ty: Scalar::BYTE,
        }
    }

    /// Where a transition leads.
    fn next(&mut self, process: usize, next: Next, source: SourceRef, body: &mut Body) -> Exit {
        match next {
            Next::State(state) => {
                let unstable = self.system.processes[process].states[state].unstable;
                Exit { to: Spot(state as u32), atomic: unstable }
            }
            Next::Stop => {
                let spot = match body.stop {
                    Some(spot) => spot,
                    None => self.stopping(process, source, body),
                };
                Exit { to: spot, atomic: true }
            }
        }
    }

    /// The end of an instance: everything is again as it was before it started.
    fn stopping(&mut self, process: usize, source: SourceRef, body: &mut Body) -> Spot {
        let spot = body.builder.between(source);
        body.stop = Some(spot);
        let mut sequence = Sequence::new(source, "stop");
        self.clear(process, &Value::Pid, &mut sequence);
        let start = Spot(self.system.processes[process].start as u32);
        let exit = Exit { to: start, atomic: false };
        let mut draft = self.draft(sequence.action(), exit, source, "stop");
        draft.label.push(Part::Silent);
        body.builder.edge(spot, draft);
        spot
    }

    /// Everything that an instance has starts anew, and it is there no more.
    fn clear(&mut self, process: usize, pid: &Value, sequence: &mut Sequence) {
        let system = self.system;
        for (v, variable) in system.processes[process].variables.iter().enumerate() {
            let home = self.plan.homes[process][v].clone();
            let base = crate::system::Base::Local(v);
            let ty = variable.ty.clone();
            let place = crate::system::Place { base, path: Vec::new(), ty, span: variable.span };
            let (start, _, _) = self.locate(&place);
            for (offset, ty, value) in first_values(&self.types(home.clock), variable) {
                let cell = Cell { offset: start.offset + offset, ty, ..start.clone() };
                sequence.then(Action::Assign(Some(cell), Value::Const(value)));
            }
        }
        if self.plan.buffered {
            let fields = self.plan.format.fields.len();
            let here = sequence.next();
            sequence.node(vec![
                (
                    Action::Receive {
                        channel: channel(0, pid.clone(), self.plan.total),
                        pattern: vec![ReceiveArg::Ignore; fields],
                        random: false,
                        copy: false,
                        saved: Vec::new(),
                    },
                    Some(here),
                ),
                (Action::Skip, Some(here + 1)),
            ]);
        }
        if let Value::Load(alive) = self.alive(pid) {
            sequence.then(Action::Assign(Some(alive), Value::Const(0)));
        }
    }
}
