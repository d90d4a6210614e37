//! The catalogue of protocols: a name for each pair of congestion controller and loss recovery.

use atl_core::window::ControllerConfig;

/// How a TCP sender repairs losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast retransmit and fast recovery of RFC 5681: ends at the first new ACK.
    Reno,
    /// NewReno (RFC 6582): partial ACKs keep recovery going.
    NewReno,
    /// Selective acknowledgments (RFC 2018, RFC 6675).
    Sack,
}

/// A transport protocol as a scenario names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// Name in the catalogue (`tcp-atl`).
    pub name: String,
    /// Name for people (`TCP-ATL`).
    pub label: String,
    /// Loss recovery.
    pub recovery: Recovery,
    /// Congestion controller with its parameters.
    pub controller: ControllerConfig,
}
