//! Sockets between an end of a flow and the network.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::os::fd::AsRawFd as _;

use atl_link::Ecn;
use atl_net::ecn;
use nix::errno::Errno;
use nix::sys::socket::{setsockopt, sockopt};

use crate::live::envelope::{Direction, Opening, Seal};
use crate::live::record::Trouble;

/// The longest datagram with its envelope: no packet has more than 65 535 bytes.
pub const LONGEST: usize = 65_536;

/// Receive buffer asked for: half a second at 50 Mb/s. The system gives what it allows.
const BUFFER: usize = 4 << 20;

/// One end of a connection.
#[derive(Debug)]
pub struct Plug {
    /// Connected to the other end.
    pub socket: UdpSocket,
    /// Around what it sends.
    pub seal: Seal,
    /// Of what it receives.
    pub opening: Opening,
    /// Room for what the system says of a datagram.
    pub room: Vec<u8>,
}

impl Plug {
    /// Seals a datagram and sends it with this ECN field. If no buffer takes it, it is lost, which
    /// the other side notices.
    pub fn send(&mut self, datagram: &mut [u8], ecn: Ecn) {
        self.seal.seal(datagram);
        let _ = ecn::send_with(self.socket.as_raw_fd(), datagram, ecn);
    }

    /// The next datagram that waits: how long it is, and its ECN field; `None` if none waits. A
    /// socket whose peer is gone has none.
    pub fn receive(&mut self, buffer: &mut [u8]) -> Option<(usize, Ecn)> {
        loop {
            match ecn::receive(self.socket.as_raw_fd(), buffer, &mut self.room) {
                Ok(taken) => return Some(taken),
                Err(Errno::EINTR) => {}
                Err(_) => return None,
            }
        }
    }
}

/// An end of a flow (first) and the network (second), connected on loopback: the system passes on
/// no other's datagrams.
///
/// # Errors
/// If there is no loopback, or no descriptor left.
pub fn connect() -> io::Result<(Plug, Plug)> {
    let one = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let other = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    one.connect(other.local_addr()?)?;
    other.connect(one.local_addr()?)?;
    for socket in [&one, &other] {
        socket.set_nonblocking(true)?;
        ecn::ask(socket)?;
        // Less than asked for is enough for all but the fastest flows; what does not fit is
        // counted.
        let _ = setsockopt(socket, sockopt::RcvBuf, &BUFFER);
    }
    let (there, back) = (Direction::new(), Direction::new());
    let plug = |socket, seal, opening| Plug { socket, seal, opening, room: ecn::room() };
    let end = plug(one, there.seal, back.opening);
    let network = plug(other, back.seal, there.opening);
    Ok((end, network))
}

impl Plug {
    /// Its datagrams that were lost on the way to it or made no sense.
    pub fn trouble(&self) -> Trouble {
        Trouble { missing: self.opening.missing(), refused: self.opening.refused() }
    }
}
