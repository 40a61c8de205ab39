//! The structure of a body between its syntax and its automaton: elements in sequences.
//!
//! The shape follows Spin's own so that locations, and with them states, come out one for one:
//! every statement is an element, a selection or loop is an element with option sequences that
//! end in a common joint, and jumps are elements that are seen through wherever atomicity allows.

use std::collections::{HashMap, HashSet};

use crate::symbols::LabelId;
use isospin_model::{Action, SourceRef};
use isospin_source::Name;

/// The number of an element.
pub(super) type ElementId = usize;
/// The number of a sequence.
pub(super) type SequenceId = usize;

/// Where a jump goes.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// To a label.
    Label(LabelId),
    /// Out of a loop.
    Break(usize),
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum ElementKind {
    /// One statement.
    Basic(Action),
    /// A jump.
    Goto(Target),
    /// Where the options of a selection, or the two parts of an `unless`, meet again; in a loop,
    /// the way back to its start.
    Joint,
    /// Where a loop is left to.
    LoopExit,
    /// `if`.
    If,
    /// `do`.
    Do,
    /// `unless`; its sequences are the main one and the escape.
    Unless,
    /// `atomic { }`.
    Atomic(SequenceId),
    /// `d_step { }`.
    DetStep(SequenceId),
    /// `{ }`.
    Block(SequenceId),
}

/// A statement, or a joint between statements.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub kind: ElementKind,
    /// Spin's number for the location before it.
    pub number: u32,
    pub next: Option<ElementId>,
    /// The options of a selection or loop; the two parts of an `unless`.
    pub options: Vec<SequenceId>,
    /// The escapes that cover it, the last attached first.
    pub escapes: Vec<SequenceId>,
    /// Inside an atomic sequence and not its last step.
    pub atomic: bool,
    /// The last step of an atomic sequence.
    pub last_atomic: bool,
    /// Inside a deterministic sequence.
    pub in_det_step: bool,
    pub source: SourceRef,
    pub text: String,
}

/// A run of elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element when the sequence was closed; joints come after it.
    pub extent: Option<ElementId>,
}

/// A label and the element that it stands at.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: Name,
    pub element: ElementId,
}

/// The elements of one body.
#[derive(Default)]
pub(super) struct Graph {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    pub labels: Vec<Label>,
    /// The position of the first label with each number.
    by_id: HashMap<LabelId, usize>,
    /// The elements that have or have had labels.
    labelled: HashSet<ElementId>,
    /// Where each loop is left to.
    pub exits: Vec<Option<ElementId>>,
    open: Vec<SequenceId>,
}

/// How a label's name makes its location special.
fn is_special(name: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|p| name.starts_with(p))
}

impl Graph {
    /// Starts a sequence; what is added goes there until it is closed.
    pub fn open(&mut self) -> SequenceId {
        self.sequences.push(Sequence::default());
        self.open.push(self.sequences.len() - 1);
        self.sequences.len() - 1
    }

    /// Ends the innermost sequence.
    pub fn close(&mut self) -> SequenceId {
        let seq = self.open.pop().expect("a sequence is open");
        self.sequences[seq].extent = self.sequences[seq].last;
        seq
    }

    /// A new element that stands nowhere yet.
    pub fn element(&mut self, kind: ElementKind, source: SourceRef, text: &str) -> ElementId {
        self.elements.push(Element {
            kind,
            number: self.elements.len() as u32 + 1,
            next: None,
            options: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            in_det_step: false,
            source,
            text: text.to_owned(),
        });
        self.elements.len() - 1
    }

    /// Appends an element to the innermost sequence.
    pub fn add(&mut self, el: ElementId) {
        let seq = *self.open.last().expect("a sequence is open");
        self.append(el, seq);
    }

    /// Appends an element to a sequence.
    pub fn append(&mut self, el: ElementId, seq: SequenceId) {
        // A jump is seen through, so a label that must be noticed gets a step of its own.
        let jump = matches!(self.elements[el].kind, ElementKind::Goto(_));
        if jump && self.labelled.contains(&el) {
            let special =
                self.labels.iter().rposition(|l| l.element == el && is_special(l.name.as_str()));
            if special.is_some() {
                let source = self.elements[el].source;
                let skip = self.element(ElementKind::Basic(Action::Skip), source, "skip");
                if let Some(label) = self.labels.iter().rposition(|l| l.element == el) {
                    self.labels[label].element = skip;
                    self.labelled.insert(skip);
                }
                self.append(skip, seq);
            }
        }
        match self.sequences[seq].last {
            None => self.sequences[seq].first = Some(el),
            Some(last) => self.elements[last].next = Some(el),
        }
        self.sequences[seq].last = Some(el);
    }

