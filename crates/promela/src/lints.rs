//! The kinds of warnings about Promela models.

isospin_source::lints! {
    /// A variable that is never read, or never used at all.
    UNUSED_VARIABLE = "unused-variable",
    /// A label that no goto, remote reference or special meaning uses.
    UNUSED_LABEL = "unused-label",
    /// An inline that is never called.
    UNUSED_INLINE = "unused-inline",
    /// A proctype that is neither active nor run.
    PROCTYPE_NEVER_RUN = "proctype-never-run",
    /// A statement that control cannot reach.
    UNREACHABLE_CODE = "unreachable-code",
    /// A goto from outside into the middle of an atomic sequence.
    JUMP_INTO_ATOMIC = "jump-into-atomic",
    /// A statement inside a d_step that may block.
    BLOCKING_D_STEP = "blocking-d-step",
    /// An unless inside a d_step, which has no effect.
    UNLESS_IN_D_STEP = "unless-in-d-step",
    /// A constant that the variable it goes into cannot hold.
    CONSTANT_OUT_OF_RANGE = "constant-out-of-range",
    /// More or fewer message fields than the channel declares.
    MESSAGE_FIELD_COUNT = "message-field-count",
    /// A message field of another type than the channel declares.
    MESSAGE_FIELD_TYPE = "message-field-type",
    /// A temporal formula that is compared or computed with as if it were a number.
    TEMPORAL_OPERAND = "temporal-operand",
    /// A printf whose format and arguments do not match.
    PRINTF_ARGUMENTS = "printf-arguments",
    /// A variable as an array's size; its initial value is taken.
    VARIABLE_ARRAY_SIZE = "variable-array-size",
    /// An array without an index, which means its first element.
    ARRAY_WITHOUT_INDEX = "array-without-index",
    /// A macro that is defined a second time, differently.
    MACRO_REDEFINED = "macro-redefined",
    /// A `#warning` directive.
    USER_WARNING = "user-warning",
}
