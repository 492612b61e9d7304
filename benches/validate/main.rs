//! How fast packages are judged and pictures made, beside the tools that do the same work, and the worst inputs.
//!
//! `scripts/bench-validate` runs it and provides `unzip` and `sharp`. With words behind `--`, only those parts run:
//! `speed`, `projection`, `worst`.

#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a measurement stops where it goes wrong and prints what it found"
)]

mod packages;
mod projection;
mod speed;
mod ssim;
mod worst;

use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if let [child, name] = words.as_slice()
        && child == "worst-child"
    {
        return worst::child(name);
    }
    for (name, part) in [("speed", speed::run as fn()), ("projection", projection::run), ("worst", worst::run)] {
        if words.is_empty() || words.iter().any(|word| word == name) {
            part();
        }
    }
}

/// The median of several runs after one that warms up, and what the last run gave.
fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut result = work();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            result = work();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    (times[times.len() / 2], result)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
