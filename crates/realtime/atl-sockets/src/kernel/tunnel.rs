//! The ports of the network: the TUN devices of the hosts, with an observer of each flow.

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::{Arc, Mutex, PoisonError};

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_engine::flow::State;
use atl_engine::flow::record::{DataPacket, Mark};
use atl_link::relay::{Frame, Relay};
use atl_link::{Cause, ChangeEvent, Packet as _};
use atl_net::clock::Clock;
use atl_net::ports::Ports;
use atl_net::tun::Tuns;
use socket2::Socket;

use crate::live::{LOOK_EVERY, Ledger, Trouble};

use super::info::{Info, NO_STATE};
use super::observer::Observer;
use super::segment::Segment;
use super::settings::{flow_of, port_of};

/// A flow, as the network sees it.
#[derive(Debug)]
pub(super) struct Seen {
    /// The sender's socket, which the kernel is asked about.
    pub socket: Arc<Socket>,
    pub observer: Observer,
    /// Its first wireless link, whose changes number its networks.
    pub wireless: Option<usize>,
    /// The sender's state, and jitter since the sample before, at each sample.
    pub samples: Vec<(State, Option<f64>)>,
    /// Expired timers when measurement began, where the kernel tells.
    pub timeouts_before: Option<u16>,
}

/// The TUN devices, and what is seen of flows at them. Others look into the flows once the network
/// has ended.
#[derive(Debug)]
pub(super) struct Tunnel {
    pub tuns: Tuns,
    pub ledger: Ledger,
    pub flows: Arc<Mutex<Vec<Seen>>>,
    /// That of the emulator, once it runs.
    pub clock: Option<Clock>,
}

/// A flow's segment, and the side that sent it.
fn segment_of(frame: &Frame, flows: usize) -> Option<(usize, bool, Segment)> {
    let segment = Segment::read(&frame.bytes)?;
    let flow = flow_of(segment.from_port).or(flow_of(segment.to_port))?;
    let forward = segment.to_port == port_of(flow);
    (flow < flows).then_some((flow, forward, segment))
}

/// The data packet that a frame is; `None` of any other packet.
fn data_of(frame: &Frame, flows: usize) -> Option<DataPacket> {
    let (flow, forward, segment) = segment_of(frame, flows)?;
    let packet = DataPacket { flow, bytes: frame.wire_bytes(), hop: frame.hop() };
    (forward && segment.bytes > 0).then_some(packet)
}

impl Tunnel {
    /// The data packet that a frame is, while the run lasts.
    fn counted(&self, frame: &Frame) -> Option<DataPacket> {
        let flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner).len();
        data_of(frame, flows).filter(|_| !self.ledger.has_ended())
    }

    fn write_down(flows: &mut [Seen], mark: Mark) {
        for seen in flows {
            let info = Info::of(&*seen.socket).ok();
            match mark {
                Mark::Begin => {
                    seen.observer.begin();
                    seen.timeouts_before = info.and_then(|info| info.timeouts);
                }
                Mark::Sample => {
                    // Before it connects, a socket knows nothing of a path.
                    let known = info.filter(|info| !info.srtt.is_zero());
                    let state = known.map_or(NO_STATE, |info| info.state());
                    seen.samples.push((state, seen.observer.arrivals.take_interval()));
                }
            }
        }
    }
}

impl Ports for Tunnel {
    fn begin(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.tuns.descriptors()
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        if self.ledger.has_ended() {
            return self.tuns.receive(now, &mut |_| {});
        }
        let mut flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        let count = flows.len();
        self.tuns.receive(now, &mut |frame| {
            if let Some((flow, true, segment)) = segment_of(&frame, count)
                && segment.bytes > 0
            {
                flows[flow].observer.on_sent(frame.entered, &segment);
            }
            enter(frame);
        })
    }

    fn deliver(&mut self, frame: Frame) {
        if self.ledger.has_ended() {
            return;
        }
        let now = self.clock.map_or(frame.entered, |clock| clock.now());
        let mut flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((flow, forward, segment)) = segment_of(&frame, flows.len()) {
            let observer = &mut flows[flow].observer;
            if !forward {
                observer.on_ack(now, &segment);
            } else if segment.bytes > 0 {
                let (bytes, hop) = (frame.wire_bytes(), frame.hop());
                self.ledger.on_arrived(DataPacket { flow, bytes, hop });
                observer.on_arrived(now, frame.entered);
            }
        }
        drop(flows);
        self.tuns.deliver(frame);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tuns.flush()
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        if let Some(packet) = self.counted(&frame) {
            self.ledger.on_lost(packet, due);
        }
        self.tuns.lost(frame, link, cause, due);
    }

    fn copied(&mut self, frame: &Frame, due: Time) {
        if let Some(packet) = self.counted(frame) {
            self.ledger.on_copied(packet, due);
        }
    }

    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        if let Some(packet) = self.counted(&frame) {
            self.ledger.on_dropped(packet, due);
        }
        self.tuns.dropped(frame, link, due);
    }

    fn changed(&mut self, _: usize, _: ChangeEvent, _: &LinkReport, _: Time) {}

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        if !self.ledger.has_ended() {
            let mut flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
            let count = flows.len();
            let on_links = || {
                let frames = relay.links().iter().flat_map(|link| link.packets());
                frames.filter_map(|frame| data_of(frame, count)).collect()
            };
            let wireless: Vec<_> = flows.iter().map(|seen| seen.wireless).collect();
            let network =
                |flow: usize| wireless[flow].map_or(0, |link| relay.links()[link].changes() as u32);
            for mark in self.ledger.advance(now, relay, &on_links, &network) {
                Tunnel::write_down(&mut flows, mark);
            }
        }
        if self.ledger.has_ended() {
            if self.ledger.nodes_have_ended() {
                self.ledger.close(Trouble::default());
            }
            return LOOK_EVERY;
        }
        self.ledger.next().since(now)
    }
}
