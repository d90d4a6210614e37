//! The live view of links: a few lines on a terminal that are redrawn.

use std::collections::VecDeque;
use std::io;

use atl_core::time::{Span, Time};
use atl_net::snapshot::{LinkState, Snapshot};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::above::Above;
use super::network::Network;
use super::record::rate_bps;
use super::summary;
use super::trust::{Level, Trust};

/// Limit on the snapshots in a sparkline.
const HISTORY: usize = 30;
/// Length below which a sparkline has no line to itself.
const FEWEST: usize = 8;
/// Width if the terminal does not report one.
const WIDTH: usize = 100;

/// Lines on standard error that are removed at the end.
#[derive(Debug)]
pub(super) struct View {
    bar: ProgressBar,
    title: String,
    links: Vec<History>,
    /// The largest error that is accepted.
    bound: f64,
}

/// Values of a link in recent snapshots.
#[derive(Debug, Default)]
struct History {
    rates: VecDeque<f64>,
    queues: VecDeque<f64>,
}

impl View {
    pub(super) fn new(title: String, network: &Network, bound: f64) -> View {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        let links = network.links.iter().map(|_| History::default()).collect();
        View { bar, title, links, bound }
    }

    pub(super) fn show(&mut self, network: &Network, now: &Snapshot, before: Option<&Snapshot>) {
        let since = before.map_or(Span::ZERO, |before| now.at.since(before.at));
        for (index, (state, history)) in now.links.iter().zip(&mut self.links).enumerate() {
            let old = before.and_then(|before| before.links.get(index));
            push(&mut history.rates, rate_bps(state, old, since) / 1e6);
            push(&mut history.queues, state.queue as f64);
        }
        let width = terminal_size::terminal_size_of(io::stderr());
        let width = width.map_or(WIDTH, |(width, _)| usize::from(width.0));
        let lines = self.lines(network, now, width);
        let cut = lines.iter().map(|line| line.chars().take(width).collect::<String>());
        self.bar.set_message(cut.collect::<Vec<_>>().join("\n"));
    }

    fn lines(&self, network: &Network, now: &Snapshot, width: usize) -> Vec<String> {
        let running = now.at.since(Time::ZERO).secs();
        let mut lines = vec![format!("{}   {running:.0} s   Ctrl-C ends it", self.title)];
        let name = network.links.iter().map(|link| link.name.chars().count()).max().unwrap_or(0);
        let net = now.links.iter().map(|link| link.network.chars().count()).max().unwrap_or(0);
        for ((link, state), history) in network.links.iter().zip(&now.links).zip(&self.links) {
            let head = format!("{:name$} {:net$} ", link.name, state.network);
            lines.extend(of(&head, state, history, width));
        }
        lines.push(summary::late(&now.lateness));
        let trust = Trust::of(now, 0, self.bound);
        if trust.level == Level::Distrust {
            lines
                .push(format!("NOT TO BE TRUSTED: {}; the summary says what to do", trust.words()));
        }
        lines
    }

    /// For output above the view.
    pub(super) fn above(&self) -> Above {
        Above::new(self.bar.clone())
    }

    /// Removes the view from the terminal.
    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// A link on one line, or on two if the terminal is narrow.
fn of(head: &str, state: &LinkState, history: &History, width: usize) -> Vec<String> {
    let rate = history.rates.back().copied().unwrap_or(0.0);
    let movement = |bars| {
        format!(
            "{head}{rate:>8.3} Mb/s {}  queue {:>4} {}",
            sparkline(&history.rates, bars),
            state.queue,
            sparkline(&history.queues, bars),
        )
    };
    let losses = format!(
        "p_w {:>5.2} %  d_w {:>4.0} ms  lost {}  dropped {}",
        100.0 * state.report.loss.get(),
        state.report.delay.millis(),
        state.counters.lost,
        state.counters.dropped,
    );
    let least = movement(0).chars().count();
    let bars = |room: usize| (width.saturating_sub(room) / 2).min(HISTORY);
    match bars(least + 2 + losses.chars().count()) {
        bars @ FEWEST.. => vec![format!("{}  {losses}", movement(bars))],
        _ => {
            vec![movement(bars(least)), format!("{:1$}{losses}", "", head.chars().count())]
        }
    }
}

fn push(values: &mut VecDeque<f64>, value: f64) {
    if values.len() == HISTORY {
        values.pop_front();
    }
    values.push_back(value);
}

/// Recent values as bars, scaled to the largest.
fn sparkline(values: &VecDeque<f64>, bars: usize) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let values = values.range(values.len().saturating_sub(bars)..);
    let largest = values.clone().copied().fold(0.0, f64::max);
    let bar = |value: &f64| match largest > 0.0 {
        true => BARS[(value / largest * 7.0).round() as usize],
        false => BARS[0],
    };
    std::iter::repeat_n(' ', bars - values.len()).chain(values.map(bar)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_scales_to_its_largest_value() {
        let shown = |values: &[f64], bars| sparkline(&values.iter().copied().collect(), bars);
        assert_eq!(shown(&[0.0, 7.0, 14.0], 4), " ▁▅█");
        assert_eq!(shown(&[0.0, 0.0], 2), "▁▁");
        assert_eq!(shown(&[99.0, 1.0, 2.0], 2), "▅█", "the last ones");
        assert_eq!(shown(&[], 5).chars().count(), 5);
    }

    #[test]
    fn a_link_fits_into_terminals_of_usual_width() {
        let state = LinkState {
            counters: atl_link::Counters::default(),
            queue: 12,
            report: atl_core::path::LinkReport::NONE,
            network: "link".to_owned(),
            changes: 0,
            rate: None,
        };
        let of = |width| of("link.back link ", &state, &History::default(), width);
        for width in [80, 100, 120, 160] {
            let lines = of(width);
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:?}");
            assert!(lines.concat().ends_with("lost 0  dropped 0"), "{width}: {lines:?}");
        }
        assert_eq!((of(80).len(), of(160).len()), (2, 1));
    }
}
