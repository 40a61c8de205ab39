//! System description files: a model in plain Promela, and beside it a file that says which of its
//! variables hold names. The way of SymmSpin [Bosnacki 2001, chapter 6, section 4.3].
//!
//! ```text
//! scalarset Pid[3];                 // a set of three names, 0 to 2
//! Pid turn;                         // a variable that holds one
//! byte flag[Pid];                   // an array that is indexed by them
//! chan link[Pid] of { byte, Pid };  // channels, and a field of their messages
//! proctype P(Pid me) { Pid other; } // parameters and local variables of a process type
//! ```
//!
//! A file says what to look at and nothing more: whether the names can change places is proved as
//! for any other model.

use isospin_model::{ChannelTypeId, Kind, Model, Scalarset, Slot, SourceRef};

/// What is wrong with a description, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

type Read<T> = Result<T, DescriptionError>;

/// Reads a description and declares in `model` what it says.
pub fn describe(model: &mut Model, text: &str) -> Read<()> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, model };
    while reader.peek().is_some() {
        reader.declaration(None)?;
    }
    model.retype_places();
    Ok(())
}

/// Words, numbers and signs, with their lines.
fn tokens(text: &str) -> Read<Vec<(String, u32)>> {
    let mut tokens: Vec<(String, u32)> = Vec::new();
    let mut chars = text.chars().peekable();
    let mut line = 1;
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '/' if chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|&c| c != '\n') {
                    chars.next();
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let opened = line;
                let (mut last, mut closed) = (' ', false);
                for c in chars.by_ref() {
                    line += u32::from(c == '\n');
                    closed = last == '*' && c == '/';
                    if closed {
                        break;
                    }
                    last = c;
                }
                if !closed {
                    let message = "this comment has no end: close it with `*/`".to_owned();
                    return Err(DescriptionError { line: opened, message });
                }
            }
            c if c.is_alphanumeric() || c == '_' => {
                let mut word = String::from(c);
                while let Some(&c) = chars.peek().filter(|c| c.is_alphanumeric() || **c == '_') {
                    word.push(c);
                    chars.next();
                }
                tokens.push((word, line));
            }
            c if c.is_whitespace() => {}
            c => tokens.push((c.to_string(), line)),
        }
    }
    Ok(tokens)
}

struct Reader<'m> {
    tokens: Vec<(String, u32)>,
    at: usize,
    model: &'m mut Model,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|t| t.0.as_str())
    }

    fn error<T>(&self, message: impl Into<String>) -> Read<T> {
        let last = self.tokens.len().saturating_sub(1);
        let line = self.tokens.get(self.at.min(last)).map_or(1, |t| t.1);
        Err(DescriptionError { line, message: message.into() })
    }

    fn eat(&mut self, sign: &str) -> bool {
        let there = self.peek() == Some(sign);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.eat(sign) {
            Ok(())
        } else {
            self.error(format!("`{sign}` is missing"))
        }
    }

    fn word(&mut self, what: &str) -> Read<String> {
        let word = self.peek().filter(|w| w.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let Some(word) = word.map(str::to_owned) else {
            return self.error(format!("{what} is missing"));
        };
        self.at += 1;
        Ok(word)
    }

    fn set(&self, name: &str) -> Option<u16> {
        self.model.scalarsets.iter().position(|s| s.name == name).map(|k| k as u16)
    }

    /// One declaration, of the model or of a process type.
    fn declaration(&mut self, ty: Option<usize>) -> Read<()> {
        let word = self.word("a declaration")?;
        match (word.as_str(), ty) {
            ("scalarset", None) => self.scalarset(),
            ("proctype", None) => self.proctype(),
            ("chan", _) => self.channel(ty),
            (word, _) => {
                let set = self.set(word);
                self.variable(ty, set)?;
                self.expect(";")
            }
        }
    }

    fn scalarset(&mut self) -> Read<()> {
        let name = self.word("the name of the set")?;
        self.expect("[")?;
        let size = self.peek().and_then(|s| s.parse().ok()).filter(|&n: &u8| n > 0);
        let Some(size) = size else { return self.error("a set has 1 to 255 names") };
        self.at += 1;
        self.expect("]")?;
        if self.set(&name).is_some() {
            return self.error(format!("`{name}` is there twice"));
        }
        self.model.scalarsets.push(Scalarset { name, size, source: SourceRef::default() });
        self.expect(";")
    }

    /// The rest of `type name[index]`.
    fn variable(&mut self, ty: Option<usize>, set: Option<u16>) -> Read<()> {
        let name = self.word("the name of a variable")?;
        self.index()?;
        let of = match ty {
            None => "the model".to_owned(),
            Some(ty) => format!("`{}`", self.model.proctypes[ty].name),
        };
        let slots = match ty {
            None => &mut self.model.layout.slots,
            Some(ty) => &mut self.model.proctypes[ty].frame.slots,
        };
        let (mut found, mut timer) = (false, false);
        for slot in slots.iter_mut().filter(|s| is_named(s, &name)) {
            found = true;
            if let Some(set) = set {
                timer |= slot.ty.kind == Kind::Timer;
                slot.ty.kind = Kind::Name(set);
            }
        }
        if timer {
            self.error(format!("`{name}` of {of} is a timer, which holds no names"))
        } else if found {
            Ok(())
        } else {
            self.error(format!("{of} has no variable `{name}`"))
        }
    }

    fn index(&mut self) -> Read<()> {
        while self.eat("[") {
            if self.peek().is_none() || self.eat("]") {
                return self.error("what indexes the array is missing");
            }
            self.at += 1;
            self.expect("]")?;
        }
        Ok(())
    }

    /// The rest of `chan name[index] of { type, ... };`
    fn channel(&mut self, ty: Option<usize>) -> Read<()> {
        let name = self.word("the name of a channel")?;
        self.index()?;
        let mut fields = Vec::new();
        if self.word("`of`")? != "of" {
            return self.error("`of` is missing");
        }
        self.expect("{")?;
        while !self.eat("}") {
            let field = self.word("the type of a field")?;
            fields.push(self.set(&field));
            self.eat(",");
        }
        self.expect(";")?;
        let Reader { model, .. } = self;
        let channels = match ty {
            None => &mut model.layout.channels,
            Some(ty) => &mut model.proctypes[ty].frame.channels,
        };
        let mut found = false;
        let is_it =
            |n: &str| n == name || n.strip_prefix(&name).is_some_and(|r| r.starts_with('['));
        for channel in channels.iter_mut().filter(|c| is_it(&c.name)) {
            found = true;
            // Channels of the same type may carry something else.
            let mut ty = model.channel_types[channel.ty.index()].clone();
            for (field, set) in ty.fields.iter_mut().zip(&fields) {
                if let Some(set) = set {
                    field.kind = Kind::Name(*set);
                }
            }
            let known = model.channel_types.iter().position(|t| *t == ty);
            channel.ty = ChannelTypeId::at(known.unwrap_or(model.channel_types.len()));
            if known.is_none() {
                model.channel_types.push(ty);
            }
        }
        if found {
            Ok(())
        } else {
            self.error(format!("there is no channel `{name}`"))
        }
    }

    /// The rest of `proctype P(Set parameter, ...) { declarations }`
    fn proctype(&mut self) -> Read<()> {
        let name = self.word("the name of a process type")?;
        let found = self.model.proctypes.iter().position(|p| p.name == name);
        let Some(ty) = found else {
            return self.error(format!("there is no process type `{name}`"));
        };
        if self.eat("(") {
            while !self.eat(")") {
                let word = self.word("the type of a parameter")?;
                let set = self.set(&word);
                self.variable(Some(ty), set)?;
                if !self.eat(",") {
                    self.eat(";");
                }
            }
        }
        if self.eat("{") {
            while !self.eat("}") {
                self.declaration(Some(ty))?;
            }
        }
        self.eat(";");
        Ok(())
    }
}

