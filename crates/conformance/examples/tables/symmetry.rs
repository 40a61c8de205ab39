//! Every strategy on every model of chapter 6, and Rumur on the same protocols.
//!
//! | option | meaning |
//! | --- | --- |
//! | `--seconds N` | how long one search may take (5) |
//! | `--models FILTER` | only models whose name contains this; `rumur` for the last table alone |
//! | `--isospin FILE` | which `isospin` is asked; usually the one built beside this program |
//! | `--out FILE` | where the tables go (`docs/symmetry-tables.md`) |

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

const STRATEGIES: [&str; 8] =
    ["off", "full", "segmented", "pc-segmented", "sorted", "pc-sorted", "refined", "auto"];

/// A model, its parameters by row, and what there is to say about the table.
struct Table {
    title: &'static str,
    model: &'static str,
    parameters: &'static [&'static [&'static str]],
    about: &'static str,
}

const TABLES: [Table; 5] = [
    Table {
        title: "Peterson's algorithm",
        model: "peterson-n",
        parameters: &[&["N=2"], &["N=3"], &["N=4"], &["N=5"], &["N=6"], &["N=7"]],
        about: "Table 1 of the chapter. The main array of the sorted strategies is `flag`.",
    },
    Table {
        title: "Data base manager",
        model: "database-manager",
        parameters: &[&["N=6"], &["N=7"], &["N=8"], &["N=9"], &["N=10"], &["N=11"], &["N=12"]],
        about: "Table 2 of the chapter. No array of numbers is indexed by managers, so the sorted \
                strategies sort program counters.",
    },
    Table {
        title: "Initialization protocol",
        model: "initialization",
        parameters: &[&["N=2"], &["N=3"], &["N=4"], &["N=5"]],
        about: "Table 3 of the chapter. Two families of processes share the names.",
    },
    Table {
        title: "Base station, shared variables",
        model: "base-station-shared",
        parameters: &[&["N=2", "M=2"], &["N=3", "M=1"], &["N=3", "M=2"], &["N=4", "M=1"]],
        about: "Section 5.4 of the chapter, first model: N stations, M radio channels. The \
                reduction is larger than N!, because under symmetry values that nobody needs are \
                left out as well, more of them than without.",
    },
    Table {
        title: "Base station, message passing",
        model: "base-station-channels",
        parameters: &[&["NS=2", "NR=1"], &["NS=2", "NR=2"], &["NS=3", "NR=2"], &["NS=3", "NR=3"]],
        about: "Section 5.4 of the chapter, second model: two independent families, NS senders \
                and NR receivers.",
    },
];

/// What a search came to: states and seconds.
#[derive(Clone, Copy)]
struct Cell(u64, f64);

struct Tools {
    isospin: PathBuf,
    models: PathBuf,
    seconds: u64,
}

/// Makes the tables.
pub fn tables(args: &[String]) -> Result<(), String> {
    let option = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1).cloned()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = std::env::current_exe().ok().and_then(|p| Some(p.parent()?.parent()?.to_owned()));
    let isospin = match option("--isospin") {
        Some(path) => PathBuf::from(path),
        None => beside.unwrap_or_default().join("isospin"),
    };
    if !isospin.is_file() {
        return Err(format!("{} is not there: build it first", isospin.display()));
    }
    let seconds = match option("--seconds") {
        Some(text) => text.parse().map_err(|_| format!("--seconds {text} is no number"))?,
        None => 5,
    };
    let filter = option("--models").unwrap_or_default();
    let out = option("--out").map_or(root.join("docs/symmetry-tables.md"), PathBuf::from);
    let tools = Tools { isospin, models: root.join("models/symmetry"), seconds };
    let mut text = String::from("# Symmetry: the tables\n\n");
    let _ = writeln!(
        text,
        "Made by `cargo run --release -p isospin-conformance --example tables -- symmetry`. Every \
         search looks for failed assertions, dead ends and run-time errors. A cell has the number \
         of states and the seconds of the search alone; `-` says that it took more than {seconds} \
         seconds. The figures of the [chapter](symmetry.md) are of other models after the same \
         words, so the shape counts and not the numbers.\n"
    );
    for table in TABLES.iter().filter(|t| t.model.contains(&filter)) {
        tools.table(table, &mut text);
    }
    if "rumur".contains(&filter) {
        tools.rumur(&mut text)?;
    }
    std::fs::write(&out, text).map_err(|e| format!("{}: {e}", out.display()))
}

impl Tools {
    fn table(&self, table: &Table, text: &mut String) {
        let _ = writeln!(text, "## {}\n\n{}\n", table.title, table.about);
        let _ = writeln!(text, "| | reduction | {} |", STRATEGIES.join(" | "));
        let _ = writeln!(text, "| --- | --- {}|", "| ---: ".repeat(STRATEGIES.len()));
        // What took too long takes longer with more processes.
        let mut too_long = [[false; 2]; STRATEGIES.len()];
        for parameters in table.parameters {
            for por in [false, true] {
                let said = if por { "partial-order" } else { "none" };
                let _ = write!(text, "| {} | {said} ", parameters.join(" "));
                for (strategy, too_long) in STRATEGIES.iter().zip(&mut too_long) {
                    let cell = if too_long[usize::from(por)] {
                        None
                    } else {
                        self.search(table.model, parameters, strategy, por)
                    };
                    too_long[usize::from(por)] = cell.is_none();
                    let _ = write!(text, "| {} ", show(cell));
                }
                let _ = writeln!(text, "|");
                eprintln!("{} {} {said}", table.title, parameters.join(" "));
            }
        }
        text.push('\n');
    }

