//! The collection: each input is made by a few lines, and none is kept as a file.

use std::fmt::Write;

/// A model that means no good, and what is to become of it.
pub struct Input {
    pub name: &'static str,
    pub text: Box<dyn Fn() -> String>,
    pub args: &'static [&'static str],
    /// The exit statuses that are right.
    pub statuses: &'static [i32],
    /// What has to be said.
    pub says: &'static str,
}

/// It is in error, and this is said.
fn refused(name: &'static str, says: &'static str, text: impl Fn() -> String + 'static) -> Input {
    Input { name, text: Box::new(text), args: &[], statuses: &[2], says }
}

/// It is in error, and long: a slow machine may not come to that in time.
fn long(name: &'static str, says: &'static str, text: impl Fn() -> String + 'static) -> Input {
    Input { statuses: &[2, 3], ..refused(name, says, text) }
}

/// It is a model, which may or may not be too much.
fn legal(name: &'static str, text: impl Fn() -> String + 'static) -> Input {
    Input { name, text: Box::new(text), args: &[], statuses: &[0, 1, 3], says: "" }
}

/// It is a model that goes on for ever.
fn endless(
    name: &'static str,
    args: &'static [&'static str],
    text: impl Fn() -> String + 'static,
) -> Input {
    Input { name, text: Box::new(text), args, statuses: &[3], says: "" }
}

const IDLE: &str = "active proctype P() { skip }\n";

/// What `line` says for each number.
fn lines(numbers: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.fold(String::new(), |mut text, k| {
        writeln!(text, "{}", line(k)).expect("a string");
        text
    })
}

fn nested(before: &str, open: &str, inner: &str, close: &str, after: &str) -> String {
    let n = 100_000;
    format!("{before}{}{inner}{}{after}", open.repeat(n), close.repeat(n))
}

/// Forty structures that each hold the one before twice, the first one with this field.
fn doubling(field: &str, last: &str) -> String {
    let rest = lines(1..40, |k| format!("typedef T{k} {{ T{0} a; T{0} b }}", k - 1));
    format!("typedef T0 {{ {field} }}\n{rest}{last}\n{IDLE}")
}

pub fn types() -> Vec<Input> {
    let large = "is larger than a state can be";
    vec![
        refused("array of arrays", large, || {
            format!("typedef T {{ int a[1000000000] }}\nT t[1000000000];\n{IDLE}")
        }),
        refused("doubling", large, || doubling("byte x", "T39 t;")),
        refused("doubling locals", large, || {
            doubling("byte x", "active proctype Q() { T39 t; skip }")
        }),
        refused("doubling channels", large, || doubling("chan c = [1] of { byte }", "T39 t;")),
        refused("doubling messages", large, || doubling("byte x", "chan c = [2] of { T39 };")),
        refused("channels", "more than 255 global channels", || {
            format!("chan c[1000000000] = [1] of {{ byte }};\n{IDLE}")
        }),
        refused("fields", large, || {
            format!("chan c = [1] of {{ {} }};\n{IDLE}", vec!["int"; 100_000].join(", "))
        }),
        refused("room for messages", large, || {
            format!("chan c = [60000] of {{ {} }};\n{IDLE}", vec!["int"; 20_000].join(", "))
        }),
        long("variables", "a state is larger than it can be", || {
            lines(0..100_000, |k| format!("byte v{k};")) + IDLE
        }),
    ]
}

pub fn macros() -> Vec<Input> {
    let twice = |body: &'static str| {
        move || {
            let rest = lines(1..60, |k| format!("#define M{k} M{0} {body} M{0}", k - 1));
            format!("#define M0 1\n{rest}active proctype P() {{ int x; x = M59 }}\n")
        }
    };
    vec![
        refused("chain", "macros use macros more than", || {
            let chain = lines(1..100_000, |k| format!("#define M{k} M{}", k - 1));
            format!("#define M0 1\n{chain}active proctype P() {{ int x; x = M99999 }}\n")
        }),
        long("twice", "macros are used more than", twice("+")),
        refused("nested calls", "parentheses are nested more than", || {
            nested("#define F(x) x\nint x = ", "F(", "1", ")", ";\n")
        }),
        long("doubled arguments", "more than", || {
            let calls = format!("{}x = 1;{}", "F(".repeat(100), ")".repeat(100));
            format!("#define F(x) x x\nactive proctype P() {{ int x; {calls} }}\n")
        }),
        refused("inlines", "inlines call inlines more than", || {
            let rest = lines(1..60, |k| format!("inline f{k}() {{ f{0}(); f{0}() }}", k - 1));
            format!("inline f0() {{ skip }}\n{rest}active proctype P() {{ f59() }}\n")
        }),
        refused("includes itself", "includes itself without end", || {
            "#include \"m.pml\"\n".to_owned()
        }),
        long("many macros", "there are more than 200000 macros", || {
            lines(0..500_000, |k| format!("#define M{k} {k}")) + IDLE
        }),
    ]
}

