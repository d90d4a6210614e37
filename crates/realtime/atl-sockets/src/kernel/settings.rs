//! Settings of namespaces and sockets that make the kernel's TCP the one of the setup.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::AsFd as _;

use atl_engine::setup::{FlowSetup, Nagle, Setup};
use atl_net::tun::Options;
use nix::sys::socket::setsockopt;
use socket2::{Domain, Socket, Type};

use super::control::is_over_quic;
use super::sockopt;

/// The receiver of flow 0 has this port; each flow has one of its own.
const FIRST_PORT: u16 = 10_000;
/// Most flows: as many ports are counted as theirs.
pub(super) const MOST_FLOWS: usize = 200;
/// Octets of the headers of IPv4 and TCP, without options: what the kernel takes off a packet's
/// size to get the segment's.
const HEADERS: u32 = 40;
/// The smallest packet of an interface (RFC 8200, sec. 5).
const LEAST_MTU: u32 = 1280;

/// The port of a flow's receiver.
pub(super) fn port_of(flow: usize) -> u16 {
    FIRST_PORT + flow as u16
}

/// The flow whose receiver has this port.
pub(super) fn flow_of(port: u16) -> Option<usize> {
    port.checked_sub(FIRST_PORT).map(usize::from).filter(|flow| *flow < MOST_FLOWS)
}

/// A rate in bytes/s that no link here has: the kernel paces by the window, as it would with `fq`.
/// The largest number stands for no pacing.
const PACED: u32 = u32::MAX - 1;

/// Size of a full packet of a flow.
pub(super) fn packet_bytes(flow: &FlowSetup) -> u32 {
    flow.tcp.segment + flow.tcp.header
}

/// The settings of all namespaces.
pub(super) fn of_namespaces(setup: &Setup) -> Options {
    let largest = setup.flows.iter().map(packet_bytes).max().unwrap_or(LEAST_MTU);
    let first = setup.flows.iter().find(|flow| !is_over_quic(flow)).map(|flow| &flow.tcp);
    Options {
        // A longer one is a gap.
        mtu: largest.max(LEAST_MTU) as u16,
        initial_window: first.map(|tcp| tcp.initial_window as u32),
        min_rto: first.map(|tcp| tcp.min_rto),
        quick_ack: first.is_some_and(|tcp| tcp.delayed_ack.is_none()),
        tcp_timestamps: first.is_none_or(|tcp| tcp.timestamps),
        ..Options::default()
    }
}

/// The socket of a sender with the congestion control `control`, which paces or does not, in the
/// namespace of the calling thread.
///
/// # Errors
/// If the kernel does not take a setting.
pub(super) fn sender(
    (control, paced): (&str, bool),
    packet_bytes: u32,
    nagle: Nagle,
) -> io::Result<Socket> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.set_tcp_congestion(control.as_bytes())?;
    if paced {
        setsockopt(&socket.as_fd(), sockopt::MaxPacingRate, &PACED)?;
    }
    socket.set_tcp_mss(packet_bytes - HEADERS)?;
    socket.set_tcp_nodelay(nagle == Nagle::Off)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// The socket of a flow's receiver, which listens at an address in the namespace of the calling
/// thread, and offers a window of at most `window` bytes.
///
/// # Errors
/// If the kernel does not take a setting.
pub(super) fn receiver(address: Ipv4Addr, port: u16, window: u64) -> io::Result<Socket> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    if let Ok(window) = i32::try_from(window) {
        setsockopt(&socket.as_fd(), sockopt::WindowClamp, &window)?;
    }
    socket.bind(&SocketAddrV4::new(address, port).into())?;
    socket.listen(1)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use nix::sys::socket::getsockopt;

    use super::*;

    #[test]
    fn ports_and_flows_are_inverse() {
        for flow in 0..MOST_FLOWS {
            assert_eq!(flow_of(port_of(flow)), Some(flow));
        }
        assert_eq!(flow_of(port_of(MOST_FLOWS)), None);
        assert_eq!((flow_of(9999), flow_of(0)), (None, None));
    }

    #[test]
    fn a_socket_has_the_control_and_the_segment_that_it_was_given() {
        let socket = sender(("reno", false), 1040, Nagle::Off).expect("every kernel has reno");
        let control = socket.tcp_congestion().expect("set");
        assert!(control.starts_with(b"reno"), "{control:?}");
        assert_eq!(socket.tcp_nodelay().ok(), Some(true));
        sender(("no-such-law", false), 1500, Nagle::Minshall).expect_err("unknown");
        let limit = |paced| {
            let socket = sender(("reno", paced), 1040, Nagle::Off).expect("as before");
            getsockopt(&socket.as_fd(), sockopt::MaxPacingRate).expect("every kernel has it")
        };
        assert_eq!((limit(false), limit(true)), (u32::MAX, PACED));
    }
}
