//! The path as the transport knows it: reports of wireless links, handoffs, and the split of the
//! end-to-end loss and round-trip time into a wireless part and a congestion part.
//!
//! Source: ATL paper, sec. IV-A and eq. 2-6 (one wireless link), 14-17 (one at each end).
//!
//! [`PathSplit`] has the equations. `view.rs` has a controller's knowledge of its path over time:
//! losses and round-trip times of the path in use, the sender's own link, the checked claims of the
//! receiver.

mod claims;
mod evidence;
mod handoff;
mod link;
mod reports;
mod signal;
mod split;
mod view;

pub use handoff::{End, Handoff};
pub use link::{LinkReport, WirelessLoss};
pub use reports::{News, ReportReader, Reports};
pub use signal::{PathId, PathSignal};
pub use split::{MAX_LOSS, MIN_CONGESTION_RTT, PathSplit, SplitRules};

pub(crate) use claims::check_claims;
pub(crate) use evidence::Evidence;
pub(crate) use view::{Estimate, PathView, ViewRules};
