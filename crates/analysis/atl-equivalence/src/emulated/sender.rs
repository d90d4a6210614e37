//! The ends of the path: a thread that sends probes on time, and one that takes what arrives.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::thread;
use std::time::Duration;

use atl_core::time::Time;
use atl_net::clock::Clock;
use atl_net::emulator::Stop;
use atl_net::priority;
use socket2::SockRef;

use super::while_doing;
use atl_engine::Stopped;

/// Longest wait for a packet before the receiving thread checks whether to end.
const PATIENCE: Duration = Duration::from_millis(50);
/// Bytes that the receiving socket is asked to buffer.
const BUFFER: usize = 8 << 20;
/// Longest sleep of the sending thread, and so the longest delay of a stop.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// Sends a probe of `length` bytes at each time of the plan, with its number and the time at which
/// it really leaves, until `done`.
pub(super) fn send(
    length: u32,
    plan: &[Time],
    to: SocketAddr,
    clock: Clock,
    real_time: bool,
    done: &Stop,
) -> Result<(), Stopped> {
    priority::prepare(real_time);
    let open = || -> io::Result<UdpSocket> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.connect(to)?;
        Ok(socket)
    };
    let socket = open().map_err(|error| while_doing("open a socket for probes", error))?;
    let mut probe = vec![0; length as usize];
    for (number, at) in plan.iter().enumerate() {
        loop {
            let early = at.since(clock.now());
            if done.stopped() {
                return Ok(());
            }
            if early.is_zero() {
                break;
            }
            thread::sleep(Duration::from_nanos(early.nanos()).min(LONGEST_SLEEP));
        }
        probe[..4].copy_from_slice(&(number as u32).to_be_bytes());
        probe[4..12].copy_from_slice(&clock.now().nanos().to_be_bytes());
        socket.send(&probe).map_err(|error| while_doing("send a probe", error))?;
    }
    Ok(())
}

/// Reads and discards what arrives until `done`; the captures have recorded it.
pub(super) fn discard(socket: &UdpSocket, done: &Stop) {
    // An error here leaves the socket's default buffer, or a thread that ends later.
    let _ = SockRef::from(socket).set_recv_buffer_size(BUFFER);
    let _ = socket.set_read_timeout(Some(PATIENCE));
    let mut buffer = [0; 2048];
    while !done.stopped() {
        let _ = socket.recv(&mut buffer);
    }
}
