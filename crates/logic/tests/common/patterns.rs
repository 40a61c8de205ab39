//! The property specification patterns of Dwyer, Avrunin and Corbett (1999): eleven patterns in
//! five scopes.

/// The scopes, in the order of each pattern's formulas.
pub const SCOPES: [&str; 5] =
    ["globally", "before r", "after q", "between q and r", "after q until r"];

/// Each pattern with its formula in each scope.
pub const PATTERNS: [(&str, [&str; 5]); 11] = [
    (
        "absence",
        [
            "[] (!p)",
            "<> r -> (!p U r)",
            "[] (q -> [] (!p))",
            "[] ((q && !r && <> r) -> (!p U r))",
            "[] ((q && !r) -> (!p W r))",
        ],
    ),
    (
        "existence",
        [
            "<> p",
            "!r W (p && !r)",
            "[] (!q) || <> (q && <> p)",
            "[] ((q && !r) -> (!r W (p && !r)))",
            "[] ((q && !r) -> (!r U (p && !r)))",
        ],
    ),
    (
        "bounded existence",
        [
            "!p W (p W (!p W (p W [] (!p))))",
            "<> r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
            "<> q -> (!q U (q && (!p W (p W (!p W (p W [] (!p)))))))",
            "[] ((q && <> r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r))))))))))",
            "[] (q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p W r) || [] p)))))))))",
        ],
    ),
    (
        "universality",
        [
            "[] p",
            "<> r -> (p U r)",
            "[] (q -> [] p)",
            "[] ((q && !r && <> r) -> (p U r))",
            "[] ((q && !r) -> (p W r))",
        ],
    ),
    (
        "precedence",
        [
            "!p W s",
            "<> r -> (!p U (s || r))",
            "[] (!q) || <> (q && (!p W s))",
            "[] ((q && !r && <> r) -> (!p U (s || r)))",
            "[] ((q && !r) -> (!p W (s || r)))",
        ],
    ),
    (
        "response",
        [
            "[] (p -> <> s)",
            "<> r -> ((p -> (!r U (s && !r))) U r)",
            "[] (q -> [] (p -> <> s))",
            "[] ((q && !r && <> r) -> ((p -> (!r U (s && !r))) U r))",
            "[] ((q && !r) -> ((p -> (!r U (s && !r))) W r))",
        ],
    ),
    (
        "precedence chain: two causes, one effect",
        [
            "<> p -> (!p U (s && !p && X (!p U t)))",
            "<> r -> (!p U (r || (s && !p && X (!p U t))))",
            "[] (!q) || (!q U (q && (<> p -> (!p U (s && !p && X (!p U t))))))",
            "[] ((q && <> r) -> (!p U (r || (s && !p && X (!p U t)))))",
            "[] (q -> (<> p -> (!p U (r || (s && !p && X (!p U t))))))",
        ],
    ),
    (
        "precedence chain: one cause, two effects",
        [
            "<> (s && X (<> t)) -> (!s U p)",
            "<> r -> ((!(s && !r && X (!r U (t && !r)))) U (r || p))",
            "[] (!q) || ((!q) U (q && ((<> (s && X (<> t))) -> (!s U p))))",
            "[] ((q && <> r) -> ((!(s && !r && X (!r U (t && !r)))) U (r || p)))",
            "[] (q -> ((!(s && !r && X (!r U (t && !r)))) U (r || p) || [] (!(s && X (<> t)))))",
        ],
    ),
    (
        "response chain: one stimulus, two responses",
        [
            "[] (p -> <> (s && X (<> t)))",
            "<> r -> ((p -> (!r U (s && !r && X (!r U t)))) U r)",
            "[] (q -> [] (p -> (<> (s && X (<> t)))))",
            "[] ((q && <> r) -> ((p -> (!r U (s && !r && X (!r U t)))) U r))",
            "[] (q -> ((p -> (!r U (s && !r && X (!r U t)))) U (r || [] (p -> (s && X (<> t))))))",
        ],
    ),
    (
        "response chain: two stimuli, one response",
        [
            "[] ((s && X (<> t)) -> X (<> (t && <> p)))",
            "<> r -> ((s && X (!r U t) -> X (!r U (t && <> p))) U r)",
            "[] (q -> [] ((s && X (<> t)) -> X (!t U (t && <> p))))",
            "[] ((q && <> r) -> ((s && X (!r U t) -> X (!r U (t && <> p))) U r))",
            "[] (q -> ((s && X (!r U t) -> X (!r U (t && <> p))) U (r || [] (s && X (!r U t) -> X (!r U (t && <> p))))))",
        ],
    ),
    (
        "constrained chain",
        [
            "[] (p -> <> (s && !z && X (!z U t)))",
            "<> r -> ((p -> (!r U (s && !r && !z && X ((!r && !z) U t)))) U r)",
            "[] (q -> [] (p -> <> (s && !z && X (!z U t))))",
            "[] ((q && <> r) -> ((p -> (!r U (s && !r && !z && X ((!r && !z) U t)))) U r))",
            "[] (q -> ((p -> (!r U (s && !r && !z && X ((!r && !z) U t)))) U (r || [] (p -> (s && !z && X (!z U t))))))",
        ],
    ),
];
