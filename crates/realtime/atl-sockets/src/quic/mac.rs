//! What the MACs of the emulated wireless links tell the ends of a flow.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::live::Hosts;
use atl_core::path::{Handoff, LinkReport};
use atl_core::time::Time;
use atl_endpoint::feedback::ReceiverFeedback;
use atl_link::relay::Frame;
use atl_noq::{Factory, Marks};

use crate::quic::traffic::FRONT;

/// What a receiver reports, shared with the MAC of its own link.
pub(crate) type SharedFeedback = Arc<Mutex<Box<ReceiverFeedback>>>;

/// The ends of a flow. Controllers take what they are told when they next act.
pub(crate) struct Ends {
    /// `None` if the controller hears nothing of wireless links.
    pub controllers: Option<(Arc<Factory>, Option<Marks>)>,
    pub feedback: Option<SharedFeedback>,
}

impl fmt::Debug for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ends").finish_non_exhaustive()
    }
}

impl Hosts for Ends {
    fn failed(&self, _at: Time, frame: &Frame) {
        if let Some((_, Some(marks))) = &self.controllers {
            marks.lost(&frame.bytes[FRONT..]);
        }
    }

    fn report(&self, _at: Time, report: LinkReport) {
        if let Some((factory, _)) = &self.controllers {
            factory.reports().own(report);
        }
    }

    fn handoff(&self, _at: Time, handoff: Handoff) {
        if let Some((factory, _)) = &self.controllers {
            for path in factory.paths() {
                path.on_handoff(handoff);
            }
        }
    }

    fn receiver_moved(&self, _at: Time) {
        if let Some(feedback) = &self.feedback {
            feedback.lock().unwrap_or_else(PoisonError::into_inner).on_handoff();
        }
    }
}
