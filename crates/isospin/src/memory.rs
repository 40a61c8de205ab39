//! How much memory there is to take.
//!
//! A control group limits what its processes take together, and so does every group around it.
//! There are two versions of them: in version 2 `/proc/self/cgroup` has one line
//! `0::/path` and the files are below `/sys/fs/cgroup`; in version 1 the line that names the
//! controller `memory` counts, and the files are below `/sys/fs/cgroup/memory`.

use std::fs;
use std::path::Path;

/// Nine tenths of what is available to this process, where the system says.
pub fn default_limit() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = left_in_groups(&groups, &|path| fs::read_to_string(path).ok());
    let process = fs::read_to_string("/proc/self/limits").ok().and_then(|limits| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        left_in_address_space(&limits, &status)
    });
    let least = [machine, group, process].into_iter().flatten().min()?;
    Some(least / 10 * 9)
}

/// How much this process may still map, where that is limited (`ulimit -v`).
fn left_in_address_space(limits: &str, status: &str) -> Option<u64> {
    let line = limits.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let mapped = status.lines().find_map(|l| l.strip_prefix("VmSize:"));
    let mapped: u64 = mapped.and_then(|m| m.split_whitespace().next()?.parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(mapped * 1024))
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The least that is left in the groups of this process and in those around them.
fn left_in_groups(groups: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    groups.lines().filter_map(|line| left_in(line, read)).min()
}

/// The same for one line of `/proc/self/cgroup`: number, controllers and path.
fn left_in(line: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let mut parts = line.splitn(3, ':');
    let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (root, limit, held) = if number == "0" && controllers.is_empty() {
        ("/sys/fs/cgroup", "memory.max", "memory.current")
    } else if controllers.split(',').any(|c| c == "memory") {
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
    } else {
        return None;
    };
    let root = Path::new(root);
    let number = |file: &Path| read(file)?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        let limit = number(&folder.join(limit))?;
        // What a group holds is partly files that can be dropped, so half is always left.
        let held = number(&folder.join(held)).unwrap_or(0);
        Some(limit.saturating_sub(held).max(limit / 2))
    };
    // Within a container the path may be one outside; the root itself is always looked at.
    let folders = Path::new(path.trim_start_matches('/')).ancestors();
    folders.filter_map(|folder| left(&root.join(folder))).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read_in_kilobytes() {
        let text = "MemTotal: 8 kB\nMemAvailable:    1024 kB\n";
        assert_eq!(available(text), Some(1 << 20));
        assert_eq!(available("nothing"), None);
    }

    #[test]
    fn a_process_may_map_less_than_there_is() {
        let limits =
            |n: &str| format!("Max cpu time  5 5 seconds\nMax address space {n} {n} bytes\n");
        let status = "Name: x\nVmSize:\t  1 kB\n";
        assert_eq!(left_in_address_space(&limits("5120"), status), Some(4096));
        assert_eq!(left_in_address_space(&limits("unlimited"), status), None);
    }

    /// What is left with these groups and files.
    fn left(groups: &str, files: &[(&str, &str)]) -> Option<u64> {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path)?;
            Some(format!("{}\n", file.1))
        };
        left_in_groups(groups, &read)
    }

    #[test]
    fn the_groups_around_a_group_count_too() {
        let files = [
            ("/sys/fs/cgroup/a/memory.max", "1000"),
            ("/sys/fs/cgroup/a/b/memory.max", "max"),
            ("/sys/fs/cgroup/a/b/c/memory.max", "5000"),
        ];
        assert_eq!(left("0::/a/b/c", &files), Some(1000));
        assert_eq!(left("0::/a/b", &files), Some(1000));
        assert_eq!(left("0::/", &files), None);
    }

    #[test]
    fn in_a_container_the_root_is_the_group() {
        let files =
            [("/sys/fs/cgroup/memory.max", "800"), ("/sys/fs/cgroup/memory.current", "100")];
        assert_eq!(left("0::/../outside", &files), Some(700));
        assert_eq!(left("0::/", &files), Some(700));
    }

    #[test]
    fn groups_of_the_first_version_are_those_of_the_memory_controller() {
        let files = [
            ("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "600"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"),
        ];
        let groups = "4:cpu,cpuacct:/x\n3:memory:/x/y\n0::/";
        assert_eq!(left(groups, &files), Some(600));
    }
}
