//! The socket on which programs ask what the links lose and delay.

use atl_core::time::Time;
use atl_link::relay::Relay;
use atl_net::lateness::Lateness;
use atl_net::link_socket::{Board, LinkSocket, Losses};
use atl_net::snapshot::Snapshot;

use super::network::Network;
use crate::args::LinkRunning;
use crate::failure::Failure;
use crate::interrupt::{self, Removed};

/// The states of the links, and the socket of `--link-socket`, if that was given. Its file goes when this is dropped, and
/// also when a signal ends the program before that.
#[derive(Debug)]
pub(super) struct Answers {
    board: Board,
    socket: Option<(LinkSocket, Removed)>,
}

impl Answers {
    /// From now on the socket answers, at first with links at rest: whoever is started later never asks too early.
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

    /// Takes down what the links lose, if there is a socket on which to tell it.
    pub(super) fn losses(&self) -> Option<Losses> {
        self.socket.is_some().then(|| self.board.losses())
    }

    /// Takes a new state of the links.
    pub(super) fn publish(&self, snapshot: &Snapshot) {
        self.board.publish(snapshot);
    }
}
