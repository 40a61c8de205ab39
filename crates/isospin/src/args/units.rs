//! Sizes, durations and numbers of threads as people write them.

use std::time::Duration;

/// `512M`, `4G`, `1.5GiB`, `100000`: bytes, in steps of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size; write it as in 512M or 4G");
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    let bytes = number * f64::from(shift).exp2();
    if bytes < 1.0 || bytes > u64::MAX as f64 {
        Err(wrong())
    } else {
        Ok(bytes as u64)
    }
}

/// `10s`, `5m`, `1h30m`, `250ms`; a number alone is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no duration; write it as in 10s, 5m or 1h30m");
    let mut rest = text;
    let mut total = 0.0;
    loop {
        let (number, tail) = split(rest).ok_or_else(wrong)?;
        let end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let seconds = match &tail[..end] {
            "" if rest.len() == text.len() => 1.0,
            "ms" => 0.001,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(wrong()),
        };
        total += number * seconds;
        rest = &tail[end..];
        if rest.is_empty() {
            return Duration::try_from_secs_f64(total).map_err(|_| wrong());
        }
    }
}

/// More threads than this are a mistake: where the system runs out of them, it ends the program.
const MAX_THREADS: usize = 1024;

/// How many threads search.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=MAX_THREADS) => Ok(n),
        _ => Err(format!("`{text}` is no number of threads; write one from 1 to {MAX_THREADS}")),
    }
}

/// The number at the start, and what follows it.
fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_in_steps_of_1024() {
        assert_eq!(size("100"), Ok(100));
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("2 kb"), Ok(2048));
        for wrong in ["", "M", "1Q", "-1", "1..2", "0", "99999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn there_is_at_least_one_thread_and_not_too_many() {
        assert_eq!(threads("1"), Ok(1));
        assert_eq!(threads("1024"), Ok(1024));
        for wrong in ["", "0", "-1", "1.5", "1025", "40000", "99999999999999999999"] {
            assert!(threads(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_add_up() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "1x", "1h30", "-1s", "1e99h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