pub fn texts() -> Vec<Input> {
    vec![
        long("statements", "more than 3000000 tokens", || {
            format!("byte x;\nactive proctype P() {{\n{}}}\n", "x = x + 1;\n".repeat(4_700_000))
        }),
        long("one line", "more than 3000000 tokens", || {
            format!("byte x = {}1;\n{IDLE}", "1+".repeat(25_000_000))
        }),
        refused("large file", "larger than 64 MB", || " ".repeat(65 << 20)),
        long("words", "more than 3000000 tokens", || lines(0..6_000_000, |k| format!("a{k}"))),
        long("mistakes", "`u0` is not declared", || {
            let wrong = lines(0..100_000, |k| format!("u{k} = v{k};"));
            format!("active proctype P() {{ {wrong} }}\n")
        }),
    ]
}

pub fn nesting() -> Vec<Input> {
    let levels = "this expression has more than";
    let deep = "the model is nested more than";
    let body = "active proctype P() { ";
    vec![
        refused("parentheses", deep, || nested("int x = ", "(", "1", ")", ";\n")),
        refused("minus", levels, || nested("int x = ", "- ", "1", "", ";\n")),
        refused("not", levels, || nested("int x = ", "! ", "1", "", ";\n")),
        refused("blocks", deep, move || nested(body, "{ ", "skip", " }", " }\n")),
        refused("selections", deep, move || nested(body, "if :: ", "skip", " fi", " }\n")),
        refused("atomics", deep, move || nested(body, "atomic { ", "skip", " }", " }\n")),
        refused("indices", deep, || nested("byte a[2]; int x = ", "a[", "0", "]", ";\n")),
        refused("sum", levels, move || nested(body, "1 + ", "1", "", " }\n")),
        refused("formula", deep, || nested("ltl p { ", "<> (", "true", ")", " }\n")),
        refused("condition", "this condition is nested more than", || {
            nested("#if ", "(", "1", ")", "\n#endif\n")
        }),
    ]
}

pub fn sizes() -> Vec<Input> {
    let options = |n: usize| {
        move || {
            let options = lines(0..n, |k| format!(":: x == {} -> x = {}", k % 200, (k + 1) % 200));
            format!("byte x;\nactive proctype P() {{ do\n{options}od }}\n")
        }
    };
    let det_step = |n: usize| {
        move || format!("byte x;\nactive proctype P() {{ d_step {{ {} }} }}\n", "x++; ".repeat(n))
    };
    vec![
        legal("5000 options", options(5_000)),
        legal("30000 options", options(30_000)),
        long("100000 options", "more than 65536 locations", options(100_000)),
        legal("d_step of 20000", det_step(20_000)),
        legal("d_step of 100000", det_step(100_000)),
        legal("selections in d_step", || {
            let choice = |k| format!("if :: x == {} -> x++ :: else -> x = 0 fi;", k % 200);
            let body = lines(0..10_000, choice);
            format!("byte x;\nactive proctype P() {{ d_step {{ {body} }} }}\n")
        }),
        legal("atomic of 20000", || {
            format!("byte x;\nactive proctype P() {{ atomic {{ {} }} }}\n", "x++; ".repeat(20_000))
        }),
        legal("50000 statements", || {
            format!("active proctype P() {{ {} }}\n", "skip; ".repeat(50_000))
        }),
        legal("20000 scopes", || {
            let body = lines(0..20_000, |k| format!("{{ byte x{k}; x{k} = 1 }};"));
            format!("active proctype P() {{ {body} }}\n")
        }),
        legal("20000 jumps", || {
            let jump = |k| format!("L{k}: if :: x == 1 -> goto L{} :: else fi;", k * 7 % 20_000);
            format!("int x;\nactive proctype P() {{ {} }}\n", lines(0..20_000, jump))
        }),
        long("escapes", "its escapes make more than a million edges", || {
            let (body, guards) = ("x++; ".repeat(5_000), ":: x == 3 ".repeat(5_000));
            format!("byte x; active proctype P() {{ {{ {body} }} unless {{ do {guards} od }} }}\n")
        }),
        legal("claim of 30000", || {
            let options = lines(0..30_000, |k| format!(":: x == {}", k % 200));
            format!("byte x;\nactive proctype P() {{ x = 1 }}\nnever {{ do\n{options}od }}\n")
        }),
    ]
}

