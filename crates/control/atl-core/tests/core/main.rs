//! Tests of the public interface, in one binary: it links once, and helpers are compiled once.

#[cfg(feature = "serde")]
mod config;
mod conformance;
mod edges;
mod examples;
mod house;
mod model;
mod path;
mod probe;
mod rate;
mod support;
mod window;
