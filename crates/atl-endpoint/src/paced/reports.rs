//! What a receiver's report tells.

use atl_core::rate::Report;

use crate::options::WirelessOption;

/// A report, with what a wireless receiver says of its own link (ATL paper, sec. IV-B).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Reception statistics.
    pub report: Report,
    /// The receiver's wireless link.
    pub wireless: Option<WirelessOption>,
}
