//! Running the program in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with a copy of the test models, gone when dropped.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("isospin-cli-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder for the test");
        for entry in fs::read_dir(models()).expect("the test models") {
            let from = entry.expect("a model").path();
            let name = from.file_name().expect("a name");
            fs::copy(&from, path.join(name)).expect("a copy");
        }
        Folder { path }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).expect(name);
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isospin"));
        command.args(args).current_dir(&self.path).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().expect("the program runs"))
    }

    pub fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        self.write("input", input);
        let input = fs::File::open(self.file("input")).expect("the input");
        let mut command = self.command(args);
        Run::of(command.stdin(input).output().expect("the program runs"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn of(output: Output) -> Run {
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Everything in one text, without what differs from run to run.
    pub fn text(&self) -> String {
        let mut text = format!("status {}\n--- stdout\n", self.status);
        for line in self.stdout.lines() {
            text.push_str(&steady(line));
            text.push('\n');
        }
        text.push_str("--- stderr\n");
        text.push_str(&self.stderr);
        text
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn steady(line: &str) -> String {
    for name in ["time", "memory"] {
        if line.starts_with(&format!("  {name:<15}  ")) {
            return format!("  {name:<15}  ...");
        }
    }
    for name in ["_s\": ", "bytes\": ", "bytes_per_state\": "] {
        if let Some(at) = line.find(name) {
            return format!("{}...", &line[..at + name.len()]);
        }
    }
    line.to_owned()
}

pub fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

/// Compares with the expected file of that name, or writes it anew.
pub fn expect(name: &str, text: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text).expect("the expected file");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == text,
        "{name} differs; UPDATE=1 accepts it.\n--- expected\n{expected}\n--- found\n{text}"
    );
}
