//! The socket on which programs ask for the links' loss and delay.

use atl_core::time::Time;
use atl_link::relay::Relay;
use atl_net::lateness::Lateness;
use atl_net::link_socket::{Board, LinkSocket, Losses};
use atl_net::snapshot::Snapshot;

use super::network::Network;
use crate::args::LinkRunning;
use crate::failure::Failure;
use crate::interrupt::{self, Removed};

/// State of the links, and the socket of `--link-socket` if there is one. The socket's file is
/// removed when this is dropped, or by a signal that ends the program earlier.
#[derive(Debug)]
pub(super) struct Answers {
    board: Board,
    socket: Option<(LinkSocket, Removed)>,
}

impl Answers {
    /// Opens the socket, which first reports links at rest. Programs started later thus always get
    /// an answer.
    ///
    /// # Errors
    /// If the socket cannot be opened.
    pub(super) fn open(
        relay: &mut Relay,
        network: &Network,
        options: &LinkRunning,
    ) -> Result<Answers, Failure> {
        let board = Board::along(&network.links, &network.up);
        board.publish(&Snapshot::of(relay, Time::ZERO, Lateness::new()));
        let socket = match &options.link_socket {
            None => None,
            Some(path) => {
                let socket = LinkSocket::open(path, board.clone()).map_err(|error| {
                    let path = path.display();
                    Failure::Runtime(format!("cannot open the link socket at {path}: {error}"))
                })?;
                Some((socket, interrupt::remove_at_exit(path.clone())))
            }
        };
        Ok(Answers { board, socket })
    }

    /// Recorder of the links' losses, if there is a socket to report them on.
    pub(super) fn losses(&self) -> Option<Losses> {
        self.socket.is_some().then(|| self.board.losses())
    }

    /// Updates the state of the links.
    pub(super) fn publish(&self, snapshot: &Snapshot) {
        self.board.publish(snapshot);
    }
}
