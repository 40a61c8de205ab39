//! What processes share, who touches it, and which steps can disturb each other: what
//! partial-order reduction stands on, as text, JSON and DOT.

mod dot;
mod json;
mod text;

pub use dot::dot;
pub use json::json;
pub use text::text;

use isospin_analysis::facts::Obstacle;

/// Why there is no partial-order reduction, as a clause.
pub(crate) fn why_not(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Priorities => "off: the model uses priorities",
        Obstacle::Provided => "off: the model uses a provided clause",
        Obstacle::Last => "off: the model uses _last",
        Obstacle::Enabled => "off: the model uses enabled()",
        Obstacle::Timeout => "off: the property asks for timeout",
    }
}
