//! What `printf` and `printm` print, conversion by conversion as Spin does it.

use std::fmt::Write;

use isospin_model::{Expr, Kind};

use super::context::Context;
use crate::fault::RuntimeError;

impl Context<'_> {
    /// Fills the values into the format. Without somebody who listens, only the values are
    /// computed.
    pub fn print(&mut self, format: &str, args: &[Expr]) -> Result<(), RuntimeError> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(arg)?);
        }
        if self.messages.is_none() {
            return Ok(());
        }
        let mut text = String::new();
        let mut next = args.iter().zip(values);
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                text.push(c);
                continue;
            }
            let Some(conversion) = chars.next() else {
                break;
            };
            if conversion == '%' {
                text.push('%');
                continue;
            }
            let Some((arg, value)) = next.next() else {
                continue;
            };
            // Writing to a string cannot fail.
            let _ = match conversion {
                'c' => write!(text, "{}", value as u8 as char),
                'e' => write!(text, "{}", self.symbol(arg, value)),
                'o' => write!(text, "{value:o}"),
                'u' => write!(text, "{}", value as u32),
                'x' => write!(text, "{value:x}"),
                _ => write!(text, "{value}"),
            };
        }
        self.say(&text);
        Ok(())
    }

    /// Prints the name of a symbolic value.
    pub fn print_symbol(&mut self, arg: &Expr) -> Result<(), RuntimeError> {
        let value = self.eval(arg)?;
        let text = self.symbol(arg, value);
        self.say(&text);
        Ok(())
    }

    fn say(&mut self, text: &str) {
        if let Some(messages) = &mut self.messages {
            messages.push_str(text);
        }
    }

    /// The name of a value: of the set that its type says, or of any.
    fn symbol(&self, arg: &Expr, value: i32) -> String {
        let set = match arg {
            Expr::Load(place) => match place.ty.kind {
                Kind::Mtype(set) => Some(set),
                _ => None,
            },
            _ => None,
        };
        let name = match set {
            Some(set) => self.model.mtype_name(set, value),
            None => (0..self.model.mtypes.len() as u16)
                .find_map(|set| self.model.mtype_name(set, value)),
        };
        name.map_or_else(|| value.to_string(), str::to_owned)
    }
}
