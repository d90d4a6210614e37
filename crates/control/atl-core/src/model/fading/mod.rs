//! A radio channel with fading: its error ratios, and the lengths of its fades.
//!
//! The channel is flat Rayleigh fading with additive white Gaussian noise: the envelope r of the
//! signal is that of a complex Gaussian process with Clarke's (Jakes's) spectrum, so that the
//! signal-to-noise ratio at a moment is exponentially distributed, and nothing else disturbs.
//! "Slow" fading is one that stays as it is for a bit, or for a block of bits.
//!
//! Sources:
//! - error ratios: Proakis, *Digital Communications*, 4th ed. (2001), sec. 5.2 and 5.4 (without
//!   fading) and 14.3 (with);
//! - crossings and fades: Rice, "Statistical properties of a sine wave plus random noise" (BSTJ 27,
//!   1948); Jakes, *Microwave Mobile Communications* (1974), sec. 1.3;
//! - two states: Wang and Moayeri, "Finite-state Markov channel" (IEEE Trans. Veh. Technol. 44(1),
//!   1995), and Zorzi, Rao and Milstein, "On the accuracy of a first-order Markov model for data
//!   transmission on fading channels" (ICUPC 1995); [`TwoState`] says which part comes from which.

mod average;
mod modulation;
mod rayleigh;
mod snr;
mod two_state;

pub use average::{average, mean_snr_for};
pub use modulation::{Modulation, block_errors};
pub use rayleigh::Rayleigh;
pub use snr::Snr;
pub use two_state::{State, TwoState};
