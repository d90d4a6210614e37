//! QUIC flows without I/O, and the host `quic-sim`, which runs them in virtual time.
