//! Measures look-ups per second: random vectors of 64 bytes, a quarter of the look-ups new, in
//! batches. Arguments: distinct vectors in millions (default 6.5), batch size (default 32), threads
//! (default 1), varying bytes (default 64).

use std::sync::Arc;
use std::time::Instant;

use isospin_store::{Budget, Exact, Insert, Keep, StateSet};

const LEN: usize = 64;
const LOOKUPS_PER_VECTOR: f64 = 25.0 / 6.5;

fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Vector `n`: the first `varying` bytes are random, the rest is constant.
fn fill(vector: &mut [u8; LEN], n: u64, varying: usize) {
    for (k, word) in vector[..varying].chunks_mut(8).enumerate() {
        let random = mix(n.wrapping_mul(8).wrapping_add(k as u64)).to_le_bytes();
        word.copy_from_slice(&random[..word.len()]);
    }
}

fn run<S: StateSet>(set: &S, part: std::ops::Range<u64>, args: &Args) -> u64 {
    let mut handle = set.handle();
    let mut vector = [7; LEN];
    let (mut new, mut waiting) = (0, 0);
    for n in part.clone() {
        fill(&mut vector, mix(n) % args.distinct, args.varying);
        handle.push(&vector, None);
        waiting += 1;
        if waiting == args.batch || n + 1 == part.end {
            waiting = 0;
            let committed = handle.commit(|answer, _| {
                new += u64::from(answer.new);
                Ok(())
            });
            committed.expect("enough memory");
        }
    }
    new
}

struct Args {
    distinct: u64,
    batch: usize,
    varying: usize,
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<f64>());
    let mut next = |default: f64| numbers.next().and_then(Result::ok).unwrap_or(default);
    let distinct = (next(6.5) * 1e6) as u64;
    let batch = next(32.0).max(1.0) as usize;
    let threads = next(1.0).max(1.0) as u64;
    let varying = (next(64.0) as usize).clamp(8, LEN);
    let args = Args { distinct, batch, varying };
    let lookups = (distinct as f64 * LOOKUPS_PER_VECTOR) as u64;

    // What the vectors themselves cost to make.
    let start = Instant::now();
    let mut vector = [7; LEN];
    let mut sum = 0;
    for n in 0..lookups {
        fill(&mut vector, mix(n) % distinct, varying);
        sum ^= u64::from(vector[n as usize % LEN]);
    }
    std::hint::black_box(sum);
    let making = start.elapsed().as_secs_f64();

    let budget = Arc::new(Budget::new(None));
    let start = Instant::now();
    let (new, bytes) = if threads == 1 {
        let set = Exact::<false>::new(Keep::default(), Arc::default(), budget);
        let set = set.expect("enough memory");
        let new = run(&set, 0..lookups, &args);
        (new, set.bytes())
    } else {
        let set = Exact::<true>::new(Keep::default(), Arc::default(), budget);
        let set = set.expect("enough memory");
        let share = lookups / threads;
        let new = std::thread::scope(|scope| {
            let (set, args) = (&set, &args);
            let start = |t| scope.spawn(move || run(set, t * share..(t + 1) * share, args));
            let joining: Vec<_> = (0..threads).map(start).collect();
            joining.into_iter().map(|t| t.join().expect("no panic")).sum()
        });
        (new, set.bytes())
    };
    let seconds = start.elapsed().as_secs_f64() - making / threads as f64;
    println!(
        "{lookups} look-ups, {new} new, batches of {batch}, {threads} thread(s), {varying} varying bytes"
    );
    println!(
        "{:.2} million look-ups a second, {:.1} bytes a state",
        lookups as f64 / seconds / 1e6,
        bytes as f64 / new as f64
    );
}
