//! Feedback of a flow's receiver besides acknowledgments.

use crate::setup::{FlowSetup, ReceiverAwareness};
use atl_core::window::ReceiverHalf;
use atl_endpoint::feedback::{PeerReportSource, ReceiverFeedback};

use crate::flow::place::Wireless;

/// Source of the receiver's reports on its wireless link. Nothing is reported to a sender that does
/// not use it.
pub fn report_source(
    plan: &FlowSetup,
    wireless: &Wireless,
    sender_listens: bool,
) -> PeerReportSource {
    match plan.receiver {
        ReceiverAwareness::Aware if wireless.peer_access.is_some() && sender_listens => {
            PeerReportSource::Link
        }
        ReceiverAwareness::Claims(claim) if sender_listens => PeerReportSource::Claims(claim),
        ReceiverAwareness::Aware | ReceiverAwareness::Unaware | ReceiverAwareness::Claims(_) => {
            PeerReportSource::None
        }
    }
}

/// Feedback of a receiver that reports from `source`, whose protocol has a receiver half, or that
/// `freezes` the connection at times; `None` if it does none of these.
pub fn receiver_feedback(
    half: Option<Box<dyn ReceiverHalf>>,
    source: PeerReportSource,
    freezes: bool,
    packet_bytes: u32,
) -> Option<Box<ReceiverFeedback>> {
    let has = half.is_some() || source != PeerReportSource::None || freezes;
    has.then(|| Box::new(ReceiverFeedback::new(half, source, packet_bytes)))
}
