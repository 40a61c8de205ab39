//! Invariants that are violated before all states are known.

use std::path::Path;
use std::sync::Arc;

use isospin_symbolic::{check, Event, Options, Status, Verdict};

const MODEL: &str = "MODULE main VAR x : 0..50; ASSIGN init(x) := 0;\n\
    next(x) := case x < 50 : {x, x + 1}; TRUE : x; esac;\n\
    INVARSPEC x < 3; INVARSPEC x >= 0; INVARSPEC x != 7;";

fn run(options: &Options) -> (isospin_symbolic::Report, Vec<(bool, usize)>) {
    let bytes = MODEL.as_bytes().to_vec();
    let reading = isospin_smv::read(Path::new("m.smv"), bytes, &isospin_smv::Options::default());
    let relation = Arc::new(reading.relation.expect("a model"));
    let mut order = Vec::new();
    let report = check(&relation, options, &mut |event| {
        match event {
            Some(Event::Reached(..)) => order.push((true, 0)),
            Some(Event::Decided(index, _)) => order.push((false, *index)),
            _ => {}
        }
        true
    });
    (report, order)
}

#[test]
fn what_is_violated_is_told_before_all_states_are_known() {
    let (report, order) = run(&Options::default());
    assert_eq!(order, [(false, 0), (false, 2), (true, 0), (false, 1)]);
    assert_eq!(report.status, Status::Complete);
    assert_eq!(report.diameter, Some(51));
    assert_eq!(report.reachable.map(|count| count.to_string()).as_deref(), Some("51"));
    let lengths = report.found.iter().map(|f| f.trace.as_ref().map(|t| t.states.len()));
    assert_eq!(lengths.collect::<Vec<_>>(), [Some(4), None, Some(8)]);
}

#[test]
fn the_rest_is_not_looked_for_where_nothing_asks_for_it() {
    let only = Some(vec![0, 2]);
    let (report, _) = run(&Options { only, enough: true, ..Options::default() });
    assert_eq!(report.status, Status::Enough);
    assert_eq!((report.reachable, report.diameter), (None, None));
    assert_eq!(report.found[0].verdict, Verdict::Violated);
    assert_eq!(report.found[2].verdict, Verdict::Violated);
    assert_eq!(report.unconfirmed, 0);
    // One that holds needs all states.
    let only = Some(vec![0, 1]);
    let (report, _) = run(&Options { only, enough: true, ..Options::default() });
    assert_eq!((report.status, report.diameter), (Status::Complete, Some(51)));
}
