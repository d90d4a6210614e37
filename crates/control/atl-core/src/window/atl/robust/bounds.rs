//! Bounds on the window.

/// Least window in packets outside of a timeout.
pub(super) const LEAST_WINDOW: f64 = 2.0;

/// Largest window in packets: it keeps an endless run without loss finite.
pub(super) const LARGEST_WINDOW: f64 = 1e12;
