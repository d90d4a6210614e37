//! Acknowledgments: arrivals, and the RTT.

use std::ops::RangeInclusive;

use super::space::Entry;
use super::{Acknowledged, Ledger, NumberSpace};
use crate::time::{Span, Time};
use crate::window::{Ack, WindowController};

impl<C: WindowController> Ledger<C> {
    /// The peer acknowledged `ranges` of packet numbers of `space`, in any order, and delayed the
    /// acknowledgment by `delay`. Numbers that are not in flight change nothing.
    pub fn on_ack_ranges(
        &mut self,
        now: Time,
        space: NumberSpace,
        ranges: impl IntoIterator<Item = RangeInclusive<u64>>,
        delay: Span,
    ) -> Acknowledged {
        let mut resolved = core::mem::take(&mut self.resolved);
        resolved.clear();
        let packets = &mut self.spaces[space as usize];
        let mut largest = None;
        let mut sorted = true;
        for range in ranges.into_iter().filter(|range| !range.is_empty()) {
            largest = largest.max(Some(*range.end()));
            packets.acknowledge(&range, |entry| {
                sorted &= resolved.last().is_none_or(|last: &Entry| last.tx < entry.tx);
                resolved.push(entry);
            });
        }
        packets.trim();
        if !sorted {
            resolved.sort_unstable_by_key(|entry| entry.tx);
        }
        // Only the newest packet of an acknowledgment gives a sample, and only once (RFC 9002, sec.
        // 5.1).
        let newest = resolved.last().filter(|newest| Some(newest.number) == largest);
        let rtt = newest.map(|newest| self.measure(now, newest.sent_at, delay));
        self.deliver(now, rtt, &resolved);
        let bytes = resolved.iter().map(|entry| u64::from(entry.bytes)).sum();
        let acknowledged = Acknowledged { packets: resolved.len() as u32, bytes, rtt };
        self.resolved = resolved;
        acknowledged
    }

    /// Takes an RTT sample (RFC 9002, sec. 5.3).
    fn measure(&mut self, now: Time, sent_at: Time, delay: Span) -> Span {
        let rtt = now.since(sent_at);
        let adjusted = rtt.saturating_sub(delay.min(self.config.max_ack_delay));
        // A peer that exaggerates its delay must not make the path shorter than it has ever been.
        let rtt_min = self.rtt.min().unwrap_or(rtt).min(rtt);
        let sample = adjusted.max(rtt_min);
        self.rtt.on_one_sample_of(sample, (self.in_flight / 2).max(1));
        self.latest_rtt = sample;
        self.first_sample.get_or_insert(now);
        sample
    }

    /// Passes newly acknowledged packets on, in events that the controller counts fully.
    fn deliver(&mut self, now: Time, rtt: Option<Span>, acked: &[Entry]) {
        let limit = self.controller.ack_limit().map_or(usize::MAX, |limit| limit.get() as usize);
        let mut rest = acked;
        while let Some(first) = rest.first() {
            let before = first.tx < self.recovery_tx;
            let same = |entry: &&Entry| (entry.tx < self.recovery_tx) == before;
            let (event, later) = rest.split_at(rest.iter().take(limit).take_while(same).count());
            rest = later;
            let mut limited = false;
            for entry in event {
                self.forget(entry);
                limited |= !entry.app_limited || entry.tx < self.limited_tx;
            }
            if !before && core::mem::take(&mut self.in_recovery) {
                self.controller.on_recovered(now);
            }
            let packets = event.len() as u32;
            self.controller.on_ack(
                &Ack::new(now)
                    .delivered(packets)
                    .cumulative(packets)
                    .newest(event.last().map(|newest| (newest.tx, newest.sent_at)))
                    .rtt(rtt.filter(|_| rest.is_empty()))
                    .srtt(self.rtt.srtt().unwrap_or_default())
                    .rtt_min(self.rtt.min().unwrap_or_default())
                    .in_flight(self.in_flight)
                    .in_recovery(before)
                    .window_limited(limited),
            );
        }
        if let Some(newest) = acked.last() {
            self.newest_acked = self.newest_acked.max(newest.tx);
            self.timeouts = 0;
            self.probe_timeouts = 0;
            self.rtt.end_back_off();
        }
    }
}
