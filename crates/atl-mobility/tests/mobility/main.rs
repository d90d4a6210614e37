mod geometry;
mod journey;
mod prediction;
mod properties;
mod support;
