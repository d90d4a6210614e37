//! The programs of a run behind links: when they start, where they write, how they end.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};

use atl_core::time::Span;
use atl_net::tun::{self, Lab, Launcher};

use super::above::{Above, Stream};
use super::network::Network;
use crate::args::Link;
use crate::failure::Failure;
use crate::itself;
use crate::link_socket::LINK_SOCKET;

/// The first argument of this program's own copies that supervise programs in namespaces.
pub(super) const SUPERVISOR: &str = "@supervise";
/// Head start of programs on other hosts: servers have to listen before a client asks.
const HEAD_START: Span = Span::from_millis(200);
/// After an interrupt: how long programs have to end by themselves (a terminal has told them too) before they are asked to
/// (`SIGTERM`), and before they are killed.
const ASK_AFTER: Span = Span::from_millis(100);
const KILL_AFTER: Span = Span::from_millis(200);

/// The programs of a run.
#[derive(Debug)]
pub(super) struct Session<'a> {
    lab: Lab,
    network: &'a Network,
    args: &'a Link,
    /// Takes what programs print, where the links are shown on the same terminal.
    above: Option<Above>,
    /// COMMAND has been started.
    started: bool,
    /// How COMMAND ended.
    ended: Arc<OnceLock<ExitStatus>>,
    /// COMMAND could not be started.
    failure: Option<Failure>,
    /// When programs were told to end, because of an interrupt or at the end of the time.
    told: Option<Span>,
    asked: bool,
}

/// What became of COMMAND.
#[derive(Debug)]
pub(super) struct Ended {
    /// How it ended.
    pub status: Option<ExitStatus>,
    /// It was told to end.
    pub told: bool,
    /// It could not be started.
    pub failure: Option<Failure>,
}

impl<'a> Session<'a> {
    /// Starts the programs on other hosts.
    ///
    /// # Errors
    /// If one cannot be started.
    pub(super) fn new(
        lab: Lab,
        network: &'a Network,
        args: &'a Link,
        above: Option<Above>,
    ) -> Result<Self, Failure> {
        let mut session = Session {
            lab,
            network,
            args,
            above,
            started: false,
            ended: Arc::default(),
            failure: None,
            told: None,
            asked: false,
        };
        let server = args.program.server.iter().map(|command| (&network.hosts[1], command));
        let at = args.program.at.iter().map(|(host, command)| (host, command));
        for (name, command) in server.chain(at) {
            // The network has them all.
            let host = network.places.iter().position(|place| place.0 == *name).unwrap_or(0);
            session.start_server(host, command)?;
        }
        Ok(session)
    }

    fn start_server(&mut self, host: usize, command: &str) -> Result<(), Failure> {
        let shell = ["sh".as_ref(), "-c".as_ref(), OsStr::new(command)].map(OsString::from);
        let mut launcher = launcher(shell.into());
        launcher.supervisor.stdin(Stdio::null());
        match &mut self.above {
            Some(above) => {
                launcher.supervisor.stdout(above.pipe(Stream::Error).map_err(no_pipe)?);
                launcher.supervisor.stderr(above.pipe(Stream::Error).map_err(no_pipe)?);
            }
            None => _ = launcher.supervisor.stdout(io::stderr()),
        }
        self.lab.spawn(host, launcher, |_| {}).map(drop).map_err(refused)
    }

    fn start_command(&mut self) -> Result<(), Failure> {
        let mut launcher = launcher(self.args.command.clone());
        if let Some(path) = &self.args.running.link_socket {
            // It may go elsewhere before it looks.
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            launcher.supervisor.env(LINK_SOCKET, path);
        }
        if let Some(above) = &mut self.above {
            launcher.supervisor.stderr(above.pipe(Stream::Error).map_err(no_pipe)?);
            if io::stdout().is_terminal() {
                launcher.supervisor.stdout(above.pipe(Stream::Output).map_err(no_pipe)?);
            }
        }
        let ended = Arc::clone(&self.ended);
        let ends = move |status| {
            // Nothing else sets it.
            let _ = ended.set(status);
        };
        self.lab.spawn(0, launcher, ends).map(drop).map_err(refused)
    }

    /// Packets lost outside the links until now.
    pub(super) fn losses(&self) -> tun::Losses {
        self.lab.losses()
    }

    /// Looks after the programs; true once the run is over.
    pub(super) fn over(&mut self, elapsed: Span, cancelled: bool) -> bool {
        let time_is_over = self.args.running.duration.is_some_and(|lasts| elapsed >= lasts);
        if self.told.is_none() && (cancelled || time_is_over) {
            self.told = Some(elapsed);
        }
        if let Some(told) = self.told {
            return !self.started
                || self.ended.get().is_some()
                || self.end(elapsed.saturating_sub(told));
        }
        let alone = self.network.places.len() == 2 && self.lab.programs().is_empty();
        if !self.started && (alone || elapsed >= HEAD_START) {
            self.started = true;
            self.failure = self.start_command().err();
        }
        self.failure.is_some() || self.ended.get().is_some()
    }

    /// Ends programs, this long after they were told to; true when it has waited long enough.
    fn end(&mut self, since: Span) -> bool {
        if since >= ASK_AFTER && !self.asked {
            self.asked = true;
            for program in self.lab.programs() {
                program.end();
            }
        }
        since >= KILL_AFTER
    }

    /// Ends everything: programs, namespaces and devices are gone when it returns, and all that they printed is shown.
    pub(super) fn finish(self) -> Ended {
        let Session { lab, ended, failure, told, above, .. } = self;
        drop(lab);
        if let Some(above) = above {
            above.finish();
        }
        Ended { status: ended.get().copied(), told: told.is_some(), failure }
    }
}

fn launcher(program: Vec<OsString>) -> Launcher {
    let mut supervisor = itself::command();
    supervisor.arg(SUPERVISOR);
    Launcher { supervisor, program }
}

/// A failure to make or use a lab.
pub(super) fn refused(error: tun::Error) -> Failure {
    Failure::Runtime(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn no_pipe(error: io::Error) -> Failure {
    Failure::Runtime(format!("cannot start a program: {error}"))
}
