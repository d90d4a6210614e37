//! Hosts, paths and draws that tests share.

pub mod bottleneck;
pub mod draws;
pub mod host;
pub mod paced;
pub mod rate_host;
pub mod sender;
pub mod shared_link;
pub mod two_bands;
