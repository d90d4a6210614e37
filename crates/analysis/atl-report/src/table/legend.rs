//! What a reader of the results table must know.

use crate::hosts::Trust;
use crate::outcome::Outcome;
use crate::stats::MIN_SEEDS;

/// Sentences about the intervals, and about whose rate and whose total it is.
pub fn legend(outcome: &Outcome) -> Vec<String> {
    // Whether the numbers can be used at all comes first.
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

/// What the numbers are, by the number of seeds.
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

/// The points at which all seeds gave the same run.
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

/// The values of the swept variables that these points share and the others do not have.
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
