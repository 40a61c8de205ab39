//! Files that take their place whole, and no other's: a trail is written beside its place and
//! renamed. What was there stays as it was until then, and for good where it is not a trail, or is
//! one that another run has just put there.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use isospin_report::trail::starts_like_one;

/// More files than this with the name of one process are left over from others.
const MAX_PARTS: u32 = 100;

/// What is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum There {
    /// Nothing.
    Nothing,
    /// A trail, or an empty file, from this time.
    Trail(SystemTime),
    /// Something else, which is not to be lost: what it is.
    Other(&'static str),
}

/// Looks at a place, and not through a link.
pub fn look(path: &Path) -> io::Result<There> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(There::Nothing),
        found => found?,
    };
    if found.file_type().is_symlink() {
        return Ok(There::Other("is a symbolic link"));
    }
    if !found.is_file() {
        return Ok(There::Other("is not a regular file"));
    }
    let mut start = Vec::new();
    File::open(path)?.take(1024).read_to_end(&mut start)?;
    if start.is_empty() || starts_like_one(&start) {
        return Ok(There::Trail(found.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
    }
    Ok(There::Other("is not a trail"))
}

/// What became of a file that was to take its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Put {
    /// It is there.
    Done,
    /// Another run has put its own there since this one began.
    Taken,
    /// Something else is there, which is not to be lost: what it is.
    Other(&'static str),
}

/// A file on its way, gone when it is dropped before it has found its place.
pub struct Part {
    path: PathBuf,
    file: File,
    written: u64,
    most: u64,
    /// When it has to be done.
    until: Option<Instant>,
}

impl Part {
    /// A new file in the folder of its place, for at most so many bytes, written until then.
    pub fn beside(place: &Path, most: u64, until: Option<Instant>) -> io::Result<Part> {
        let folder = folder(place);
        let mut number = 0;
        loop {
            let path = folder.join(format!(".isospin-{}-{number}.part", std::process::id()));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Part { path, file, written: 0, most, until }),
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_PARTS =>
                {
                    number += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether a write failed because it would have been larger than allowed.
    pub fn is_too_large(&self) -> bool {
        self.written > self.most
    }

    /// Lets it take its place in a run that started then.
    pub fn put(&self, place: &Path, started: SystemTime) -> io::Result<Put> {
        // What a full disk could still take away is found out before anything is replaced.
        self.file.sync_data()?;
        // Two runs that look at the same time would both find the place free.
        let _lock = lock(folder(place));
        match look(place)? {
            There::Other(what) => Ok(Put::Other(what)),
            There::Trail(when) if when >= started => Ok(Put::Taken),
            There::Nothing | There::Trail(_) => fs::rename(&self.path, place).map(|()| Put::Done),
        }
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len() as u64;
        if self.is_too_large() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if self.until.is_some_and(|until| Instant::now() > until) {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the time was up"));
        }
        self.file.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Once it is in its place there is nothing here.
        let _ = fs::remove_file(&self.path);
    }
}

fn folder(place: &Path) -> &Path {
    match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Keeps other runs from changing the folder at the same time, where its file system can and for
/// as long as the file is open. Nobody holds this for long; who waits in vain goes on without.
#[cfg(unix)]
fn lock(folder: &Path) -> Option<File> {
    use rustix::fs::{flock, FlockOperation};
    let opened = File::open(folder).ok()?;
    for _ in 0..200 {
        match flock(&opened, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Some(opened),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            Err(_) => return None,
        }
    }
    None
}

#[cfg(not(unix))]
fn lock(_: &Path) -> Option<File> {
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const OLD: &str = "{\n  \"isospin\": \"0.1.0\",\n  \"format\": 1,\n  \"old\": true\n}\n";

    /// A folder of its own, gone at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path =
                std::env::temp_dir().join(format!("isospin-place-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).expect("a folder");
            Folder(path)
        }

        fn files(&self) -> usize {
            fs::read_dir(&self.0).expect("a folder").count()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn put(place: &Path, text: &str, started: SystemTime) -> Put {
        let mut part = Part::beside(place, 1000, None).expect("a file");
        part.write_all(text.as_bytes()).expect("it fits");
        part.put(place, started).expect("it can be put")
    }

    #[test]
    fn a_trail_of_an_earlier_run_is_replaced_and_nothing_else_is_left() {
        let folder = Folder::new("replace");
        let place = folder.0.join("t");
        let later = SystemTime::now() + Duration::from_secs(60);
        assert_eq!(put(&place, OLD, later), Put::Done);
        assert_eq!(put(&place, "new", later), Put::Done);
        assert_eq!(fs::read_to_string(&place).expect("it is there"), "new");
        assert_eq!(folder.files(), 1);
    }

    #[test]
    fn a_trail_of_a_run_at_the_same_time_stays() {
        let folder = Folder::new("taken");
        let place = folder.0.join("t");
        let started = SystemTime::now() - Duration::from_secs(60);
        assert_eq!(put(&place, OLD, started), Put::Done);
        assert_eq!(put(&place, "new", started), Put::Taken);
        assert_eq!(fs::read_to_string(&place).expect("it is there"), OLD);
        assert_eq!(folder.files(), 1);
    }

    #[test]
    fn what_is_not_a_trail_stays() {
        let folder = Folder::new("other");
        let later = SystemTime::now() + Duration::from_secs(60);
        let model = folder.0.join("m.pml");
        fs::write(&model, "init { skip }").expect("written");
        assert_eq!(put(&model, "new", later), Put::Other("is not a trail"));
        assert_eq!(fs::read_to_string(&model).expect("it is there"), "init { skip }");
        assert_eq!(put(&folder.0, "new", later), Put::Other("is not a regular file"));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = Folder::new("link");
        let later = SystemTime::now() + Duration::from_secs(60);
        let (there, link) = (folder.0.join("there"), folder.0.join("link"));
        fs::write(&there, OLD).expect("written");
        std::os::unix::fs::symlink(&there, &link).expect("a link");
        assert_eq!(put(&link, "new", later), Put::Other("is a symbolic link"));
        assert_eq!(fs::read_to_string(&there).expect("it is there"), OLD);
        // One that leads nowhere is one, too.
        let nowhere = folder.0.join("nowhere");
        std::os::unix::fs::symlink(folder.0.join("no such file"), &nowhere).expect("a link");
        assert_eq!(put(&nowhere, "new", later), Put::Other("is a symbolic link"));
    }

    #[test]
    fn what_takes_too_long_is_not_written() {
        let folder = Folder::new("late");
        let mut part = Part::beside(&folder.0.join("t"), 10, Some(Instant::now())).expect("a file");
        std::thread::sleep(Duration::from_millis(2));
        assert!(part.write_all(b"x").is_err() && !part.is_too_large());
    }

    #[test]
    fn what_is_too_large_is_not_written_and_leaves_nothing() {
        let folder = Folder::new("large");
        let place = folder.0.join("t");
        let mut part = Part::beside(&place, 10, None).expect("a file");
        assert!(part.write_all(b"0123456789").is_ok() && !part.is_too_large());
        assert!(part.write_all(b"x").is_err() && part.is_too_large());
        drop(part);
        assert_eq!(folder.files(), 0);
    }
}
