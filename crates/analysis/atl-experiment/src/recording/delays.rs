//! A delay over time as a delay for each 10 ms.

use atl_link::trace::DelayTrace;
use atl_scenario::LONGEST_TRACE;

use super::curve::Curve;
use super::opportunities::too_long;
use super::problem::Problem;

/// Duration of a line, in nanoseconds.
pub(super) const LINE: u64 = DelayTrace::STEP.nanos();
/// Nanoseconds that a delay has at most, as in a delay trace.
pub(super) const LONGEST_DELAY: u64 = 1_000_000_000_000;
/// The same for messages.
pub(super) const ALLOWED_DELAYS: &str = "a delay of at most 1000 s";

/// The mean of each 10 ms, in nanoseconds. The last line may be the mean of less.
///
/// # Errors
/// If the trace would be too long.
pub(super) fn of(curve: &Curve) -> Result<Vec<u64>, Problem> {
    let lines = curve.nanos().div_ceil(LINE);
    // A line has two bytes at least.
    if lines > LONGEST_TRACE / 2 {
        return Err(too_long(LONGEST_TRACE / 2 * LINE));
    }
    let mut means = Vec::with_capacity(lines as usize);
    let (mut sum, mut filled) = (0_u128, 0);
    for step in &curve.steps {
        let mut rest = step.nanos;
        while rest > 0 {
            let part = rest.min(LINE - filled);
            sum += u128::from(step.value) * u128::from(part);
            rest -= part;
            filled += part;
            if filled == LINE {
                means.push(mean(sum, filled));
                (sum, filled) = (0, 0);
            }
        }
    }
    if filled > 0 {
        means.push(mean(sum, filled));
    }
    Ok(means)
}

/// Rounded, halves up.
fn mean(sum: u128, over: u64) -> u64 {
    ((sum + u128::from(over / 2)) / u128::from(over)) as u64
}

/// The trace as a file has it: milliseconds, to the microsecond.
///
/// # Errors
/// If it would be too long.
pub(super) fn text(means: &[u64]) -> Result<String, Problem> {
    let mut text = String::with_capacity(means.len() * 6);
    for (line, nanos) in means.iter().enumerate() {
        let micros = nanos.saturating_add(500) / 1000;
        let number = format!("{}.{:03}", micros / 1000, micros % 1000);
        text.push_str(number.trim_end_matches('0').trim_end_matches('.'));
        text.push('\n');
        if text.len() as u64 > LONGEST_TRACE {
            return Err(too_long(line as u64 * LINE));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::curve::{Curve, Step};
    use super::{of, text};

    #[test]
    fn each_line_is_the_mean_of_its_10_ms() {
        const MILLI: u64 = 1_000_000;
        let steps = [(5 * MILLI, 10 * MILLI), (10 * MILLI, 20 * MILLI), (10 * MILLI, 12_345_678)];
        let steps = steps.map(|(nanos, value)| Step { nanos, value }).to_vec();
        let means = of(&Curve { steps, ..Curve::default() }).expect("short");
        assert_eq!(means, [15 * MILLI, (20 * MILLI + 12_345_678) / 2, 12_345_678]);
        assert_eq!(text(&means).as_deref(), Ok("15\n16.173\n12.346\n"));
    }

    #[test]
    fn too_much_is_refused_before_it_fills_the_memory() {
        let curve = Curve { steps: vec![Step { nanos: u64::MAX, value: 1 }], ..Curve::default() };
        assert!(of(&curve).is_err_and(|e| e.to_string().contains("64 MiB")));
    }
}
