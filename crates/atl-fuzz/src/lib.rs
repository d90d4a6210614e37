//! What fuzzers drive. Each target takes any bytes, and panics if the code behind it panics, reads out of bounds, or breaks
//! a promise that is checked here: what a decoder accepts encodes to the same bytes, memory is bounded, rates are finite.
//!
//! `fuzz/` at the top of the repository hands them to libFuzzer, which needs a nightly toolchain. Its seeds and finds lie
//! in `fuzz/corpus/`, and the tests here run all of them through the targets with any toolchain.

#![warn(unnameable_types, unreachable_pub)]

mod atm;
mod bytes;
mod estimates;
mod paced;
mod s_arq;
mod switch;
mod text;

pub use atm::{aal5, aalt_pdus, cells};
pub use estimates::estimates;
pub use paced::paced;
pub use s_arq::s_arq;
pub use switch::{CONNECTION as SWITCHED_CONNECTION, LABELS as SWITCHED_LABELS, switch};
pub use text::{scenario, traces};

/// A function that must return, whatever it is given.
pub type Target = fn(&[u8]);

/// Every target by its name, which is also that of its folder in `fuzz/corpus/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("cells", cells),
    ("aal5", aal5),
    ("aalt_pdus", aalt_pdus),
    ("s_arq", s_arq),
    ("switch", switch),
    ("estimates", estimates),
    ("paced", paced),
    ("scenario", scenario),
    ("traces", traces),
];
