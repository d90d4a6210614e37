//! Delivery rate: how fast the network delivered the last flight of packets.
//!
//! Source: draft-ietf-ccwg-bbr (August 2026), "Delivery Rate Samples". A sample is the packets that
//! arrived between the ACK before a packet left and the ACK of that packet, over the longer of the
//! time in which they were acknowledged and the time in which they were sent. It is
//! *application-limited* if the sender ran out of data in between.
//!
//! Counts are in packets. An ACK tells how many packets arrived and which is the newest, and that
//! one gives the sample, as in the draft. The notes on transmissions go by age, since an ACK does
//! not name the others: twice the packets in flight and some to spare are kept. That holds every
//! one in flight and as many again that were found lost or overtaken.

use std::collections::VecDeque;

use crate::time::{Span, Time};

/// Notes kept whatever is in flight: late ACKs after a timeout find theirs.
const SPARE: usize = 64;
/// Notes kept at most (about 12 MB).
const MOST: usize = 1 << 18;

/// The state of a connection when a packet left (the draft's per-packet state, P).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentState {
    /// P.send_time.
    pub sent_at: Time,
    /// P.first_send_time: when the packet left that had arrived last.
    pub first_sent_at: Time,
    /// P.delivered_time: when C.delivered was last raised.
    pub delivered_at: Time,
    /// P.delivered: packets that had arrived.
    pub delivered: u64,
    /// P.lost: packets that had been found lost.
    pub lost: u64,
    /// P.tx_in_flight: packets in flight, this one included.
    pub in_flight: u32,
    /// P.is_app_limited: the sender had run out of data less than a round trip before.
    pub app_limited: bool,
}

/// A delivery rate sample (the draft's RS), from the newest packet that an ACK shows to have
/// arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateSample {
    /// RS.delivery_rate in packets per second; 0 if the interval is too short to trust.
    pub rate: f64,
    /// RS.interval: the longer of the time of sending and the time of acknowledging.
    pub interval: Span,
    /// RS.delivered: packets that arrived since before the packet left.
    pub delivered: u64,
    /// RS.lost: packets found lost since then.
    pub lost: u64,
    /// The packet's own state.
    pub sent: SentState,
}

/// Samples the delivery rate of one path.
///
/// A controller calls [`check_idle`](Self::check_idle) and then [`on_sent`](Self::on_sent) or
/// [`on_delivered`](Self::on_delivered).
///
/// ```
/// use atl_core::measure::DeliveryRate;
/// use atl_core::time::{Span, Time};
///
/// let mut rate = DeliveryRate::default();
/// for tx in 0..4 {
///     rate.on_sent(Time::from_millis(tx), tx, tx as u32 + 1, false);
/// }
/// // The first came back after 50 ms: nothing had arrived when it left, so one packet in 50 ms.
/// let sample = rate.on_delivered(Time::from_millis(50), 1, Some(0), Span::ZERO);
/// assert_eq!(sample.expect("it was sent").rate, 20.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DeliveryRate {
    delivered: u64,
    lost: u64,
    delivered_at: Time,
    first_sent_at: Time,
    /// C.app_limited: samples are limited by the application until this many packets have arrived.
    limited_until: Option<u64>,
    /// The application had nothing more when the last packet left.
    idle: bool,
    /// The transmission that the first note is about.
    first: u64,
    notes: VecDeque<SentState>,
}

impl DeliveryRate {
    /// Before anything changes by an event: marks the samples of the next round trip if the sender
    /// has run out of data. `could_send`: window and pacing would have let a packet leave before
    /// the event, with `in_flight` packets in flight.
    #[inline]
    pub fn check_idle(&mut self, in_flight: u32, could_send: bool) {
        if self.idle && could_send {
            self.limit(in_flight);
        }
    }

    /// Marks the samples of the next round trip as limited by the application, with `in_flight`
    /// packets in flight (MarkConnectionAppLimited).
    #[inline]
    pub fn limit(&mut self, in_flight: u32) {
        self.limited_until = Some((self.delivered + u64::from(in_flight)).max(1));
    }

    /// Transmission `tx` leaves; `in_flight` counts it. `app_limited`: the application has nothing
    /// more at present. A number that does not follow the last one begins the notes anew.
    #[inline]
    pub fn on_sent(&mut self, now: Time, tx: u64, in_flight: u32, app_limited: bool) {
        self.idle = app_limited;
        if in_flight <= 1 {
            self.first_sent_at = now;
            self.delivered_at = now;
        }
        if tx != self.first.wrapping_add(self.notes.len() as u64) {
            self.notes.clear();
            self.first = tx;
        }
        self.notes.push_back(SentState {
            sent_at: now,
            first_sent_at: self.first_sent_at,
            delivered_at: self.delivered_at,
            delivered: self.delivered,
            lost: self.lost,
            in_flight,
            app_limited: self.limited_until.is_some(),
        });
        let keep = (in_flight as usize).saturating_mul(2).saturating_add(SPARE).min(MOST);
        while self.notes.len() > keep {
            self.notes.pop_front();
            self.first = self.first.wrapping_add(1);
        }
    }

