//! Loss recovery: which packets count as lost, and when they are sent again. One file for each.

mod go_back_n;
mod kind;
mod newreno;
mod rack;
mod reno;
mod sack;
mod selective;
mod strategy;
mod tahoe;
mod unrepaired;
mod without_sack;

pub use kind::{ReceiverDuties, Recovery};
pub(super) use strategy::{LossRecovery, News, Partial, Strategy, Taken, Transmission};
