//! A receiver's reports to its sender beyond acknowledgments: the state of its wireless link, the
//! rate it requests, its window.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::window::{Arrived, End, Handoff, ReceiverHalf};

use crate::claims::Claims;
use crate::number::expand;
use crate::options::{PeerInfo, PeerLinkReport};

/// Minimum interval between differing reports: p_w is a share over a window, so nearly every
/// reading differs.
const MIN_INTERVAL: Span = Span::from_millis(100);
/// Interval after which an unchanged report is repeated: the ACK that carried the last one may be
/// lost.
const REPEAT_INTERVAL: Span = Span::from_secs(1);

/// The behaviour of a receiver with a wireless link at its end (ATL paper, sec. IV-A, cases 2 and
/// 3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ReceiverAwareness {
    /// Reports p_w and d_w of its link, and its handoffs, if the sender uses them.
    #[default]
    Aware,
    /// Knows nothing of ATL and reports nothing.
    Unaware,
    /// Claims this, whatever the state of its link.
    Claims(Claims),
}

/// The source of the link reports for the peer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PeerReportSource {
    /// The receiver sends no link reports.
    None,
    /// The wireless link at the receiver's end.
    Link,
    /// Claims, whatever the state of the link.
    Claims(Claims),
}

/// The feedback of a receiver that does more than acknowledge.
#[derive(Debug)]
pub struct ReceiverFeedback {
    half: Option<Box<dyn ReceiverHalf>>,
    source: PeerReportSource,
    epoch: u32,
    last_report: Option<(Time, PeerLinkReport)>,
    closed: bool,
    /// The window has been closed at least once. From then on each ACK carries its state.
    reports_window: bool,
    newest_tx: u64,
    packet_bytes: u32,
}

impl ReceiverFeedback {
    /// Feedback from the receiver's half of the protocol, if it has one, and from `source`. Data
    /// packets have `packet_bytes` bytes on the wire.
    pub fn new(
        half: Option<Box<dyn ReceiverHalf>>,
        source: PeerReportSource,
        packet_bytes: u32,
    ) -> Self {
        ReceiverFeedback {
            half,
            source,
            epoch: 0,
            last_report: None,
            closed: false,
            reports_window: false,
            newest_tx: 0,
            packet_bytes,
        }
    }

    /// Notes a data packet. `tx` is the low half of its transmission number, `sent_at` its sending
    /// time.
    pub fn on_data(&mut self, now: Time, tx: u32, sent_at: Time) {
        let tx = expand(self.newest_tx, tx);
        self.newest_tx = self.newest_tx.max(tx);
        if let Some(half) = &mut self.half {
            half.on_data(&Arrived::new(now, tx, sent_at, self.packet_bytes));
        }
    }

    /// The host changed networks. The next ACK reports it.
    pub fn on_handoff(&mut self) {
        self.epoch += 1;
        self.last_report = None;
    }

    /// Closes or opens the window. Each ACK from now on carries its state.
    pub fn set_closed(&mut self, closed: bool) {
        self.closed = closed;
        self.reports_window = true;
    }

    /// True if the next ACK may carry a link report, and [`peer_info`](Self::peer_info) needs a
    /// reading of the link.
    pub fn wants_reading(&self, now: Time) -> bool {
        self.source == PeerReportSource::Link
            && self.last_report.is_none_or(|(at, _)| now.since(at) >= MIN_INTERVAL)
    }

    /// The contents of the ACK sent now. `reading` is the current state of the link, if
    /// [`wants_reading`](Self::wants_reading) asked for it.
    pub fn peer_info(&mut self, now: Time, reading: Option<LinkReport>) -> PeerInfo {
        let link = match self.source {
            PeerReportSource::None => None,
            PeerReportSource::Link => reading,
            PeerReportSource::Claims(claims) => Some(claims.link(now)),
        };
        let claimed = match self.source {
            PeerReportSource::Claims(claims) => claims.handoffs(now),
            PeerReportSource::None | PeerReportSource::Link => 0,
        };
        let epoch = self.epoch.wrapping_add(claimed);
        let report = link.map(|link| PeerLinkReport { epoch, link });
        let link_report = report.filter(|report| match &self.last_report {
            None => true,
            Some((at, last)) => {
                let age = now.since(*at);
                age >= REPEAT_INTERVAL || age >= MIN_INTERVAL && report != last
            }
        });
        if let Some(report) = link_report {
            self.last_report = Some((now, report));
        }
        PeerInfo {
            link_report,
            rate: self.half.as_ref().and_then(|half| half.rate()),
            window_open: self.reports_window.then_some(!self.closed),
        }
    }
}

