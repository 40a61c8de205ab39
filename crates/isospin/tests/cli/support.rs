//! Running the program in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use regex::Regex;
use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::dir::DirRoot;
use snapbox::{Assert, Data, Redactions};

/// A folder with a copy of the test models, gone when dropped.
pub struct Folder {
    root: DirRoot,
}

impl Folder {
    pub fn new() -> Folder {
        let root = DirRoot::mutable_temp().and_then(|root| root.with_template(&models()));
        Folder { root: root.expect("a folder for the test") }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.root.path().expect("a folder").join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).expect(name);
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isospin"));
        command.args(args).current_dir(self.file("")).stdin(Stdio::null());
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
        let Run { status, stdout, stderr } = self;
        let stdout = varying().redact(stdout);
        format!("status {status}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Times and sizes, in reports for people and for programs.
fn varying() -> Redactions {
    let mut varying = Redactions::new();
    for (name, pattern) in [
        ("[TIME]", r"(?m)^  time {13}(?<redacted>.+)$"),
        ("[TIME]", r#""(compile|search|total|time)_s": (?<redacted>[^,\n]+)"#),
        ("[MEMORY]", r"(?m)^  memory {11}(?<redacted>.+)$"),
        ("[MEMORY]", r#""(peak_bytes|store_bytes|bytes_per_state)": (?<redacted>[^,\n]+)"#),
    ] {
        let pattern = Regex::new(pattern).expect("a pattern");
        varying.insert(name, pattern).expect("a name");
    }
    varying
}

pub fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

/// Compares with the expected file of that name, character by character.
pub fn expect(name: &str, text: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    let expected = Data::read_from(&path, None).raw();
    Assert::new().action_env(DEFAULT_ACTION_ENV).eq(text, expected);
}
