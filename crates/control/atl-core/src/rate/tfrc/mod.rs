//! TFRC: a rate with the mean of TCP's, but smoother.
//!
//! Source: RFC 5348 (Floyd, Handley, Padhye, Widmer 2008), all of it except TFRC-SP (RFC 4828),
//! which is another protocol. A packet that a queue has marked (ECN) counts as lost (sec. 5.1).
//! Each rule is quoted, with its section, beside the code that implements it:
//!
//! | sections | file |
//! | --- | --- |
//! | 3.1, 8.1: throughput equation | `equation.rs` |
//! | 4.2 to 4.5: sender, nofeedback timer, oscillations | `sender.rs` |
//! | 4.3, 8.2.2: X_recv_set | `limits.rs` |
//! | 8.2.1: data-limited intervals | `data_limited.rs` |
//! | 5.1, 5.2: lost packets and when they would have arrived | `arrivals.rs` |
//! | 5.2: loss events | `losses.rs` |
//! | 5.3 to 5.5: loss intervals, their average, history discounting | `loss_intervals.rs` |
//! | 6.1 to 6.3: receiver | `receiver.rs` |
//! | 6.2: X_recv | `receive_rate.rs` |
//! | 7: measuring p at the sender | `by_sender.rs` |
//!
//! Sec. 4.6 and 8.3 (when packets leave) are up to the sender: it paces, without saved-up credit.
//!
//! Left open by the RFC, and chosen; more beside the code:
//! - Rates are in packets of the nominal size, headers included: s is 1. W_init takes that size for
//!   the MSS.
//! - X is kept within the caller's bounds. The lower one is at least 1/t_mbi, if the target allows
//!   that.
//! - A p or X_recv in a report that is out of its range is ignored.
//! - A number that a report leaves out is measured by the sender, so that a TFRC sender works with
//!   any kind of feedback.

mod arrivals;
mod by_sender;
mod config;
mod data_limited;
mod equation;
mod limits;
mod loss_intervals;
mod losses;
mod receive_rate;
mod receiver;
mod sender;

pub use config::Config;
pub use equation::{Equation, f};
pub use loss_intervals::weight;
pub use receiver::Receiver;
pub use sender::Tfrc;

use super::{
    BuildRateController, FeedbackMode, PeriodicReports, RateController, RateStart,
    ReportingReceiver,
};
use crate::time::Span;

/// `t_mbi`, "the maximum backoff interval of 64 seconds" (sec. 4.3), and the longest round-trip
/// time that counts.
const LONGEST: Span = Span::from_secs(64);

/// The synthetic first loss interval, in packets (sec. 6.3.1): the 1/p at which the equation gives
/// X_target, "the maximum value of X_recv so far" and at least "0.5 packets per RTT". Before an RTT
/// is known it is the latter.
fn first_interval(equation: &Equation, most: f64, rtt: Span) -> f64 {
    let r = if rtt.is_zero() { 1.0 } else { rtt.secs() };
    let most = if rtt.is_zero() { 0.0 } else { most };
    1.0 / equation.loss_event_rate(most.max(0.5 / r), r)
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        Config::check(self)
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(Tfrc::new(self, start))
    }

    fn feedback(&self) -> FeedbackMode {
        FeedbackMode::Own
    }

    fn build_receiver(&self, mode: FeedbackMode) -> Option<Box<dyn ReportingReceiver>> {
        match mode {
            FeedbackMode::Acks => None,
            FeedbackMode::Reports { every } => Some(Box::new(PeriodicReports::new(every))),
            FeedbackMode::Own => Some(Box::new(Receiver::new(self))),
        }
    }
}