    /// An ACK shows at `now` that `packets` more packets have arrived, `newest` the newest of their
    /// transmissions. `None` if it is not known, or its note is not kept. A sample over less than
    /// `least_rtt`, the least round-trip time of the connection, has no rate: an ACK of a packet
    /// that was sent twice can look like that. Zero trusts all.
    #[inline]
    pub fn on_delivered(
        &mut self,
        now: Time,
        packets: u32,
        newest: Option<u64>,
        least_rtt: Span,
    ) -> Option<RateSample> {
        if packets == 0 {
            return None;
        }
        self.delivered += u64::from(packets);
        self.delivered_at = now;
        if self.limited_until.is_some_and(|until| self.delivered > until) {
            self.limited_until = None;
        }
        let sent = self.sent(newest?)?;
        self.first_sent_at = sent.sent_at;
        let sending = sent.sent_at.since(sent.first_sent_at);
        let interval = sending.max(now.since(sent.delivered_at));
        let delivered = self.delivered - sent.delivered;
        let reliable = interval >= least_rtt && !interval.is_zero();
        let rate = if reliable { delivered as f64 * 1e9 / interval.nanos() as f64 } else { 0.0 };
        Some(RateSample { rate, interval, delivered, lost: self.lost - sent.lost, sent })
    }

    /// `packets` were found lost.
    #[inline]
    pub fn on_lost(&mut self, packets: u32) {
        self.lost += u64::from(packets);
    }

    /// The state in which transmission `tx` left, if its note is kept.
    #[inline]
    pub fn sent(&self, tx: u64) -> Option<SentState> {
        let index = usize::try_from(tx.checked_sub(self.first)?).ok()?;
        self.notes.get(index).copied()
    }

