//! `isospin show graph`: the graph of all states.

use std::fmt::Write;
use std::sync::Arc;

use isospin_analysis::{optimize, Optimizations};
use isospin_machine::{Interpreter, Step};
use isospin_model::time::Pace;
use isospin_model::Model;
use isospin_replay::graph::{graph as walk, Graph, Naming};
use isospin_report::Names;

use crate::args::{GraphArgs, GraphFormat};
use crate::failure::Failure;
use crate::intermediate::{self, Words};
use crate::load::load;
use crate::output::say;

/// The graph as text.
pub fn graph(args: &GraphArgs) -> Result<String, Failure> {
    let start = |error| Failure::new(format_args!("the model cannot start: {error}"));
    let found = if intermediate::is_if(&args.model, &args.reading) {
        let mut reading = args.reading.clone();
        reading.intermediate.slim = args.optimized;
        let read = intermediate::load(&args.model, &reading, &[], &mut |_| Ok(()))?;
        let model = prepared(&read.loaded.model, args.optimized);
        let mut found = walk(&model, args.states, &mut Words { read: &read }).map_err(start)?;
        // Nothing more can happen, however much time passes.
        let ends = found.ends.iter().map(|end| (*end, "{time}0 t/oo ".to_owned(), *end));
        found.edges.extend(ends);
        found
    } else {
        let model = prepared(&load(&args.model, &args.reading)?.model, args.optimized);
        let names = Names::new(Arc::clone(&model));
        walk(&model, args.states, &mut Statements { names: &names }).map_err(start)?
    };
    if found.cut {
        say(&format!("note: there are more than {} states (--states N)\n", args.states));
    }
    Ok(match args.format {
        GraphFormat::Aut => aut(found),
        GraphFormat::Dot => dot(&found),
    })
}

/// The model with its time passing at once to where something can happen.
fn prepared(model: &Arc<Model>, optimized: bool) -> Arc<Model> {
    let mut model = Arc::clone(model);
    let inner = Arc::make_mut(&mut model);
    if optimized {
        optimize(inner, &[], Optimizations { merge: false, ..Optimizations::ALL });
    }
    if let Some(time) = inner.time.as_mut().filter(|t| t.open) {
        time.pace = Pace::Event;
    }
    model
}

fn aut(mut graph: Graph) -> String {
    graph.edges.sort_by_key(|e| e.0);
    let mut out = format!("des(0,{},{})\n", graph.edges.len(), graph.states);
    for (from, words, to) in &graph.edges {
        let _ = writeln!(out, "({from},\"{}\",{to})", words.replace('"', "'"));
    }
    out
}

fn dot(graph: &Graph) -> String {
    let mut out = String::from("digraph states {\n  node [shape=circle];\n");
    for (from, words, to) in &graph.edges {
        let words = words.trim_end().replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  {from} -> {to} [label=\"{words}\"];");
    }
    out + "}\n"
}

/// The statements of a model as they are written.
struct Statements<'n> {
    names: &'n Names,
}

impl Naming for Statements<'_> {
    fn step(&mut self, _: &mut Interpreter, before: &[u8], step: Step, _: &[u8]) -> String {
        let Step::Process(by) = step else { return "time ".to_owned() };
        let mut shape = isospin_model::Shape::default();
        shape.read(&self.names.model, before);
        let mut words = String::new();
        let partner = by.partner.map(|p| (p.pid, p.edge));
        for (pid, edge) in [(by.pid, by.edge)].into_iter().chain(partner) {
            let Some(&(ty, _)) = shape.frames.get(pid.index()) else { continue };
            let edges = &self.names.model.proctype(ty).automaton.edges;
            let text = edges.get(edge.index()).map_or("", |e| e.text.as_str());
            let _ = write!(words, "{} {text} ", self.names.process(ty, pid.index()));
        }
        words
    }

    fn whole(&mut self, words: &str, _: Step) -> String {
        words.to_owned()
    }
}
