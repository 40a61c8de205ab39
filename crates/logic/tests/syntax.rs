//! Spin's syntax is read as Spin reads it, and what is not a formula gets a place and a sentence.

use isospin_logic::{Error, Formula, Precedence, MAX_ATOMS, MAX_DEPTH};

#[track_caller]
fn check(text: &str, expected: &str) {
    match Formula::parse(text) {
        Ok(formula) => assert_eq!(formula.to_string(), expected, "{text}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[track_caller]
fn check_atoms(text: &str, expected: &[&str]) {
    let formula = Formula::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let atoms: Vec<&str> = formula.atoms().iter().map(|atom| atom.text.as_str()).collect();
    assert_eq!(atoms, expected, "{text}");
    for atom in formula.atoms().iter() {
        assert_eq!(&text[atom.span.clone()], atom.text, "{text}");
    }
}

#[track_caller]
fn check_error(text: &str, at: usize, sentence: &str) {
    let error = Formula::parse(text).expect_err(text);
    assert_eq!(error.position(), Some(at), "{text}: {error}");
    assert!(error.to_string().contains(sentence), "{text}: {error}");
}

#[test]
fn operators_bind_as_in_spins_ltl_blocks() {
    check("[]p U q", "[] p U q");
    check("p U q U r", "(p U q) U r");
    check("p || q && r", "p || (q && r)");
    check("!p U q", "!p U q");
    check("[] p && q", "[] p && q");
    check("<> p U q", "<> p U q");
    check("X p U q", "X p U q");
    check("p -> q || r", "q || r || !p");
    check("[] p -> <> q", "<> q || <> !p");
    check("p -> q -> r", "r || (p && !q)");
    check("p U q && r", "(p U q) && r");
    check("a || b U c", "a || (b U c)");
}

#[test]
fn boolean_operators_bind_alike_on_spins_command_line() {
    let flat = |text| Formula::parse_with(text, Precedence::Flat).unwrap().to_string();
    assert_eq!(flat("p || q && r"), "(p || q) && r");
    assert_eq!(flat("p && q || r"), "(p && q) || r");
    assert_eq!(flat("p U q || r"), "(p U q) || r");
}

#[test]
fn words_and_symbols_are_the_same() {
    for (words, symbols) in [
        ("always p", "[] p"),
        ("eventually always p", "<>[] p"),
        ("p until q", "p U q"),
        ("p stronguntil q", "p U q"),
        ("p weakuntil q", "p W q"),
        ("p release q", "p V q"),
        ("p R q", "p V q"),
        ("next p", "X p"),
        ("p implies q", "p -> q"),
        ("p equivalent q", "p <-> q"),
        ("not p and q or r", "!p && q || r"),
        ("p /\\ q \\/ r", "p && q || r"),
    ] {
        let read = |text: &str| Formula::parse(text).unwrap().to_string();
        assert_eq!(read(words), read(symbols));
    }
}

#[test]
fn atoms_are_expressions_of_the_modelling_language() {
    check_atoms("[] (x == 1)", &["x == 1"]);
    check_atoms("[] x == 1", &["x == 1"]);
    check_atoms("x==1 U y==2", &["x==1", "y==2"]);
    check_atoms("len(q) < 3 && <> full(q)", &["len(q) < 3", "full(q)"]);
    check_atoms("[] !P[1]@label", &["P[1]@label"]);
    check_atoms("P[i+1]:x > 2 -> <> Q:y", &["P[i+1]:x > 2", "Q:y"]);
    check_atoms("<> q?[m, 3] || q??[eval(x)]", &["q?[m, 3]", "q??[eval(x)]"]);
    check_atoms("a[i].f > 2 + b && c", &["a[i].f > 2 + b", "c"]);
    check_atoms("!x == 1 U p", &["!x == 1", "p"]);
    check_atoms("!(x == 1) U p", &["x == 1", "p"]);
    check_atoms("((a + b) * 2 > (c)) -> d", &["(a + b) * 2 > (c)", "d"]);
    check_atoms("(x -> 1 : 2) == y", &["(x -> 1 : 2) == y"]);
    check_atoms("-x < 3 && ~y == 1", &["-x < 3", "~y == 1"]);
    check_atoms("[] (np_ || timeout || _last == 1)", &["np_", "timeout", "_last == 1"]);
    check_atoms("c_expr { now.x > U && y } U p", &["c_expr { now.x > U && y }", "p"]);
    check_atoms("a | b U c & 1", &["a | b", "c & 1"]);
    check_atoms("x=='U'", &["x=='U'"]);
    check_atoms("R U X", &["R", "X"]);
    check_atoms("x  ==  1 && (x == 1)", &["x  ==  1"]);
}

#[test]
fn constants_are_no_atoms() {
    check("true U false", "false");
    check("[] 1 && p", "p");
    check_atoms("x == true", &["x == true"]);
}

#[test]
fn printed_formulas_are_read_back() {
    for text in ["[] (x == 1 -> <> (y > 2 && !z))", "(a W b) <-> X !(c == d)", "!(p U q) V r"] {
        let formula = Formula::parse(text).unwrap();
        let again = Formula::parse(&formula.to_string()).unwrap();
        let normal = |formula: &Formula| formula.simplified().unwrap().to_string().len();
        assert_eq!(normal(&formula), normal(&again), "{text}");
    }
}

#[test]
fn errors_point_at_what_is_wrong() {
    check_error("", 0, "ends where an operand is expected");
    check_error("p U", 3, "ends where an operand is expected");
    check_error("[] (p -> <> q", 3, "'(' is never closed");
    check_error("p) U q", 1, "nothing is open");
    check_error("p q", 2, "expected an operator before 'q'");
    check_error("(p q)", 3, "expected an operator before 'q'");
    check_error("p && && q", 5, "expected an operand before '&&'");
    check_error("x = 1", 2, "'==' compares");
    check_error("p § q", 2, "cannot stand in a formula");
    check_error("x + [] p", 4, "'[]' cannot stand inside an expression");
    check_error("(p U q) == 1", 3, "'U' cannot stand inside an expression");
    check_error("x == ", 5, "ends where an operand is expected");
    check_error("p /* q", 2, "comment is never closed");
    check_error("x == \"a", 5, "quote is never closed");
    check_error("()", 1, "expected an operand before ')'");
    check_error("a[1", 1, "'[' is never closed");
}

#[test]
fn deep_nesting_is_an_error_not_an_overflow() {
    for text in [
        "(".repeat(100_000) + "p" + &")".repeat(100_000),
        "!".repeat(100_000) + "p",
        "[]<>".repeat(100_000) + "p",
        "X ".repeat(100_000) + "p",
        (0..100_000).map(|_| "p U ").collect::<String>() + "q",
        (0..100_000).map(|i| if i % 2 == 0 { "p U " } else { "q U " }).collect::<String>() + "p",
    ] {
        match Formula::parse(&text) {
            Err(Error::TooDeep { at }) => assert!(at <= text.len()),
            Err(error) => panic!("{error}"),
            Ok(formula) => assert!(formula.store().depth(formula.root()) <= MAX_DEPTH),
        }
    }
}

#[test]
fn too_many_atoms_are_an_error() {
    let text =
        |count: usize| (0..count).map(|index| format!("a{index}")).collect::<Vec<_>>().join(" && ");
    assert!(Formula::parse(&text(MAX_ATOMS)).is_ok());
    assert!(matches!(Formula::parse(&text(MAX_ATOMS + 1)), Err(Error::TooManyAtoms { at: 438 })));
}
