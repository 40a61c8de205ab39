//! Text into a model.
//!
//! A text is read twice. The first time finds out what is declared, so that everything can be given
//! its place in the state vector; the second time knows it, so that names can be resolved whatever
//! the order of the text.

mod action;
mod cursor;
mod declare;
mod expr;
mod layout;
mod place;
mod process;
mod property;

use super::lex::{tokens, Placed};
use super::write::flags;
use super::TextError;
use crate::action::Action;
use crate::expr::Expr;
use crate::ids::ProcTypeId;
use crate::model::{Activation, Features, Model};
use crate::time::{Condition, Pace, Time};
use layout::Declared;

/// The model that a text describes. The text of [`write()`](super::write()) gives the model that was
/// written.
pub fn read(text: &str) -> Result<Model, TextError> {
    let tokens = tokens(text)?;
    let mut first = Reader::new(text, &tokens, None);
    first.model()?;
    let known = first.finish();
    let mut second = Reader::new(text, &tokens, Some(&known));
    second.model()?;
    Ok(second.finish())
}

/// Who evaluates an expression: a process of this type, or nobody in particular.
type Scope = Option<usize>;

/// A text that is being read.
struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Placed],
    at: usize,
    /// What the first reading has found; `None` during it, and then no name is resolved.
    known: Option<&'t Model>,
    model: Model,
    globals: Declared,
    frames: Vec<Declared>,
    /// What the model makes use of, if the text says so.
    uses: Option<Features>,
    /// How many statements there are, if the text says so.
    statements: Option<u32>,
    /// The number of the next statement that does not say its own.
    statements_read: u32,
    /// How time passes, if the text says so.
    time: Option<(Pace, bool, bool)>,
    /// What time passes under.
    conditions: Vec<Condition>,
    /// How deep the expression at hand is nested.
    depth: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, tokens: &'t [Placed], known: Option<&'t Model>) -> Reader<'t> {
        Reader {
            text,
            tokens,
            at: 0,
            known,
            model: Model::default(),
            globals: Declared::default(),
            frames: Vec::new(),
            uses: None,
            statements: None,
            statements_read: 0,
            time: None,
            conditions: Vec::new(),
            depth: 0,
        }
    }

    fn model(&mut self) -> Result<(), TextError> {
        if self.accept_word("model") {
            self.model.name = self.accept_string().map_or_else(|| self.word(), Ok)?;
        }
        while !self.is_at_end() {
            self.item()?;
        }
        Ok(())
    }

    fn item(&mut self) -> Result<(), TextError> {
        let start = self.here();
        match self.word()?.as_str() {
            "files" => {
                self.model.files = self.comma_separated(Self::string)?;
            }
            "mtype" if self.is_mtype_set() => self.mtype_set()?,
            "scalarset" => self.scalarset()?,
            "channels" => {
                let ty = self.contents()?;
                self.model.channel_types.push(ty);
            }
            "vector" => self.vector()?,
            "channel" => self.channel(None)?,
            "initially" => {
                let init = self.initializer(None)?;
                self.model.initializers.push(init);
            }
            "active" => self.active()?,
            "initial" => {
                self.expect_word("process")?;
                self.process(true)?;
            }
            "process" => self.process(false)?,
            "never" => self.never()?,
            "trace" => self.trace(false)?,
            "notrace" => self.trace(true)?,
            "ltl" => self.ltl()?,
            "exclusive" => self.exclusive()?,
            "cluster" => self.cluster()?,
            "time" => self.time()?,
            "while" => {
                let proctype = self.proctype()?;
                self.expect("@")?;
                let location = self.target(proctype)?;
                let holds = self.expr(Some(proctype))?;
                let proctype = ProcTypeId::at(proctype);
                self.conditions.push(Condition { proctype, location, holds });
            }
            "present" => self.model.present = Some(self.number()?),
            "names" => {
                self.model.process_names = self.comma_separated(Self::string)?;
            }
            "uses" => self.uses()?,
            "statements" => self.statements = Some(self.number()?),
            "hidden" => self.variable(None, true)?,
            _ => {
                self.back_to(start);
                self.variable(None, false)?;
            }
        }
        Ok(())
    }

    fn active(&mut self) -> Result<(), TextError> {
        let count: u8 = if self.accept("[") {
            let count = self.number()?;
            self.expect("]")?;
            count
        } else {
            1
        };
        let proctype = ProcTypeId::at(self.proctype()?);
        let priority = if self.accept_word("priority") { self.number()? } else { 1 };
        for _ in 0..count {
            self.model.initial.push(Activation { proctype, priority });
        }
        Ok(())
    }

    fn time(&mut self) -> Result<(), TextError> {
        let paces = [Pace::Tick, Pace::Expiry, Pace::Event, Pace::Abstract];
        for pace in paces {
            if self.accept_word(super::write::pace(pace)) {
                let watched = self.accept_word("watched");
                self.time = Some((pace, watched, self.accept_word("open")));
                return Ok(());
            }
        }
        Err(self.unexpected("`tick`, `expiry`, `event` or `abstract`"))
    }

    fn uses(&mut self) -> Result<(), TextError> {
        let mut features = Features::default();
        if !self.accept_word("none") {
            loop {
                let start = self.here();
                let word = self.word()?;
                let mut flags = flags(&mut features);
                match flags.iter_mut().find(|f| f.0 == word) {
                    Some(flag) => *flag.1 = true,
                    None => return Err(self.error_at(start, format!("`{word}` is no feature"))),
                }
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.uses = Some(features);
        Ok(())
    }

    /// The model, with everything in its place.
    fn finish(self) -> Model {
        let mut model = self.model;
        model.features = self.uses.unwrap_or_else(|| features_of(&model));
        model.statements = self.statements.unwrap_or(self.statements_read);
        model.layout = self.globals.globals(&model);
        for (k, declared) in self.frames.iter().enumerate() {
            model.proctypes[k].frame = declared.frame(&model, k);
        }
        model.time = Time::of(&model.layout, &model.proctypes);
        if let Some((pace, watched, open)) = self.time {
            if open && model.time.is_none() {
                model.time = Some(Time::new(&model.layout, &model.proctypes));
            }
            if let Some(time) = &mut model.time {
                (time.pace, time.watched, time.open) = (pace, watched, open);
                time.conditions = self.conditions;
            }
        }
        model
    }
}

/// What a model makes use of.
fn features_of(model: &Model) -> Features {
    let mut features = Features {
        priorities: model.initial.iter().any(|a| a.priority != 1),
        provided: model.proctypes.iter().any(|p| p.provided.is_some()),
        rendezvous: model.channel_types.iter().any(|t| t.capacity == 0),
        ..Features::default()
    };
    let mut look = |expr: &Expr| match expr {
        Expr::Last => features.last = true,
        Expr::Enabled(_) => features.enabled = true,
        Expr::Priority(_) => features.priorities = true,
        Expr::Run { priority, .. } => features.priorities |= *priority != 1,
        _ => {}
    };
    for edge in model.proctypes.iter().chain(&model.claims).flat_map(|p| &p.automaton.edges) {
        edge.action.walk(&mut look);
    }
    for proctype in &model.proctypes {
        proctype.provided.iter().for_each(|e| e.walk(&mut look));
        proctype.initializers.iter().for_each(|i| i.value.walk(&mut look));
    }
    for formula in &model.formulas {
        formula.temporal.for_each_atom(&mut |atom| atom.walk(&mut look));
    }
    for edge in model.proctypes.iter().flat_map(|p| &p.automaton.edges) {
        features.escapes |= edge.escape != 0;
        let steps = match &edge.action {
            Action::DetStep(step) => step.nodes.iter().flat_map(|n| &n.edges).collect(),
            _ => Vec::new(),
        };
        let inner = steps.iter().map(|e| &e.action);
        let mut all = std::iter::once(&edge.action).chain(inner);
        features.priorities |= all.any(|a| matches!(a, Action::SetPriority { .. }));
    }
    features
}
