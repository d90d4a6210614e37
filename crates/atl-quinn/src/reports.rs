//! Reports of the sender's wireless link, on their way to the controllers.

use std::sync::{Arc, Mutex, PoisonError};

use atl_core::path::LinkReport;

#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    count: u64,
    report: Option<LinkReport>,
}

/// Passes reports of the sender's own wireless link (p_w and d_w) to all controllers of a
/// [`Factory`](crate::Factory): quinn gives no access to a controller in use.
///
/// A controller takes a report over at its next ACK.
#[derive(Clone, Debug, Default)]
pub struct Reports(Arc<Mutex<Latest>>);

impl Reports {
    /// The link's new report.
    pub fn report(&self, report: LinkReport) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = Latest { count: latest.count + 1, report: Some(report) };
    }

    /// The latest report, if it is newer than the `seen` first ones.
    pub(crate) fn newer_than(&self, seen: &mut u64) -> Option<LinkReport> {
        let latest = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.count == *seen {
            return None;
        }
        *seen = latest.count;
        latest.report
    }
}
