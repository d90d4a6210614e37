//! Notes below the results table.

use crate::engines::Trust;
use crate::outcome::Outcome;
use crate::stats::MIN_SEEDS;

/// Sentences on the intervals, and on the flows that rates and totals refer to.
pub fn legend(outcome: &Outcome) -> Vec<String> {
    // First, whether the numbers are valid at all.
    let mut sentences: Vec<String> = Trust::of(outcome).iter().map(Trust::words).collect();
    sentences.push(intervals(outcome.scenario.seeds.len()));
    sentences.extend(unvaried(outcome));
    if outcome.scenario.points.iter().any(|point| point.setup.flows.len() > 1) {
        sentences.push(
            "The rate of a flow is over its own active time, and that of a group the mean over its flows; the rate \
             of all flows together is their total: all their bits over the measured interval."
                .to_owned(),
        );
    }
    sentences
}

/// Sentence on means and intervals, which depends on the number of seeds.
pub(crate) fn intervals(seeds: usize) -> String {
    if seeds >= MIN_SEEDS {
        return format!(
            "Mean over {seeds} seeds with its 95 % interval, ± or [low, high]; a number without one was the same with \
             every seed."
        );
    }
    let few = if seeds == 1 { "1 seed is".to_owned() } else { format!("{seeds} seeds are") };
    format!("{few} too few for intervals and verdicts: {MIN_SEEDS} are needed.")
}

/// Sentence on the points at which all seeds gave the same run.
fn unvaried(outcome: &Outcome) -> Option<String> {
    let points: Vec<usize> = outcome.unvaried().collect();
    let all = outcome.scenario.points.len();
    if points.is_empty() {
        return None;
    }
    let place = if points.len() == all { String::new() } else { places(outcome, &points) };
    let at = if all == 1 {
        String::new()
    } else {
        format!(" at {} of {all} points{place}", points.len())
    };
    Some(format!("Nothing varied between the seeds{at}: each of them gave the same run."))
}

/// Values of the swept variables that these points share and no other has.
fn places(outcome: &Outcome, points: &[usize]) -> String {
    let scenario = &outcome.scenario;
    let text = |point: usize, variable: &str| {
        scenario.points[point].vars.get(variable).map(|value| value.text.as_str())
    };
    let all = 0..scenario.points.len();
    let tells = |variable: &&String| {
        let values: Vec<_> = points.iter().map(|&p| text(p, variable)).collect();
        all.clone().all(|p| points.contains(&p) || !values.contains(&text(p, variable)))
    };
    let Some(variable) = scenario.swept.iter().find(tells) else { return String::new() };
    let mut values: Vec<&str> = Vec::new();
    for value in points.iter().filter_map(|&p| text(p, variable)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    format!(" ({variable} = {})", values.join(", "))
}
