//! Emulated links that are asked what they know.

mod answers;
mod forged;
mod lifetime;
mod losses;
mod support;
