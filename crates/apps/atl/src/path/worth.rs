//! The gain from link knowledge in words.

use atl_experiment::path::{Gain, Knowledge};
use atl_report::quantity::plus_minus;
use atl_report::stats::{Estimate, MIN_SEEDS, Spread};

/// Ratio of goodputs from which on a gain is told as a factor and not in per cent.
const FACTOR: f64 = 2.0;

/// The gain from all inputs and from each, alone and beside CUBIC flows.
pub(super) fn worth(knowledge: &Knowledge, neighbours: u32) -> String {
    let name = &knowledge.protocol;
    let mut text = match &knowledge.all {
        gain if is_nothing(gain) => format!("alone, it makes no difference to {name}'s goodput"),
        gain => format!("alone, it {}", told(&gain.ratio, &format!("{name}'s goodput"))),
    };
    let inputs = &knowledge.inputs;
    if !inputs.is_empty() && inputs.iter().chain([&knowledge.all]).any(|gain| !is_nothing(gain)) {
        let each = |gain: &Gain| format!("{}: {}", gain.input, brief(gain));
        let inputs: Vec<String> = inputs.iter().map(each).collect();
        text.push_str(&format!(" ({})", inputs.join("; ")));
    }
    text.push('.');
    if let Some(gain) = &knowledge.beside {
        let flows = match neighbours {
            1 => "CUBIC".to_owned(),
            several => format!("{several} CUBIC flows"),
        };
        let does = match is_nothing(gain) {
            true => "makes no difference".to_owned(),
            false => told(&gain.ratio, "goodput"),
        };
        text.push_str(&format!(" Beside {flows} it {does}."));
    }
    if [Some(&knowledge.all), knowledge.beside.as_ref()].into_iter().flatten().all(is_nothing) {
        text.push_str(
            " It pays where a wire behind the link is shared: atl run showcase/knowledge.",
        );
    }
    if knowledge.all.ratio.n < MIN_SEEDS {
        text.push_str(&format!(" At least {MIN_SEEDS} seeds are needed for intervals."));
    }
    text
}

/// True if chance explains a gain, or it would print as none.
fn is_nothing(gain: &Gain) -> bool {
    is_one(&gain.ratio) || gain.ratio.n >= MIN_SEEDS && !gain.matters
}

/// True if a ratio and the ends of its interval are 1 to three decimals.
fn is_one(ratio: &Estimate) -> bool {
    (ratio.mean - 1.0).abs() + ratio.half_width().unwrap_or(0.0) < 5e-4
}

/// A ratio as a verb with its object, such as `raises goodput by 3.1 ± 0.4 %`.
fn told(ratio: &Estimate, what: &str) -> String {
    match ratio.mean {
        factor if factor >= FACTOR => format!("multiplies {what} by {}", plus_minus(ratio)),
        more if more >= 1.0 => format!("raises {what} by {} %", plus_minus(&above(ratio))),
        _ => format!("costs {} % of {what}", plus_minus(&below(ratio))),
    }
}

/// The same of one input, such as `+3.1 ± 0.4 %`.
fn brief(gain: &Gain) -> String {
    match &gain.ratio {
        _ if is_nothing(gain) => "nothing".to_owned(),
        ratio if ratio.mean >= FACTOR => format!("× {}", plus_minus(ratio)),
        ratio if ratio.mean >= 1.0 => format!("+{} %", plus_minus(&above(ratio))),
        ratio => format!("−{} %", plus_minus(&below(ratio))),
    }
}

/// By how many per cent a ratio is above 1.
fn above(ratio: &Estimate) -> Estimate {
    let percent = |value: f64| (value - 1.0) * 1e2;
    let spread = match ratio.spread {
        Spread::Interval { low, high } => {
            Spread::Interval { low: percent(low), high: percent(high) }
        }
        other => other,
    };
    Estimate { mean: percent(ratio.mean), spread, ..*ratio }
}

/// By how many per cent a ratio is below 1.
fn below(ratio: &Estimate) -> Estimate {
    let Estimate { mean, spread, .. } = above(ratio);
    let spread = match spread {
        Spread::Interval { low, high } => Spread::Interval { low: -high, high: -low },
        other => other,
    };
    Estimate { mean: -mean, spread, ..*ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(mean: f64, half: f64) -> Estimate {
        let spread = Spread::Interval { low: mean - half, high: mean + half };
        Estimate { mean, spread, n: 5, of: 5 }
    }

    fn gain(input: &str, ratio: Estimate) -> Gain {
        Gain { input: input.to_owned(), matters: ratio.excludes(1.0), ratio }
    }

    #[test]
    fn a_ratio_that_prints_as_one_is_no_difference() {
        assert!(is_one(&ratio(1.0, 0.0)) && is_one(&ratio(1.0001, 1e-4)));
        assert!(is_one(&Estimate { mean: 1.0, spread: Spread::Same, n: 5, of: 5 }));
        assert!(!is_one(&ratio(1.0, 0.01)) && !is_one(&ratio(1.001, 0.0)));
    }

    #[test]
    fn a_gain_is_told_in_per_cent_or_as_a_factor() {
        let inputs = vec![
            gain("p_w", ratio(1.0, 0.1)),
            gain("d_w", ratio(1.012, 0.004)),
            gain("the link's rate", ratio(2.5, 0.1)),
            gain("which packets its MAC lost", ratio(0.9, 0.02)),
        ];
        let all = gain("all", ratio(1.009, 0.003));
        let beside = Some(gain("all", ratio(0.964, 0.011)));
        let mut known = Knowledge { protocol: "Residual".to_owned(), inputs, all, beside };
        assert_eq!(
            worth(&known, 1),
            "alone, it raises Residual's goodput by 0.90 ± 0.30 % (p_w: nothing; d_w: \
             +1.20 ± 0.40 %; the link's rate: × 2.50 ± 0.10; which packets its MAC lost: \
             −10.0 ± 2.0 %). Beside CUBIC it costs 3.6 ± 1.1 % of goodput."
        );
        known.all = gain("all", ratio(3.0, 0.5));
        known.beside = Some(gain("all", ratio(1.0, 0.5)));
        known.inputs.clear();
        assert_eq!(
            worth(&known, 3),
            "alone, it multiplies Residual's goodput by 3.00 ± 0.50. Beside 3 CUBIC flows it \
             makes no difference."
        );
    }
}
