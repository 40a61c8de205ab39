//! Spin's own translation, where Spin is installed.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The program: `spin`, unless the environment names another (such as one built with `-DNXT`,
/// which knows the next-time operator).
fn program() -> String {
    std::env::var("SPIN").unwrap_or_else(|_| "spin".to_owned())
}

/// Whether it can be run.
pub fn installed() -> bool {
    Command::new(program()).arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// The number of states of the never claim of `spin -f`, or none where it fails or takes longer
/// than `limit`.
pub fn states(formula: &str, limit: Duration) -> Option<usize> {
    let mut child = Command::new(program())
        .args(["-f", formula])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut output = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    });
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
    let text = reader.join().ok()?.ok()?;
    text.starts_with("never").then(|| count(&text))
}

/// States are labelled; two labels in a row are one state.
fn count(claim: &str) -> usize {
    let mut states = 0;
    let mut after_label = false;
    for line in claim.lines() {
        let label = line.ends_with(':') && !line.starts_with(char::is_whitespace);
        if label && !after_label {
            states += 1;
        }
        after_label = label;
    }
    states
}
