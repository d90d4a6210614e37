//! ATM adaptation without I/O: cells, AAL5 and AAL-T.
//!
//! - [`cell`]: the 53 octets of a cell, its UNI header, and the receiver of the header's check (HEC) with its two modes.
//! - [`sar`]: whole PDUs to cells and back, delimited by the AAU bit alone.
//! - [`aal5`]: the CPCS of AAL5, trailer and padding.
//! - [`aalt`]: AAL-T, the layer that retransmits: CPCS, CP-ARQ, control packet, payload length, and S-ARQ's two ends.
//! - [`model`]: the efficiency of both by the equations of AAL-T's paper.
//!
//! Nothing here reads a clock, draws a random number or owns a socket. No decoder panics on any octets.

#![warn(unnameable_types, unreachable_pub)]

pub mod aal5;
pub mod aalt;
pub mod cell;
mod check;
pub mod model;
pub mod sar;
