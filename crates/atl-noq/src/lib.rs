//! The window controllers of [`atl_core`] as congestion controllers of noq (QUIC).
