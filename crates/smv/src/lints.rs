//! The kinds of warnings about SMV models.

isospin_source::lints! {
    /// A specification that is not checked, because it is written in PSL.
    PSL = "psl",
}
