//! The engine `quic`, as others use it.

mod gaps;
mod runs;
mod support;
