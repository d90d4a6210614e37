//! The answer for a terminal.

use atl_experiment::path::{Answer, Stay};
use atl_report::quantity::{Quantity, number, plus_minus};
use atl_report::stats::{Estimate, MIN_SEEDS};
use atl_scenario::scenario::Metric;

use crate::folder::REPORT;
use crate::output::Look;
use crate::written::Written;

/// Length in characters of a bar for the link's full rate.
const BAR: usize = 30;
/// Block characters by eighths of the width, from empty to nearly full.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// Share of the best goodput below which a transport is said to have broken down.
const BROKEN: f64 = 0.5;

/// The answer: a list for each network, the leader, and the gain from link reports.
pub(super) fn answer(answer: &Answer, effort: &str, written: &Written, look: Look) -> String {
    let mut out = format!("{}\n", look.bold(&answer.title));
    let several = answer.stays.len() > 1;
    for stay in answer.stays.iter().chain(several.then_some(&answer.all)) {
        out.push('\n');
        out.push_str(&network(stay, look));
    }
    out.push('\n');
    if let Some(knowledge) = &answer.knowledge {
        let ratio = times(&knowledge.ratio);
        let name = &knowledge.protocol;
        let gain = format!("{name} carries {ratio} as much with its link's reports as without");
        let text = match (knowledge.matters, knowledge.ratio.n < MIN_SEEDS) {
            _ if is_one(&knowledge.ratio) => {
                format!(
                    "no difference: {name} carries as much without its link's reports as with them."
                )
            }
            (true, _) => format!("{gain}."),
            (false, true) => format!("{gain}; an interval takes {MIN_SEEDS} seeds."),
            (false, false) => format!("{gain}, which may be chance: the interval covers 1."),
        };
        out.push_str(&look.paragraph("Link knowledge: ", &text));
    }
    out.push_str(&look.paragraph("", &format!("{effort}.")));
    for file in &written.files {
        let what = match file.extension().and_then(|ending| ending.to_str()) {
            _ if file.ends_with(REPORT) => "Report",
            Some("parquet") => "Data",
            _ => "Scenario",
        };
        out.push_str(&format!("{what:<9} {}\n", file.display()));
    }
    out.push_str(written.note());
    out
}

fn network(stay: &Stay, look: Look) -> String {
    let name = match stay.network.as_str() {
        "all" => "all of it",
        name => name,
    };
    let mut out = format!(
        "{}, {} to {} s; the link carries {} Mb/s with headers\n",
        look.bold(name),
        plain(stay.from_s),
        plain(stay.to_s),
        plain(stay.rate_bps / 1e6)
    );
    let widest = stay.places.iter().map(|place| width(&place.protocol)).max().unwrap_or(0);
    let shown: Vec<String> = stay
        .places
        .iter()
        .map(|place| Quantity::of(Metric::Goodput).show(&place.goodput_bps))
        .collect();
    let numbers = shown.iter().map(|text| width(text)).max().unwrap_or(0);
    for (place, shown) in stay.places.iter().zip(&shown) {
        let pad = |text: &str, to: usize| format!("{text}{}", " ".repeat(to - width(text)));
        out.push_str(&format!(
            "  {}  {}  {}\n",
            pad(&place.protocol, widest),
            pad(shown, numbers),
            bar(place.goodput_bps.mean / stay.rate_bps)
        ));
    }
    out.push_str(&look.paragraph("  ", &verdict(stay)));
    out
}

fn verdict(stay: &Stay) -> String {
    let [first, second, ..] = &stay.places[..] else { return String::new() };
    let mut text = match &stay.leader {
        Some(leader) if leader.ahead => {
            format!(
                "{} leads, with {} the goodput of {}.",
                first.protocol,
                times(&leader.ratio),
                second.protocol
            )
        }
        Some(leader) if leader.ratio.n < MIN_SEEDS => {
            format!("A leader and an interval take at least {MIN_SEEDS} seeds.")
        }
        _ => format!("{} and {} are level.", first.protocol, second.protocol),
    };
    let broken: Vec<&str> = stay
        .places
        .iter()
        .filter(|place| place.goodput_bps.mean < BROKEN * first.goodput_bps.mean)
        .map(|place| place.protocol.as_str())
        .collect();
    if !broken.is_empty() {
        let have = if broken.len() == 1 { "has" } else { "have" };
        text.push_str(&format!(" {} {have} less than half of the best.", and(&broken)));
    }
    text
}

/// Joins names as `a`, `a and b`, `a, b and c`.
fn and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// True if a ratio and the ends of its interval are 1 to three decimals.
fn is_one(ratio: &Estimate) -> bool {
    (ratio.mean - 1.0).abs() + ratio.half_width().unwrap_or(0.0) < 5e-4
}

/// A ratio with its interval, such as `1.42 ± 0.05 times`.
fn times(ratio: &Estimate) -> String {
    format!("{} times", plus_minus(ratio))
}

/// A bar for a share of the link's rate.
fn bar(share: f64) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (BAR * 8) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// A number without trailing zeros.
fn plain(value: f64) -> String {
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0}") } else { number(value) }
}

fn width(text: &str) -> usize {
    textwrap::core::display_width(text)
}

#[cfg(test)]
mod tests {
    use atl_report::stats::Spread;

    use super::*;

    #[test]
    fn a_bar_is_as_long_as_the_share() {
        assert_eq!(width(&bar(1.0)), BAR);
        assert_eq!(width(&bar(0.5)), BAR / 2);
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(1.0 / 240.0), "▏");
        assert_eq!(bar(7.0), bar(1.0));
    }

    #[test]
    fn a_ratio_that_prints_as_one_is_no_difference() {
        let ratio = |mean: f64, half: f64| {
            let spread = Spread::Interval { low: mean - half, high: mean + half };
            Estimate { mean, spread, n: 5, of: 5 }
        };
        assert!(is_one(&ratio(1.0, 0.0)) && is_one(&ratio(1.0001, 1e-4)));
        assert!(is_one(&Estimate { mean: 1.0, spread: Spread::Same, n: 5, of: 5 }));
        assert!(!is_one(&ratio(1.0, 0.01)) && !is_one(&ratio(1.001, 0.0)));
    }

    #[test]
    fn names_are_joined() {
        assert_eq!(and(&["a"]), "a");
        assert_eq!(and(&["a", "b", "c"]), "a, b and c");
    }
}
