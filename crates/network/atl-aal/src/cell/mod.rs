//! ATM cells at the user-network interface (ITU-T I.361 section 2.2): 5 octets of header, 48 of
//! payload.
//!
//! ```text
//!  octet   8 7 6 5 | 4 3 2 1
//!    1       GFC   |   VPI
//!    2       VPI   |   VCI
//!    3            VCI
//!    4       VCI   | PTI  CLP
//!    5            HEC
//! ```

mod header;
mod hec;
mod octets;
pub(crate) mod size;

pub use header::{Header, InvalidHeader, PayloadType};
pub use hec::{HecMode, HecReceiver, HecStatistics, Verdict};
pub use octets::Cell;
pub use size::{CELL_OCTETS, HEADER_OCTETS, PAYLOAD_OCTETS};
