//! The adapter under noq's state machines, in virtual time and over loopback.

mod transfers;
mod world;
