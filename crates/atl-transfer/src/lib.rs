//! Files over QUIC.
