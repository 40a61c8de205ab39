//! Processes, states and transitions.

use isospin_source::Span;

use super::ast::{Choice, Input, Item, Next, Process, State, Transition};
use super::lexer::Token;
use super::parser::{Parser, Read, Wrong};

/// Where a transition or a state may begin again after an error.
const STARTS: &[&str] = &[
    "state",
    "endstate",
    "endprocess",
    "deadline",
    "provided",
    "when",
    "input",
    "save",
    "tpc",
    "process",
    "endsystem",
];

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Read<Process> {
        self.advance();
        let name = self.ident("the process's name")?;
        let count = self.count()?;
        self.semicolon();
        let parameters = self.parameters()?;
        let mut items = Vec::new();
        while *self.peek() != Token::End && !self.is_word("endprocess") {
            match self.process_item() {
                Ok(item) => items.push(item),
                Err(_) if self.is_word("process") || self.is_word("endsystem") => {
                    return Ok(Process { name, count, parameters, items });
                }
                Err(_) => self.go_on(),
            }
        }
        self.expect_word("endprocess")?;
        self.semicolon();
        Ok(Process { name, count, parameters, items })
    }

    fn process_item(&mut self) -> Read<Item> {
        let Token::Word(word) = self.peek().clone() else {
            return Err(self.expected("a declaration, a state or `endprocess`"));
        };
        match word.as_str() {
            "const" => self.constant(),
            "type" => self.type_declaration(),
            "var" => self.variable(),
            "procedure" => self.procedure(),
            "state" => self.state().map(Item::State),
            _ => Err(self.expected(
                "a declaration of a process: `const`, `type`, `var`, `procedure`, `state` or \
                 `endprocess`",
            )),
        }
    }

    fn state(&mut self) -> Read<State> {
        self.nested(Self::state_here)
    }

    fn state_here(&mut self) -> Read<State> {
        self.expect_word("state")?;
        let name = self.ident("the state's name")?;
        let options = self.options();
        self.semicolon();
        let mut state = State {
            name,
            options,
            tpc: Vec::new(),
            save: Vec::new(),
            states: Vec::new(),
            transitions: Vec::new(),
        };
        while *self.peek() != Token::End && !self.is_word("endstate") {
            if self.part_of_state(&mut state).is_err() {
                if self.is_word("endprocess")
                    || self.is_word("process")
                    || self.is_word("endsystem")
                {
                    return Err(Wrong);
                }
                let stuck = self.span();
                self.recover(STARTS);
                if self.span() == stuck {
                    self.advance();
                }
            }
        }
        self.expect_word("endstate")?;
        self.semicolon();
        Ok(state)
    }

    fn part_of_state(&mut self, state: &mut State) -> Read<()> {
        if self.is_word("state") {
            state.states.push(self.state()?);
        } else if self.accept_word("tpc") {
            state.tpc.push(self.comparison()?);
            while self.accept_word("and") {
                state.tpc.push(self.comparison()?);
            }
            self.semicolon();
        } else if self.accept_word("save") {
            state.save.extend(self.idents("a signal")?);
            self.semicolon();
        } else {
            state.transitions.push(self.transition()?);
        }
        Ok(())
    }

    fn transition(&mut self) -> Read<Transition> {
        let start = self.span();
        let mut transition = Transition {
            span: start,
            choices: Vec::new(),
            deadline: None,
            priority: None,
            acquire: Vec::new(),
            provided: None,
            when: Vec::new(),
            input: None,
            body: Vec::new(),
            next: Next::Same(Span::NONE),
        };
        while self.is_word("exists") || self.is_word("forall") {
            let all = self.is_word("forall");
            self.advance();
            let name = self.ident("a variable")?;
            let ty = self.ty()?;
            self.expect(":")?;
            transition.choices.push(Choice { all, name, ty });
        }
        self.guards(&mut transition)?;
        transition.body = self.statements(&["nextstate", "stop"])?;
        let at = self.span();
        transition.next = if self.accept_word("stop") {
            Next::Stop(at)
        } else {
            self.expect_word("nextstate")?;
            if self.accept("-") {
                Next::Same(at)
            } else {
                Next::State(self.ident("a state or `-`")?)
            }
        };
        transition.span = self.since(start);
        self.semicolon();
        Ok(transition)
    }

    fn guards(&mut self, transition: &mut Transition) -> Read<()> {
        loop {
            let at = self.span();
            if self.accept_word("deadline") {
                transition.deadline = Some(self.ident("`eager`, `delayable` or `lazy`")?);
                self.semicolon();
            } else if self.accept_word("priority") {
                self.expr()?;
                transition.priority = Some(self.since(at));
                self.semicolon();
            } else if self.accept_word("acquire") {
                transition.acquire.extend(self.idents("a resource")?);
                self.semicolon();
            } else if self.accept_word("provided") {
                transition.provided = Some(self.expr()?);
                self.semicolon();
            } else if self.accept_word("when") {
                transition.when.push(self.comparison()?);
                while self.accept_word("and") {
                    transition.when.push(self.comparison()?);
                }
                self.semicolon();
            } else if self.accept_word("input") {
                transition.input = Some(self.input(at)?);
                self.semicolon();
            } else {
                return Ok(());
            }
        }
    }

    fn input(&mut self, start: Span) -> Read<Input> {
        let signal = self.ident("a signal")?;
        let mut places = Vec::new();
        if self.accept("(") && !self.accept(")") {
            places.push(self.operand()?);
            while self.accept(",") {
                places.push(self.operand()?);
            }
            self.expect(")")?;
        }
        Ok(Input { signal, places, span: self.since(start) })
    }
}