    /// C.delivered: packets that have arrived.
    #[inline]
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// C.lost: packets that have been found lost.
    #[inline]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// True while samples are limited by the application.
    #[inline]
    pub fn is_app_limited(&self) -> bool {
        self.limited_until.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9 * expected, "{found} instead of {expected}");
    }

    /// Ten packets, one each millisecond from 0 on, each acknowledged 100 ms later but spread to
    /// one each 4 ms by the bottleneck; the sender answers each ACK with a packet.
    #[test]
    fn a_bottleneck_shows_after_a_round_trip() {
        let mut rate = DeliveryRate::default();
        for tx in 0..10 {
            rate.on_sent(ms(tx), tx, tx as u32 + 1, false);
        }
        for tx in 0..10 {
            let sample =
                rate.on_delivered(ms(100 + 4 * tx), 1, Some(tx), Span::ZERO).expect("sent");
            // tx + 1 packets since 0 ms, when the first one left an empty path.
            near(sample.rate, (tx + 1) as f64 / (0.1 + 0.004 * tx as f64));
            assert_eq!((sample.delivered, sample.sent.in_flight), (tx + 1, tx as u32 + 1));
            rate.on_sent(ms(100 + 4 * tx), 10 + tx, 10, false);
        }
        // Packet 13 left at the ACK of packet 3 (112 ms, 4 delivered); ACKs of 14 packets by 216
        // ms: 10 packets in 104 ms. Sending took 112 - 3 = 109 ms since packet 3, which is longer.
        for tx in 10..13 {
            rate.on_delivered(ms(204 + 4 * (tx - 10)), 1, Some(tx), Span::ZERO);
        }
        let sample = rate.on_delivered(ms(216), 1, Some(13), Span::ZERO).expect("sent");
        assert_eq!(sample.delivered, 10);
        assert_eq!(sample.interval, Span::from_millis(109));
        near(sample.rate, 10.0 / 0.109);
    }

    /// ACKs that a link bunches: 8 packets, sent one each 10 ms, are all acknowledged at 200 ms.
    /// The next 8 leave one each 10 ms and are all acknowledged at 300 ms: 100 ms after the ACK
    /// before.
    #[test]
    fn bunched_acks_are_capped_by_the_rate_of_sending() {
        let mut rate = DeliveryRate::default();
        for tx in 0..16 {
            rate.on_sent(ms(10 * tx), tx, tx as u32 + 1, false);
        }
        let first = rate.on_delivered(ms(200), 8, Some(7), Span::ZERO).expect("sent");
        near(first.rate, 8.0 / 0.2);
        // Packet 15 left at 150 ms, before anything had arrived: all 16 in 201 ms.
        let second = rate.on_delivered(ms(201), 8, Some(15), Span::ZERO).expect("sent");
        near(second.rate, 16.0 / 0.201);
        // Sent slowly from 202 ms on, delivered all at once: the time of sending counts.
        for tx in 16..20 {
            rate.on_sent(ms(202 + 50 * (tx - 16)), tx, tx as u32 - 15, false);
        }
        rate.on_delivered(ms(360), 1, Some(16), Span::ZERO);
        let third = rate.on_delivered(ms(361), 3, Some(19), Span::ZERO).expect("sent");
        // From 202 ms, when packet 16 left an empty path, 4 packets in 159 ms.
        near(third.rate, 4.0 / 0.159);
    }

    #[test]
    fn the_rate_of_sending_is_the_lower_one_when_acks_come_faster() {
        let mut rate = DeliveryRate::default();
        rate.on_sent(ms(0), 0, 1, false);
        rate.on_sent(ms(40), 1, 2, false);
        rate.on_delivered(ms(50), 1, Some(0), Span::ZERO);
        rate.on_sent(ms(60), 2, 2, false);
        rate.on_delivered(ms(61), 1, Some(1), Span::ZERO);
        // Sent 60 ms after packet 0, acknowledged 20 ms after the ACK before it left.
        let sample = rate.on_delivered(ms(70), 1, Some(2), Span::ZERO).expect("sent");
        assert_eq!((sample.delivered, sample.interval), (2, Span::from_millis(60)));
    }

    #[test]
    fn an_interval_below_the_least_rtt_gives_no_rate() {
        let mut rate = DeliveryRate::default();
        rate.on_sent(ms(0), 0, 1, false);
        let sample = rate.on_delivered(ms(9), 1, Some(0), Span::from_millis(10)).expect("sent");
        assert_eq!((sample.rate, sample.delivered), (0.0, 1));
        rate.on_sent(ms(20), 1, 1, false);
        let sample = rate.on_delivered(ms(30), 1, Some(1), Span::from_millis(10)).expect("sent");
        near(sample.rate, 100.0);
        rate.on_sent(ms(40), 2, 1, false);
        let sample = rate.on_delivered(ms(40), 1, Some(2), Span::ZERO).expect("sent");
        assert_eq!((sample.rate, sample.delivered), (0.0, 1), "no time passed");
    }

    /// The sender runs out of data with 3 packets in flight: the samples of what leaves until a
    /// packet after those has arrived are limited.
    #[test]
    fn a_bubble_marks_samples_until_it_has_left_the_path() {
        let mut rate = DeliveryRate::default();
        for tx in 0..3 {
            rate.on_sent(ms(tx), tx, tx as u32 + 1, tx == 2);
        }
        assert!(!rate.is_app_limited(), "the next packet may come in time");
        rate.check_idle(3, false);
        assert!(!rate.is_app_limited(), "the window was full");
        rate.check_idle(3, true);
        rate.on_sent(ms(50), 3, 4, false);
        for tx in 0..3 {
            let sample = rate.on_delivered(ms(100 + tx), 1, Some(tx), Span::ZERO).expect("sent");
            assert!(!sample.sent.app_limited);
        }
        assert!(rate.is_app_limited());
        rate.on_sent(ms(103), 4, 2, false);
        let sample = rate.on_delivered(ms(150), 1, Some(3), Span::ZERO).expect("sent");
        assert!(sample.sent.app_limited && !rate.is_app_limited(), "the bubble is out");
        let sample = rate.on_delivered(ms(203), 1, Some(4), Span::ZERO).expect("sent");
        assert!(sample.sent.app_limited, "it left behind the bubble");
        rate.on_sent(ms(204), 5, 1, false);
        rate.check_idle(1, true);
        let sample = rate.on_delivered(ms(304), 1, Some(5), Span::ZERO).expect("sent");
        assert!(!sample.sent.app_limited, "there is data again");
    }

    #[test]
    fn losses_since_a_packet_left_are_its_own() {
        let mut rate = DeliveryRate::default();
        for tx in 0..10 {
            rate.on_sent(ms(tx), tx, tx as u32 + 1, false);
        }
        rate.on_lost(2);
        rate.on_sent(ms(10), 10, 9, false);
        rate.on_lost(1);
        assert_eq!(rate.on_delivered(ms(100), 5, Some(9), Span::ZERO).map(|s| s.lost), Some(3));
        assert_eq!(rate.on_delivered(ms(110), 1, Some(10), Span::ZERO).map(|s| s.lost), Some(1));
        assert_eq!((rate.lost(), rate.delivered()), (3, 6));
    }

    #[test]
    fn memory_is_bounded_and_what_is_in_flight_is_noted() {
        let mut rate = DeliveryRate::default();
        for tx in 0..1000 {
            rate.on_sent(ms(tx), tx, 100, false);
        }
        assert_eq!(rate.notes.len(), 264);
        assert_eq!(rate.sent(736).map(|s| s.sent_at), Some(ms(736)));
        assert_eq!((rate.sent(735), rate.sent(1000)), (None, None));
        assert_eq!(rate.on_delivered(ms(1000), 1, Some(3), Span::ZERO), None);
        assert_eq!(rate.on_delivered(ms(1000), 1, None, Span::ZERO), None);
        assert_eq!(rate.on_delivered(ms(1000), 0, Some(999), Span::ZERO), None);
        assert_eq!(rate.delivered(), 2, "they have arrived all the same");
        rate.on_sent(ms(1001), 5000, 1, false);
        assert_eq!((rate.notes.len(), rate.sent(5000).is_some()), (1, true), "a gap begins anew");
        for tx in 5001..5001 + MOST as u64 {
            rate.on_sent(ms(1001), tx, u32::MAX, false);
        }
        assert_eq!(rate.notes.len(), MOST);
    }
}
