//! Messages beside the stream: binding updates, and reports of the receiver's wireless link.

use atl_core::time::Time;
use atl_link::relay::Frame;
use atl_noq::PathHandle;

use super::mobile::{Mobile, Multipath};
use crate::address::Role;
use crate::controllers::Controllers;
use crate::reports::PeerReports;

/// True of a binding update: it is no datagram of QUIC.
pub(super) fn is_notice(frame: &Frame) -> bool {
    frame.bytes.is_empty()
}

/// The sender gets a report of the receiver's wireless link.
pub(super) fn take_report(
    reports: &mut PeerReports,
    now: Time,
    message: &[u8],
    (controllers, paths, handle): (&Controllers, Option<&Multipath>, Option<&PathHandle>),
) {
    let Controllers::Own { factory, .. } = controllers else { return };
    match paths {
        // The link is that of the path in use. A controller on a path that is new has begun anew:
        // there is nothing to shift.
        Some(paths) => match paths.handle(paths.in_use().0) {
            Some(handle) => reports.on_datagram(now, message, &handle.reports(), None),
            None => reports.on_datagram(now, message, &factory.reports(), None),
        },
        None => reports.on_datagram(now, message, &factory.reports(), handle),
    }
}

impl Mobile {
    /// The controller of the path that begins with this link, if both are known.
    pub(super) fn handle_on(&self, link: u32) -> Option<&PathHandle> {
        let paths = self.multipath()?;
        let path = self.path_from(link)?;
        paths.handle(paths.path_over(Role::Client.over(path))?)
    }
}
