//! Harnesses, paths and random draws that tests share.

pub(crate) mod bottleneck;
pub(crate) mod course;
pub(crate) mod digest;
pub(crate) mod draws;
pub(crate) mod host;
pub(crate) mod paced;
pub(crate) mod rate_host;
pub(crate) mod rates;
pub(crate) mod sender;
pub(crate) mod shared_link;
pub(crate) mod two_bands;
