//! The update of the model by an ACK ("Updating Network Path Model Parameters").

use super::{Acked, Bbr3};

impl Bbr3 {
    pub(super) fn start_round(&mut self) {
        self.model.round_end = self.delivery.delivered();
    }

    /// UpdateMaxBw with UpdateRound.
    pub(super) fn update_bandwidth(&mut self, rs: &Acked) {
        self.model.round_start = rs.sample.sent.delivered >= self.model.round_end;
        if self.model.round_start {
            self.start_round();
            self.model.round += 1;
            self.model.extra.on_round();
            self.cycle.rounds_since_probe += 1;
        }
        let rate = rs.sample.rate;
        if rate > 0.0 && (rate >= self.model.max.get() || !rs.is_app_limited()) {
            self.model.max.update(rate);
        }
    }

    /// UpdateACKAggregation.
    pub(super) fn update_aggregation(&mut self, rs: &Acked) {
        let cwnd = self.cwnd;
        let model = &mut self.model;
        let mut expected = model.rate * rs.now.since(model.extra_since).secs();
        if model.extra_delivered <= expected {
            model.extra_delivered = 0.0;
            model.extra_since = rs.now;
            expected = 0.0;
        }
        model.extra_delivered += rs.packets;
        model.extra.update((model.extra_delivered - expected).min(cwnd));
    }
}
