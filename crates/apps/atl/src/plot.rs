//! Plotting figures in the terminal.

use atl_report::Outcome;
use atl_report::figure::text::Canvas;
use atl_report::figure::{self, Chart, ChartKind};

use crate::args::PlotWhen;
use crate::output::Look;

/// Width of lines without a terminal.
const WIDE: usize = 80;
/// Limit on the width of a plot, for legibility.
const WIDEST: usize = 100;

/// True if figures are plotted.
pub(crate) fn wanted(when: PlotWhen, look: Look) -> bool {
    match when {
        PlotWhen::Auto => look.terminal,
        PlotWhen::Always => true,
        PlotWhen::Never => false,
    }
}

/// A chart in lines that fit the terminal.
pub(crate) fn chart(chart: &Chart, look: Look) -> String {
    let width = look.width.map_or(WIDE, usize::from).min(WIDEST);
    figure::text(chart, Canvas { width, colour: look.colour, ..Canvas::default() })
}

/// All figures of an outcome.
pub(crate) fn all(outcome: &Outcome, look: Look) -> String {
    let drawn = figure::all(outcome);
    let charts = drawn.iter().filter_map(|drawn| drawn.chart.as_ref());
    charts.map(|found| format!("{}\n", chart(found, look))).collect()
}

/// Plots the first figure over time.
pub(crate) fn over_time(outcome: &Outcome, look: Look) -> Option<String> {
    let drawn = figure::all(outcome);
    let mut charts = drawn.iter().filter_map(|drawn| drawn.chart.as_ref());
    charts.find(|chart| chart.kind == ChartKind::Time).map(|found| chart(found, look))
}
