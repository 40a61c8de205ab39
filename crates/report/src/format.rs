//! Numbers, sizes and durations for people; labels for graphs.

use std::time::Duration;

/// `1,234,567`.
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// The same for a number of any length that is written already.
pub fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `12.3 MB`, in steps of 1024.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{n} bytes"),
        _ if value < 10.0 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

/// `0.02 s`, `12.3 s`, `4 min 5 s`, `2 h 3 min`.
pub fn duration(d: Duration) -> String {
    let s = d.as_secs_f64();
    let whole = d.as_secs();
    match whole {
        0..10 => format!("{s:.2} s"),
        10..60 => format!("{s:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `1 step`, `2 steps`.
pub fn plural(n: u64, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{} {one}s", count(n)),
    }
}

/// What stands between quotes in a DOT graph.
pub fn dot_label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_quotes_and_lines() {
        assert_eq!(dot_label("printf(\"a\\n\")"), r#"printf(\"a\\n\")"#);
        assert_eq!(dot_label("1\nend"), "1\\nend");
    }

    #[test]
    fn numbers_sizes_and_durations_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(1536), "1.5 kB");
        assert_eq!(bytes(200 << 20), "200 MB");
        assert_eq!(duration(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(duration(Duration::from_secs(245)), "4 min 5 s");
        assert_eq!(plural(1, "step"), "1 step");
        assert_eq!(plural(2000, "step"), "2,000 steps");
    }
}
