//! Steps, states and waiting processes as text.

use std::fmt::Write;

use isospin_machine::Fault;
use isospin_model::{Model, Pid, SourceRef};

use crate::blocked::{waits, Wait};
use crate::names::Names;
use crate::snapshot::{ProcessState, Snapshot, Variable};
use crate::story::{Part, Story};
use crate::style::Style;
use isospin_replay::Execution;

/// A statement longer than this is cut.
const MAX_STATEMENT: usize = 48;
/// An array longer than this is shortened.
const MAX_ELEMENTS: usize = 16;
/// No line of values is longer than this.
const MAX_LINE: usize = 96;

/// `line 12` in the model's own file; `file:12`, with the file's last name alone, in an included
/// one.
pub fn short_place(model: &Model, at: SourceRef) -> String {
    let file = model.files.get(at.file as usize).map_or("?", String::as_str);
    if file == model.name {
        return format!("line {}", at.line);
    }
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    format!("{name}:{}", at.line)
}

/// A text cut to `max` characters.
pub fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max - 1).chain(['…']).collect(),
    }
}

/// Tells steps one by one, in columns as wide as the model needs.
pub struct Narrator<'n> {
    names: &'n Names,
    style: Style,
    process_width: usize,
    place_width: usize,
}

impl<'n> Narrator<'n> {
    /// A narrator for the model of `names`.
    pub fn new(names: &'n Names, style: Style) -> Narrator<'n> {
        let model = &names.model;
        let longest = model.proctypes.iter().map(|p| p.name.len()).max();
        let places = model.proctypes.iter().flat_map(|p| &p.automaton.edges);
        let places = places.map(|e| short_place(model, e.source).len());
        Narrator {
            names,
            style,
            process_width: (longest.unwrap_or(0) + 4).min(24),
            place_width: places.max().unwrap_or(0).min(32),
        }
    }

    /// Process, place and statement of one part, in columns.
    pub fn part(&self, part: &Part) -> String {
        let process = format!("{:<1$}", part.process(), self.process_width);
        let place = part.pid.map(|_| short_place(&self.names.model, part.source));
        format!(
            "{}  {:<width$}  {}",
            self.style.process(part.pid, &process),
            place.unwrap_or_default(),
            cut(&part.text, MAX_STATEMENT),
            width = self.place_width,
        )
    }

    /// A step in a line, or two for a rendez-vous: who, where, what, and the new values.
    pub fn step(&self, story: &Story) -> String {
        let time = match self.names.model.time {
            Some(_) => format!("{:>6}  ", format!("@{}", story.time)),
            None => String::new(),
        };
        let mut lines = self.event(story);
        let room = time.chars().count();
        lines = lines.replace('\n', &format!("\n{:>5}  {:room$}", "", ""));
        format!("{:>5}  {time}{lines}", story.number)
    }

    /// The same without its number and time.
    pub fn event(&self, story: &Story) -> String {
        let mut line = self.part(&story.part);
        if story.timeout {
            line.push_str("  (timeout)");
        }
        if story.fault.is_some() {
            let _ = write!(line, "  {}", self.style.bad("✗ fails"));
        }
        if let Some(partner) = &story.partner {
            let _ = write!(line, "\n{}", self.part(partner));
        }
        let mut effects: Vec<String> =
            story.changes.iter().map(|c| c.line(story.part.pid)).collect();
        effects.extend(story.started.iter().map(|(pid, name)| format!("starts {name}[{pid}]")));
        if effects.len() > 8 {
            let more = effects.len() - 8;
            effects.truncate(8);
            effects.push(format!("and {more} more"));
        }
        if !effects.is_empty() {
            let _ =
                write!(line, "{}{}", self.style.dim("  → "), self.style.bold(&effects.join(", ")));
        }
        line
    }

    /// What is wrong with a step, as a sentence.
    pub fn fault(&self, story: &Story) -> Option<String> {
        fault_sentence(story.fault?, &story.part.text)
    }

    /// The state without its processes: globals and channels.
    pub fn values(&self, snapshot: &Snapshot) -> String {
        let mut out = String::new();
        for line in wrap(&assignments(&snapshot.globals)) {
            let _ = writeln!(out, "  {line}");
        }
        let (full, empty): (Vec<_>, Vec<_>) =
            snapshot.channels.iter().partition(|c| !c.texts.is_empty());
        for channel in full {
            let _ = writeln!(out, "  {} = {}", channel.name, channel.text());
        }
        if !empty.is_empty() {
            let names: Vec<&str> = empty.iter().map(|c| c.name.as_str()).collect();
            let more = match names.len().checked_sub(MAX_ELEMENTS) {
                None | Some(0) => String::new(),
                Some(n) => format!(" and {n} more"),
            };
            let names = &names[..names.len().min(MAX_ELEMENTS)];
            let _ = writeln!(out, "  empty: {}{more}", names.join(", "));
        }
        out
    }

    /// The whole state: globals, channels, processes with where they stand and their variables.
    pub fn state(&self, snapshot: &Snapshot) -> String {
        let mut out = self.values(snapshot);
        for process in snapshot.processes.iter().filter(|p| p.present) {
            let place = short_place(&self.names.model, process.source);
            let mut line =
                format!("  {}  at {:<width$}", self.name(process), place, width = self.place_width);
            if !process.labels.is_empty() {
                let _ = write!(line, "  {}:", process.labels.join(":"));
            }
            out.push_str(line.trim_end());
            self.locals(&mut out, process);
            out.push('\n');
        }
        out
    }

    fn name(&self, process: &ProcessState) -> String {
        let name = &process.name;
        let name = format!("{name:<0$}", self.process_width);
        self.style.process(Some(Pid::at(process.pid)), &name)
    }

    /// A process's variables, on its line if they fit, below it if not.
    fn locals(&self, out: &mut String, process: &ProcessState) {
        let locals = assignments(&process.locals);
        match locals.join("  ").chars().count() {
            0 => {}
            1..=40 => {
                let _ = write!(out, "  {}", locals.join("  "));
            }
            _ => {
                for line in wrap(&locals) {
                    let _ = write!(out, "\n      {line}");
                }
            }
        }
    }

    /// Who can move and who cannot, and why not.
    pub fn standing(&self, execution: &mut Execution, ready: &[Pid]) -> String {
        let state = execution.state().to_vec();
        let snapshot = Snapshot::read(self.names, &state);
        let mut out = String::new();
        for process in snapshot.processes.iter().filter(|p| p.present) {
            let name = self.name(process);
            let place = short_place(&self.names.model, process.source);
            if ready.contains(&Pid::at(process.pid)) {
                let _ = writeln!(out, "  {name}  can move, {place}");
                continue;
            }
            let holder = execution.control().filter(|c| ready.contains(c));
            if let Some(holder) = holder.and_then(|c| snapshot.processes.get(c.index())) {
                let _ =
                    writeln!(out, "  {name}  waits: {} is inside an atomic sequence", holder.name);
                continue;
            }
            let end = if process.may_end { " (a valid end)" } else { "" };
            let mut all = waits(self.names, execution.machine(), &state, process.pid);
            match all.pop() {
                Some(only) if all.is_empty() => {
                    let _ = write!(out, "  {name}  {}{end}", self.wait(&only));
                }
                last => {
                    let _ = write!(out, "  {name}  {place}{end}");
                    for wait in all.iter().chain(&last) {
                        let _ = write!(out, "\n      {}", self.wait(wait));
                    }
                }
            }
            self.locals(&mut out, process);
            out.push('\n');
        }
        out
    }

    fn wait(&self, wait: &Wait) -> String {
        format!(
            "{:<width$}  {}  {} {}",
            short_place(&self.names.model, wait.source),
            cut(&wait.text, MAX_STATEMENT),
            self.style.dim("—"),
            wait.reason,
            width = self.place_width
        )
    }
}

/// What is wrong, as a sentence without a full stop.
pub fn fault_sentence(fault: Fault, text: &str) -> Option<String> {
    Some(match fault {
        Fault::Assertion => format!("assertion violated: {text}"),
        Fault::Runtime(error) => format!("run-time error: {error}, in `{text}`"),
    })
}

/// Variables as `name = value`; the elements of an array together.
pub fn assignments(variables: &[Variable]) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = variables;
    while let Some((first, _)) = rest.split_first() {
        let base = array_base(&first.name);
        let count = match base {
            None => 1,
            Some(_) => rest.iter().take_while(|v| array_base(&v.name) == base).count(),
        };
        let (these, others) = rest.split_at(count);
        out.push(match base {
            None => format!("{} = {}", first.name, first.text),
            Some(base) => format!("{base} = {{{}}}", elements(these)),
        });
        rest = others;
    }
    out
}

