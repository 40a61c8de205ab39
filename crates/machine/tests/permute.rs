//! Machine code that renames what is in a vector, on programs by hand.

use isospin_machine::native::permute::{
    Lookup, Move, Permuter, Program, Queue, Table, Value, Values,
};

fn table(change: impl Fn(u8) -> u8) -> Table {
    std::array::from_fn(|k| change(k as u8))
}

/// Two stretches of `len` bytes that a table exchanges.
fn exchange(len: u32) -> Program {
    let lookup = |index| Lookup { table: 0, index, places: 0 };
    let step = |k: u32| Move { from: k * len, len, to: vec![lookup(k as u8)], ..Move::default() };
    Program {
        length: 2 * len + 1,
        tables: 1,
        places: vec![vec![0, len]],
        moves: vec![step(0), step(1)],
    }
}

#[test]
fn stretches_of_any_length_change_places() {
    for len in 1..40 {
        let permuter = Permuter::new(&exchange(len)).expect("machine code");
        let vector: Vec<u8> = (0..=2 * len as u8).collect();
        let mut out = Vec::new();
        permuter.apply(&[table(|k| k ^ 1)], &vector, &mut out);
        let (first, rest) = vector.split_at(len as usize);
        let (second, last) = rest.split_at(len as usize);
        assert_eq!(out, [second, first, last].concat(), "{len} bytes");
        permuter.apply(&[table(|k| k)], &vector, &mut out);
        assert_eq!(out, vector, "{len} bytes");
        // Whatever the table says, nothing outside the vector is touched.
        permuter.apply(&[table(|k| k.wrapping_add(200))], &vector, &mut out);
        assert_eq!(out.len(), vector.len());
    }
}

#[test]
fn only_values_below_256_are_renamed() {
    for width in [1, 2, 4] {
        let values = Values::Always(vec![Value { at: 0, width, table: 0 }]);
        let moves = vec![Move { values, ..Move::default() }];
        let program = Program { length: u32::from(width), tables: 1, places: Vec::new(), moves };
        let permuter = Permuter::new(&program).expect("machine code");
        for value in [0_u32, 1, 7, 255, 256, 511, 65_535, 65_536, u32::MAX] {
            let bytes = &value.to_le_bytes()[..usize::from(width)];
            let mut wide = [0; 4];
            wide[..bytes.len()].copy_from_slice(bytes);
            let held = u32::from_le_bytes(wide);
            let expected = if held < 256 { held ^ 3 } else { held };
            let mut out = Vec::new();
            permuter.apply(&[table(|k| k ^ 3)], bytes, &mut out);
            assert_eq!(out, expected.to_le_bytes()[..bytes.len()], "{value} in {width} bytes");
        }
    }
}

#[test]
fn messages_are_renamed_by_their_first_field_and_as_many_as_there_are() {
    let value = |at| vec![Value { at, width: 1, table: 0 }];
    let queue = Queue {
        width: 1,
        capacity: 3,
        size: 3,
        tag: Some((1, true)),
        cases: vec![(-1, value(1)), (5, value(2))],
        others: Vec::new(),
    };
    let moves = vec![Move { values: Values::Queued(queue), ..Move::default() }];
    let program = Program { length: 10, tables: 1, places: Vec::new(), moves };
    let permuter = Permuter::new(&program).expect("machine code");
    let mut out = Vec::new();
    permuter.apply(&[table(|k| k ^ 1)], &[2, 255, 8, 8, 5, 8, 8, 255, 8, 8], &mut out);
    assert_eq!(out, [2, 255, 9, 8, 5, 8, 9, 255, 8, 8]);
    // A count that cannot be does no harm.
    permuter.apply(&[table(|k| k ^ 1)], &[200, 1, 8, 8, 5, 8, 8, 255, 8, 8], &mut out);
    assert_eq!(out, [200, 1, 8, 8, 5, 8, 9, 255, 9, 8]);
}

#[test]
fn programs_that_leave_the_vector_are_refused() {
    let refused = |change: &dyn Fn(&mut Program)| {
        let mut program = exchange(4);
        change(&mut program);
        Permuter::new(&program).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|p| p.length = 7));
    assert!(refused(&|p| p.places[0][1] = 6));
    assert!(refused(&|p| p.moves[0].base = 2));
    assert!(refused(&|p| p.moves[1].from = 6));
    assert!(refused(&|p| p.tables = 0));
    assert!(refused(&|p| p.moves[0].to[0].places = 1));
    let values = |at, width, table| Values::Always(vec![Value { at, width, table }]);
    assert!(refused(&|p| p.moves[0].values = values(4, 2, 0)));
    assert!(refused(&|p| p.moves[0].values = values(0, 3, 0)));
    assert!(refused(&|p| p.moves[0].values = values(0, 1, 1)));
    assert!(refused(&|p| p.moves[0].values = Values::Chosen { at: 9, width: 1, cases: vec![] }));
}

#[test]
#[should_panic(expected = "another program")]
fn a_vector_of_another_length_is_no_vector_of_the_program() {
    let permuter = Permuter::new(&exchange(4)).expect("machine code");
    permuter.apply(&[table(|k| k)], &[0; 8], &mut Vec::new());
}
