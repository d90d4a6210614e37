//! Endpoints of paced flows without I/O: a sender that hosts a rate controller of `atl-core`, and a receiver that
//! acknowledges each packet or reports.
//!
//! Packet `n` is sent once. A full packet leaves the controller's gap (1/S, as a rule) after a full one, at whatever
//! rate S is by then, and a shorter one makes the next come sooner; probes go between, when the controller asks for
//! them.

mod params;
mod queue;
mod receiver;
mod report_packet;
mod sender;

pub use params::Pacing;
pub use queue::{Frames, Payload, Queue};
pub use receiver::{Answer, PacedReceiver};
pub use report_packet::ReportPacket;
pub use sender::{Outgoing, PacedSender};