    /// Puts a label at an element.
    pub fn label(&mut self, id: LabelId, name: Name, element: ElementId) {
        self.by_id.entry(id).or_insert(self.labels.len());
        self.labelled.insert(element);
        self.labels.push(Label { name, element });
    }

    /// A selection or loop with these options, appended to the innermost sequence. `exit` is the
    /// loop's number. An `else` option moves to the end.
    pub fn selection(
        &mut self,
        exit: Option<usize>,
        mut options: Vec<SequenceId>,
        source: SourceRef,
    ) -> ElementId {
        let node = if exit.is_some() { ElementKind::Do } else { ElementKind::If };
        let (word, after) = if exit.is_some() { ("do", "od") } else { ("if", "fi") };
        let el = self.element(node, source, word);
        let joint = self.element(ElementKind::Joint, source, after);
        let is_else = |s: &SequenceId| {
            self.sequences[*s]
                .first
                .is_some_and(|e| matches!(self.elements[e].kind, ElementKind::Basic(Action::Else)))
        };
        if let Some(at) = options.iter().position(is_else) {
            let seq = options.remove(at);
            options.push(seq);
        }
        for &option in &options {
            self.append(joint, option);
        }
        self.elements[el].options = options;
        match exit {
            Some(exit) => {
                self.add(joint);
                let out = self.element(ElementKind::LoopExit, source, "break");
                self.exits[exit] = Some(out);
                self.add(el);
                self.add(out);
            }
            None => {
                self.add(el);
                self.add(joint);
            }
        }
        el
    }

    /// `main unless escape`, appended to the innermost sequence.
    pub fn unless(&mut self, main: SequenceId, escape: SequenceId, source: SourceRef) -> ElementId {
        let el = self.element(ElementKind::Unless, source, "unless");
        let joint = self.element(ElementKind::Joint, source, "unless");
        self.append(joint, main);
        self.append(joint, escape);
        self.elements[el].options = vec![main, escape];
        self.attach_escape(main, escape);
        self.add(el);
        self.add(joint);
        el
    }

    fn attach_escape(&mut self, seq: SequenceId, escape: SequenceId) {
        let mut at = self.sequences[seq].first;
        while let Some(el) = at {
            self.escape_element(el, escape);
            if Some(el) == self.sequences[seq].extent {
                break;
            }
            at = self.elements[el].next;
        }
    }

    /// Covers an element, what is inside it, and its inner escapes.
    fn escape_element(&mut self, el: ElementId, escape: SequenceId) {
        if self.elements[el].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[el].escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.elements[el].escapes.insert(0, escape);
        match self.elements[el].kind {
            ElementKind::Unless => self.attach_escape(self.elements[el].options[0], escape),
            ElementKind::If | ElementKind::Do => {
                for option in self.elements[el].options.clone() {
                    self.attach_escape(option, escape);
                }
            }
            // Only the guard of a deterministic sequence can be escaped from.
            ElementKind::DetStep(seq) => {
                if let Some(first) = self.sequences[seq].first {
                    self.escape_element(first, escape);
                }
            }
            ElementKind::Atomic(seq) | ElementKind::Block(seq) => self.attach_escape(seq, escape),
            _ => {}
        }
    }

