//! The ports of the network: the TUN devices of the hosts, with an observer of each flow.

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::{Arc, Mutex, PoisonError};

use atl_core::time::Time;
use atl_engine::flow::State;
use atl_engine::flow::record::{DataPacket, Mark};
use atl_link::relay::{Frame, Relay};
use atl_link::{Cause, Packet as _};
use atl_net::clock::Clock;
use atl_net::ports::Ports as _;
use atl_net::tun::Tuns;
use socket2::Socket;

use crate::live::{Held, Side};

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
    /// The flows that pass it, by their index in the setup.
    pub indices: Vec<usize>,
    /// In the order of their indices: each has the ports of its place.
    pub flows: Arc<Mutex<Vec<Seen>>>,
    /// Packets that wait within the senders' hosts, by the places of their flows.
    pub held: Held,
    /// That of the emulator, once it runs.
    pub clock: Option<Clock>,
}

/// A frame's segment, with the place of its flow among `flows` of them, and whether it goes to the
/// receiver.
fn segment_of(frame: &Frame, flows: usize) -> Option<(usize, bool, Segment)> {
    let segment = Segment::read(&frame.bytes)?;
    let flow = flow_of(segment.from_port).or(flow_of(segment.to_port))?;
    let forward = segment.to_port == port_of(flow);
    (flow < flows).then_some((flow, forward, segment))
}

/// The same of a frame that a sender sends.
fn sent(frame: &Frame, flows: usize) -> Option<(usize, Segment)> {
    let (flow, forward, segment) = segment_of(frame, flows)?;
    forward.then_some((flow, segment))
}

impl Seen {
    fn write_down(&mut self, mark: Mark) {
        let info = Info::of(&*self.socket).ok();
        match mark {
            Mark::Begin => {
                self.observer.begin();
                self.timeouts_before = info.and_then(|info| info.timeouts);
            }
            Mark::Sample => {
                // Before it connects, a socket knows nothing of a path.
                let known = info.filter(|info| !info.srtt.is_zero());
                let state = known.map_or(NO_STATE, |info| info.state());
                self.samples.push((state, self.observer.arrivals.take_interval()));
            }
        }
    }
}

impl Side for Tunnel {
    fn begin(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.tuns.descriptors()
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        let mut flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        let count = flows.len();
        let mut leave = |sent: Option<(usize, Segment)>, frame: Frame| {
            if let Some((flow, segment)) = sent.filter(|(_, segment)| segment.bytes > 0) {
                flows[flow].observer.on_sent(frame.entered, &segment);
            }
            enter(frame);
        };
        let held = &mut self.held;
        self.tuns.receive(now, &mut |frame| {
            let sent = sent(&frame, count);
            let at_once = match sent {
                Some((flow, _)) => held.hold(flow, frame),
                None => Some(frame),
            };
            at_once.into_iter().for_each(|frame| leave(sent, frame));
        })?;
        held.release(now, &mut |frame| leave(sent(&frame, count), frame));
        Ok(())
    }

    /// No packet is late: what the kernel sends after the end did not leave its sender before it.
    fn take_late(&mut self) -> io::Result<Vec<DataPacket>> {
        self.tuns.receive(&|| Time::MAX, &mut |_| {})?;
        Ok(Vec::new())
    }

    fn next_entry(&self) -> Time {
        self.held.next()
    }

    fn data_of(&self, frame: &Frame) -> Option<DataPacket> {
        let (place, forward, segment) = segment_of(frame, self.indices.len())?;
        let flow = self.indices[place];
        let packet = DataPacket { flow, bytes: frame.wire_bytes(), hop: frame.hop() };
        (forward && segment.bytes > 0).then_some(packet)
    }

    fn deliver(&mut self, frame: Frame) {
        let now = self.clock.map_or(frame.entered, |clock| clock.now());
        let mut flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((flow, forward, segment)) = segment_of(&frame, flows.len()) {
            let observer = &mut flows[flow].observer;
            if !forward {
                observer.on_ack(now, &segment);
            } else if segment.bytes > 0 {
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
        self.tuns.lost(frame, link, cause, due);
    }

    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        self.tuns.dropped(frame, link, due);
    }

    fn network(&self, flow: usize, relay: &Relay) -> Option<u32> {
        let place = self.indices.binary_search(&flow).ok()?;
        let flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        Some(flows[place].wireless.map_or(0, |link| relay.links()[link].changes() as u32))
    }

    fn on_mark(&mut self, mark: Mark) {
        let mut flows = self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        flows.iter_mut().for_each(|seen| seen.write_down(mark));
    }
}
