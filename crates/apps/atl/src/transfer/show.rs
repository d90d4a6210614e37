//! Progress and messages of a transfer.

use std::time::Duration;

use atl_transfer::name;
use atl_transfer::observer::{Event, Observer};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::format::{counted, duration};
use crate::output;

/// A progress bar on a terminal, and lines about events.
#[derive(Debug)]
pub(super) struct Shown {
    bar: ProgressBar,
    /// True to show only warnings.
    quiet: bool,
    /// Noun for the other end in messages.
    peer: &'static str,
}

impl Shown {
    /// `quiet` shows only warnings, `hidden` leaves out the bar.
    pub(super) fn new(label: &str, peer: &'static str, quiet: bool, hidden: bool) -> Self {
        let target = if quiet || hidden {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_prefix(label.to_owned());
        Shown { bar, quiet, peer }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    fn warn(&self, text: &str) {
        self.bar.suspend(|| output::error(&format!("{text}\n")));
    }
}

/// A number of bytes for display.
pub(super) fn bytes(bytes: u64) -> String {
    let scales = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let size = bytes as f64;
    match scales.into_iter().find(|(scale, _)| size >= *scale) {
        Some((scale, unit)) => format!("{:.1} {unit}", size / scale),
        None => format!("{bytes} B"),
    }
}

/// The part of a sentence that counts empty folders; empty if there are none.
pub(super) fn folders(count: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!(" and {}", counted(count, "empty folder")),
    }
}

/// A rate for display; `None` before any time has passed.
pub(super) fn rate(bytes: u64, took: Duration) -> Option<String> {
    let seconds = took.as_secs_f64();
    (seconds > 0.0).then(|| {
        let bps = bytes as f64 * 8.0 / seconds;
        match bps {
            bps if bps >= 1e9 => format!("{:.2} Gb/s", bps / 1e9),
            bps if bps >= 1e6 => format!("{:.2} Mb/s", bps / 1e6),
            bps => format!("{:.1} kb/s", bps / 1e3),
        }
    })
}

fn style(total: bool) -> Option<ProgressStyle> {
    let template = match total {
        true => "{prefix} {wide_bar} {percent:>3} %  {done}  {speed}{left}",
        false => "{prefix} {spinner} {done}  {speed}  {elapsed}",
    };
    let per_second = |state: &ProgressState| {
        rate(state.per_sec().max(0.0) as u64, Duration::from_secs(1)).unwrap_or_default()
    };
    let style = ProgressStyle::with_template(template).ok()?;
    let style = style
        .with_key("done", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&bytes(state.pos()));
        })
        .with_key("speed", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&per_second(state));
        })
        .with_key("left", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // At the start there is no rate to extrapolate from.
            if state.pos() > 0 {
                let _ = write!(out, ", about {} left", duration(state.eta().as_secs_f64().ceil()));
            }
        });
    Some(style.progress_chars("##-"))
}

impl Observer for Shown {
    fn on_progress(&self, arrived: u64, total: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let fresh = self.bar.position() == 0 && self.bar.length().is_none();
        if fresh || (total > 0 && self.bar.length() != Some(total)) {
            if let Some(style) = style(total > 0) {
                self.bar.set_style(style);
            }
            if total > 0 {
                self.bar.set_length(total);
            }
            self.bar.enable_steady_tick(Duration::from_millis(250));
        }
        self.bar.set_position(arrived);
    }

    fn on_event(&self, event: &Event) {
        let Shown { peer, .. } = self;
        match event {
            Event::Connected { peer: at, again: false, .. } => self.say(&format!("Connected to {at}")),
            Event::Connected { peer: at, restarted: true, .. } => {
                self.say(&format!("Connected to {at} again: the {peer} was restarted"));
            }
            Event::Connected { peer: at, .. } => self.say(&format!("Connected to {at} again")),
            Event::Unchecked { found } => self.warn(&format!(
                "warning: the receiver was not authenticated; its certificate has the fingerprint {found}"
            )),
            Event::Unreached { why, wait } => self.warn(&format!(
                "No connection yet ({why}); trying again in {}",
                duration(wait.as_secs_f64())
            )),
            Event::Lost { why, wait: Some(wait) } => self.warn(&format!(
                "The connection is lost: {why}; trying again in {}",
                duration(wait.as_secs_f64())
            )),
            Event::Lost { why, wait: None } => self.warn(&format!(
                "The connection is lost: {why}; waiting for the {peer} to come back"
            )),
            Event::Unfinished(file) => self.say(&format!(
                "Unfinished: {}, {} of {} are here",
                name::shown(&file.path),
                bytes(file.held),
                bytes(file.size)
            )),
            Event::Resumed { path, from, size } if from == size => {
                self.say(&format!("{} is there already", name::shown(path)));
            }
            Event::Resumed { path, from, size } => self.say(&format!(
                "{} goes on at {} of {}",
                name::shown(path),
                bytes(*from),
                bytes(*size)
            )),
            Event::Differs { path, held, same } => self.say(&format!(
                "{}: of {} that the receiver has, the first {} are of this file",
                name::shown(path),
                bytes(*held),
                bytes(*same)
            )),
            Event::Finished { path, size } => {
                self.say(&format!("{}, {}", name::shown(path), bytes(*size)));
            }
            Event::Refused { path, refusal } => {
                self.warn(&format!("error: {} was refused: {refusal}", name::shown(path)));
            }
            Event::LeftOut { path, why } => {
                self.warn(&format!("warning: {} is left out: {why}", path.escape_debug()));
            }
            Event::Turned { peer: at, why } => {
                self.warn(&format!("warning: no transfer with {at}: {why}"));
            }
            Event::Moved { to, window } => {
                let to = to.map_or_else(|| "another address".to_owned(), |to| to.to_string());
                let window = window.map(|w| format!(", which {w:.0} packets fit on by its probes"));
                self.say(&format!("Moved to the path from {to}{}", window.unwrap_or_default()));
            }
            Event::Stayed { network, why } => {
                let from = network.map_or_else(|| "another address".to_owned(), |ip| ip.to_string());
                self.warn(&format!("warning: no path from {from}: {why}"));
            }
            Event::LinkUnknown { why } => {
                self.warn(&format!("warning: nothing is known of the link: {why}"));
            }
            Event::LossesUnknown { why } => {
                self.warn(&format!(
                    "warning: the link reports how many packets it loses, but not which: {why}"
                ));
            }
            _ => {}
        }
    }
}
