//! Scenario files: parse, validate, expand a sweep into runs; the quotes that a scenario is held to; the
//! schema of results.

pub mod protocol;
pub mod quote;
pub mod result;
pub mod scenario;
pub mod setup;
