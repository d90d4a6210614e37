//! The interface of a rate controller's parameters.

use core::fmt::Debug;

use super::{Aimd, PeriodicReports, RateController, RateStart, ReportingReceiver};
use crate::time::Span;

/// RTCP's least interval between reports (RFC 3550, sec. 6.2).
const RTCP_INTERVAL: Span = Span::from_secs(5);

/// The way in which the receiver reports arrivals to the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedbackMode {
    /// An ACK for each packet.
    Acks,
    /// A report at regular intervals.
    Reports {
        /// Interval between two reports.
        every: Span,
    },
    /// By the protocol's own receiver, which decides when it reports.
    Own,
}

/// Parameters that a rate controller is built from.
pub trait BuildRateController: Debug + Send + Sync + 'static {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }
    /// A controller for a flow that begins with `start`. Parameters that do not pass
    /// [`check`](Self::check) still give a working controller.
    fn build(&self, start: &RateStart) -> Box<dyn RateController>;
    /// AIMD parameters that never change, for a flow with this round-trip time; alpha in packets
    /// per second per round-trip time. `None` for a controller that adapts them or has none.
    fn fixed_aimd(&self, _rtt: Span) -> Option<Aimd> {
        None
    }
    /// The way in which the receiver reports arrivals, unless a caller chooses another one.
    fn feedback(&self) -> FeedbackMode {
        FeedbackMode::Acks
    }
    /// The receiver that reports in this mode; `None` if each packet is acknowledged. A controller
    /// without a receiver of its own gets reports at RTCP's least interval.
    fn build_receiver(&self, mode: FeedbackMode) -> Option<Box<dyn ReportingReceiver>> {
        let every = match mode {
            FeedbackMode::Acks => return None,
            FeedbackMode::Reports { every } => every,
            FeedbackMode::Own => RTCP_INTERVAL,
        };
        Some(Box::new(PeriodicReports::new(every)))
    }
}
