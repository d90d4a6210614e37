//! Handoffs between paths: what a mobile host tells its peer, and what a sender does with a path that is new to it.
//!
//! A host raises a [`PathSignal`](atl_core::path::PathSignal). If it is the sender, it hands the signal to its endpoint;
//! if it is the receiver, the signal travels to the sender as a [`Notice`], which a [`Notifier`] repeats and a [`Guard`]
//! at the sender admits.

mod guard;
mod new_path;
mod notifier;
mod tag;

pub use atl_wire::{HandoffReport, Notice};
pub use guard::{AMPLIFICATION, Guard, Refusal};
pub use new_path::{Meanwhile, NewPath, Pad, Probe, Resume};
pub use notifier::Notifier;
pub use tag::Key;
