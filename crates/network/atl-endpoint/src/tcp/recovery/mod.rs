//! Loss recovery: which packets count as lost, and when they are resent. One file for each scheme.

mod go_back_n;
mod kind;
mod loss_recovery;
mod newreno;
mod once_a_window;
mod quic;
mod rack;
mod reno;
mod sack;
mod selective;
mod strategy;
mod tahoe;
mod unrepaired;
mod without_sack;

pub use kind::{ReceiverDuties, Recovery};
pub(super) use loss_recovery::{Delivery, LossRecovery, Partial, ProcessedAck, Transmission};
pub(super) use strategy::Strategy;
