//! The fate of a packet ahead of the queue.

use atl_core::time::Time;

use crate::config::{Conditions, Config, Loss};
use crate::counters::Counters;
use crate::ecn::EcnRule;
use crate::loss::{Fate, LossProcess};
use crate::packet::Packet;
use crate::random::Stream;

/// The way into a link that changes or loses packets.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    ecn: EcnRule,
    loss: LossProcess,
    /// A stream of its own: losses on the air are the same with and without those here.
    stream: Stream,
}

impl Entry {
    /// That of a link with this stream; `None` if all packets come in as they are.
    pub(crate) fn new(config: &Config, stream: &Stream) -> Option<Box<Entry>> {
        let later = config.schedule.iter().map(|change| &change.to);
        let loses =
            std::iter::once(&config.initial).chain(later).any(|at| at.ingress != Loss::None);
        if config.ecn == EcnRule::Keep && !loses {
            return None;
        }
        let (loss, stream) = (LossProcess::None, stream.part("ingress"));
        let mut entry = Entry { ecn: config.ecn, loss, stream };
        entry.enter(&config.initial);
        Some(Box::new(entry))
    }

    /// Loses as under these conditions from now on.
    pub(crate) fn enter(&mut self, conditions: &Conditions) {
        self.loss = LossProcess::new(&conditions.ingress, &mut self.stream);
    }

    /// A packet comes at `now`. False if it is lost.
    pub(crate) fn pass<P: Packet>(
        &mut self,
        now: Time,
        packet: &mut P,
        counters: &mut Counters,
    ) -> bool {
        let bits = 8.0 * f64::from(packet.wire_bytes());
        if let Fate::Lost(_) = self.loss.next(now, now, bits, &mut self.stream) {
            counters.dropped += 1;
            counters.lost_on_entry += 1;
            return false;
        }
        match self.ecn {
            EcnRule::Keep => {}
            EcnRule::Bleach => packet.bleach(),
            EcnRule::MarkAll => {
                counters.marked += u64::from(packet.takes_mark());
                packet.mark();
            }
        }
        true
    }
}
