//! A flow's totals, and its result over the measured time.

use atl_core::time::Time;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::{Moment, Tally};
use atl_engine::flow::{Progress, State, Totals};
use atl_engine::result::FlowResult;

use super::Flow;
use super::ends::Ends;

impl Flow {
    fn totals(&self, wire_bytes: u64, under_way: u64) -> Totals {
        let elsewhere_bytes = self.elsewhere_bytes();
        let progress = Progress { elsewhere_bytes, ..self.ends.progress() };
        Totals { fate: self.fate, wire_bytes, under_way, progress }
    }

    /// Application bytes over cells that were not the mobile's current one.
    fn elsewhere_bytes(&self) -> Option<u64> {
        Some(self.roaming.as_ref().map_or(0, |roaming| roaming.elsewhere_bytes()))
    }

    /// Starts measurement: what was counted before is left out. `wire_bytes` are the bytes of its
    /// data packets that have left its source's interface since the start, and `under_way` the
    /// packets on their way now.
    pub(crate) fn begin_measurement(&mut self, now: Time, wire_bytes: u64, under_way: u64) {
        if now > Time::ZERO {
            let totals = self.totals(wire_bytes, under_way);
            self.baseline = Some(Box::new((now.max(self.start), totals)));
        }
        if let Some(roaming) = &mut self.roaming {
            roaming.begin_measurement();
        }
        self.rtts.reset();
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.reset();
        }
        if let Some(offered) = &mut self.offered {
            offered.begin_measurement(now);
        }
        match &mut self.ends {
            Ends::Tcp(tcp) => tcp.begin_measurement(),
            Ends::Paced(paced) => paced.begin_measurement(now),
        }
    }

    /// The flow now, for its sample. `network` is the network of its first wireless link.
    pub(crate) fn moment(&mut self, network: u32, wire_bytes: u64) -> Moment {
        let state = self.state();
        let delivered_bytes = self.ends.delivered_bytes();
        let gone = self.fate.dropped + self.fate.lost;
        let elsewhere_bytes = self.elsewhere_bytes();
        let tally = Tally { wire_bytes, delivered_bytes, gone, elsewhere_bytes };
        let jitter_s = self.arrivals.as_mut().and_then(|a| a.take_interval());
        Moment { network, state, jitter_s, tally }
    }

    /// The state of its ends.
    pub(crate) fn state(&mut self) -> State {
        match &mut self.ends {
            Ends::Tcp(tcp) => tcp.state(),
            Ends::Paced(paced) => paced.state(self.data_bytes),
        }
    }

    /// The result at the end of the run, with `under_way` packets still on their way.
    pub(crate) fn result(&mut self, end: Time, wire_bytes: u64, under_way: u64) -> FlowResult {
        let after = self.totals(wire_bytes, under_way);
        let (finished, delay_s, media) = match &mut self.ends {
            Ends::Tcp(tcp) => (tcp.sender.finished(), tcp.delay_s(), None),
            Ends::Paced(paced) => (paced.finished(end), None, paced.media(end)),
        };
        let (from, before) =
            self.baseline.as_deref().copied().unwrap_or((self.start, Totals::default()));
        let measured = Measured {
            start: self.start,
            from,
            end,
            finished,
            before,
            after,
            rtts: &self.rtts,
            arrivals: self.arrivals.as_deref(),
            offered: self.offered.as_deref_mut(),
            delay_s,
            media,
            moves: self.roaming.is_some(),
        };
        let forged_bytes = self.roaming.as_ref().and_then(|roaming| roaming.forged_bytes());
        FlowResult { forged_bytes, ..measured.result() }
    }
}