/// `a` of `a[3]`: the last index alone is what elements of one array differ in.
fn array_base(name: &str) -> Option<&str> {
    name.strip_suffix(']')?.rsplit_once('[').map(|(b, _)| b)
}

fn elements(variables: &[Variable]) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut rest = variables;
    while let Some((first, _)) = rest.split_first() {
        let run = rest.iter().take_while(|v| v.text == first.text).count();
        match run {
            0..=4 => texts.extend(std::iter::repeat_n(first.text.clone(), run)),
            _ => texts.push(format!("{} ×{run}", first.text)),
        }
        rest = &rest[run..];
    }
    if texts.len() > MAX_ELEMENTS {
        texts.truncate(MAX_ELEMENTS);
        texts.push("…".to_owned());
    }
    texts.join(", ")
}

/// Puts items on lines that are not too long.
pub fn wrap(items: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + item.chars().count() < MAX_LINE => {
                line.push_str("  ");
                line.push_str(item);
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, take};

    fn variables(values: &[(&str, i32)]) -> Vec<Variable> {
        let variable = |(name, value): &(&str, i32)| Variable {
            name: (*name).to_owned(),
            value: (*value).into(),
            text: value.to_string(),
        };
        values.iter().map(variable).collect()
    }

    #[test]
    fn the_elements_of_an_array_stand_together() {
        let all = variables(&[("x", 1), ("a[0]", 2), ("a[1]", 3), ("b[0]", 0), ("y", 4)]);
        assert_eq!(assignments(&all), ["x = 1", "a = {2, 3}", "b = {0}", "y = 4"]);
    }

    #[test]
    fn long_arrays_are_shortened_and_equal_neighbours_counted() {
        let names: Vec<String> = (0..40).map(|i| format!("a[{i}]")).collect();
        let equal: Vec<(&str, i32)> = names.iter().map(|n| (n.as_str(), 0)).collect();
        assert_eq!(assignments(&variables(&equal)), ["a = {0 ×40}"]);
        let all: Vec<(&str, i32)> = names.iter().map(String::as_str).zip(0..).collect();
        assert!(assignments(&variables(&all))[0].ends_with("15, …}"));
    }

    #[test]
    fn the_elements_of_different_records_stay_apart() {
        let all = variables(&[("r[0].a[0]", 1), ("r[0].a[1]", 2), ("r[1].a[0]", 3)]);
        assert_eq!(assignments(&all), ["r[0].a = {1, 2}", "r[1].a = {3}"]);
    }

    #[test]
    fn a_place_names_its_file_only_where_it_is_included() {
        let model = Model {
            name: "m.pml".to_owned(),
            files: vec!["m.pml".to_owned(), "lib/common.h".to_owned()],
            ..Model::default()
        };
        let place = |file| SourceRef { file, line: 7, column: 3 };
        assert_eq!(short_place(&model, place(0)), "line 7");
        assert_eq!(short_place(&model, place(1)), "common.h:7");
        assert_eq!(short_place(&model, place(9)), "?:7");
    }

    #[test]
    fn a_step_shows_who_where_what_and_the_new_values() {
        let names = names(
            "chan c = [0] of { byte }; active proctype S() { c!5 }
            active proctype Receiver() { byte x; c?x; assert(x) }",
        );
        let story = take(&names, &mut start(&names), "c!5");
        let expected = "    1  S[0]          line 1  c!5\n       \
            Receiver[1]   line 2  c?x  → Receiver[1]:x = 5";
        assert_eq!(Narrator::new(&names, Style::Plain).step(&story), expected);
    }

    #[test]
    fn everybody_is_said_to_move_or_to_wait() {
        let names = names(
            "byte x; active proctype P() { x = 1; x == 0 }
            active proctype Q() { x > 3 }",
        );
        let mut execution = start(&names);
        let standing = Narrator::new(&names, Style::Plain).standing(&mut execution, &[Pid(0)]);
        let expected = "  P[0]   can move, line 1\n  Q[1]   line 2  x > 3  — is false (x = 0)\n";
        assert_eq!(standing, expected);
    }

    #[test]
    fn items_share_a_line_until_it_is_full() {
        let items: Vec<String> = (0..30).map(|i| format!("value{i} = {i}")).collect();
        let lines = wrap(&items);
        assert!(lines.len() > 1 && lines.iter().all(|l| l.chars().count() <= MAX_LINE + 1));
        assert_eq!(lines.join("  "), items.join("  "));
    }

    #[test]
    fn a_cut_text_says_so_and_counts_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
    }
}
