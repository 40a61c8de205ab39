//! One run of the program under small limits, and what it took.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::inputs::Input;

/// What the program is allowed.
const TIME: &str = "2s";
const MEMORY_MEGABYTES: u64 = 256;
/// What it may hold beyond what it is allowed: itself.
const MORE_MEGABYTES: u64 = 16;
/// Who is still there after this time hangs. It is long, for machines that have other things to do.
const HANGS: Duration = Duration::from_secs(60);

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = format!("isospin-hostile-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Checks a model without limits, interrupts that once, and gives back the exit status and what was
/// said. Nothing for who hangs.
#[cfg(unix)]
pub fn interrupted(input: &Input) -> Option<(i32, String)> {
    let folder = Folder::new("interrupted");
    fs::write(folder.0.join("m.pml"), (input.text)()).expect("the model");
    let output = folder.0.join("output");
    let out = File::create(&output).expect("a file");
    let child = Command::new(env!("CARGO_BIN_EXE_isospin"))
        .args(["check", "m.pml", "--no-trail"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stderr(out.try_clone().expect("a file"))
        .stdout(out)
        .spawn()
        .expect("the program runs");
    std::thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let (status, _) = watch(child)?;
    let said = fs::read(&output).expect("what it said");
    Some((status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned()))
}

/// Checks the model under the limits. The error says what went wrong.
pub fn run(input: &Input) -> Result<(), String> {
    let folder = Folder::new(input.name);
    let model = folder.0.join("m.pml");
    fs::write(&model, (input.text)()).expect("the model");
    let output = folder.0.join("output");
    let out = File::create(&output).expect("a file");
    let memory = format!("{MEMORY_MEGABYTES}M");
    let child = Command::new(env!("CARGO_BIN_EXE_isospin"))
        .args(["check", "m.pml", "--no-trail", "--time", TIME, "--memory", &memory])
        .args(input.args)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stderr(out.try_clone().expect("a file"))
        .stdout(out)
        .spawn()
        .expect("the program runs");
    let start = Instant::now();
    let (status, peak) = watch(child).ok_or(format!("{}: it hangs", input.name))?;
    println!("{:24} {:6.2?} {peak:5} MB, status {:?}", input.name, start.elapsed(), status.code());
    let said = fs::read(&output).expect("what it said");
    let said = String::from_utf8_lossy(&said);
    let status = status.code().unwrap_or(-1);
    let beginning: String = said.chars().take(300).collect();
    // On a machine that is busy enough the time may be up before anything else is known.
    if !input.statuses.contains(&status) && status != 3 {
        return Err(format!("{}: exit status {status}: {beginning}", input.name));
    }
    // Who is cut short has something else to say.
    if status != 3 && !said.contains(input.says) {
        return Err(format!("{}: it does not say `{}`: {beginning}", input.name, input.says));
    }
    if said.chars().any(|c| c.is_control() && c != '\n') {
        return Err(format!("{}: control characters: {beginning:?}", input.name));
    }
    if peak > MEMORY_MEGABYTES + MORE_MEGABYTES {
        return Err(format!("{}: it took {peak} MB", input.name));
    }
    Ok(())
}

/// The exit status and the most megabytes that were held; nothing for who hangs.
fn watch(mut child: Child) -> Option<(ExitStatus, u64)> {
    let start = Instant::now();
    let mut peak = 0;
    loop {
        peak = peak.max(high_water(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("a child") {
            return Some((status, peak));
        }
        if start.elapsed() > HANGS {
            child.kill().expect("a child");
            child.wait().expect("a child");
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The most megabytes that a process has held so far, where the system says.
fn high_water(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}
