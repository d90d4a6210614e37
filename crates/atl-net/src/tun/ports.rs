//! TUN devices as ports of an emulator.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use atl_core::time::{Span, Time};
use atl_link::Cause;
use tun_rs::SyncDevice;

use super::address::Block;
use super::datagram::datagram;
use super::header::Header;
use crate::capture::{Capture, End};
use crate::clock::Clock;
use crate::ports::Ports;
use atl_relay::{Frame, Relay, RouteId};

/// Frames read from one device before it is another's turn.
const BURST: usize = 64;
/// Buffers kept for frames to come.
const SPARE: usize = 4096;

/// Packets that never entered a link, or never left: all zero in a run as it should be.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// To an address that no links lead to.
    pub(super) unroutable: AtomicU64,
    /// The far device refused them.
    pub(super) refused: AtomicU64,
}

/// What a device needs to know of the lab it is in.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) block: Block,
    /// For each host: the route to each host.
    pub(super) routes: Vec<Vec<Option<RouteId>>>,
    /// For each route: the host at its end.
    pub(super) ends: Vec<usize>,
    pub(super) mtu: u16,
    pub(super) overhead: u32,
    /// Packets with this code point have low priority.
    pub(super) low_priority: u8,
}

/// The TUN devices of a lab's hosts: packets enter the route to their destination, and leave by its
/// host's device.
#[derive(Debug)]
pub struct Tuns {
    devices: Vec<Arc<Device>>,
    table: Table,
    counts: Arc<Counts>,
    spare: Vec<Vec<u8>>,
    /// Takes a copy of everything, at the times of this clock.
    capture: Option<(Capture, Clock)>,
}

/// A TUN device. Not `Debug` in its own crate.
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

    /// The same ports, with a copy of every packet that goes onto a link or comes from one, to the
    /// file of its host: when it entered, and when the host's kernel had taken it, by the
    /// emulator's clock. A capture has a file for each host.
    #[must_use]
    pub fn with_capture(mut self, capture: Capture, clock: Clock) -> Self {
        self.capture = Some((capture, clock));
        self
    }

    /// The frame that a packet from `host` becomes; its bytes back if no links lead to its
    /// destination.
    fn frame(&self, host: usize, bytes: Vec<u8>, now: Time) -> Result<Frame, Vec<u8>> {
        let header = Header::read(&bytes);
        let to = header.and_then(|header| self.table.block.host(header.destination));
        let routes = &self.table.routes[host];
        let route = to.and_then(|to| routes.get(to).copied().flatten());
        let (Some(header), Some(route)) = (header, route) else { return Err(bytes) };
        let frame = Frame::new(bytes, route, now, self.table.overhead);
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
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.devices.iter().map(|device| device.0.as_fd()).collect()
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

    /// Hands the packet to the far host's kernel at once.
    fn deliver(&mut self, frame: Frame) {
        let to = self.table.ends[frame.route.0];
        if self.devices[to].0.send(&frame.bytes).is_err() {
            // A device that a program in the namespace has taken down, or a kernel without memory.
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
