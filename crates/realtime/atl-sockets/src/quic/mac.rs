//! News from the MACs of the emulated wireless links for the ends of a flow.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::live::Hosts;
use atl_core::time::Time;
use atl_endpoint::feedback::ReceiverFeedback;
use atl_engine::flow::News;
use atl_link::relay::Frame;
use atl_noq::{Factory, Marks};

use crate::quic::traffic::FRONT;

/// A receiver's reports, shared with the MAC of its own link.
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

    fn hear(&self, _at: Time, news: News) {
        match (news, &self.controllers, &self.feedback) {
            (News::Report(_, report), Some((factory, _)), _) => factory.reports().own(report),
            (News::Handoff(handoff), Some((factory, _)), _) => {
                factory.paths().iter().for_each(|path| path.on_handoff(handoff));
            }
            (News::ReceiverMoved, _, Some(feedback)) => {
                feedback.lock().unwrap_or_else(PoisonError::into_inner).on_handoff();
            }
            (News::Report(..) | News::Handoff(_), None, _) | (News::ReceiverMoved, _, None) => {}
        }
    }
}
