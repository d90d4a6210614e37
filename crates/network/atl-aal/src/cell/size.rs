//! Sizes of a cell and its parts.

/// Octets of a cell.
pub const CELL_OCTETS: usize = HEADER_OCTETS + PAYLOAD_OCTETS;
/// Octets of a cell's header, including the HEC.
pub const HEADER_OCTETS: usize = 5;
/// Octets of a cell's payload: one SAR-PDU.
pub const PAYLOAD_OCTETS: usize = 48;
