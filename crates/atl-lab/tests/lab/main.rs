//! A lab that finds what is wrong with a controller, and nothing else.

mod bugs;
mod cases;
mod libraries;
mod reno;
#[cfg(feature = "s2n")]
mod s2n;
mod suites;
mod watching;
mod wrong;
