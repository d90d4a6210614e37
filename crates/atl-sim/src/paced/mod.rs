//! Endpoints of paced flows without I/O: a sender that hosts a rate controller of `atl-core`, and a receiver that
//! acknowledges each packet or reports.
//!
//! Packet `n` is sent once. A packet leaves `bytes / (S * nominal bytes)` after the one before it, at whatever
//! rate S is by then; probes go between, when the controller asks for them.

mod flow;
mod queue;
mod receiver;
mod reports;
mod sender;

pub(crate) use flow::PacedFlow;
pub use receiver::{Answer, PacedReceiver};
pub use reports::{ReportId, ReportStore, Told};
pub use sender::{Outgoing, PacedSender};
