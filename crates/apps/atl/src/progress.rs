use std::fmt::Write;
use std::time::Duration;

use atl_engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::format::{counted, duration};

/// A bar on standard error with the progress of all runs of an engine, weighted by duration: a run
/// of ten minutes counts as much as ten of one. It appears only on a terminal.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// Starts a bar with this label.
    pub(crate) fn new(label: &str, hidden: bool) -> Bar {
        let target =
            if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(
            "{prefix}{wide_bar} {percent:>3} %  {msg}  {elapsed} elapsed{left}",
        );
        if let Ok(style) = style {
            // At the start there is no rate to extrapolate from.
            let left = |state: &ProgressState, out: &mut dyn Write| {
                if state.pos() > 0 {
                    let seconds = state.eta().as_secs_f64().ceil();
                    let _ = write!(out, ", about {} left", duration(seconds));
                }
            };
            bar.set_style(style.with_key("left", left).progress_chars("##-"));
        }
        bar.set_prefix(label.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Bar { bar }
    }

    pub(crate) fn show(&self, progress: Progress) {
        self.bar.set_length(millis(progress.total.secs()));
        self.bar.set_position(millis(progress.done.secs()));
        let Progress { runs_done, runs, .. } = progress;
        self.bar.set_message(format!("{runs_done} of {}", counted(runs, "run")));
    }

    /// Removes the bar and returns the seconds since its start.
    pub(crate) fn finish(self) -> f64 {
        let took = self.bar.elapsed().as_secs_f64();
        self.bar.finish_and_clear();
        took
    }
}

fn millis(seconds: f64) -> u64 {
    (seconds * 1e3).round() as u64
}
