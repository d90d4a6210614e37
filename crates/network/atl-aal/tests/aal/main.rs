//! Tests of the public interface, in one binary: it links once, and helpers are compiled once.
#![warn(unnameable_types, unreachable_pub)]

mod aal5;
mod aalt_pdus;
mod cells;
mod fading;
mod model;
mod monte_carlo;
mod random;
mod s_arq;
mod undetected;
