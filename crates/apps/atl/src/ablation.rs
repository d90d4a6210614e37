//! `atl run --ablate`: the contribution of a part of the protocols.

use std::collections::BTreeSet;

use atl_report::Outcome;
use atl_report::compare::{Worth, worth};
use atl_report::quantity::plus_minus;
use atl_report::stats::MIN_SEEDS;
use atl_report::table::{Cell, Column, Table};
use atl_scenario::ablation::Ablation;

use crate::args::Running;
use crate::experiment::Plan;
use crate::failure::Failure;
use crate::output::Look;

/// Remark on times of flows that did not live to see their event.
pub(crate) const UNFINISHED: &str =
    "A flow that did not end counts with the time that it had: such a mean is too short.";

/// A plan without each of these parts, duplicates removed.
///
/// # Errors
/// If leaving a part out changes nothing, or if an engine cannot run the rest.
pub(crate) fn plans(
    plan: &Plan,
    ablations: &[Ablation],
    running: &Running,
) -> Result<Vec<(Ablation, Plan)>, Failure> {
    let once: BTreeSet<Ablation> = ablations.iter().copied().collect();
    once.into_iter().map(|ablation| Ok((ablation, plan.without(ablation, running)?))).collect()
}

/// The part's contribution on each engine.
pub(crate) fn worths(ablation: Ablation, without: &[Outcome], with: &[Outcome]) -> Vec<Worth> {
    without.iter().zip(with).map(|(without, with)| worth(ablation, without, with)).collect()
}

/// Table of a part's contribution.
pub(crate) fn shown(worth: &Worth, look: Look) -> String {
    let heading = look.bold(&format!("Without {}, and with", worth.what));
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let rows = worth.differences.iter().map(|difference| {
        let ratio = difference.ratio.as_ref().map_or("–".to_owned(), plus_minus);
        let verdict = match (difference.same, difference.real, difference.difference.mean > 0.0) {
            (true, ..) => "the same",
            _ if difference.difference.n < MIN_SEEDS => "too few seeds",
            (_, false, _) => "not told apart",
            (_, true, true) => "more",
            (_, true, false) => "less",
        };
        let texts = [
            difference.place.clone(),
            difference.metric.to_owned(),
            difference.shown(0),
            difference.shown(1),
            ratio,
            verdict.to_owned(),
        ];
        texts.map(Cell::Text).to_vec()
    });
    let titles = ["where", "metric", "without", "with", "with / without", "verdict"];
    let table = Table { columns: titles.map(column).to_vec(), rows: rows.collect() };
    let unfinished = worth.differences.iter().any(|difference| difference.finished.is_some());
    let words = "Means over the seeds; the ratio is paired by seed, with its 95 % interval. A verdict of more or less \
                 means that the paired interval of the difference does not cover 0.";
    let words = if unfinished { format!("{words} {UNFINISHED}") } else { words.to_owned() };
    format!("{heading}\n{}{}\n", look.table(&table), look.paragraph("", &words))
}
