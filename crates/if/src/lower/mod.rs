//! From a system to a model.
//!
//! Process 0 of the model is the environment, whose number stands for `nil`. Instances of processes
//! follow, as many of each as there can be at once, and then instances of routes. An instance that
//! is not there stands where it starts, with everything as it starts, and cannot move. Variables
//! that others look at, parameters, buffers and what waits in routes belong to nobody.
//!
//! | file | what it does |
//! | --- | --- |
//! | `plan.rs` | who there is, how signals are written, which variables belong to nobody |
//! | `clocks.rs` | where clocks are cut off |
//! | `layout.rs` | where the parts of values lie |
//! | `expressions.rs` | expressions and places |
//! | `builder.rs` | automata while they are built |
//! | `processes.rs` | states and transitions |
//! | `statements.rs` | statements |
//! | `output.rs` | signals that are sent |
//! | `routes.rs` | routes |

mod builder;
mod clocks;
mod expressions;
mod layout;
mod output;
mod plan;
mod processes;
mod routes;
mod statements;

use std::collections::HashMap;

use isospin_model::{
    Activation, Automaton, ChannelInstance, ChannelTypeId, FrameLayout, Initializer, Layout, Model,
    MtypeSet, ProcKind, ProcType, ProcTypeId, Slot, SourceRef, Time, Urgency,
};
use isospin_source::{Diagnostic, SourceMap, Span};

use crate::labels::Part;
use crate::live::Live;
use crate::system::{Expr, System};
use builder::Builder;
pub(crate) use plan::Plan;

/// How a system is turned into a model.
#[derive(Clone, Copy, Debug)]
pub struct Choices {
    /// Whether the environment sends nothing.
    pub closed: bool,
    /// Whether a signal that a state neither takes nor saves is discarded, as in SDL.
    pub discard: bool,
    /// Whether what comes from the environment is never the upper end of a range.
    pub open_ranges: bool,
    /// How many signals a buffer or a route has room for.
    pub buffer: u16,
    /// How many instances there can be of a process that is started.
    pub instances: u16,
    /// Clocks are not cut off before this value.
    pub clock_bound: u16,
    /// Whether parameters of signals that matter to nobody are left out.
    pub slim: bool,
    /// Whether some process plays the environment.
    pub played: bool,
}

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            closed: false,
            discard: false,
            open_ranges: false,
            buffer: 8,
            instances: 16,
            clock_bound: 0,
            slim: false,
            played: false,
        }
    }
}

/// A model, and what its parts are called.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The model.
    pub model: Model,
    /// For each process type and each of its edges, what a step along it is called.
    pub labels: Vec<Vec<Vec<Part>>>,
    /// Who is who.
    pub(crate) plan: Plan,
}

/// Turns a system into a model.
pub fn lower(
    sources: &SourceMap,
    system: &System,
    choices: &Choices,
    live: &Live,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let plan = Plan::new(system, choices, live, &mut errors);
    let mut me = Lowering {
        sources,
        system,
        choices,
        live,
        plan,
        model: Model::default(),
        labels: Vec::new(),
        bound: Vec::new(),
        numbers: HashMap::new(),
        process: None,
        errors,
    };
    me.declare();
    if me.errors.is_empty() {
        me.automata();
        me.finish();
    }
    if me.errors.is_empty() {
        return Ok(Lowered { model: me.model, labels: me.labels, plan: me.plan });
    }
    Err(me.errors)
}

/// An expression of a property, as an observer of the model sees it.
pub fn observe(
    sources: &SourceMap,
    system: &System,
    lowered: &Lowered,
    expr: &Expr,
) -> isospin_model::Expr {
    let choices = Choices::default();
    let mut me = Lowering {
        sources,
        system,
        choices: &choices,
        live: &Live::all(),
        plan: lowered.plan.clone(),
        model: Model::default(),
        labels: Vec::new(),
        bound: Vec::new(),
        numbers: HashMap::new(),
        process: None,
        errors: Vec::new(),
    };
    me.truth(expr)
}

