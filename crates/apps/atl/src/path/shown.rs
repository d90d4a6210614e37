//! The answer for a terminal.

use atl_experiment::path::{Advice, Answer, Beside, Gain, Knowledge, Place, Stay};
use atl_report::quantity::{Quantity, number, plus_minus};
use atl_report::stats::{Estimate, MIN_SEEDS};
use atl_scenario::scenario::Metric;

use crate::folder::REPORT;
use crate::output::Look;
use crate::written::Written;

/// Length in characters of a bar for the link's full rate.
const BAR: usize = 20;
/// Block characters by eighths of the width, from empty to nearly full.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// Share of the best goodput below which a transport is said to have broken down.
const BROKEN: f64 = 0.5;

/// The answer: a list for each network, the transports to take, what they leave a neighbour, and
/// the gain from link reports.
pub(super) fn answer(answer: &Answer, effort: &str, written: &Written, look: Look) -> String {
    let mut out = format!("{}\n", look.bold(&answer.title));
    let several = answer.stays.len() > 1;
    for stay in answer.stays.iter().chain(several.then_some(&answer.all)) {
        out.push('\n');
        out.push_str(&network(stay, look));
    }
    out.push('\n');
    out.push_str(&beside(answer, look));
    if let Some(knowledge) = &answer.knowledge {
        out.push_str(&look.paragraph("Link knowledge: ", &worth(knowledge, answer.neighbours)));
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
    out.push_str(&written.note());
    out
}

/// Lines of equal width: names to the left, numbers to the right.
fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|text| width(text)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let cell = |(column, text): (usize, &String)| {
        let pad = " ".repeat(widths[column] - width(text));
        if column == 0 { format!("{text}{pad}") } else { format!("{pad}{text}") }
    };
    rows.iter().map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")).collect()
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
    let heading = ["", "goodput", "queueing, p95"].map(str::to_owned).to_vec();
    let row = |place: &Place| {
        vec![
            place.protocol.clone(),
            Quantity::of(Metric::Goodput).show(&place.goodput_bps),
            place
                .queueing_p95_s
                .map_or_else(|| "–".to_owned(), |d| Quantity::of(Metric::QueueingP95).show(&d)),
        ]
    };
    let rows: Vec<Vec<String>> = [heading].into_iter().chain(stay.places.iter().map(row)).collect();
    let bars = stay.places.iter().map(|place| bar(place.goodput_bps.mean / stay.rate_bps));
    for (line, bar) in columns(&rows).iter().zip([String::new()].into_iter().chain(bars)) {
        out.push_str(format!("  {line}  {bar}").trim_end());
        out.push('\n');
    }
    out.push_str(&look.paragraph("  ", &verdict(stay)));
    out
}

fn verdict(stay: &Stay) -> String {
    let [first, _, ..] = &stay.places[..] else { return String::new() };
    let mut text = match &stay.advice {
        Some(Advice { bulk, calls, both, lead }) => {
            let mut text = format!("For bulk data: {}", and(bulk));
            match lead {
                Some(lead) => text.push_str(&format!(
                    ", with {} the goodput of {}.",
                    times(&lead.ratio),
                    lead.over
                )),
                None => text.push_str(", which are level."),
            }
            text.push_str(&format!(" For calls: {}. For both: {}.", and(calls), and(both)));
            text
        }
        None => format!("To advise on one takes at least {MIN_SEEDS} seeds."),
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

/// Each transport beside CUBIC flows.
fn beside(Answer { beside: all, neighbours, .. }: &Answer, look: Look) -> String {
    if all.is_empty() {
        return String::new();
    }
    let (title, heading) = match neighbours {
        1 => (
            "beside a CUBIC flow in the same queue".to_owned(),
            ["", "goodput", "CUBIC's", "of what a CUBIC leaves it"],
        ),
        several => (
            format!("beside {several} CUBIC flows in the same queue"),
            ["", "goodput", "each CUBIC's", "of what a CUBIC leaves each"],
        ),
    };
    let heading = heading.map(str::to_owned).to_vec();
    let rate = |estimate: &Estimate| Quantity::of(Metric::Goodput).show(estimate);
    let row = |one: &Beside| {
        let keeps = one.keeps.as_ref().map_or_else(|| "1".to_owned(), plus_minus);
        vec![one.protocol.clone(), rate(&one.goodput_bps), rate(&one.neighbour_bps), keeps]
    };
    let rows: Vec<Vec<String>> = [heading].into_iter().chain(all.iter().map(row)).collect();
    let mut out = format!("{}\n", look.bold(&title));
    for line in columns(&rows) {
        out.push_str(format!("  {line}").trim_end());
        out.push('\n');
    }
    out.push('\n');
    out
}

/// The worth of each input, such as "to know p_w is worth 1.40 ± 0.03 times the goodput".
fn worth(knowledge: &Knowledge, neighbours: u32) -> String {
    let name = &knowledge.protocol;
    let nothing = |gain: &Gain| is_one(&gain.ratio) || gain.ratio.n >= MIN_SEEDS && !gain.matters;
    let each = |gain: &Gain| match nothing(gain) {
        true => format!("{}, nothing", gain.input),
        false => format!("{}, {}", gain.input, times(&gain.ratio)),
    };
    let total = |gain: &Gain| match nothing(gain) {
        true => "nothing".to_owned(),
        false => format!("{} its goodput", times(&gain.ratio)),
    };
    let inputs: Vec<String> = knowledge.inputs.iter().map(each).collect();
    let mut text = format!("alone, it is worth {} to {name}", total(&knowledge.all));
    if knowledge.inputs.iter().chain([&knowledge.all]).any(|gain| !nothing(gain)) {
        text.push_str(&format!(" ({})", inputs.join("; ")));
    }
    text.push('.');
    if let Some(gain) = &knowledge.beside {
        let flows = if neighbours == 1 { "flow" } else { "flows" };
        text.push_str(&format!(" Beside the CUBIC {flows} it is worth {}.", total(gain)));
    }
    if [Some(&knowledge.all), knowledge.beside.as_ref()].into_iter().flatten().all(nothing) {
        text.push_str(
            " It pays where a wire behind the link is shared: atl run showcase/knowledge.",
        );
    }
    if knowledge.all.ratio.n < MIN_SEEDS {
        text.push_str(&format!(" An interval takes {MIN_SEEDS} seeds."));
    }
    text
}

/// Joins names as `a`, `a and b`, `a, b and c`.
fn and(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => "none of them".to_owned(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", most.join(", "), last.as_ref())
        }
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
