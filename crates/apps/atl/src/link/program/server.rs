//! A program on another host, which COMMAND may want to reach.

use std::process::ExitStatus;
use std::sync::{Arc, OnceLock};

use atl_net::tun::{Lab, Listening};

/// A program on another host.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) host: usize,
    pub(super) command: String,
    /// The sockets of its host before it began.
    before: Listening,
    /// Its exit status, once it has ended.
    pub(super) ended: Arc<OnceLock<ExitStatus>>,
}

/// The state of such a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Starting,
    /// It waits for peers at a port.
    Ready,
    Ended(ExitStatus),
}

impl Server {
    pub(super) fn new(host: usize, command: &str, before: Listening) -> Self {
        Server { host, command: command.to_owned(), before, ended: Arc::default() }
    }

    pub(super) fn state(&self, lab: &Lab) -> State {
        match self.ended.get() {
            Some(status) => State::Ended(*status),
            None if lab.listening(self.host).is_more_than(&self.before) => State::Ready,
            None => State::Starting,
        }
    }
}
