//! Settings of a receiver.

use std::net::SocketAddr;
use std::time::Duration;

use crate::link::LinkWatch;
use crate::name::Limits;
use crate::transport::Transport;

/// Settings of a receiver.
#[derive(Debug)]
pub struct Options {
    /// Address to listen on. Port 0 means that of its predecessor in the folder if there is one,
    /// and any free one otherwise.
    pub listen: SocketAddr,
    /// Settings of QUIC, including the idle timeout.
    pub transport: Transport,
    /// Limit on the bytes that it writes; `None` for no limit.
    pub limit: Option<u64>,
    /// Goes on after a sender has sent everything.
    pub keep: bool,
    /// Accepts senders without a ticket.
    pub anyone: bool,
    /// Time after which the ticket gives nobody new the right to send, from the opening of the
    /// socket; `None` for no end. A sender that has begun may finish.
    pub expires: Option<Duration>,
    /// The own link, whose reports senders may ask for.
    pub link: Option<LinkWatch>,
    /// Takes names within these limits only, besides those of its file system.
    pub limits: Limits,
}

impl Options {
    /// A receiver at this address of one sender, who has its ticket, without limits of its own.
    pub fn at(listen: SocketAddr) -> Self {
        Options {
            listen,
            transport: Transport::default(),
            limit: None,
            keep: false,
            anyone: false,
            expires: None,
            link: None,
            limits: Limits::NONE,
        }
    }
}
