//! The receiver's side of a move.

use atl_core::path::{PathId, PathSignal};
use atl_core::rate::{Arrived, FeedbackMode, RateConfig, Report};
use atl_core::roaming::NewPath;
use atl_core::time::{Span, Time};

use crate::handoff::{HandoffReport, Key};
use crate::paced::paths::{
    Dummy, LONGEST_HOLD, Measurement, PROBE_TIME, Receiving, Resequencer, Sequenced,
};
use crate::paced::receiver::{Answer, PacedReceiver};

impl PacedReceiver {
    /// Follows the sender to new paths: where it begins afresh (`how`), so do this receiver's
    /// counts and reports, with a half of the protocol built from `config` and `mode`.
    #[must_use]
    pub fn with_new_path(mut self, how: NewPath, config: RateConfig, mode: FeedbackMode) -> Self {
        self.roaming = Some(Box::new(Receiving {
            how,
            fresh: (config, mode),
            path: PathId::FIRST,
            first: 0,
            rtt: Span::ZERO,
            measurement: None,
            resequencer: (how != NewPath::Keep).then(|| Resequencer::new(LONGEST_HOLD)),
            key: None,
        }));
        self
    }

    /// Signs Handoff Reports with this key.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        if let Some(roaming) = &mut self.roaming {
            roaming.key = Some(key);
        }
        self
    }

    /// The lower layers of the receiver's own host signal what becomes of a path. A move ends the
    /// measurement of the path: the report says what is known.
    pub fn on_path_signal(&mut self, now: Time, signal: PathSignal) {
        let Some(roaming) = &mut self.roaming else { return };
        if let (PathSignal::Gone(path), Some(resequencer)) = (signal, &mut roaming.resequencer) {
            resequencer.leave(now, path);
        }
        let Some(measurement) = &mut roaming.measurement else { return };
        match signal {
            PathSignal::Done(path) if path == measurement.path() => measurement.end(now),
            PathSignal::Gone(path) if path == measurement.path() => roaming.measurement = None,
            _ => {}
        }
    }

    /// A low-priority packet arrived: a dummy of a handoff, or a probe of the sender's controller.
    /// Its [`Arrived::seq`] is the number that the sender gave it. [`Answer::Ack`] is to be
    /// answered with its own number, over the path that it came on. Then
    /// [`poll_handoff_report`](Self::poll_handoff_report) may have a report.
    pub fn on_dummy(&mut self, arrived: &Arrived) -> Answer {
        let back = Answer::Ack { mask: 0, marks: 0, clear: false };
        let Some(dummy) = Dummy::of(arrived.seq) else { return back };
        if dummy.challenge {
            return back;
        }
        let Some(roaming) = &mut self.roaming else { return Answer::Nothing };
        let NewPath::Probe(probe) = roaming.how else { return Answer::Nothing };
        match &mut roaming.measurement {
            Some(m) if m.probe() == dummy.probe && m.path() == arrived.path => {
                m.on_dummy(arrived, dummy);
            }
            Some(m) if !dummy.is_later_than(m.probe()) => {}
            _ => {
                let over = probe.over.unwrap_or(PROBE_TIME);
                roaming.measurement = Some(Measurement::new(arrived, dummy, over));
            }
        }
        Answer::Nothing
    }

    /// The Handoff Report to send now, and its path, if one is due. To be asked for after
    /// [`on_dummy`](Self::on_dummy), [`on_timer`](Self::on_timer) and
    /// [`on_path_signal`](Self::on_path_signal).
    pub fn poll_handoff_report(&mut self, now: Time) -> Option<(PathId, HandoffReport)> {
        let roaming = self.roaming.as_mut()?;
        let report = roaming.measurement.as_mut()?.poll(now, roaming.rtt)?;
        let tag = roaming.key.as_ref().map_or(0, |key| key.report_tag(&report));
        Some((report.path, HandoffReport { tag, ..report }))
    }

    /// True if packets reach the application by [`poll_delivery`](Self::poll_delivery) and not as
    /// they arrive.
    pub fn resequences(&self) -> bool {
        self.roaming.as_ref().is_some_and(|roaming| roaming.resequencer.is_some())
    }

    /// The number of the next data packet for the application, each once and in order, where the
    /// sender does more on a new path than to keep on. To be asked for after
    /// [`on_data`](Self::on_data), [`on_timer`](Self::on_timer) and
    /// [`on_path_signal`](Self::on_path_signal). No packet waits longer than [`LONGEST_HOLD`].
    pub fn poll_delivery(&mut self) -> Option<u64> {
        self.roaming.as_mut()?.resequencer.as_mut()?.poll()
    }

    /// Counts of the packets that were put in order.
    pub fn sequenced(&self) -> Sequenced {
        let resequencer = self.roaming.as_ref().and_then(|roaming| roaming.resequencer.as_ref());
        resequencer.map(Resequencer::counts).unwrap_or_default()
    }

    /// A data packet arrived. Where the sender begins afresh on a new path, so does this receiver's
    /// half of the protocol. Returns what the half is to see of it: `None` for a packet that was
    /// sent before the move.
    pub(in crate::paced) fn follow(&mut self, arrived: &Arrived) -> Option<Arrived> {
        let roaming = self.roaming.as_mut()?;
        if !arrived.rtt.is_zero() {
            roaming.rtt = arrived.rtt;
        }
        if let Some(resequencer) = &mut roaming.resequencer {
            resequencer.on_packet(arrived.now, arrived.seq, arrived.path);
        }
        if arrived.path != roaming.path && arrived.seq >= self.above {
            roaming.path = arrived.path;
            if roaming.measurement.as_ref().is_some_and(|m| m.path() == arrived.path) {
                // Data on the path: the report has arrived, or is of no use any more.
                roaming.measurement = None;
            }
            if roaming.how != NewPath::Keep {
                roaming.first = arrived.seq;
                let (config, mode) = &roaming.fresh;
                self.reports = config.build_receiver(*mode);
            }
        }
        let seq = arrived.seq.checked_sub(roaming.first)?;
        let followed = Arrived::new(arrived.now, seq, arrived.sent_at, arrived.bytes);
        Some(followed.rtt(arrived.rtt).marked(arrived.marked).clear(arrived.clear))
    }

    /// The half's report, with the numbers of the flow.
    pub(in crate::paced) fn renumber(&self, report: Report) -> Report {
        let first = self.roaming.as_ref().map_or(0, |roaming| roaming.first());
        report.highest(report.highest.saturating_add(first))
    }
}
