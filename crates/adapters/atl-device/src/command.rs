//! A command that prints link information.

use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::{Span, Time};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};
use crate::text::{self, MAX_TEXT};

/// Limit on a run's timeout.
const LONGEST: Span = Span::from_secs(3600);

/// Interval of the checks for the end of a command that has closed its output.
const EXIT_EVERY: Duration = Duration::from_millis(1);

/// A command whose standard output is [link information](crate::text). Each call runs it once.
///
/// It gets no input, and its standard error is discarded. It runs in a process group of its own:
/// when its time is up the group is killed, with whatever it started.
#[derive(Debug)]
pub struct CommandSource {
    program: String,
    arguments: Vec<String>,
    timeout: Span,
    hidden: Vec<String>,
}

impl CommandSource {
    /// A program and its arguments; no shell is involved. Each run may take `timeout`, at most an
    /// hour.
    pub fn new(
        program: impl Into<String>,
        arguments: impl IntoIterator<Item = String>,
        timeout: Span,
    ) -> Self {
        CommandSource {
            program: program.into(),
            arguments: arguments.into_iter().collect(),
            timeout: timeout.min(LONGEST),
            hidden: Vec::new(),
        }
    }

    /// The same command, without this variable in its environment.
    #[must_use]
    pub fn without_variable(mut self, name: impl Into<String>) -> Self {
        self.hidden.push(name.into());
        self
    }

    fn error(&self, doing: &str, error: impl Into<io::Error>) -> SourceError {
        SourceError::io(format!("{doing} {}", self.program), error)
    }

    fn late(&self) -> SourceError {
        SourceError::Timeout { who: self.program.clone(), after: self.timeout }
    }

    /// The command's output, once it has closed it; at most one byte more than a text may have.
    fn output(&self, from: &mut ChildStdout, end: Instant) -> Result<Vec<u8>, SourceError> {
        let mut output = vec![0; MAX_TEXT + 1];
        let mut length = 0;
        while length < output.len() {
            let left = end.saturating_duration_since(Instant::now());
            // Rounded up, so that a wait of less than a millisecond is one.
            let timeout = PollTimeout::try_from(left.as_nanos().div_ceil(1_000_000))
                .unwrap_or(PollTimeout::MAX);
            let mut polled = [PollFd::new(from.as_fd(), PollFlags::POLLIN)];
            match poll(&mut polled, timeout) {
                Ok(0) if Instant::now() >= end => return Err(self.late()),
                Ok(0) | Err(Errno::EINTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(self.error("waiting for", error)),
            }
            match from.read(&mut output[length..]) {
                Ok(0) => break,
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error("reading from", error)),
            }
        }
        output.truncate(length);
        Ok(output)
    }

    /// Waits for the command's end; an exit status other than 0 is an error.
    fn finish(&self, child: &mut Child, end: Instant) -> Result<(), SourceError> {
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => {
                    return Err(SourceError::unfit(format!("{} failed: {status}", self.program)));
                }
                Ok(None) if Instant::now() >= end => {
                    kill(child);
                    return Err(self.late());
                }
                Ok(None) => thread::sleep(EXIT_EVERY),
                Err(error) => return Err(self.error("waiting for", error)),
            }
        }
    }
}

impl LinkSource for CommandSource {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        let end = Instant::now() + Duration::from_nanos(self.timeout.nanos());
        let mut command = Command::new(&self.program);
        for name in &self.hidden {
            command.env_remove(name);
        }
        let mut child = command
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| self.error("starting", error))?;
        let output = match child.stdout.take() {
            Some(mut stdout) => self.output(&mut stdout, end),
            None => Err(SourceError::unfit(format!("{} has no output", self.program))),
        };
        let output = match output {
            Ok(output) if output.len() <= MAX_TEXT => {
                self.finish(&mut child, end)?;
                output
            }
            // The command is late, or writes more than a text may have and may never end by itself.
            other => {
                kill(&mut child);
                other?
            }
        };
        text::parse(&output)
            .map_err(|error| SourceError::Text { place: self.program.clone(), error })
    }
}

/// Kills a command with all that it started, and takes its exit status so that no zombie stays.
fn kill(child: &mut Child) {
    if let Ok(id) = i32::try_from(child.id()) {
        // An error means that it has ended already.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
    // It was killed: this returns at once.
    let _ = child.wait();
}
