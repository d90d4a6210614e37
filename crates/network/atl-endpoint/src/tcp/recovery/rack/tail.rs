//! TLP: a probe reveals losses at the end of a flight, where no later packet does (RFC 8985, sec.
//! 7).

use atl_core::time::{Span, Time};

use crate::tcp::scoreboard::LostTx;

/// The probe timeout before there is an RTT sample (sec. 7.2).
const INITIAL_PTO: Span = Span::from_secs(1);

/// The least probe timeout.
const SHORTEST_PTO: Span = Span::from_nanos(1);

/// A probe in flight.
#[derive(Clone, Copy, Debug)]
struct Sent {
    tx: u64,
    /// The ACK that covers it (TLP.end_seq).
    end: u64,
    /// The transmission that the probe repeats (TLP.is_retrans); `None` if it carries new data.
    original: Option<LostTx>,
    /// An ACK answered the probe and acknowledged something new: the segment had not arrived
    /// before.
    repaired: bool,
}

/// An ACK, as far as the probe is concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) ack: u64,
    /// The transmission that the ACK answers.
    pub(super) echo: Option<u64>,
    /// It acknowledges something new.
    pub(super) news: bool,
    /// The cumulative point advanced.
    pub(super) advanced: bool,
    /// It carries SACK blocks.
    pub(super) blocks: bool,
    /// The segment reported as a duplicate.
    pub(super) duplicate: Option<u64>,
}

/// TLP's probe and its timer.
#[derive(Debug)]
pub(super) struct Tail {
    /// Time at which a probe is due.
    pub(super) due: Time,
    /// The last transmission of the tail, while a probe of it is due.
    pub(super) probing: Option<LostTx>,
    ack_delay: Span,
    sent: Option<Sent>,
    /// There was an RTT sample since the last probe.
    sampled: bool,
}

impl Tail {
    /// The initial state. The receiver delays ACKs by at most `ack_delay` (TLP.max_ack_delay).
    pub(super) fn new(ack_delay: Span) -> Self {
        Tail { due: Time::MAX, probing: None, ack_delay, sent: None, sampled: true }
    }

    /// True if a probe may be sent: none is in flight, and there was an RTT sample since the last
    /// one (sec. 7.3).
    pub(super) fn may_probe(&self) -> bool {
        self.sent.is_none() && self.sampled
    }

    /// The probe timeout (sec. 7.2), never at once: a peer may echo times that make round trips
    /// look as if they took none.
    pub(super) fn timeout(&self, srtt: Option<Span>, outstanding: u32) -> Span {
        let timeout = match srtt {
            None => INITIAL_PTO,
            Some(srtt) if outstanding == 1 => srtt * 2 + self.ack_delay,
            Some(srtt) => srtt * 2,
        };
        timeout.max(SHORTEST_PTO)
    }

    /// There was an RTT sample.
    pub(super) fn on_sample(&mut self) {
        self.sampled = true;
    }

    /// The probe that was due was sent as transmission `tx`: new data, or the tail `again`.
    pub(super) fn on_sent(&mut self, tx: u64, end: u64, again: bool) {
        if let Some(last) = self.probing.take() {
            let original = again.then_some(last);
            self.sent = Some(Sent { tx, end, original, repaired: false });
            self.sampled = false;
            self.due = Time::MAX;
        }
    }

    /// An ACK arrived (sec. 7.4). Returns the lost transmission that the probe has repaired if
    /// everything else arrived: nothing but the probe reveals that loss.
    pub(super) fn on_ack(&mut self, seen: &Seen) -> Option<LostTx> {
        // A probe that was due and could not be sent is timed anew.
        self.probing = None;
        let sent = self.sent.as_mut()?;
        let covered = seen.ack >= sent.end;
        let Some(original) = sent.original else {
            if covered {
                self.sent = None;
            }
            return None;
        };
        if seen.duplicate == Some(original.seq) {
            // Both copies arrived: nothing was lost.
            self.sent = None;
            return None;
        }
        sent.repaired |= seen.news && seen.echo == Some(sent.tx);
        if !covered {
            return None;
        }
        if sent.repaired || seen.ack > sent.end {
            self.sent = None;
            return Some(original);
        }
        if !seen.advanced && !seen.blocks {
            self.sent = None;
        }
        None
    }

