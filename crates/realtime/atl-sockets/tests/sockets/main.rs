//! The host `quic`, as others use it.

mod gaps;
mod runs;
mod support;