    fn search(&self, model: &str, parameters: &[&str], strategy: &str, por: bool) -> Option<Cell> {
        // A search looks at the clock between states, and one state may take long.
        let mut command = Command::new("timeout");
        command.arg((self.seconds + 5).to_string()).arg(&self.isospin);
        command.args(["check", "--safety", "--errors", "0", "--json", "--no-trail"]);
        command.args(["--time", &format!("{}s", self.seconds), "--memory", "2G", "--threads", "1"]);
        command.args(["--symmetry", strategy]);
        command.args(parameters.iter().map(|p| format!("-D{p}")));
        if !por {
            command.arg("--no-por");
        }
        let output =
            command.arg(self.models.join(format!("{model}.pml"))).stderr(Stdio::null()).output();
        let report: Value = serde_json::from_slice(&output.ok()?.stdout).ok()?;
        let exhausted = report["exhausted"].as_bool()?;
        let cell = Cell(report["states"].as_u64()?, report["time"]["search_s"].as_f64()?);
        exhausted.then_some(cell)
    }

    /// Rumur on the same protocols, written for it.
    fn rumur(&self, text: &mut String) -> Result<(), String> {
        let there = |name: &str| Command::new(name).arg("--version").output().is_ok();
        if !there("rumur") || !there("gcc") {
            println!("skipped: rumur or gcc is not there");
            return Ok(());
        }
        text.push_str(
            "## Beside Rumur\n\nThe same protocols in Murphi's language, in `models/symmetry/murphi`, \
             checked by Rumur, which makes a program of them; its seconds are those of that program \
             and not of making it. Its heuristic reduction does not find one representative an \
             orbit in every case. It counts no steps before the first state of the protocol, and \
             keeps `step` where Isospin forgets it, so states differ by a little.\n\n",
        );
        text.push_str(
            "| | Rumur, off | Rumur, exhaustive | Rumur, heuristic | Isospin, off | Isospin, auto \
             | Isospin, auto and partial-order |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: \
             |\n",
        );
        for (model, sizes) in [("peterson-n", 3..=6), ("database-manager", 6..=10)] {
            for n in sizes {
                let parameter = format!("N={n}");
                let parameters = [parameter.as_str()];
                let cells = [
                    self.murphi(model, n, "off")?,
                    self.murphi(model, n, "exhaustive")?,
                    self.murphi(model, n, "heuristic")?,
                    self.search(model, &parameters, "off", false),
                    self.search(model, &parameters, "auto", false),
                    self.search(model, &parameters, "auto", true),
                ];
                let shown: Vec<String> = cells.into_iter().map(show).collect();
                let _ = writeln!(text, "| {model}, {parameter} | {} |", shown.join(" | "));
                eprintln!("rumur {model} {parameter}");
            }
        }
        Ok(())
    }

    fn murphi(&self, model: &str, n: usize, reduction: &str) -> Result<Option<Cell>, String> {
        let source = self.models.join(format!("murphi/{model}.m"));
        let source =
            std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        let sized: Vec<String> = source
            .lines()
            .map(|l| if l.starts_with("  N: ") { format!("  N: {n};") } else { l.to_owned() })
            .collect();
        let dir = std::env::temp_dir().join(format!("isospin-rumur-{}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
        let cell = self.run_murphi(&dir, &sized.join("\n"), reduction);
        let _ = std::fs::remove_dir_all(&dir);
        cell
    }

    fn run_murphi(&self, dir: &Path, text: &str, reduction: &str) -> Result<Option<Cell>, String> {
        std::fs::write(dir.join("m.m"), text).map_err(|e| e.to_string())?;
        let run = |program: &str, args: &[&str]| {
            let output = Command::new(program).args(args).current_dir(dir).output();
            output.map_err(|e| format!("{program}: {e}"))
        };
        let reduction = format!("--symmetry-reduction={reduction}");
        let made = run("rumur", &["--threads", "1", &reduction, "-o", "m.c", "m.m"])?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let options =
            ["-std=c11", "-O3", "-mcx16", "-w", "-o", "m", "m.c", "-lpthread", "-latomic"];
        let made = run("gcc", &options)?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let start = Instant::now();
        let program = dir.join("m").display().to_string();
        let output = run("timeout", &[&self.seconds.to_string(), &program])?;
        let seconds = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if !said.contains("No error found") {
            return Ok(None);
        }
        let line = said.lines().rfind(|l| l.contains(" states, ")).unwrap_or_default();
        let digits: String = line
            .split(" states")
            .next()
            .unwrap_or_default()
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        Ok(digits.parse().ok().map(|states| Cell(states, seconds)))
    }
}

fn show(cell: Option<Cell>) -> String {
    match cell {
        Some(Cell(states, seconds)) => format!("{states}, {seconds:.2} s"),
        None => "-".to_owned(),
    }
}
