//! Link reports for controllers that a transport library keeps to itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::LinkReport;

/// The latest report of one end, with the number of reports so far.
#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    count: u64,
    report: Option<LinkReport>,
}

impl Latest {
    fn set(&mut self, report: LinkReport) {
        *self = Latest { count: self.count + 1, report: Some(report) };
    }

    fn newer_than(self, seen: &mut u64) -> Option<LinkReport> {
        let newer = self.count != *seen;
        *seen = self.count;
        self.report.filter(|_| newer)
    }
}

#[derive(Debug, Default)]
struct Shared {
    /// Reports of both ends. While it is unchanged a reader looks at nothing else.
    count: AtomicU64,
    ends: Mutex<[Latest; 2]>,
}

/// Passes reports of wireless links to controllers that a transport library owns and gives no
/// access to.
///
/// The driver of the wireless interface keeps this handle; a controller's adapter keeps a
/// [`ReportReader`], as many as there are controllers. Of several reports a controller gets the
/// latest.
///
/// ```
/// use atl_core::path::{LinkReport, Reports};
/// use atl_core::time::Span;
/// use atl_core::units::Probability;
///
/// let reports = Reports::default();
/// let mut reader = reports.reader();
///
/// let report = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(2) };
/// reports.own(report);
/// assert_eq!(reader.news().and_then(|news| news.own), Some(report));
/// assert!(reader.news().is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reports(Arc<Shared>);

impl Reports {
    /// Passes on a report of the sender's own link (p_w and d_w).
    pub fn own(&self, report: LinkReport) {
        self.set(0, report);
    }

    /// Passes on a report of the receiver's link, as the receiver claims it.
    pub fn peer(&self, report: LinkReport) {
        self.set(1, report);
    }

    /// A reader that has seen nothing yet.
    pub fn reader(&self) -> ReportReader {
        ReportReader { reports: self.clone(), count: 0, seen: [0; 2] }
    }

    fn set(&self, end: usize, report: LinkReport) {
        self.0.ends.lock().unwrap_or_else(PoisonError::into_inner)[end].set(report);
        self.0.count.fetch_add(1, Ordering::Release);
    }
}

/// Reports that a controller has not had yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct News {
    /// A new report of the sender's own link.
    pub own: Option<LinkReport>,
    /// A new report of the receiver's link, as the receiver claims it.
    pub peer: Option<LinkReport>,
}

/// Gives one controller each report of [`Reports`] once.
#[derive(Clone, Debug)]
pub struct ReportReader {
    reports: Reports,
    count: u64,
    seen: [u64; 2],
}

impl ReportReader {
    /// The reports since the last call; `None` if there are none.
    #[inline]
    pub fn news(&mut self) -> Option<News> {
        let count = self.reports.0.count.load(Ordering::Acquire);
        if count == self.count {
            return None;
        }
        self.count = count;
        let ends = *self.reports.0.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let [own, peer] = [0, 1].map(|end| ends[end].newer_than(&mut self.seen[end]));
        (own.is_some() || peer.is_some()).then_some(News { own, peer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;
    use crate::units::Probability;

    fn report(loss: f64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(1) }
    }

    #[test]
    fn each_reader_gets_the_latest_report_of_each_end_once() {
        let reports = Reports::default();
        let mut readers = [reports.reader(), reports.reader()];
        assert_eq!(readers[0].news(), None);
        reports.own(report(0.1));
        reports.own(report(0.2));
        reports.peer(report(0.3));
        for reader in &mut readers {
            let news = News { own: Some(report(0.2)), peer: Some(report(0.3)) };
            assert_eq!(reader.news(), Some(news));
            assert_eq!(reader.news(), None);
        }
        reports.peer(report(0.3));
        let again = News { own: None, peer: Some(report(0.3)) };
        assert_eq!(readers[1].news(), Some(again), "the same report again is news");
    }
}
