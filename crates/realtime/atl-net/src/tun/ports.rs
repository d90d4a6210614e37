//! TUN devices as ports of an emulator.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use atl_core::time::{Span, Time};
use atl_link::{Cause, Packet as _};
use tun_rs::SyncDevice;

use super::address::Block;
use super::datagram::datagram;
use super::flow;
use super::header::Header;
use super::mark;
use crate::capture::{Capture, End};
use crate::clock::Clock;
use crate::ports::Ports;
use crate::wait;
use atl_link::relay::{Frame, Relay, RouteId};

/// Limit on the frames read from one device before it is another's turn.
const BURST: usize = 64;
/// Limit on the buffers kept for later frames.
const SPARE: usize = 4096;

/// Packets lost outside the links; all zero in a flawless run.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Packets to an address that no link leads to.
    pub(super) unroutable: AtomicU64,
    /// Packets that the far device refused.
    pub(super) refused: AtomicU64,
}

/// The routes and hosts of a lab, as the ports need them.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) block: Block,
    /// For each host, the route to each other host.
    pub(super) routes: Vec<Vec<Option<RouteId>>>,
    /// For each route, the host at its end.
    pub(super) ends: Vec<usize>,
    pub(super) mtu: u16,
    pub(super) overhead: u32,
    /// Packets with this code point have low priority.
    pub(super) low_priority: u8,
    /// The host by which packets to all other addresses leave.
    pub(super) gateway: Option<usize>,
}

/// The TUN devices of a lab's hosts. A packet enters the route to its destination, and leaves by
/// the device of that host.
#[derive(Debug)]
pub struct Tuns {
    devices: Vec<Arc<Device>>,
    table: Table,
    counts: Arc<Counts>,
    spare: Vec<Vec<u8>>,
    /// Copies every packet, at the times of this clock.
    capture: Option<(Capture, Clock)>,
}

/// A TUN device. The newtype gives it `Debug`, which its crate does not.
pub(super) struct Device(pub(super) SyncDevice);

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.0.as_fd()).finish()
    }
}

impl Tuns {
    pub(super) fn new(devices: Vec<Arc<Device>>, table: Table, counts: Arc<Counts>) -> Tuns {
        Tuns { devices, table, counts, spare: Vec::new(), capture: None }
    }

    /// The same ports, with a copy of every packet that enters a link or leaves one, in the file of
    /// its host. It is dated by the emulator's clock when it enters, and when the host's kernel has
    /// taken it. The capture needs a file for each host.
    #[must_use]
    pub fn with_capture(mut self, capture: Capture, clock: Clock) -> Self {
        self.capture = Some((capture, clock));
        self
    }

    /// Descriptors that become readable when packets wait, for those who wait for more than these
    /// ports.
    pub fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.devices.iter().map(|device| device.0.as_fd()).collect()
    }

    /// Makes a frame of a packet from `host`; returns its bytes if no link leads to its
    /// destination.
    fn frame(&self, host: usize, bytes: Vec<u8>, now: Time) -> Result<Frame, Vec<u8>> {
        let header = Header::read(&bytes);
        let to = header.and_then(|header| {
            let gateway = self.table.gateway.filter(|_| header.destination.is_ipv4());
            self.table.block.host(header.destination).or(gateway)
        });
        let routes = &self.table.routes[host];
        let route = to.and_then(|to| routes.get(to).copied().flatten());
        let (Some(header), Some(route)) = (header, route) else { return Err(bytes) };
        let flow = flow::hash(&bytes);
        let frame = Frame::new(bytes, route, now, self.table.overhead).of_flow(flow);
        let frame = frame.with_ecn(header.ecn);
        let low = header.dscp == self.table.low_priority;
        Ok(if low { frame.with_low_priority() } else { frame })
    }

    fn keep(&mut self, buffer: Vec<u8>) {
        if self.spare.len() < SPARE {
            self.spare.push(buffer);
        }
    }
}

impl Ports for Tuns {
    fn wait(&mut self, longest: Span) -> io::Result<()> {
        wait::readable(self.descriptors(), longest)
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        for host in 0..self.devices.len() {
            for _ in 0..BURST {
                let mut buffer = self.spare.pop().unwrap_or_default();
                buffer.resize(usize::from(self.table.mtu), 0);
                let length = match self.devices[host].0.recv(&mut buffer) {
                    Ok(length) => length,
                    Err(error) => {
                        self.keep(buffer);
                        match error.kind() {
                            io::ErrorKind::WouldBlock => break,
                            io::ErrorKind::Interrupted => continue,
                            _ => return Err(error),
                        }
                    }
                };
                buffer.truncate(length);
                let at = now();
                match self.frame(host, buffer, at) {
                    Ok(frame) => {
                        if let Some((capture, _)) = &mut self.capture {
                            capture.packet(End(host), at, &frame.bytes);
                        }
                        enter(frame);
                    }
                    Err(buffer) => {
                        self.counts.unroutable.fetch_add(1, Ordering::Relaxed);
                        self.keep(buffer);
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands the packet to the far host's kernel without waiting for a flush.
    fn deliver(&mut self, mut frame: Frame) {
        let ecn = frame.ecn();
        mark::write(&mut frame.bytes, ecn);
        let to = self.table.ends[frame.route.0];
        if self.devices[to].0.send(&frame.bytes).is_err() {
            // A program in the namespace has taken the device down, or the kernel lacks memory.
            self.counts.refused.fetch_add(1, Ordering::Relaxed);
        } else if let Some((capture, clock)) = &mut self.capture {
            capture.packet(End(to), clock.now(), &frame.bytes);
        }
        self.keep(frame.bytes);
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn datagram<'a>(&self, frame: &'a Frame) -> Option<&'a [u8]> {
        datagram(&frame.bytes)
    }

    fn lost(&mut self, frame: Frame, _link: usize, _cause: Cause, _due: Time) {
        self.keep(frame.bytes);
    }

    fn dropped(&mut self, frame: Frame, _link: usize, _due: Time) {
        self.keep(frame.bytes);
    }

    fn tick(&mut self, now: Time, _relay: &mut Relay) -> Span {
        let Some((capture, _)) = &mut self.capture else { return Span::MAX };
        capture.tick(now);
        capture.interval()
    }
}