fn is_named(slot: &Slot, name: &str) -> bool {
    slot.path.first().is_some_and(|s| s.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::text;

    fn model() -> Model {
        let text = "byte turn bit flag[3] timer t = -1
            channel link[0] = [1] of { byte, byte } channel link[1] = [1] of { byte, byte }
            active [3] P
            process P() {
              byte other
              location 0 other = turn -> 1
              location 1 flag[other] = 1 -> 2
              location 2 send &link[turn] (1, other) -> 0
            }";
        text::read(text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_described_holds_names_wherever_it_is_used() {
        let mut model = model();
        let text = "scalarset Pid[3]; // a set\n Pid turn; byte flag[Pid];
            chan link[Pid] of { byte, Pid }; proctype P() { Pid other; }";
        describe(&mut model, text).expect("a description");
        assert_eq!(model.verify(), Ok(()));
        assert_eq!(model.layout.slots[0].ty.kind, Kind::Name(0));
        assert_eq!(model.layout.slots[1].ty.kind, Kind::Bool);
        assert_eq!(model.proctypes[0].frame.slots[0].ty.kind, Kind::Name(0));
        let fields = |ty: ChannelTypeId| &model.channel_types[ty.index()].fields;
        for channel in &model.layout.channels {
            let kinds: Vec<Kind> = fields(channel.ty).iter().map(|f| f.kind).collect();
            assert_eq!(kinds, [Kind::Number, Kind::Name(0)]);
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, message) in [
            ("scalarset Pid[0];", 1, "a set has 1 to 255 names"),
            ("scalarset A[2];\nscalarset A[3];", 2, "`A` is there twice"),
            ("scalarset A[2];\n\nA nothing;", 3, "the model has no variable `nothing`"),
            ("scalarset A[2]; A t;", 1, "`t` of the model is a timer, which holds no names"),
            ("\n/* proctype P() { }", 2, "this comment has no end: close it with `*/`"),
            ("/*/ proctype P() { }", 1, "this comment has no end: close it with `*/`"),
            ("/* \n */ proctype Q() { }", 2, "there is no process type `Q`"),
            ("chan nothing of { byte };", 1, "there is no channel `nothing`"),
            ("byte flag[];", 1, "what indexes the array is missing"),
            ("byte flag[3]", 1, "`;` is missing"),
        ] {
            let error = describe(&mut model(), text).expect_err(text);
            assert_eq!((error.line, error.message.as_str()), (line, message), "{text}");
        }
    }
}
