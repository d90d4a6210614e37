//! Steps of frames, for those who watch.

use atl_core::time::Time;

use crate::relay::{Frame, RouteId};
use crate::{Cause, Ecn, Packet as _};

/// A step of a frame on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The link took it.
    In,
    /// It came out of the link.
    Out {
        /// That was the last link of its route.
        last: bool,
    },
    /// The link has delivered a second copy of it, whose steps follow.
    Copied,
    /// The link lost it.
    Lost(Cause),
    /// The link's queue dropped it: refused it, or took it and dropped it later.
    Dropped,
}

/// A step of a frame, with a copy of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The time of the step.
    pub at: Time,
    /// Index of the link in the setup.
    pub link: usize,
    /// The step.
    pub passing: Passing,
    /// The route that the frame takes.
    pub route: RouteId,
    /// A copy of the packet, as it leaves its host.
    pub bytes: Vec<u8>,
    /// The length by which links charge it.
    pub wire_bytes: u32,
    /// Its ECN field.
    pub ecn: Ecn,
}

impl Passage {
    pub(super) fn of(at: Time, link: usize, frame: &Frame, passing: Passing) -> Passage {
        Passage {
            at,
            link,
            passing,
            route: frame.route,
            bytes: frame.bytes.clone(),
            wire_bytes: frame.wire_bytes(),
            ecn: frame.ecn(),
        }
    }
}
