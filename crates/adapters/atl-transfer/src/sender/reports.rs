//! Link reports on their way to the controllers.

use atl_core::path::Reports;
use atl_core::time::Time;
use atl_device::LinkInfo;
use atl_noq::PathHandle;
use noq::Connection;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, interval};

use crate::report::{ReportCounts, ReportReader};
use crate::roam::open_paths;

/// Interval at which an unchanged report of the own link is repeated, because a new controller
/// needs one too.
const REPEAT: Duration = Duration::from_secs(1);

/// Passes on reports of the own link, as long as it is polled.
pub(super) async fn own(mut link: watch::Receiver<LinkInfo>, reports: Reports) {
    let mut repeat = interval(REPEAT);
    loop {
        let report = link.borrow_and_update().report();
        if let Some(report) = report {
            reports.own(report);
        }
        tokio::select! {
            changed = link.changed() => if changed.is_err() { return },
            _ = repeat.tick() => {}
        }
    }
}

/// Passes on the receiver's reports until the connection ends.
pub(super) async fn peer(
    connection: Connection,
    reports: Reports,
    counts: watch::Sender<ReportCounts>,
) {
    let begun = Instant::now();
    let mut reader = ReportReader::default();
    while let Ok(datagram) = connection.read_datagram().await {
        let now = Time::from_secs_f64(begun.elapsed().as_secs_f64());
        let accepted = reader.accept(now, &datagram);
        counts.send_replace(reader.counts());
        let Some(accepted) = accepted else { continue };
        if let Some(handoff) = accepted.handoff {
            let states = open_paths(&connection).filter_map(|id| connection.congestion_state(id));
            for path in states.filter_map(PathHandle::from_state) {
                path.on_handoff(handoff);
            }
        }
        reports.peer(accepted.report);
    }
}
