//! Statements that tell processes apart.

/// What can tell processes apart: the statement, and whether it may stand in a process of names.
pub(super) const PLANTS: [(&str, &str); 28] = [
    ("a name is written out", "g_n = 1;"),
    ("a name is compared with a constant", "(me == 0);"),
    ("a name is compared with a constant in one of two ways", "if :: (me == 1) -> g_d = 2; :: else fi;"),
    ("an element is written out", "a_d[1] = 2;"),
    ("an element is looked at", "(a_d[0] == 1);"),
    ("names are compared by size", "(me < l_n);"),
    ("names are compared by size with a global one", "(g_n <= me);"),
    ("a neighbour", "g_n = ((me + 1) % N);"),
    ("the next name", "l_n = me + 1;"),
    ("a name as a number", "g_d = me;"),
    ("a number as a name", "g_n = g_d;"),
    ("a loop that others interrupt", "for (i : 0 .. N - 1) { a_d[i] = 1; }"),
    ("a loop whose order counts", "atomic { for (i : 0 .. N - 1) { g_n = i; } i = 0; }"),
    ("a loop that finds the first", "atomic { i = 0; do :: i < N && a_d[i] == 0 -> i++ :: else -> break od; if :: i < N -> g_n = i :: else fi; i = 0; }"),
    ("a loop over some", "atomic { for (i : 1 .. N - 1) { a_d[i] = 2; } i = 0; }"),
    ("a loop that counts", "d_step { for (i : 0 .. N - 1) { if :: a_d[i] == 1 -> g_d = (g_d + 1) % 3; :: else -> skip; fi } i = 0; }"),
    ("a label of one process", "if :: P[1]@here -> g_d = 1; :: else fi;"),
    ("the number of processes", "(_nr_pr < N + 1);"),
    ("sorted names", "if :: c_n!!me; :: c_n?l_n; fi;"),
    ("a name asked for", "if :: c_n!me; :: c_n?0; fi;"),
    ("a choice among some", "atomic { select(i : 0 .. N - 2); g_n = i; i = 0; }"),
    ("a loop that sends a name to the first", "atomic { b_n[0]!me; }"),
    ("a conjunction as a name", "g_n = (1 && l_n);"),
    ("a conjunction the other way round as a name", "l_n = (g_n && 1);"),
    ("a disjunction as a name", "g_n = (0 || l_n);"),
    ("a negation as a name", "l_n = !g_n;"),
    ("a comparison as a name", "g_n = (l_n == me);"),
    ("a name is compared with a conjunction", "if :: (l_n == (g_n && 1)) -> g_d = 1; :: else fi;"),
];

/// Those after which variables do not hold what their names say. A channel that nobody reaches by a
/// name is a channel like any other, and moves with none.
pub(super) const MIXED: [&str; 9] = [
    "g_n = g_d;",
    "g_d = me;",
    "atomic { b_n[0]!me; }",
    "g_n = (1 && l_n);",
    "l_n = (g_n && 1);",
    "g_n = (0 || l_n);",
    "l_n = !g_n;",
    "g_n = (l_n == me);",
    "if :: (l_n == (g_n && 1)) -> g_d = 1; :: else fi;",
];
