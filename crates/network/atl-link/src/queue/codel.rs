//! CoDel: what leaves a queue that has been too long for too long is marked or dropped (RFC 8289).
//!
//! The RFC's pseudocode (section 5) is followed, and Linux (`sch_codel`) in what it leaves open:
//! a packet that can be marked is marked instead of dropped, and 1/sqrt(count) is refined by one
//! step of Newton's method per drop, in 16 bits ([`law`]).

use atl_core::time::{Span, Time};

use super::drop_tail::DropTail;
use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

mod law;

pub(super) use law::{Control, Fifo};

/// Controlled delay (Nichols, Jacobson, McGregor, Iyengar, RFC 8289, 2018).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoDel {
    /// The sojourn that a standing queue may have (RFC 8289, section 5.3: 5 ms).
    pub target: Span,
    /// The sojourn may be above the target for this long before the first packet is dropped; about
    /// the longest usual round trip (RFC 8289, section 5.3: 100 ms).
    pub interval: Span,
    /// ECN-capable packets are marked instead of dropped.
    pub ecn: bool,
    /// A queue that holds at most this many bytes besides the packet that leaves is never too long:
    /// the longest packet. 1514 is an Ethernet frame, Linux's value.
    pub mtu: u32,
}

impl Default for CoDel {
    fn default() -> Self {
        let (target, interval) = (Span::from_millis(5), Span::from_millis(100));
        CoDel { target, interval, ecn: true, mtu: 1514 }
    }
}

impl BuildDiscipline for CoDel {
    fn check(&self) -> Result<(), &'static str> {
        if self.target.is_zero() {
            return Err("`target` must be above 0");
        }
        if self.interval <= self.target {
            return Err("`interval` must be longer than `target`");
        }
        Ok(())
    }

    /// Linux's 1000 packets.
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(1000))
    }

    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let (fifo, control) = (DropTail::new(limit), Control::default());
        Box::new(CoDelQueue { config: *self, fifo, control })
    }
}

#[derive(Debug)]
struct CoDelQueue {
    config: CoDel,
    fifo: DropTail,
    control: Control,
}

impl Fifo for DropTail {
    fn take(&mut self) -> Option<Queued> {
        self.pop()
    }

    fn bytes(&self) -> u64 {
        QueueDiscipline::bytes(self)
    }
}

impl QueueDiscipline for CoDelQueue {
    fn enqueue(&mut self, _now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        dropped.extend(self.fifo.push(packet).err());
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        self.control.dequeue(&self.config, &mut self.fifo, now, dropped)
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        QueueDiscipline::bytes(&self.fifo)
    }
}

impl CoDel {
    /// Marks the packet, if that is wanted and possible.
    fn marks(&self, packet: &mut Queued) -> bool {
        let marks = self.ecn && packet.ecn().is_capable();
        if marks {
            packet.mark();
        }
        marks
    }
}
