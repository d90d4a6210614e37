//! Fairness over time: the ratio of bytes delivered to two sets of flows, or Jain's index.

use atl_engine::result::RunResult;
use atl_scenario::scenario::{Point, Share};

use super::chart::Chart;
use super::reduce::Series;
use super::styles::Styles;
use super::sweep::At;
use super::time::{self, MAX_CURVES};
use super::timeline::Timeline;
use crate::describe::group_names;
use crate::history::History;
use crate::metric::flows_of;
use crate::outcome::Outcome;
use crate::stats::jain;

/// Number of rows of numbers in the figure.
pub(super) fn row_count(outcome: &Outcome, at: &At) -> usize {
    time::rows_of(outcome, time::points(outcome, at).len())
}

fn title_of(share: &Share) -> String {
    match share {
        Share::Ratio { of, over } => {
            format!("delivered, {} over {}", group_names(of), group_names(over))
        }
        Share::Jain { of } if of.is_empty() => "Jain's index of the delivered bytes".to_owned(),
        Share::Jain { of } => {
            format!("Jain's index of the delivered bytes of {}", group_names(of))
        }
    }
}

/// The share at each sample since the first delivery.
fn values(share: &Share, point: &Point, run: &RunResult) -> Option<Series> {
    let history = History::of(&point.setup, run)?;
    let bytes = |row: usize, flows: &[usize]| -> Option<Vec<f64>> {
        let of = |&flow: &usize| Some(history.sample(row, flow)?.delivered_bytes as f64);
        flows.iter().map(of).collect()
    };
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let flows = |groups: &[String]| flows_of(&point.setup, groups);
    let at: Box<dyn Fn(usize) -> Option<f64>> = match share {
        Share::Ratio { of, over } => {
            let (of, over) = (flows(of), flows(over));
            Box::new(move |row| Some(mean(bytes(row, &of)?) / mean(bytes(row, &over)?)))
        }
        Share::Jain { of } => {
            let all = || (0..point.setup.flows.len()).collect();
            let of = if of.is_empty() { all() } else { flows(of) };
            Box::new(move |row| jain(&bytes(row, &of)?))
        }
    };
    let rows = (0..history.rows()).filter_map(|row| Some((history.time_s(row), at(row)?)));
    Some(rows.filter(|(_, value)| value.is_finite()).collect())
}

/// A share over time, with a note for the reader; `None` if there are no samples.
pub(super) fn shares(
    outcome: &Outcome,
    title: &str,
    share: &Share,
    (series, at): (Option<&str>, &At),
    max_points: usize,
    styles: &mut Styles,
) -> Option<(Chart, String)> {
    let points = time::points(outcome, at);
    let curves = points.iter().take(MAX_CURVES).map(|&(point, runs)| {
        let context = time::context(outcome, &points, point, series.unwrap_or_default());
        let name = match (share, series.and_then(|s| Some((s, point.vars.get(s)?)))) {
            (_, Some((variable, value))) => time::value_name(outcome, variable, value),
            (Share::Ratio { of, over }, None) => {
                format!("{} over {}", group_names(of), group_names(over))
            }
            (Share::Jain { of }, None) if of.is_empty() => "all flows".to_owned(),
            (Share::Jain { of }, None) => group_names(of),
        };
        let runs = runs.get();
        let runs = runs.iter().map(|run| values(share, point, run).unwrap_or_default()).collect();
        Timeline { name: time::named(&name, &context), point, flow: None, runs }
    });
    let curves = curves.collect();
    time::draw(outcome, (title, title_of(share)), curves, points.len(), max_points, styles)
}
