//! The nearest name to one that is not there.

use strsim::osa_distance;

use crate::Diagnostic;

/// Names longer than this are nobody's slip of the finger, and take long to compare.
const MAX_LENGTH: usize = 100;

/// The candidate that the name was probably meant to be: the one that the fewest letters have to
/// be inserted, deleted, replaced or swapped for, if those are few.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    let distance = |c: &str| {
        let others = c.chars().count();
        if c.eq_ignore_ascii_case(name) {
            return Some(0);
        }
        if length > MAX_LENGTH || length.abs_diff(others) > limit {
            return None;
        }
        // Names of one letter resemble all others of one letter.
        Some(osa_distance(name, c)).filter(|d| *d <= limit && *d < length.max(others))
    };
    candidates
        .filter(|c| *c != name && !c.is_empty())
        .filter_map(|c| Some((distance(c)?, c)))
        .min()
        .map(|(_, c)| c)
}

impl Diagnostic {
    /// With the name as advice that was probably meant, if one of the candidates was.
    pub fn did_you_mean<'a>(self, name: &str, candidates: impl Iterator<Item = &'a str>) -> Self {
        match nearest(name, candidates) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn a_slip_of_the_finger_is_found_and_a_stranger_is_not() {
        let names = ["count", "channel", "x"];
        assert_eq!(nearest("cuont", names.into_iter()), Some("count"));
        assert_eq!(nearest("Count", names.into_iter()), Some("count"));
        assert_eq!(nearest("chanel", names.into_iter()), Some("channel"));
        assert_eq!(nearest("total", names.into_iter()), None);
        assert_eq!(nearest("y", names.into_iter()), None);
    }

    #[test]
    fn the_nearest_wins_and_the_first_of_equals_in_the_alphabet() {
        assert_eq!(nearest("turm", ["torn", "turn"].into_iter()), Some("turn"));
        assert_eq!(nearest("bat", ["hat", "cat"].into_iter()), Some("cat"));
    }

    #[test]
    fn advice_is_given_only_where_there_is_some() {
        let wrong = Diagnostic::error(Span::NONE, "wrong");
        let help = |name: &str| wrong.clone().did_you_mean(name, ["turn"].into_iter()).help;
        assert_eq!(help("trun").as_deref(), Some("did you mean `turn`?"));
        assert_eq!(help("flag"), None);
    }

    #[test]
    fn a_name_is_never_suggested_for_itself() {
        assert_eq!(nearest("turn", ["turn", ""].into_iter()), None);
    }
}
