//! Groups, made of templates and of the values that tell which slots they touch.

use isospin_machine::Machine;
use isospin_model::{Action, EdgeId};

use crate::access::{Access, Known, Partner, Reader};
use crate::bits::Bits;
use crate::diagram::{Keep, List, Touch};
use crate::engine::{Engine, Halt};
use crate::group::{By, Group, Half, Role};

/// So many combinations of values have groups of their own; beyond, one group is for all.
const MOST_COMBINATIONS: usize = 300;

/// What a group is made of.
struct Parts<'p> {
    pid: usize,
    edges: &'p [EdgeId],
    partner: Partner,
    fixed: &'p [(usize, i32)],
    timeout: bool,
}

impl<M: Machine> Engine<'_, M> {
    /// Makes the groups of the templates whose highest level is `level`, as far as `list` needs
    /// them.
    pub(crate) fn discover(&mut self, s: usize, level: usize, list: List) -> Result<(), Halt> {
        for k in 0..self.groups[s].templates_at[level].len() {
            let template = self.groups[s].templates_at[level][k];
            self.discover_template(s, template, level, list)?;
        }
        Ok(())
    }

    /// The same for all templates; the first level of `list` is the first of all.
    pub(crate) fn discover_all(&mut self, s: usize, list: List) -> Result<(), Halt> {
        for template in 0..self.groups[s].templates.len() {
            self.discover_template(s, template, 0, list)?;
        }
        Ok(())
    }

    fn discover_template(
        &mut self,
        s: usize,
        t: usize,
        level: usize,
        list: List,
    ) -> Result<(), Halt> {
        let (space, template) = (&self.spaces[s], &mut self.groups[s].templates[t]);
        if self.wide {
            // Everything is looked at anyway.
            template.selectors.clear();
        }
        if template.met > MOST_COMBINATIONS || template.selectors.is_empty() && template.met > 0 {
            return Ok(());
        }
        let plan = match template.plan {
            Some(plan) => plan,
            None => {
                let mut keep = vec![Keep::No; space.levels()];
                if !self.anywhere {
                    keep[space.locations[template.pid]] = Keep::Equal(template.location.0);
                }
                template.selectors.iter().for_each(|&slot| keep[slot] = Keep::Yes);
                *template.plan.insert(self.lists.projection(&keep))
            }
        };
        let short = self.lists.project(list, plan, level)?;
        let new = self.lists.minus(short, template.seen)?;
        if new.is_empty() {
            return Ok(());
        }
        template.seen = self.lists.union(template.seen, new)?;
        let mut vectors = Vec::new();
        let mut each = self.lists.vectors(new);
        while let Some(vector) = each.next_vector().filter(|_| vectors.len() <= MOST_COMBINATIONS) {
            vectors.push(vector.to_vec());
        }
        template.met += vectors.len();
        let at = (space.locations[template.pid], template.location.0 as i32);
        if template.met > MOST_COMBINATIONS {
            return self.specialize(s, t, &[at]);
        }
        let selectors = template.selectors.clone();
        for vector in vectors {
            let told = selectors.iter().zip(&vector);
            let mut fixed: Vec<(usize, i32)> =
                told.map(|(&slot, &code)| (slot, self.values.value(code))).collect();
            fixed.retain(|(slot, _)| *slot != at.0);
            fixed.push(at);
            self.specialize(s, t, &fixed)?;
        }
        Ok(())
    }

    /// Makes what comes of a template where some slots have these values.
    fn specialize(&mut self, s: usize, t: usize, fixed: &[(usize, i32)]) -> Result<(), Halt> {
        let (space, template) = (&self.spaces[s], &self.groups[s].templates[t]);
        let (pid, location) = (template.pid, template.location);
        let (role, timeout, edges) = (template.role, template.timeout, template.edges.clone());
        let state = self.state_of(s, fixed);
        let known = known_slots(fixed, space.locations[pid]);
        let mut reader = Reader::new(&self.model, space, Known::Some(&known, &state));
        let rendezvous = |c: usize| space.channels[c].len.is_none();
        let half = match role {
            Role::Alone => None,
            Role::Sender => match reader.channel_of(pid, edges[0]) {
                Ok(Some(channel)) if rendezvous(channel) => Some(Some(vec![channel])),
                _ => None,
            },
            Role::Receiver => Some(reader.channels_of(pid, location)),
        };
        let Some(channels) = half else {
            let parts = Parts { pid, edges: &edges, partner: Partner::Anybody, fixed, timeout };
            return self.add_group(s, &parts);
        };
        if role == Role::Sender && self.may_fail(s, pid, edges[0]) {
            // What goes wrong before anybody is looked for who would receive.
            let parts = Parts { pid, edges: &edges, partner: Partner::Nobody, fixed, timeout };
            self.add_group(s, &parts)?;
        }
        let half = Half { template: t, fixed: fixed.to_vec(), channels };
        let groups = &mut self.groups[s];
        let others = match role {
            Role::Sender => {
                groups.senders.push(half.clone());
                groups.receivers.clone()
            }
            _ => {
                groups.receivers.push(half.clone());
                groups.senders.clone()
            }
        };
        for other in &others {
            let (sender, receiver) =
                if role == Role::Sender { (&half, other) } else { (other, &half) };
            self.join(s, sender, receiver)?;
        }
        Ok(())
    }

    /// Whether a send on a rendez-vous channel may go wrong by itself.
    fn may_fail(&self, s: usize, pid: usize, edge: EdgeId) -> bool {
        let automaton = &self.model.proctype(self.spaces[s].types[pid]).automaton;
        match &automaton.edges[edge.index()].action {
            Action::Send { args, .. } => {
                let fields = self.model.channel_types.iter().map(|ty| ty.fields.len());
                self.model.trace.is_some()
                    || args.iter().any(|arg| arg.may_fail())
                    || fields.into_iter().any(|fields| fields != args.len())
            }
            _ => true,
        }
    }

    /// Makes a group of two halves of a rendez-vous, if they fit.
    fn join(&mut self, s: usize, sender: &Half, receiver: &Half) -> Result<(), Halt> {
        let templates = &self.groups[s].templates;
        let (from, to) = (&templates[sender.template], &templates[receiver.template]);
        let fits = match (&sender.channels, &receiver.channels) {
            (Some(sent), Some(received)) => sent.iter().any(|c| received.contains(c)),
            _ => true,
        };
        let mut fixed = sender.fixed.clone();
        for &(slot, value) in &receiver.fixed {
            match fixed.iter().find(|(other, _)| *other == slot) {
                // They are never there at the same time.
                Some((_, other)) if *other != value => return Ok(()),
                Some(_) => {}
                None => fixed.push((slot, value)),
            }
        }
        if from.pid == to.pid || !fits {
            return Ok(());
        }
        let partner = Partner::This(to.pid, to.location);
        let edges = from.edges.clone();
        let parts = Parts { pid: from.pid, edges: &edges, partner, fixed: &fixed, timeout: false };
        self.add_group(s, &parts)
    }

    fn add_group(&mut self, s: usize, parts: &Parts) -> Result<(), Halt> {
        let space = &self.spaces[s];
        let partner = parts.partner;
        let read = |known: Known| {
            Reader::new(&self.model, space, known).steps(parts.pid, parts.edges, partner)
        };
        // What the steps themselves change tells nothing of where they go on.
        let mut known = known_slots(parts.fixed, space.locations[parts.pid]);
        read(Known::Nothing).writes.iter().for_each(|slot| known.remove(slot));
        let state = self.state_of(s, parts.fixed);
        let access = read(Known::Some(&known, &state));
        let by = By::Process { pid: parts.pid, edges: parts.edges.to_vec(), partner };
        let group = self.group(s, by, access, parts.fixed);
        self.enter_group(s, Group { timeout: parts.timeout, ..group });
        Ok(())
    }

    /// The group of the passing of time, where there are timers.
    pub(crate) fn add_ticks(&mut self, s: usize) {
        let Some(time) = &self.model.time else { return };
        let space = &self.spaces[s];
        let mut access = Reader::new(&self.model, space, Known::Nothing).tick();
        // A jump looks whether anybody can move.
        access.everything |= time.pace == isospin_model::time::Pace::Event;
        let group = self.group(s, By::Time, access, &[]);
        self.enter_group(s, group);
    }

    /// A group of which nothing has been learned.
    fn group(&mut self, s: usize, by: By, access: Access, fixed: &[(usize, i32)]) -> Group {
        let space = &self.spaces[s];
        let Access { mut reads, mut writes, everything, .. } = access;
        if everything || self.wide {
            reads = Bits::all(space.levels());
            writes = reads.clone();
        }
        for (slot, _) in fixed {
            reads.insert(*slot);
        }
        let mut keep = vec![Keep::No; space.levels()];
        let mut touch = vec![Touch::No; space.levels()];
        let mut domain = touch.clone();
        for slot in 0..space.levels() {
            touch[slot] = match (reads.has(slot), writes.has(slot)) {
                (false, false) => Touch::No,
                (true, false) => Touch::Read,
                (false, true) => Touch::Write,
                (true, true) => Touch::Both,
            };
            if reads.has(slot) {
                (keep[slot], domain[slot]) = (Keep::Yes, Touch::Read);
            }
        }
        for (slot, value) in fixed {
            keep[*slot] = Keep::Equal(self.values.code(*value));
        }
        let is_free = |slot: &usize| keep[*slot] == Keep::Yes;
        let touched: Vec<(usize, Touch)> =
            touch.iter().copied().enumerate().filter(|(_, t)| *t != Touch::No).collect();
        Group {
            by,
            timeout: false,
            fixed: fixed.to_vec(),
            read: reads.iter().filter(is_free).collect(),
            blind: touched.iter().any(|(_, t)| *t == Touch::Write),
            top: touched.first().map_or(0, |(slot, _)| *slot),
            touched,
            projection: self.lists.projection(&keep),
            relation_plan: self.lists.relation(&touch),
            domain_plan: self.lists.relation(&domain),
            seen: List::EMPTY,
            domain: List::EMPTY,
            relation: List::EMPTY,
            crossings: Vec::new(),
            failing: Default::default(),
        }
    }

    fn enter_group(&mut self, s: usize, group: Group) {
        let groups = &mut self.groups[s];
        let number = groups.groups.len();
        match (&group.by, group.timeout) {
            (By::Time, _) => groups.ticks.push(number),
            (_, true) => groups.waiting.push(number),
            _ => groups.groups_at[group.top].push(number),
        }
        groups.groups.push(group);
    }

    /// A state in which these slots have these values, and all others are 0.
    fn state_of(&self, s: usize, fixed: &[(usize, i32)]) -> Vec<u8> {
        let space = &self.spaces[s];
        let mut state = space.zero.clone();
        fixed.iter().for_each(|(slot, value)| space.store(&mut state, *slot, *value));
        state
    }
}

/// The slots with a value, but for where the process stands, which its steps change.
fn known_slots(fixed: &[(usize, i32)], location: usize) -> Bits {
    fixed.iter().map(|(slot, _)| *slot).filter(|slot| *slot != location).collect()
}