/// Takes a report that reached the sender. `last` is the last one accepted, and is replaced.
///
/// Returns `None` for an outdated report, from before a handoff that the sender already knows: ACKs
/// can overtake each other, and the receiver has left that network. Otherwise returns the handoff
/// that the report shows, if any. Since each report carries the number of handoffs, a handoff whose
/// first report was lost shows in the next one.
pub fn accept_peer_report(
    last: &mut Option<Box<PeerLinkReport>>,
    now: Time,
    report: &PeerLinkReport,
) -> Option<Option<Handoff>> {
    let since = |before: &PeerLinkReport| report.epoch.wrapping_sub(before.epoch).cast_signed();
    if last.as_deref().is_some_and(|before| since(before) < 0) {
        return None;
    }
    let before = last.replace(Box::new(*report));
    Some(
        before
            .filter(|before| since(before) > 0)
            .map(|before| Handoff::new(now, End::Peer, before.link.delay, report.link.delay)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::units::Probability;

    fn link(loss: f64, ms: u64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(ms) }
    }

    fn reported(
        feedback: &mut ReceiverFeedback,
        ms: u64,
        reading: LinkReport,
    ) -> Option<PeerLinkReport> {
        let now = Time::from_millis(ms);
        let reading = feedback.wants_reading(now).then_some(reading);
        feedback.peer_info(now, reading).link_report
    }

    #[test]
    fn a_report_is_sent_when_it_changes_and_repeated_after_a_second() {
        let mut feedback = ReceiverFeedback::new(None, PeerReportSource::Link, 1040);
        let (a, b) = (link(0.01, 50), link(0.02, 50));
        assert_eq!(reported(&mut feedback, 0, a), Some(PeerLinkReport { epoch: 0, link: a }));
        assert_eq!(reported(&mut feedback, 50, b), None, "too soon");
        assert_eq!(reported(&mut feedback, 100, b), Some(PeerLinkReport { epoch: 0, link: b }));
        assert_eq!(reported(&mut feedback, 900, b), None, "unchanged");
        assert_eq!(reported(&mut feedback, 1100, b), Some(PeerLinkReport { epoch: 0, link: b }));
    }

    #[test]
    fn a_handoff_is_reported_at_once_and_in_every_later_report() {
        let mut feedback = ReceiverFeedback::new(None, PeerReportSource::Link, 1040);
        let (a, b) = (link(0.0, 10), link(0.0, 150));
        reported(&mut feedback, 0, a);
        feedback.on_handoff();
        assert_eq!(reported(&mut feedback, 1, b), Some(PeerLinkReport { epoch: 1, link: b }));
        assert_eq!(reported(&mut feedback, 1001, b), Some(PeerLinkReport { epoch: 1, link: b }));
    }

    #[test]
    fn a_receiver_without_a_source_reports_nothing_and_one_with_claims_reports_them() {
        let mut silent = ReceiverFeedback::new(None, PeerReportSource::None, 1040);
        assert_eq!(silent.peer_info(Time::ZERO, None), PeerInfo::NONE);
        let claim = link(1.0, 10_000);
        let mut claiming =
            ReceiverFeedback::new(None, PeerReportSource::Claims(claim.into()), 1040);
        assert_eq!(reported(&mut claiming, 0, LinkReport::NONE).map(|r| r.link), Some(claim));
    }

    #[test]
    fn the_window_is_reported_from_its_first_change_on() {
        let mut feedback = ReceiverFeedback::new(None, PeerReportSource::None, 1040);
        assert_eq!(feedback.peer_info(Time::ZERO, None).window_open, None);
        feedback.set_closed(true);
        assert_eq!(feedback.peer_info(Time::ZERO, None).window_open, Some(false));
        feedback.set_closed(false);
        assert_eq!(feedback.peer_info(Time::ZERO, None).window_open, Some(true));
    }
}
