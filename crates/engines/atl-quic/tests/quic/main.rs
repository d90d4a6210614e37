//! QUIC in virtual time: whole runs.

mod agreement;
mod applications;
mod conservation;
// It compares packet by packet, in qlogs.
#[cfg(feature = "qlog")]
mod determinism;
mod ecn;
mod gaps;
mod goodput;
mod library;
mod link_reports;
mod marks_told;
mod mobiles;
mod options;
mod queues;
mod rivals;
mod sources;
mod support;
