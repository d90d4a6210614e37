//! A policer: a token bucket that drops what exceeds a rate, ahead of a queue that is first in,
//! first out.

use atl_core::time::Time;
use atl_core::units::Rate;

use super::drop_tail::DropTail;
use crate::bucket::TokenBucket;
use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

/// Drops the arrivals for which a token bucket has not enough tokens, as the policers of throttled
/// plans do (Flach and others, "An Internet-Wide Analysis of Traffic Policing", SIGCOMM 2016).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policer {
    /// Tokens come at this rate: above 0.
    pub rate: Rate,
    /// Bytes of tokens that are kept: at least a packet's.
    pub burst: u64,
}

impl BuildDiscipline for Policer {
    fn check(&self) -> Result<(), &'static str> {
        if self.burst < 40 {
            return Err("`burst` must be at least 40 bytes");
        }
        if !(self.rate.bps() > 0.0 && self.rate.bps().is_finite()) {
            return Err("`rate` must be given");
        }
        Ok(())
    }

    /// As long as a queue of which nothing is said.
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(50))
    }

    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let bucket = TokenBucket::new(self.rate, self.burst);
        Box::new(Policed { bucket, fifo: DropTail::new(limit) })
    }
}

#[derive(Debug)]
struct Policed {
    bucket: TokenBucket,
    fifo: DropTail,
}

impl QueueDiscipline for Policed {
    fn enqueue(&mut self, now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        if self.bucket.take(now, packet.wire_bytes()) {
            dropped.extend(self.fifo.push(packet).err());
        } else {
            dropped.push(packet);
        }
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<Queued>) -> Option<Queued> {
        self.fifo.pop()
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        QueueDiscipline::bytes(&self.fifo)
    }

    /// Packets above the rate are dropped even while the link is idle.
    fn bypasses(&self) -> bool {
        false
    }
}
