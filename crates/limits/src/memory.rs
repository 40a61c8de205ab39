//! How much memory this program holds.

/// The bytes of memory that this program holds now, where the system says.
pub fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    resident_of(&status)
}

fn resident_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_speaks_in_kilobytes() {
        assert_eq!(resident_of("Name:\tx\nVmRSS:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(resident_of("Name:\tx\n"), None);
    }
}
