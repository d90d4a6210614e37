//! The sender's processing of ACKs. The loss recovery decides what they say about losses
//! (`recovery`).

use atl_core::time::{Span, Time};
use atl_core::window::{Ack, WindowController};

use super::ack::AckInfo;
use super::connection::Phase;
use super::ecn::EcnSender;
use super::recovery::{Delivery, LossRecovery, Partial, ProcessedAck};
use super::sender::Sender;

impl Sender {
    /// The answer to the connection request arrived, with these flags (AE, CWR, ECE).
    pub fn on_syn_ack(&mut self, now: Time, sent_at: Time, flags: u8) {
        if self.conn.phase == Phase::Connecting {
            let response = self.conn.path.controller.mark_response();
            self.ecn = EcnSender::new(self.asks.concluded(flags), response);
            self.conn.path.rtt.on_sample(now.since(sent_at));
            self.conn.phase = Phase::Open;
            self.conn.path.rto_due = Time::MAX;
        }
    }

    /// An ACK arrived. Returns its RTT sample, if it gives one. Call [`poll_send`](Self::poll_send)
    /// afterwards.
    #[inline]
    pub fn on_ack(&mut self, now: Time, info: &AckInfo) -> Option<Span> {
        if self.paths.is_some() {
            return self.acknowledge_roaming(now, info, true);
        }
        self.acknowledge(now, info, true)
    }

    /// Processes an ACK. `measures` is true if it answers data; an ACK of a probe gives no RTT
    /// sample and is never a duplicate.
    #[inline]
    pub(super) fn acknowledge(
        &mut self,
        now: Time,
        info: &AckInfo,
        measures: bool,
    ) -> Option<Span> {
        let una = self.conn.board.una();
        // Each ACK gives an RTT sample. RFC 7323, appendix G, expects this number of samples per
        // RTT: half the packets in flight, to allow for delayed ACKs.
        let samples = self.in_flight().div_ceil(2);
        if info.ack < una
            || info.ack > self.conn.board.next()
            || self.conn.phase == Phase::Connecting
        {
            return None;
        }
        let cumulative = (info.ack - una) as u32;
        self.strategy.before_ack(&mut self.conn, now, info, measures);
        let acknowledged = self.conn.board.acknowledge(info.ack);
        let conn = &mut self.conn;
        let Delivery { delivered, duplicate } =
            self.strategy.process_ack(conn, info, cumulative, acknowledged, measures);
        let (sample, samples) = match &mut self.conn.timing {
            // The echo names the transmission that arrived, so a sample is never ambiguous. An ACK
            // that acknowledges nothing new gives no sample (RFC 7323, sec. 4.1).
            None => ((measures && delivered > 0).then(|| now.since(info.echo_sent_at)), samples),
            Some(timing) => (timing.on_ack(self.conn.board.una(), now), 1),
        };
        if let Some(rtt) = sample {
            self.conn.path.rtt.on_one_sample_of(rtt, samples);
        }
        if cumulative > 0 {
            self.conn.path.timeouts = 0;
            self.rearm(now);
        }
        let in_recovery = self.conn.phase == Phase::Recovery;
        let (advanced, repeated) = match self.strategy.counts_each_packet() {
            true => (delivered, false),
            false => (cumulative, duplicate),
        };
        self.conn.path.controller.on_ack(
            &Ack::new(now)
                .delivered(delivered)
                .cumulative(advanced)
                .duplicate(repeated)
                .newest(
                    (measures && delivered > 0)
                        .then(|| (self.conn.echoed(info.echo_tx), info.echo_sent_at)),
                )
                .rtt(sample)
                .srtt(self.conn.path.rtt.srtt().unwrap_or_default())
                .rtt_min(self.conn.path.rtt.min().unwrap_or_default())
                .in_flight(self.in_flight())
                .in_recovery(in_recovery)
                .window_limited(self.conn.path.window_limited),
        );
        self.conn.path.window_limited = false;
        if cumulative > 0 {
            self.advance(now);
            self.check_finished(now);
        }
        let processed = ProcessedAck { info, una_before: una, delivered, duplicate, measures };
        self.strategy.find_losses(&mut self.conn, now, &processed);
        if measures && self.ecn.is_some() {
            self.on_echo(now, info, (cumulative, delivered));
        }
        sample
    }

    /// Restarts or stops the retransmission timer (RFC 6298, rules 5.2 and 5.3).
    #[inline]
    fn rearm(&mut self, now: Time) {
        if self.conn.board.is_empty() {
            self.conn.path.rto_due = Time::MAX;
            return;
        }
        if !self.strategy.keeps_timer(&self.conn) {
            self.conn.arm_timer(now);
        }
    }

    /// The cumulative ACK advanced.
    fn advance(&mut self, now: Time) {
        self.conn.duplicates = 0;
        let covered = self.conn.board.una() >= self.conn.recover;
        match self.conn.phase {
            Phase::Open | Phase::Connecting => self.conn.arrived_above = 0,
            Phase::Expired => {
                self.conn.arrived_above = 0;
                if covered {
                    self.end_episode(now);
                }
            }
            Phase::Recovery => {
                if covered || self.strategy.on_partial_ack(&mut self.conn, now) == Partial::Ends {
                    self.conn.arrived_above = 0;
                    self.conn.path.controller.on_recovered(now);
                    self.end_episode(now);
                }
            }
        }
    }

    /// All data outstanding at the start of the episode is acknowledged.
    fn end_episode(&mut self, now: Time) {
        self.conn.phase = Phase::Open;
        self.strategy.on_episode_end(&mut self.conn, now);
    }
}
