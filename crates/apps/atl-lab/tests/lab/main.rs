//! Planted mistakes are found, and sound controllers pass.

mod bugs;
mod cases;
mod libraries;
mod matrix;
mod own;
#[cfg(all(feature = "quinn", feature = "s2n"))]
mod paths;
mod reno;
#[cfg(feature = "s2n")]
mod s2n;
mod suites;
mod watching;
mod wrong;
