//! Endpoints of paced flows, without I/O: a sender that hosts a rate controller of `atl-core`, and
//! a receiver that acknowledges each packet or sends receiver reports.
//!
//! Each packet is sent once. After a full packet the sender waits for the controller's gap, usually
//! 1/S at the current rate S, and after a shorter one for less. Probes go in between, when the
//! controller asks for them.

mod ecn;
mod params;
mod paths;
mod queue;
mod receiver;
mod roaming;
mod sender;

pub use atl_wire::ReportPacket;
pub use params::{PacedEcn, Pacing};
pub use paths::{LONGEST_HOLD, MOST_DUMMIES, PROBE_TIME, Sequenced};
pub use queue::{Frames, Payload, Queue};
pub use receiver::{Answer, PacedReceiver};
pub use sender::{Outgoing, PacedSender};
