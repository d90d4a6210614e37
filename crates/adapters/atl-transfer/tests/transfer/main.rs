//! Transfers over loopback, their messages, and hostile peers.
#![allow(clippy::disallowed_methods, reason = "threads of tests wait for one another")]

mod batches;
mod cuts;
mod files;
mod liars;
mod peers;
mod raw;
mod reports;
mod roaming;
mod support;
mod ticket;
mod wire;
