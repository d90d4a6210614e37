//! Window controllers: they decide how many packets may be in flight.

mod aimd;
pub mod atl;
pub mod bbr3;
mod build;
mod config;
mod controller;
pub mod cubic;
pub mod dctcp;
mod event;
pub mod fixed;
pub mod ledger;
mod mark_response;
mod marked_share;
mod pace;
pub mod pad;
pub mod peach;
pub mod peach_plus;
pub mod prague;
mod receiver;
pub mod reno;
pub mod residual;
pub mod resume;
mod start;
pub mod tahoe;
mod traits;
pub mod vegas;
pub mod westwood;
pub mod wtcp;

pub use aimd::{Counting, Halving};
pub use build::BuildController;
pub use config::ControllerConfig;
pub use controller::Controller;
pub use event::{Ack, Detection, Loss, Marked, Probe, Quench, Sent, Timeout};
pub use mark_response::MarkResponse;
pub use receiver::{Arrived, ReceiverHalf};
pub use start::Start;
pub use traits::{CloneController, WindowController};

pub use crate::model::Aimd;
pub use crate::path::{End, Handoff};
pub use crate::probe::ProbeAck;
