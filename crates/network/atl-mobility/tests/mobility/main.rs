//! Tracks, journeys and predictions through the public interface.

mod geometry;
mod journey;
mod prediction;
mod properties;
mod support;