    /// Makes a closed sequence atomic (or, with `det`, deterministic): every step keeps control
    /// but the last.
    pub fn make_atomic(&mut self, seq: SequenceId, det: bool) {
        self.mark_atomic(seq, det);
        let Some(last) = self.sequences[seq].last else {
            return;
        };
        match self.elements[last].kind {
            ElementKind::Block(inner) | ElementKind::Atomic(inner) => self.make_atomic(inner, det),
            ElementKind::Unless => {
                let main = self.elements[last].options[0];
                self.make_atomic(main, det);
            }
            _ => {
                self.elements[last].atomic = false;
                self.elements[last].last_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, seq: SequenceId, det: bool) {
        let mut at = self.sequences[seq].first;
        while let Some(el) = at {
            self.elements[el].atomic = true;
            self.elements[el].in_det_step |= det;
            // An atomic sequence inside another adds nothing; one can jump into it.
            match self.elements[el].kind {
                ElementKind::Atomic(inner) => {
                    self.elements[el].kind = ElementKind::Block(inner);
                    self.mark_atomic(inner, det);
                }
                ElementKind::DetStep(inner) if det => {
                    self.elements[el].kind = ElementKind::Block(inner);
                    self.mark_atomic(inner, det);
                }
                ElementKind::Block(inner) => self.mark_atomic(inner, det),
                _ => {}
            }
            for option in self.elements[el].options.clone() {
                self.mark_atomic(option, det);
            }
            if Some(el) == self.sequences[seq].last {
                break;
            }
            at = self.elements[el].next;
        }
    }

    /// Drops all but the first of successive unlabelled `skip`s in an option, as Spin does. A
    /// `printf` counts as a `skip` but is not dropped.
    pub fn prune_skips(&mut self, seq: SequenceId) {
        let mut run = 0;
        let mut before: Option<ElementId> = None;
        let mut at = self.sequences[seq].first;
        while let Some(el) = at {
            at = self.elements[el].next;
            let node = &self.elements[el].kind;
            let skip = matches!(node, ElementKind::Basic(Action::Skip));
            let print =
                matches!(node, ElementKind::Basic(Action::Print { .. } | Action::PrintSymbol(_)));
            if (skip || print) && !self.labelled.contains(&el) {
                run += 1;
                let s = &self.sequences[seq];
                let inner = Some(el) != s.first && Some(el) != s.last && Some(el) != s.extent;
                if run > 1 && skip && inner {
                    if let Some(before) = before {
                        self.elements[before].next = self.elements[el].next;
                        continue;
                    }
                }
            } else {
                run = 0;
            }
            before = Some(el);
        }
    }

    /// Where a jump goes, if its label is there.
    pub fn destination(&self, target: &Target) -> Option<ElementId> {
        match target {
            Target::Break(exit) => self.exits[*exit],
            Target::Label(id) => {
                let label = self.by_id.get(id)?;
                Some(self.labels[*label].element)
            }
        }
    }

    /// Links the last element of every block with what follows the block. Outer blocks, which are
    /// the younger elements, come first: what follows them follows their last inner block.
    pub fn tie_ends(&mut self) {
        for el in (0..self.elements.len()).rev() {
            if let ElementKind::Atomic(seq) | ElementKind::Block(seq) | ElementKind::DetStep(seq) =
                self.elements[el].kind
            {
                if let Some(last) = self.sequences[seq].last {
                    if self.elements[last].next.is_none() {
                        self.elements[last].next = self.elements[el].next;
                    }
                }
            }
        }
    }

    /// Settles the atomicity of jumps: one that leaves its atomic sequence ends it, and one from
    /// the end of a sequence into another keeps control.
    pub fn settle_jumps(&mut self) {
        for el in (0..self.elements.len()).rev() {
            if let ElementKind::Atomic(seq) | ElementKind::Block(seq) | ElementKind::DetStep(seq) =
                self.elements[el].kind
            {
                self.settle_jumps_in(seq);
            }
        }
    }

    fn settle_jumps_in(&mut self, seq: SequenceId) {
        let mut at = self.sequences[seq].first;
        while let Some(el) = at {
            if let ElementKind::Goto(target) = &self.elements[el].kind {
                if let Some(to) = self.destination(target) {
                    let inside = self.elements[to].atomic || self.elements[to].last_atomic;
                    let from = &mut self.elements[el];
                    if (from.atomic || from.last_atomic) && !inside {
                        from.atomic = false;
                        from.last_atomic = true;
                    }
                    if from.last_atomic && inside {
                        from.last_atomic = false;
                        from.atomic = true;
                    }
                }
            }
            for option in self.elements[el].options.clone() {
                self.settle_jumps_in(option);
            }
            if Some(el) == self.sequences[seq].extent {
                break;
            }
            at = self.elements[el].next;
        }
    }
}
