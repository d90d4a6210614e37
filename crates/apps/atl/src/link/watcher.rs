//! Showing a run while it lasts.

use std::io::{self, IsTerminal as _};

use atl_net::snapshot::Snapshot;
use serde_json::Value;

use super::above::Above;
use super::network::Network;
use super::record;
use super::view::View;
use crate::args::{self, LinkRunning};
use crate::failure::Failure;
use crate::output;

/// Destination of JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    StandardOutput,
    /// Standard error, for when another program uses standard output.
    StandardError,
}

impl Channel {
    ///
    /// # Errors
    /// If standard output cannot be written to.
    fn line(self, value: &Value) -> Result<(), Failure> {
        match self {
            Channel::StandardOutput => output::json_line(value).map(drop),
            Channel::StandardError => {
                output::error(&format!("{value}\n"));
                Ok(())
            }
        }
    }
}

/// Shows snapshots as JSON lines, on a terminal, or not at all.
#[derive(Debug)]
pub(super) struct Watcher<'a> {
    network: &'a Network,
    json: Option<Channel>,
    view: Option<View>,
    before: Option<Snapshot>,
}

impl<'a> Watcher<'a> {
    /// Announces the start with its place, as JSON and as text.
    ///
    /// # Errors
    /// If standard output cannot be written to, or if a view was requested but there is no
    /// terminal.
    pub(super) fn start(
        network: &'a Network,
        options: &LinkRunning,
        place: &Value,
        shown: &str,
        channel: Channel,
    ) -> Result<Self, Failure> {
        let mut view = None;
        if options.json {
            channel.line(&record::start(network, place))?;
        } else if shows(options.view, channel)? {
            view = Some(View::new(shown.to_owned(), network, options.max_error.get()));
        } else {
            output::error(&format!("{shown}; Ctrl-C ends it\n"));
        }
        Ok(Watcher { network, json: options.json.then_some(channel), view, before: None })
    }

    /// Shows a snapshot and the ports' counters.
    pub(super) fn show(&mut self, now: &Snapshot, ports: &Value) {
        if let Some(channel) = self.json {
            let line = record::snapshot(self.network, now, self.before.as_ref(), ports);
            // A failure here recurs with the summary, where it is reported.
            let _ = channel.line(&line);
        }
        if let Some(view) = &mut self.view {
            view.show(self.network, now, self.before.as_ref());
        }
        self.before = Some(now.clone());
    }

    /// For output of programs, if it would mix with the view's lines.
    pub(super) fn above(&self) -> Option<Above> {
        self.view.as_ref().map(View::above)
    }

    /// Removes the view from the terminal.
    pub(super) fn end(self) {
        if let Some(view) = self.view {
            view.end();
        }
    }
}

/// True if links are shown on the terminal.
fn shows(view: args::View, channel: Channel) -> Result<bool, Failure> {
    let terminal = io::stderr().is_terminal();
    match view {
        args::View::Never => Ok(false),
        args::View::Always if !terminal => Err(Failure::Usage(
            "--view always: standard error is not a terminal; --json shows the links elsewhere"
                .to_owned(),
        )),
        args::View::Always => Ok(true),
        args::View::Auto => {
            let of_command = channel == Channel::StandardError && io::stdout().is_terminal();
            Ok(terminal && !of_command)
        }
    }
}