struct Lowering<'s> {
    sources: &'s SourceMap,
    system: &'s System,
    choices: &'s Choices,
    live: &'s Live,
    plan: Plan,
    model: Model,
    labels: Vec<Vec<Vec<Part>>>,
    /// The values of variables that are chosen freely.
    bound: Vec<i32>,
    /// The numbers of statements, by where they are in memory.
    numbers: HashMap<usize, u32>,
    /// The process whose automaton is being built.
    process: Option<usize>,
    errors: Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn source(&self, span: Span) -> SourceRef {
        let at = self.sources.location(span);
        let file = self.sources.file_index(span).unwrap_or(0) as u32;
        SourceRef { file, line: at.line as u32, column: at.column as u32 }
    }

    /// Text as written, in one line.
    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Globals, channels and types.
    fn declare(&mut self) {
        self.model.name.clone_from(&self.system.name);
        let files = self.sources.files().iter();
        self.model.files = files.map(|f| f.path().display().to_string()).collect();
        let signals = self.system.signals.iter().zip(1..);
        let members = signals.map(|(s, k)| (s.name.clone(), k)).collect();
        self.model.mtypes.push(MtypeSet { name: "signal".to_owned(), members });
        for enumeration in &self.system.enumerations {
            let members = enumeration.literals.iter().cloned().zip(0..).collect();
            self.model.mtypes.push(MtypeSet { name: enumeration.name.clone(), members });
        }
        let mut layout = Layout { process_count: 0, ..Layout::default() };
        let plan = &self.plan;
        layout.slots.clone_from(&plan.globals);
        let mut at = plan.globals_end;
        self.model.channel_types.clone_from(&plan.channel_types);
        for (name, ty) in &plan.channels {
            let ty = ChannelTypeId::at(*ty);
            layout.channels.push(ChannelInstance { name: name.clone(), ty, offset: at });
            at += self.model.channel_types[ty.index()].size();
        }
        layout.frames = at;
        self.model.layout = layout;
        self.model.initializers.clone_from(&plan.initializers);
    }

    fn automata(&mut self) {
        self.environment();
        for process in 0..self.system.processes.len() {
            self.process(process);
        }
        for route in 0..self.system.routes.len() {
            self.route(route);
        }
    }

    fn environment(&mut self) {
        let mut builder = Builder::default();
        let spot = builder.spot(Vec::new(), true, SourceRef::default());
        let (automaton, labels) = builder.build(spot);
        self.proctype("env", Vec::new(), Vec::new(), automaton, labels, SourceRef::default(), 1);
    }

    /// Adds a type of process, and so many processes of it.
    #[allow(clippy::too_many_arguments)]
    fn proctype(
        &mut self,
        name: &str,
        slots: Vec<Slot>,
        initializers: Vec<Initializer>,
        automaton: Automaton,
        labels: Vec<Vec<Part>>,
        source: SourceRef,
        count: u32,
    ) {
        let location_width = if automaton.locations.len() <= 256 { 1 } else { 2 };
        let end = slots.iter().flat_map(|s| {
            let width = s.ty.width();
            s.values().into_iter().map(move |(_, at)| at + width)
        });
        let size = end.max().unwrap_or(0).max(plan::FRAME);
        let proctype = ProcTypeId::at(self.model.proctypes.len());
        self.model.proctypes.push(ProcType {
            name: name.to_owned(),
            kind: ProcKind::Process,
            parameters: 0,
            frame: FrameLayout { location_width, slots, size, ..FrameLayout::default() },
            initializers,
            provided: None,
            deterministic: false,
            automaton,
            source,
        });
        self.labels.push(labels);
        let activation = Activation { proctype, priority: 1 };
        self.model.initial.extend((0..count).map(|_| activation.clone()));
    }

    fn finish(&mut self) {
        let names =
            (1..self.model.initial.len() as u32).map(|pid| self.plan.name(self.system, pid));
        self.model.process_names = ["env".to_owned()].into_iter().chain(names).collect();
        let model = &mut self.model;
        model.present = self.plan.alive;
        let lazy = |p: &ProcType| p.automaton.edges.iter().any(|e| e.urgency != Urgency::Eager);
        let time = Time::new(&model.layout, &model.proctypes);
        if time.open || model.proctypes.iter().any(lazy) {
            let conditions = std::mem::take(&mut self.plan.conditions);
            model.time = Some(Time { open: true, conditions, ..time });
        }
        for (k, proctype) in model.proctypes.iter().enumerate() {
            let frame = &proctype.frame;
            if proctype.automaton.locations.len() > 1 << 16 || k > 255 {
                let message = "the system is too large: a process has more than 65536 places";
                self.errors.push(Diagnostic::error(Span::NONE, message));
                return;
            }
            debug_assert!(frame.size >= 2);
        }
        let processes = model.initial.len();
        if processes > isospin_model::model::MAX_PROCESSES {
            let message = format!(
                "there are {processes} instances of processes and routes, and there can be 254"
            );
            self.errors.push(
                Diagnostic::error(Span::NONE, message)
                    .help("fewer instances of processes that are started: --instances N"),
            );
        }
        if model.layout.channels.len() > isospin_model::model::MAX_PROCESSES {
            let message = "there are more than 255 buffers";
            self.errors.push(
                Diagnostic::error(Span::NONE, message)
                    .help("fewer instances of processes that are started: --instances N"),
            );
        }
    }
}