pub fn formulas() -> Vec<Input> {
    let model = "byte x;\nactive proctype P() { x = 1 }\n";
    vec![
        legal("next 300 times", move || {
            format!("{model}ltl p {{ {}(x == 1) }}\n", "X ".repeat(300))
        }),
        Input {
            statuses: &[1, 2, 3],
            ..legal("twenty goals", move || {
                let goals: Vec<String> = (0..20).map(|k| format!("([]<> (x == {k}))")).collect();
                format!("{model}ltl p {{ {} }}\n", goals.join(" && "))
            })
        },
        Input {
            statuses: &[1, 2, 3],
            ..legal("twelve choices", move || {
                let choice =
                    |k| format!("(<>[] (x == {k}) || []<> (x == {}) U (x == {}))", k + 1, k + 2);
                let choices: Vec<String> = (0..12).map(choice).collect();
                format!("{model}ltl p {{ !({}) }}\n", choices.join(" && "))
            })
        },
        legal("3000 formulas", move || {
            let formula = |k| format!("ltl p{k} {{ [] (x != {}) }}", k % 250 + 2);
            model.to_owned() + &lines(0..3000, formula)
        }),
    ]
}

pub fn searches() -> Vec<Input> {
    let rendez_vous = || {
        "chan c = [0] of { byte };\n\
         active [120] proctype A() { do :: c!1 od }\n\
         active [120] proctype B() { byte n; do :: c?n; n = n + 1 :: c?_ od }\n"
            .to_owned()
    };
    let counting = || "int n, m; active proctype P() { do :: n++ :: m++ od }\n".to_owned();
    let slow = || {
        "int s; active [2] proctype P() { int i; do :: s++; d_step { i = 0; \
         do :: i < 900000 -> i++ :: else -> break od; i = 0 } od }\n"
            .to_owned()
    };
    let exact: &[&str] = &["--exact"];
    let interpreter: &[&str] = &["--machine", "interpreter"];
    let progress: &[&str] = &["--progress"];
    vec![
        endless("rendez-vous", exact, rendez_vous),
        endless("rendez-vous and cycles", &["--exact", "--progress"], rendez_vous),
        endless("counting", &[], counting),
        endless("counting breadth first", &["--search", "bfs"], counting),
        endless("counting on one thread", &["--threads", "1"], counting),
        endless("counting with cycles", progress, counting),
        endless("slow d_steps", &[], slow),
        endless("slow d_steps, interpreted", interpreter, slow),
        Input {
            statuses: &[1],
            ..endless("endless d_step", &[], || {
                "byte x; active proctype P() { do :: d_step { do :: x++ od } od }\n".to_owned()
            })
        },
        Input {
            statuses: &[1, 3],
            ..endless("endless d_step, interpreted", interpreter, || {
                "int x; active proctype P() { do :: d_step { do :: x++ od } od }\n".to_owned()
            })
        },
        endless("large processes", &[], || {
            "proctype Q() { int a[10000]; do :: a[0]++ od }\ninit { do :: run Q() od }\n".to_owned()
        }),
    ]
}

pub fn files() -> Vec<Input> {
    let irregular = "it is no regular file";
    let including = |path: &'static str| move || format!("#include \"{path}\"\n{IDLE}");
    vec![
        refused("device", irregular, including("/dev/zero")),
        refused("environment", irregular, including("/proc/self/environ")),
        refused("folder", "it is a directory", including("/tmp")),
        Input {
            args: &["--untrusted"],
            ..refused("elsewhere", "it is outside the model's folder", including("/etc/passwd"))
        },
        Input {
            args: &["--untrusted"],
            ..refused("above", "it is outside the model's folder", including("../x.pml"))
        },
        refused("escape sequences", "", || {
            "byte \u{1b}[31mx; #error \u{1b}]0;title\u{7}\n#error \u{1b}[2J\n".to_owned()
        }),
    ]
}

/// A model that takes long to be made ready, and has nothing wrong with it.
pub fn slow_to_analyse() -> Input {
    legal("slow", || {
        let choice = |k| format!("if :: x == {} -> x++ :: y == {0} -> y++ :: else fi;", k % 200);
        let body = lines(0..20_000, choice);
        format!("byte x, y;\nactive proctype P() {{ d_step {{ {body} }} }}\n")
    })
}
