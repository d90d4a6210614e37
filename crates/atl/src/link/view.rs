//! The live view on a terminal: a few lines that are drawn anew.

use std::collections::VecDeque;
use std::io;

use atl_core::time::{Span, Time};
use atl_net::snapshot::{LinkState, Snapshot};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::network::Network;
use super::record::rate_bps;
use super::summary;

/// Snapshots that a sparkline shows.
const HISTORY: usize = 30;
/// Width where the terminal does not tell.
const WIDTH: usize = 100;

/// Lines on standard error, removed at the end.
#[derive(Debug)]
pub(super) struct View {
    bar: ProgressBar,
    title: String,
    links: Vec<History>,
}

/// What a link did in the last snapshots.
#[derive(Debug, Default)]
struct History {
    rates: VecDeque<f64>,
    queues: VecDeque<f64>,
}

impl View {
    /// An empty view of the links of a network.
    pub(super) fn new(title: String, network: &Network) -> View {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        let links = network.links.iter().map(|_| History::default()).collect();
        View { bar, title, links }
    }

    /// Draws a snapshot.
    pub(super) fn show(&mut self, network: &Network, now: &Snapshot, before: Option<&Snapshot>) {
        let since = before.map_or(Span::ZERO, |before| now.at.since(before.at));
        for (index, (state, history)) in now.links.iter().zip(&mut self.links).enumerate() {
            let old = before.and_then(|before| before.links.get(index));
            push(&mut history.rates, rate_bps(state, old, since) / 1e6);
            push(&mut history.queues, state.queue as f64);
        }
        let width = terminal_size::terminal_size_of(io::stderr());
        let width = width.map_or(WIDTH, |(width, _)| usize::from(width.0));
        let lines = self.lines(network, now);
        let cut = lines.iter().map(|line| line.chars().take(width).collect::<String>());
        self.bar.set_message(cut.collect::<Vec<_>>().join("\n"));
    }

    fn lines(&self, network: &Network, now: &Snapshot) -> Vec<String> {
        let running = now.at.since(Time::ZERO).secs();
        let mut lines = vec![format!("{}   {running:.0} s   Ctrl-C ends it", self.title)];
        let name = network.links.iter().map(|link| link.name.chars().count()).max().unwrap_or(0);
        let net = now.links.iter().map(|link| link.network.chars().count()).max().unwrap_or(0);
        for ((link, state), history) in network.links.iter().zip(&now.links).zip(&self.links) {
            lines.push(format!(
                "{:name$} {:net$} {}",
                link.name,
                state.network,
                of(state, history)
            ));
        }
        lines.push(summary::late(&now.lateness));
        if !now.lateness.trusted() {
            lines.push(
                "NOT TO BE TRUSTED: packets leave too late; the summary says what to do".to_owned(),
            );
        }
        lines
    }

    /// Removes it.
    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

fn of(state: &LinkState, history: &History) -> String {
    format!(
        "{:>8.3} Mb/s {}  queue {:>5} {}  p_w {:>5.2} %  d_w {:>5.0} ms  lost {}  dropped {}",
        history.rates.back().copied().unwrap_or(0.0),
        sparkline(&history.rates),
        state.queue,
        sparkline(&history.queues),
        100.0 * state.report.loss.get(),
        state.report.delay.millis(),
        state.counters.lost,
        state.counters.dropped,
    )
}

fn push(values: &mut VecDeque<f64>, value: f64) {
    if values.len() == HISTORY {
        values.pop_front();
    }
    values.push_back(value);
}

/// Values as bars whose height is their share of the largest.
fn sparkline(values: &VecDeque<f64>) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let largest = values.iter().copied().fold(0.0, f64::max);
    let bar = |value: &f64| match largest > 0.0 {
        true => BARS[(value / largest * 7.0).round() as usize],
        false => BARS[0],
    };
    let empty = HISTORY - values.len();
    std::iter::repeat_n(' ', empty).chain(values.iter().map(bar)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_scales_to_its_largest_value() {
        let shown = |values: &[f64]| sparkline(&values.iter().copied().collect());
        assert_eq!(shown(&[0.0, 7.0, 14.0]).trim_start(), "▁▅█");
        assert_eq!(shown(&[0.0, 0.0]).trim_start(), "▁▁");
        assert_eq!(shown(&[]).chars().count(), HISTORY);
    }
}
