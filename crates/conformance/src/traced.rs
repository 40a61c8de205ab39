//! Random models with trace assertions: processes that send and receive, some of it watched.

use crate::rng::Rng;
use crate::tree::{Piece, Text};

/// The model of a seed. Its assertion is deterministic: a location never has two operations that
/// one event could be both of.
pub fn traced(seed: u64) -> Text {
    let mut rng = Rng::new(seed);
    let mut pieces = vec![Piece::line("byte g0;")];
    let capacities = [rng.below(3), 1 + rng.below(2)];
    for (k, capacity) in capacities.iter().enumerate() {
        pieces.push(Piece::line(format!("chan c{k} = [{capacity}] of {{ byte }};")));
    }
    pieces.push(Piece::line("chan d = [1] of { byte };"));
    for k in 0..rng.between(2, 3) {
        let mut inner = vec![Piece::line("byte l;")];
        for _ in 0..rng.between(2, 5) {
            inner.push(statement(&mut rng, &capacities));
        }
        pieces.push(Piece::group(format!("active proctype P{k}() {{"), inner, "}"));
    }
    pieces.push(assertion(&mut rng));
    Text { pieces }
}

fn statement(rng: &mut Rng, capacities: &[usize]) -> Piece {
    let channel = *rng.pick(&["c0", "c0", "c1", "c1", "d"]);
    let buffered = channel != "c0" || capacities[0] > 0;
    Piece::line(match rng.below(10) {
        0..=2 => format!("{channel}!{};", rng.below(2)),
        3 | 4 => format!("{channel}?l;"),
        5 => format!("{channel}?{};", rng.below(2)),
        6 if buffered => format!("{channel}?<l>;"),
        7 if buffered => format!("{channel}??{};", rng.below(2)),
        8 => format!("g0 = {};", rng.below(2)),
        _ => format!("l = {};", rng.below(2)),
    })
}

/// `trace` or `notrace`: a sequence, or a loop, of operations and choices between operations.
fn assertion(rng: &mut Rng) -> Piece {
    let mut event = |k: usize| {
        let channel = ["c0", "c1"][k % 2];
        let sign = if rng.chance(60) { '!' } else { '?' };
        let what = *rng.pick(&["0", "1", "_"]);
        format!("{channel}{sign}{what}")
    };
    let mut body = Vec::new();
    for k in 0..3 {
        body.push(match k % 2 {
            0 => Piece::line(format!("{};", event(k))),
            // Different channels, so that it is always clear which one is meant.
            _ => Piece::line(format!("if :: {} :: {} fi;", event(0), event(1))),
        });
    }
    let (keyword, loops) = (*rng.pick(&["trace", "trace", "notrace"]), rng.chance(50));
    if loops && keyword == "trace" {
        let options = vec![Piece::group("::", body, "")];
        body = vec![Piece::group("do", options, "od")];
    }
    Piece::group(format!("{keyword} {{"), body, "}")
}
