//! The nearest name to one that is not there.

/// The candidate that the name was probably meant to be.
pub(super) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .filter(|c| *c != name && !c.is_empty())
        .filter_map(|c| {
            let distance = if c.eq_ignore_ascii_case(name) { 0 } else { distance(name, c, limit)? };
            Some((distance, c))
        })
        // Names of one letter resemble all others of one letter.
        .filter(|(d, c)| *d < c.chars().count().max(name.chars().count()))
        .min()
        .map(|(_, c)| c)
}

/// How many letters to insert, delete, replace or swap, if at most `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > limit || a.len() > 100 {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    (last[b.len()] <= limit).then_some(last[b.len()])
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_finger_is_found_and_a_stranger_is_not() {
        let names = ["count", "channel", "x"];
        assert_eq!(nearest("cuont", names.into_iter()), Some("count"));
        assert_eq!(nearest("Count", names.into_iter()), Some("count"));
        assert_eq!(nearest("chanel", names.into_iter()), Some("channel"));
        assert_eq!(nearest("total", names.into_iter()), None);
        assert_eq!(nearest("y", names.into_iter()), None);
    }
}
