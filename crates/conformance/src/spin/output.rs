//! What `pan` prints, read.

/// The result of a run of `pan`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// States stored.
    pub states: u64,
    /// Arrivals at a state that was stored before.
    pub matched: u64,
    /// Stored and matched together.
    pub transitions: u64,
    /// Errors, as many as were counted.
    pub errors: u64,
    /// The first error, without the depth.
    pub first_error: Option<String>,
    /// The length of the longest path.
    pub depth: u64,
    /// Whether paths were cut off.
    pub truncated: bool,
}

impl Run {
    /// Reads the statistics; `None` when they are not there.
    pub fn parse(text: &str) -> Option<Run> {
        let mut run = Run::default();
        let mut seen = false;
        for line in text.lines() {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix("State-vector ") {
                run.depth = between(rest, "depth reached ", ",")?.parse().ok()?;
                run.errors = between(rest, "errors: ", " ")?.parse().ok()?;
                seen = true;
            } else if let Some(number) = before(line, " states, stored") {
                run.states = number;
            } else if let Some(number) = before(line, " states, matched") {
                run.matched = number;
            } else if let Some(number) = before(line, " transitions (=") {
                run.transitions = number;
            } else if line.contains("max search depth too small") {
                run.truncated = true;
            } else if line.starts_with("pan:") && line.contains("(at depth") {
                let message = line.split_once(": ").map_or(line, |(_, m)| m);
                let message = message.split(" (at depth").next().unwrap_or(message);
                run.first_error.get_or_insert(message.to_owned());
            }
        }
        seen.then_some(run)
    }
}

/// The number in front of `unit`.
fn before(line: &str, unit: &str) -> Option<u64> {
    line.split_once(unit)?.0.trim().parse().ok()
}

/// What stands between two words; the second may be missing.
fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    let rest = text.split_once(from)?.1;
    Some(rest.split_once(to).map_or(rest, |(inside, _)| inside).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read() {
        let text = "pan:1: assertion violated (x==1) (at depth 12)\n\
                    error: max search depth too small\n\
                    State-vector 156 byte, depth reached 1023, errors: 3\n\
                    \x20    1594 states, stored\n\
                    \x20    1516 states, matched\n\
                    \x20    3110 transitions (= stored+matched)\n";
        let run = Run::parse(text).expect("statistics");
        assert_eq!((run.states, run.matched, run.transitions), (1594, 1516, 3110));
        assert_eq!((run.errors, run.depth, run.truncated), (3, 1023, true));
        assert_eq!(run.first_error.as_deref(), Some("assertion violated (x==1)"));
    }

    #[test]
    fn a_crash_has_no_statistics() {
        assert_eq!(Run::parse("Segmentation fault"), None);
    }
}
