//! What a flow's receiver reports beyond acknowledging.

use crate::setup::{FlowSetup, ReceiverAwareness};
use atl_core::window::ReceiverHalf;
use atl_endpoint::feedback::{PeerReportSource, ReceiverFeedback};

use crate::flow::place::Wireless;

/// Where the receiver's reports of its wireless link come from. A sender that does not listen is not told anything.
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

/// The feedback of a receiver that reports from `source`, or whose protocol has a half of its own, or that `freezes` the
/// connection at times; `None` if it does nothing of all that.
pub fn receiver_feedback(
    half: Option<Box<dyn ReceiverHalf>>,
    source: PeerReportSource,
    freezes: bool,
    packet_bytes: u32,
) -> Option<Box<ReceiverFeedback>> {
    let has = half.is_some() || source != PeerReportSource::None || freezes;
    has.then(|| Box::new(ReceiverFeedback::new(half, source, packet_bytes)))
}
