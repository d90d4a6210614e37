//! Programs behind links: starting them, collecting their output, ending them.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};

use atl_core::time::Span;
use atl_net::tun::{self, Lab, Launcher};

use super::server::{Server, State};
use crate::args::Link;
use crate::failure::Failure;
use crate::format::duration;
use crate::itself;
use crate::link::above::{Above, Stream};
use crate::link::network::Network;
use crate::link_socket::LINK_SOCKET;

/// First argument of the copies of this program that supervise programs in namespaces.
pub(super) const SUPERVISOR: &str = "@supervise";
/// Time after an interrupt for programs to end by themselves, since a terminal interrupts them too.
/// Then they get `SIGTERM`, and later `SIGKILL`.
const ASK_AFTER: Span = Span::from_millis(100);
const KILL_AFTER: Span = Span::from_millis(200);

/// The programs of one run.
#[derive(Debug)]
pub(super) struct Session<'a> {
    lab: Lab,
    network: &'a Network,
    args: &'a Link,
    /// Copies programs' output if the links are shown on the same terminal.
    above: Option<Above>,
    /// The programs on the other hosts.
    servers: Vec<Server>,
    notes: Vec<String>,
    /// True once COMMAND has been started.
    started: bool,
    /// Exit status of COMMAND.
    ended: Arc<OnceLock<ExitStatus>>,
    /// The reason why COMMAND could not be started.
    failure: Option<Failure>,
    /// Time at which programs were told to end, by an interrupt or at the end of the duration.
    told: Option<Span>,
    asked: bool,
}

/// The end of COMMAND.
#[derive(Debug)]
pub(super) struct Ended {
    /// Exit status; `None` if it never ran.
    pub status: Option<ExitStatus>,
    /// True if it was told to end.
    pub told: bool,
    /// The reason why it could not be started.
    pub failure: Option<Failure>,
    /// Sentences about the other programs.
    pub notes: Vec<String>,
}

impl<'a> Session<'a> {
    /// Starts the programs on the other hosts.
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
            servers: Vec::new(),
            notes: Vec::new(),
            started: false,
            ended: Arc::default(),
            failure: None,
            told: None,
            asked: false,
        };
        let server = args.program.server.iter().map(|command| (&network.hosts[1], command));
        let at = args.program.at.iter().map(|(host, command)| (host, command));
        for (name, command) in server.chain(at) {
            // The host is always found, since the network includes all that options name.
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
        let before = self.lab.listening(host);
        let server = Server::new(host, command, before);
        let ended = Arc::clone(&server.ended);
        let ends = move |status| _ = ended.set(status);
        self.lab.spawn(host, launcher, ends).map_err(refused)?;
        self.servers.push(server);
        Ok(())
    }

    /// True once COMMAND may start: every other program waits for peers, has done its work, or has
    /// had its time.
    fn may_start(&mut self, elapsed: Span) -> Result<bool, Failure> {
        let mut waiting = None;
        for server in &self.servers {
            match server.state(&self.lab) {
                State::Ready => {}
                State::Ended(status) if status.success() => {}
                State::Ended(status) => {
                    return Err(Failure::Runtime(format!(
                        "{} ended before COMMAND began: {status}",
                        self.name(server)
                    )));
                }
                State::Starting => waiting = Some(server),
            }
        }
        let wait = self.args.program.server_wait;
        let over = elapsed >= wait;
        let may = waiting.is_none() || over;
        let note = waiting.filter(|_| over).map(|server| {
            let (name, lasted) = (self.name(server), duration(wait.secs()));
            format!("{name} opened no port within {lasted}; COMMAND began all the same")
        });
        self.notes.extend(note);
        Ok(may)
    }

    fn name(&self, server: &Server) -> String {
        format!("`{}` on {}", server.command, self.network.places[server.host].0)
    }

    fn start_command(&mut self) -> Result<(), Failure> {
        let mut launcher = launcher(self.args.command.clone());
        if let Some(path) = &self.args.running.link_socket {
            // Absolute, since the program may change its directory before it opens the socket.
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
            // Set only here.
            let _ = ended.set(status);
        };
        self.lab.spawn(0, launcher, ends).map(drop).map_err(refused)
    }

    /// Packets lost outside the links so far.
    pub(super) fn losses(&self) -> tun::Losses {
        self.lab.losses()
    }

    /// Starts and ends programs as due; true once the run is over.
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
        if !self.started {
            match self.may_start(elapsed) {
                Ok(true) => {
                    self.started = true;
                    self.failure = self.start_command().err();
                }
                Ok(false) => {}
                Err(failure) => self.failure = Some(failure),
            }
        }
        self.failure.is_some() || self.ended.get().is_some()
    }

    /// Ends programs in steps, `since` this long ago; true when the last step is done.
    fn end(&mut self, since: Span) -> bool {
        if since >= ASK_AFTER && !self.asked {
            self.asked = true;
            for program in self.lab.programs() {
                program.end();
            }
        }
        since >= KILL_AFTER
    }

    /// Ends everything. On return programs, namespaces and devices are gone, and all output is
    /// shown.
    pub(super) fn finish(self) -> Ended {
        // One that failed while COMMAND ran explains much of what that says.
        let mut notes = self.notes.clone();
        for server in self.servers.iter().filter(|_| self.started && self.told.is_none()) {
            if let State::Ended(status) = server.state(&self.lab)
                && !status.success()
            {
                notes.push(format!("{} ended before COMMAND did: {status}", self.name(server)));
            }
        }
        let Session { lab, ended, failure, told, above, .. } = self;
        drop(lab);
        if let Some(above) = above {
            above.finish();
        }
        Ended { status: ended.get().copied(), told: told.is_some(), failure, notes }
    }
}

fn launcher(program: Vec<OsString>) -> Launcher {
    let mut supervisor = itself::command();
    supervisor.arg(SUPERVISOR);
    Launcher { supervisor, program }
}

/// The failure to create or use network namespaces.
pub(super) fn refused(error: tun::Error) -> Failure {
    Failure::Runtime(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn no_pipe(error: io::Error) -> Failure {
    Failure::Runtime(format!("cannot start a program: {error}"))
}
