//! Recorded links.

/// Delivery opportunities over time (mahimahi format).
#[derive(Clone, Debug, PartialEq)]
pub struct RateTrace {}

/// One-way delay over time.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayTrace {}
