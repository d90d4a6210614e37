//! Numbers in words and units for people.

use super::Judged;
use crate::measure::{Unit, What};

/// The name of a quantity in tables.
pub fn name(what: What) -> &'static str {
    match what {
        What::Rate => "rate",
        What::DelayLow => "delay, 5 % quantile",
        What::DelayMedian => "delay, median",
        What::DelayHigh => "delay, 95 % quantile",
        What::DelayDistance => "delays, KS distance",
        What::PairedMedian => "delay packet by packet, median",
        What::PairedHigh => "delay packet by packet, 95 %",
        What::Lost => "lost",
        What::LossCounts => "lost or not, chi-squared",
        What::RunLength => "mean run of losses",
        What::Runs => "runs of losses, chi-squared",
        What::Dropped => "dropped",
        What::LowDropped => "dropped, low priority",
        What::Course => "arrivals over time",
        What::DelayCourse => "delay over time",
        What::Replay => "replayed, other fates",
    }
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

fn millis(seconds: f64) -> String {
    format!("{:.3} ms", 1e3 * seconds)
}

/// A value in the unit of its quantity.
pub fn value(what: What, value: f64) -> String {
    match what {
        What::Rate => format!("{:.4} Mb/s", value / 1e6),
        What::DelayLow
        | What::DelayMedian
        | What::DelayHigh
        | What::PairedMedian
        | What::PairedHigh
        | What::DelayCourse => millis(value),
        What::DelayDistance => format!("{value:.4}"),
        What::Lost | What::Dropped | What::LowDropped | What::Course => percent(value),
        What::RunLength => format!("{value:.3}"),
        What::LossCounts | What::Runs => format!("{value:.1}"),
        What::Replay => format!("{value:.0}"),
    }
}

fn of_unit(unit: Unit, value: f64, signed: bool) -> String {
    // -0.00 would look like a decrease.
    let value = if value.abs() < 5e-10 { 0.0 } else { value };
    let sign = if signed && value > 0.0 { "+" } else { "" };
    let text = match unit {
        Unit::Relative => percent(value),
        Unit::Share => format!("{:.2} points", 100.0 * value),
        Unit::Seconds => millis(value),
        Unit::Probability => format!("{value:.3}"),
        Unit::Packets => format!("{value:.0}"),
        Unit::Test => String::new(),
    };
    // A value that rounds to zero gets no sign.
    let nothing = !text.chars().any(|c| ('1'..='9').contains(&c));
    match nothing {
        true => text.trim_start_matches('-').to_owned(),
        false => format!("{sign}{text}"),
    }
}

/// The difference with its sign; of a test its probability.
pub fn difference(judged: &Judged) -> String {
    match judged.p {
        Some(p) if p < 0.001 => format!("p = {p:.0e}"),
        Some(p) => format!("p = {p:.3}"),
        None => of_unit(judged.unit, judged.difference, true),
    }
}

/// The interval of the difference; empty of a test.
pub fn interval(judged: &Judged) -> String {
    let signed = |value| of_unit(judged.unit, value, true);
    judged.interval.map_or(String::new(), |i| format!("{} to {}", signed(i.low), signed(i.high)))
}

/// The margin; empty of a test.
pub fn margin(judged: &Judged) -> String {
    match judged.unit {
        Unit::Test => String::new(),
        unit => of_unit(unit, judged.margin, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Verdict;
    use crate::stats::Interval;

    #[test]
    fn differences_have_a_sign_and_a_unit() {
        let judged = Judged {
            what: What::Rate,
            observed: 20.02e6,
            expected: 20e6,
            difference: 0.001,
            interval: Some(Interval { low: -0.002, high: 0.004 }),
            margin: 0.01,
            unit: Unit::Relative,
            p: None,
            verdict: Verdict::Equivalent,
        };
        assert_eq!(value(judged.what, judged.observed), "20.0200 Mb/s");
        assert_eq!(difference(&judged), "+0.10 %");
        assert_eq!(interval(&judged), "-0.20 % to +0.40 %");
        assert_eq!(margin(&judged), "1.00 %");
        let tiny = Judged { difference: -1e-9, ..judged };
        assert_eq!(difference(&tiny), "0.00 %", "no sign without a value");
        let test = Judged { unit: Unit::Test, p: Some(0.000_012), interval: None, ..tiny };
        assert_eq!((difference(&test), interval(&test)), ("p = 1e-5".to_owned(), String::new()));
    }
}
