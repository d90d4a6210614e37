//! The frontier of goodput, delay and fairness, as a figure.

use std::path::Path;

use atl_core::window::residual;
use atl_experiment::grid::{FRONTIER, Outcome, RIVALS, RUNGS, standing};
use atl_report::figure::svg::Size;
use atl_report::figure::{Axis, Chart, ChartKind, Curve, Num, looks, svg};

use crate::args::Grid;

const SIZE: Size = Size { width: 900, height: 560 };
/// The label of `residual` in a figure.
const OURS: &str = "Residual";

/// The name of the figure's file, which stands beside the page.
pub(super) fn file_name(args: &Grid) -> String {
    let page = args.page.as_deref().and_then(Path::file_stem);
    format!("{}-frontier.svg", page.map_or("grid".into(), |stem| stem.to_string_lossy()))
}

/// The backlog that `residual` has unless a scenario says otherwise.
pub(super) fn backlog() -> f64 {
    residual::Config::default().backlog
}

/// Each sender at the share of the points where its queue is short, and at its Jain's index; the
/// labels tell its goodput.
pub(super) fn figure(found: &[Outcome]) -> String {
    let usual = format!("backlog {}", backlog());
    let told = RUNGS.last().map(|rung| (OURS, rung.label, usual.as_str()));
    let ours = FRONTIER.iter().map(|one| (OURS, one.label, one.label)).chain(told);
    let senders = ours.chain(RIVALS.iter().map(|rival| (rival.label, rival.label, "")));
    let mut points: Vec<_> = senders
        .filter_map(|(name, label, detail)| {
            let standing = standing(found, label);
            let goodput = standing.worst?;
            Some((name, standing.short?, standing.jain?, format!("{detail} ({goodput:.2})")))
        })
        .collect();
    points.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut names: Vec<&str> = points.iter().map(|point| point.0).collect();
    names.sort_unstable();
    names.dedup();
    let looks = looks(&names);
    let curve = |(name, look): (&&str, &usize)| Curve {
        name: (*name).to_owned(),
        style: *look,
        y: points.iter().map(|p| Num::of((p.0 == *name).then_some(p.2))).collect(),
        words: points
            .iter()
            .map(|p| if p.0 == *name { p.3.trim().to_owned() } else { String::new() })
            .collect(),
        ..Curve::default()
    };
    let axis = |label: &str| Axis { label: label.to_owned(), log: false, names: Vec::new() };
    let chart = Chart {
        kind: ChartKind::Scatter,
        title: "In brackets: goodput over the best rival, worst 5 % of the points".to_owned(),
        x: axis("share of the points with a short queue"),
        y: axis("Jain's index, worst 5 % of the points"),
        xs: points.iter().map(|point| Num::new(point.1)).collect(),
        curves: names.iter().zip(&looks).map(curve).collect(),
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    };
    svg(&chart, "Made by `atl grid`.", SIZE)
}
