//! QUIC in virtual time: whole runs.

mod conservation;
mod determinism;
mod gaps;
mod goodput;
mod link_reports;
mod options;
mod sources;
mod support;
