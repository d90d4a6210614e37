//! How far the simulation is.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::duration::duration;

/// A bar on standard error, weighted by simulated time: a run of ten minutes counts as much as ten of one. It
/// is shown on a terminal only.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Begins.
    pub fn new(hidden: bool, simulated_seconds: f64, runs: usize) -> Progress {
        let target =
            if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(millis(simulated_seconds)), target);
        let style = ProgressStyle::with_template(
            "{wide_bar} {percent:>3} %  {msg}  {elapsed} elapsed{left}",
        );
        if let Ok(style) = style {
            // Before the first run has ended nothing is known.
            let left = |state: &ProgressState, out: &mut dyn Write| {
                if state.pos() > 0 {
                    let seconds = state.eta().as_secs_f64().ceil();
                    let _ = write!(out, ", about {} left", duration(seconds));
                }
            };
            bar.set_style(style.with_key("left", left).progress_chars("##-"));
        }
        bar.set_message(format!("{runs} runs"));
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress { bar }
    }

    /// So much of it is done.
    pub fn reach(&self, simulated_seconds: f64) {
        self.bar.set_position(millis(simulated_seconds));
    }

    /// All runs have ended; gives the seconds that it took.
    pub fn finish(self) -> f64 {
        let took = self.bar.elapsed().as_secs_f64();
        self.bar.finish_and_clear();
        took
    }
}

fn millis(seconds: f64) -> u64 {
    (seconds * 1e3).round() as u64
}
