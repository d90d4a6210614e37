//! The adapter under noq's state machines, in virtual time and over loopback.

mod file;
mod loopback;
mod roaming;
mod transfers;
mod world;
