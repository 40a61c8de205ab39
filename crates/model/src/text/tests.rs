//! What is read and what is refused.

use super::{read, write};
use crate::layout::Layout;
use crate::model::Model;

const EVERYTHING: &str = include_str!("../../tests/models/everything.model");

fn everything() -> Model {
    let model = read(EVERYTHING).unwrap_or_else(|error| panic!("{error}"));
    model.verify().unwrap_or_else(|flaw| panic!("{flaw}"));
    model
}

#[test]
fn everything_that_can_be_written_by_hand_is_read_back_as_it_was_written() {
    let model = everything();
    let text = write(&model);
    assert_eq!(read(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), model, "{text}");
}

#[test]
fn what_is_left_out_is_laid_out_as_the_layout_says() {
    let model = everything();
    let layout = &model.layout;
    let hidden = Layout { hidden: 2, process_count: 2, ..Layout::default() };
    assert_eq!((layout.hidden, layout.process_count), (hidden.hidden, hidden.process_count));
    assert_eq!((layout.last, layout.event), (Some(3), Some(4)));
    let at = |name: &str| layout.slots.iter().find(|s| s.path[0].name == name).map(|s| s.offset);
    assert_eq!((at("secret"), at("x"), at("y")), (Some(0), Some(6), Some(7)));
    let frame = &model.proctypes[0].frame;
    assert_eq!((frame.location_width, frame.priority), (1, Some(2)));
    let offsets: Vec<u32> = frame.slots.iter().map(|s| s.offset).collect();
    assert_eq!(offsets, [3, 4, 5, 6, 7, 8]);
    assert_eq!((frame.channels[0].offset, frame.size), (12, 15));
}

#[test]
fn what_the_model_makes_use_of_is_found_out() {
    let features = everything().features;
    let all = [
        features.priorities,
        features.provided,
        features.last,
        features.enabled,
        features.rendezvous,
        features.escapes,
    ];
    assert_eq!(all, [true; 6]);
    assert_eq!(read("model m").expect("a model").features, Default::default());
}

#[test]
fn operators_bind_as_in_c() {
    let value = |text: &str| {
        let text = format!("model m byte x = 1 process P() {{ location 0 when {text} -> 0 }}");
        read(&text).expect("a model").proctypes.remove(0).automaton.edges.remove(0).action
    };
    for (bare, explicit) in [
        ("1 + 2 * 3", "1 + (2 * 3)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("1 << 2 + 3 < 4", "(1 << (2 + 3)) < 4"),
        ("1 | 2 ^ 3 & 4 == 5", "1 | (2 ^ (3 & (4 == 5)))"),
        ("1 || 2 && 3 | 4", "1 || (2 && (3 | 4))"),
        ("!x == - x", "(!x) == (-x)"),
        ("x - -1", "x - (-1)"),
    ] {
        assert_eq!(value(bare), value(explicit), "{bare}");
    }
    assert_ne!(value("-1"), value("-(1)"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let in_process = |body: &str| format!("model m\nbyte x\nprocess P() {{\n{body}\n}}");
    for (text, expected) in [
        ("model".to_owned(), "line 1, column 6: a word should follow, and the text ends"),
        (
            "model m\n  byte 3".to_owned(),
            "line 2, column 8: a name should follow, and 3 stands here",
        ),
        ("model m unknown".to_owned(), "line 1, column 9: a declaration should follow"),
        ("model m byte x at -1".to_owned(), "a number should follow, and `-` stands here"),
        ("model m unsigned 33 x".to_owned(), "line 1, column 18: a value has 1 to 32 bits"),
        ("model m active P".to_owned(), "line 1, column 16: there is no process type `P`"),
        ("model m mtype:a x".to_owned(), "there is no such mtype"),
        ("model m byte a[2] = 1".to_owned(), "an array is given values with `initially`"),
        (in_process("location 1"), "line 4, column 10: this is number 0"),
        (in_process("location 0 z = 1 -> 0"), "line 4, column 12: there is no variable `z`"),
        (in_process("location 0 x[0] = 1 -> 0"), "`x` is no array"),
        (in_process("location 0 x = 1"), "line 5, column 1: `->` should follow"),
        (in_process("location 0 skip -> there"), "there is no location `there`"),
        (in_process("location 0 when P@x -> 0"), "there is no location `x`"),
        (in_process("location 0 P@0 = 1 -> 0"), "nothing can be stored here"),
        (in_process("location 0 send &q () -> 0"), "there is no channel `q`"),
        (in_process("location 0 when 2147483648 -> 0"), "2147483648 is too large here"),
        (in_process("location 0 frobnicate -> 0"), "`=` should follow"),
        (
            in_process("location 0 d_step { node 0 d_step { } -> 0 } -> 0"),
            "an action should follow",
        ),
        ("model m uses magic".to_owned(), "`magic` is no feature"),
        ("model m ltl p { maybe }".to_owned(), "a formula should follow"),
        (
            in_process(&format!("location 0 when {}", "(".repeat(5_000))),
            "nested more than 300 deep",
        ),
        ("model m ltl p {".to_owned() + &"!".repeat(5_000), "nested more than 300 deep"),
    ] {
        let error = read(&text).expect_err(&text).to_string();
        assert!(error.contains(expected), "{text}:\n{error}\ninstead of\n{expected}");
    }
}

/// A generator of random numbers that is good enough to break texts.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn broken_text_is_refused_and_never_a_panic() {
    let words: Vec<&str> =
        EVERYTHING.split_inclusive([' ', '\n', '(', ')', '[', ']', ',']).collect();
    let mut random = Random(1);
    let (mut refused, mut read_all) = (0, 0);
    for _ in 0..3_000 {
        let mut broken = words.clone();
        for _ in 0..1 + random.below(3) {
            let (at, other) = (random.below(broken.len()), random.below(broken.len()));
            match random.below(4) {
                0 => drop(broken.remove(at)),
                1 => broken.swap(at, other),
                2 => broken[at] = words[random.below(words.len())],
                _ => broken[at] = ["4294967295 ", "-1 ", "\"", "0 ", "end "][random.below(5)],
            }
        }
        match read(&broken.concat()) {
            Err(_) => refused += 1,
            Ok(model) => {
                read_all += 1;
                if model.verify().is_ok() {
                    assert_eq!(read(&write(&model)).as_ref(), Ok(&model));
                }
            }
        }
    }
    assert!(refused > 1_000 && read_all > 100, "{refused} refused, {read_all} read");
}
