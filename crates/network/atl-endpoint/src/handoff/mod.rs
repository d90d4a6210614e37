//! Handoffs between paths: what a mobile host tells its peer. What a sender then does with a path
//! that is new to it is a [`NewPath`](atl_core::roaming::NewPath).
//!
//! A host raises a [`PathSignal`](atl_core::path::PathSignal). If it is the sender, it hands the
//! signal to its endpoint; if it is the receiver, the signal travels to the sender as a [`Notice`],
//! which a [`Notifier`] repeats and a [`Guard`] at the sender admits.

mod guard;
mod notifier;
mod tag;

pub use atl_wire::{HandoffReport, Notice};
pub use guard::{AMPLIFICATION, Guard, Refusal};
pub use notifier::Notifier;
pub use tag::Key;
