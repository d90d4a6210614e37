//! Times at the edges of their range, all pairs, against 128 bits.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

/// 0, each power of two, the units of time, and the end of the range, with their neighbours.
fn edges() -> Vec<u64> {
    let units = [1_000, 1_000_000, 1_000_000_000, 3_600_000_000_000, 31_536_000_000_000_000];
    let mut all: Vec<u64> = (0..64)
        .map(|power| 1 << power)
        .chain(units)
        .flat_map(|place: u64| place.saturating_sub(1)..=place.saturating_add(1))
        .chain([0, u64::MAX - 1, u64::MAX])
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn clamped(exact: i128) -> u64 {
    exact.clamp(0, i128::from(u64::MAX)) as u64
}

#[test]
fn sums_and_differences_of_times_end_at_the_range() {
    for a in edges() {
        for b in edges() {
            let (x, y) = (i128::from(a), i128::from(b));
            let (time, span) = (Time::from_nanos(a), Span::from_nanos(b));
            assert_eq!(time.saturating_add(span).nanos(), clamped(x + y), "{a} + {b}");
            assert_eq!((time - span).nanos(), clamped(x - y), "{a} - {b}");
            assert_eq!(time.since(Time::from_nanos(b)).nanos(), clamped(x - y), "{a} since {b}");
            let other = Span::from_nanos(a);
            assert_eq!(other.saturating_sub(span).nanos(), clamped(x - y), "{a} - {b}");
            assert_eq!(other.abs_diff(span).nanos(), clamped((x - y).abs()), "{a} to {b}");
            if x + y <= i128::from(u64::MAX) {
                assert_eq!((time + span).nanos(), clamped(x + y), "{a} + {b}");
            }
            // The product of two numbers of 64 bits does not fit into a signed 128.
            let product = u128::from(a) * u128::from(b);
            let exact = u64::try_from(product).unwrap_or(u64::MAX);
            assert_eq!((other * b).nanos(), exact, "{a} times {b}");
        }
    }
}

/// Seconds as floating point are exact to a nanosecond for 52 days, and to one part in 2^52 beyond.
#[test]
fn seconds_come_back_as_nanoseconds() {
    for nanos in edges() {
        let near = |found: u64| {
            let error = nanos.abs_diff(found);
            assert!(error <= nanos >> 51, "{nanos}: {found}");
        };
        near(Span::from_secs_f64(Span::from_nanos(nanos).secs()).nanos());
        near(Time::from_secs_f64(Time::from_nanos(nanos).secs()).nanos());
        near(Span::from_nanos(nanos).mul_f64(1.0).nanos());
        for factor in [0.5, 2.0, 3.0] {
            let exact = (u128::from(nanos) * (factor * 2.0) as u128).div_ceil(2);
            let exact = u64::try_from(exact).unwrap_or(u64::MAX);
            let found = Span::from_nanos(nanos).mul_f64(factor).nanos();
            assert!(found.abs_diff(exact) <= exact >> 51, "{nanos} times {factor}: {found}");
        }
    }
}

/// The time that bytes take at a rate, against whole numbers.
#[test]
fn the_time_of_bytes_is_exact_to_a_nanosecond_or_a_part_in_2_to_the_50() {
    for bytes in edges() {
        for bps in [1, 7, 9_600, 1_000_000, 1_000_000_007, 10_u64.pow(12), 10_u64.pow(15)] {
            let exact = u128::from(bytes) * 8 * 1_000_000_000 / u128::from(bps);
            let exact = u64::try_from(exact).unwrap_or(u64::MAX);
            let found = Rate::from_bps(bps as f64).time_for(bytes).nanos();
            let error = found.abs_diff(exact);
            assert!(error <= 1 + (exact >> 50), "{bytes} B at {bps} b/s: {found}, not {exact}");
        }
    }
}
