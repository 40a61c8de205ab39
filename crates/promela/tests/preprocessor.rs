//! The preprocessor, seen from the tree that comes out.

mod common;

use common::{check_files, check_text, Files, Outcome};
use isospin_promela::syntax::print::tree_text;
use isospin_promela::Options;

/// The model with its macros expanded.
fn expanded(outcome: &Outcome) -> String {
    assert!(!outcome.is_rejected(), "{}", outcome.text());
    tree_text(&outcome.tree)
}

/// What the one assertion in the init of a model comes to.
fn asserted(definitions: &str, expression: &str) -> String {
    let text = format!("int a, b, c;\n{definitions}\ninit {{ assert({expression}) }}\n");
    let printed = expanded(&check_text(text));
    let start = printed.find("assert(").expect("it is printed") + "assert(".len();
    let end = printed.rfind(")\n}").expect("it is printed");
    printed[start..end].to_owned()
}

#[test]
fn macros_expand_with_and_without_arguments() {
    assert_eq!(asserted("#define N 3", "a < N"), "a < 3");
    assert_eq!(
        asserted("#define MAX(x, y) ((x) > (y) -> (x) : (y))", "MAX(a, b + 1)"),
        "(a > b + 1 -> a : b + 1)"
    );
    assert_eq!(asserted("#define F(x) x\n#define N 3", "F(N) + F(F(a))"), "3 + a");
    assert_eq!(asserted("#define NONE() 4", "NONE()"), "4");
}

#[test]
fn a_macro_does_not_expand_in_itself() {
    assert_eq!(asserted("#define a a + b", "a"), "a + b");
    assert_eq!(asserted("#define a b\n#define b a", "a"), "a");
    assert_eq!(asserted("#define a(x) x + a", "a(1)"), "1 + a");
}

#[test]
fn a_function_like_macro_without_arguments_is_a_name() {
    assert_eq!(asserted("#define a(x) x", "a + a(2)"), "a + 2");
}

#[test]
fn tokens_are_pasted_and_quoted() {
    assert_eq!(asserted("#define PASTE(x, y) x##y\nint ab;", "PASTE(a, b)"), "ab");
    let text = "#define SAY(x) printf(#x)\ninit { SAY(a + \"b\") }";
    assert!(expanded(&check_text(text)).contains(r#"printf("a + \"b\"")"#));
}

#[test]
fn the_rest_of_the_arguments_can_be_one() {
    let text = "#define OUT(f, ...) printf(f, __VA_ARGS__)\nint a;\ninit { OUT(\"%d %d\", a, 2) }";
    assert!(expanded(&check_text(text)).contains(r#"printf("%d %d", a, 2)"#));
}

#[test]
fn conditions_choose() {
    let holds = |condition: &str| {
        let text = format!(
            "#define ONE 1\n#if {condition}\nint yes;\n#else\nint no;\n#endif\ninit {{ skip }}\n"
        );
        expanded(&check_text(text)).contains("int yes")
    };
    for condition in [
        "ONE",
        "defined ONE && defined(ONE)",
        "!defined TWO",
        "TWO == 0",
        "ONE + 1 == 2 && 7 / 2 == 3 && 7 % 4 == 3",
        "(1 << 3) > 7 || 1 / 0",
        "-1 < 0 && ~0 == -1",
        "0x10 == 16 && 10L == 10",
        "1 ? 2 : 0",
        "'a' == 97",
    ] {
        assert!(holds(condition), "{condition}");
    }
    for condition in ["0", "TWO", "ONE - 1", "0 && 1 / 0", "!ONE"] {
        assert!(!holds(condition), "{condition}");
    }
}

#[test]
fn branches_nest_and_what_is_skipped_is_not_read() {
    let text = "#ifdef NO\n@@@ \"open\n#if 1\n#error never\n#else\n#endif\n#elif 1\nint elif;\n#else\n#error never\n#endif\n#ifndef NO\ninit { elif = 1; assert(elif) }\n#endif\n";
    assert!(expanded(&check_text(text)).contains("int elif"));
}

#[test]
fn undef_takes_a_macro_away() {
    assert_eq!(asserted("#define a 1\n#undef a", "a"), "a");
}

#[test]
fn lines_continue_and_comments_go() {
    assert_eq!(
        asserted("#define SUM a + \\\n  b /* and \n more */ + c // done", "SUM"),
        "a + b + c"
    );
}

#[test]
fn line_markers_of_other_preprocessors_are_passed_over() {
    let text = "# 1 \"other.pml\"\n#line 7 \"other.pml\"\n#pragma once\n#\ninit { skip }\n";
    assert!(!check_text(text).is_rejected());
}

#[test]
fn line_and_file_are_known() {
    assert_eq!(asserted("", "__LINE__"), "3");
    let text = "init { printf(__FILE__) }";
    assert!(expanded(&check_text(text)).contains("printf(\"model.pml\")"));
}

#[test]
fn files_are_found_beside_the_file_that_includes_them_and_in_directories() {
    let files =
        Files::model("#include \"parts/a.h\"\n#include <c.h>\ninit { assert(x + y + z) }\n")
            .with("parts/a.h", "#include \"b.h\"\nint x;\n")
            .with("parts/b.h", "int y;\n")
            .with("lib/c.h", "int z;\n");
    let options = Options { include_dirs: vec!["lib".into()], ..Options::default() };
    let outcome = check_files(&files, &options);
    assert!(!outcome.is_rejected(), "{}", outcome.text());
}

#[test]
fn a_file_can_guard_itself() {
    let guarded = "#ifndef GUARD\n#define GUARD\n#include \"a.h\"\nint x;\n#endif\n";
    let files = Files::model("#include \"a.h\"\n#include \"./a.h\"\ninit { assert(x) }\n")
        .with("a.h", guarded);
    let outcome = check_files(&files, &Options::default());
    assert!(!outcome.is_rejected(), "{}", outcome.text());
}

#[test]
fn an_error_in_an_included_file_names_that_file() {
    let files = Files::model("#include \"a.h\"\ninit { skip }\n").with("a.h", "int x\n = ;\n");
    let text = check_files(&files, &Options::default()).text();
    assert!(text.contains("--> a.h:2:4"), "{text}");
}

#[test]
fn the_command_line_defines_macros() {
    let options = Options {
        defines: vec!["N=3".into(), "FLAG".into(), "F(x)=x+N".into()],
        ..Options::default()
    };
    let files = Files::model("#ifdef FLAG\nint a[N];\ninit { assert(F(a[0]) + FLAG) }\n#endif\n");
    let printed = expanded(&check_files(&files, &options));
    assert!(printed.contains("int a[3]") && printed.contains("a[0] + 3 + 1"), "{printed}");
}

#[test]
fn files_that_include_files_without_end_stop() {
    let mut files = Files::model("#include \"f0.h\"\n");
    for i in 0..100 {
        files = files.with(&format!("f{i}.h"), format!("#include \"f{}.h\"\n", i + 1));
    }
    let text = check_files(&files, &Options::default()).text();
    assert!(text.contains("more than 64 deep"), "{text}");
}
