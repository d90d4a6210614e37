//! The answer for a terminal.

use atl_experiment::path::{Advice, Answer, Beside, CALL_GOOD_S, CALL_LIMIT_S, Place, Stay};
use atl_report::quantity::{Quantity, number, plus_minus};
use atl_report::stats::{Estimate, MIN_SEEDS};
use atl_scenario::scenario::Metric;

use crate::folder::REPORT;
use crate::output::Look;
use crate::path::worth::worth;
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
        "path" => "your path",
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
    if stay.is_dead() {
        return match first.goodput_bps.mean {
            some if some > 0.0 => format!(
                "Nearly nothing gets through: at most {}.",
                Quantity::of(Metric::Goodput).show(&first.goodput_bps)
            ),
            _ => "Nothing gets through.".to_owned(),
        };
    }
    let mut text = match &stay.advice {
        Some(Advice { bulk, calls, calls_one_way_s, both, both_one_way_s, lead }) => {
            let mut text = format!("For bulk data: {}", and(bulk));
            match lead {
                Some(lead) => text.push_str(&format!(
                    ", with {} times the goodput of {}.",
                    plus_minus(&lead.ratio),
                    lead.over
                )),
                None => text.push_str(", which are level."),
            }
            text.push_str(&format!(
                " For calls: {}. For both: {}.",
                within(calls, *calls_one_way_s),
                // A delay that no call bears is told once.
                within(both, both_one_way_s.filter(|_| !calls.is_empty()))
            ));
            text
        }
        None => format!("At least {MIN_SEEDS} seeds are needed to recommend one."),
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

/// The transports whose delay suits a call, with that delay where it is not a good one.
fn within(names: &[String], one_way_s: Option<f64>) -> String {
    let Some(one_way_s) = one_way_s else { return and(names) };
    let ms = |seconds: f64| format!("{:.0} ms", seconds * 1e3);
    let (best, limit) = (ms(one_way_s), ms(CALL_LIMIT_S));
    match names {
        [] => format!(
            "none of them: at best {best} one way with queueing, above the limit of {limit} for a call"
        ),
        _ if one_way_s > CALL_GOOD_S => {
            format!("{}, at {best} one way with queueing", and(names))
        }
        _ => and(names),
    }
}

/// Each transport beside CUBIC flows.
fn beside(Answer { beside: all, neighbours, .. }: &Answer, look: Look) -> String {
    if all.is_empty() {
        return String::new();
    }
    let (title, heading) = match neighbours {
        1 => (
            "beside a CUBIC flow in the same queue".to_owned(),
            ["", "goodput", "CUBIC's goodput", "relative to beside a CUBIC"],
        ),
        several => (
            format!("beside {several} CUBIC flows in the same queue"),
            ["", "goodput", "each CUBIC's goodput", "relative to beside a CUBIC"],
        ),
    };
    let heading = heading.map(str::to_owned).to_vec();
    let rate = |estimate: &Estimate| Quantity::of(Metric::Goodput).show(estimate);
    let row = |one: &Beside| {
        let keeps = match &one.keeps {
            Some(keeps) => plus_minus(keeps),
            None if one.neighbour_bps.mean > 0.0 => "1".to_owned(),
            None => "–".to_owned(),
        };
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
    fn names_are_joined() {
        assert_eq!(and(&["a"]), "a");
        assert_eq!(and(&["a", "b", "c"]), "a, b and c");
    }
}