    /// Other losses are being repaired (sec. 7.1). Returns the loss that the probe has repaired by
    /// then.
    pub(super) fn reset(&mut self) -> Option<LostTx> {
        self.due = Time::MAX;
        self.probing = None;
        let sent = self.sent.take()?;
        sent.original.filter(|_| sent.repaired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: LostTx = LostTx { tx: 9, seq: 9, bytes: 1040, link_failed: false };

    /// Ten segments are in flight, 0 to 9. The probe is transmission 10.
    fn probed(again: bool) -> Tail {
        let mut tail = Tail::new(Span::from_millis(40));
        tail.probing = Some(LAST);
        tail.on_sent(10, if again { 10 } else { 11 }, again);
        assert!(!tail.may_probe());
        tail
    }

    fn seen(ack: u64, echo: u64) -> Seen {
        let (echo, duplicate) = (Some(echo), None);
        Seen { ack, echo, news: true, advanced: true, blocks: false, duplicate }
    }

    #[test]
    fn the_timeout_is_two_rtts_plus_the_ack_delay_for_a_single_packet() {
        let tail = Tail::new(Span::from_millis(40));
        let srtt = Some(Span::from_millis(100));
        assert_eq!(tail.timeout(srtt, 2), Span::from_millis(200));
        assert_eq!(tail.timeout(srtt, 1), Span::from_millis(240));
        assert_eq!(tail.timeout(None, 5), Span::from_secs(1));
        // Round trips that take no time leave a timer in the future.
        assert_eq!(Tail::new(Span::ZERO).timeout(Some(Span::ZERO), 1), Span::from_nanos(1));
    }

    /// RFC 8985, sec. 7.4.2 lists the possible meanings of the ACK of a repeated tail.
    #[test]
    fn a_loss_repaired_by_the_probe_is_returned_and_an_unnecessary_probe_is_not() {
        // The arrival of the probe advances the cumulative point: the tail was lost.
        assert_eq!(probed(true).on_ack(&seen(10, 10)), Some(LAST));
        // The tail itself arrives late. Then the probe arrives, reported as a duplicate.
        let mut tail = probed(true);
        assert_eq!(tail.on_ack(&seen(10, 9)), None);
        assert!(tail.sent.is_some());
        let twice = Seen { duplicate: Some(9), news: false, blocks: true, ..seen(10, 10) };
        assert_eq!(tail.on_ack(&twice), None);
        assert!(tail.sent.is_none());
        // The same with a receiver that reports no duplicates.
        let mut tail = probed(true);
        tail.on_ack(&seen(10, 9));
        let pure = Seen { news: false, advanced: false, ..seen(10, 10) };
        assert_eq!((tail.on_ack(&pure), tail.sent.is_none()), (None, true));
        // Later data is acknowledged, and no duplicate was reported: the tail was lost.
        let mut tail = probed(true);
        tail.on_ack(&seen(10, 9));
        assert_eq!(tail.on_ack(&seen(11, 11)), Some(LAST));
    }

    #[test]
    fn a_probe_with_new_data_reveals_no_loss_itself() {
        let mut tail = probed(false);
        assert_eq!((tail.on_ack(&seen(10, 9)), tail.sent.is_some()), (None, true));
        assert_eq!((tail.on_ack(&seen(11, 10)), tail.sent.is_none()), (None, true));
        assert!(!tail.may_probe(), "an RTT sample is needed between two probes");
        tail.on_sample();
        assert!(tail.may_probe());
    }

    #[test]
    fn a_tail_of_several_losses_is_one_episode() {
        // 8 and 9 are lost; the probe repeats 9, and its SACK shows that 8 is missing.
        let mut tail = probed(true);
        let sack = Seen { blocks: true, advanced: false, ..seen(8, 10) };
        assert_eq!(tail.on_ack(&sack), None);
        assert_eq!((tail.reset(), tail.reset()), (Some(LAST), None));
        assert_eq!(probed(true).reset(), None);
    }
}
