//! Text files: scenarios and traces.

use std::path::Path;

use atl_link::trace::{DelayTrace, RateTrace};
use atl_scenario::{Overrides, no_files, parse};

/// A scenario file. Every error has a message; an accepted scenario has at least one run.
pub fn scenario(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    match parse("fuzzed", text, Path::new("fuzzed.toml"), &no_files, &Overrides::default()) {
        Ok(scenario) => assert!(!scenario.points.is_empty() && !scenario.seeds.is_empty()),
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
}

/// Rate and delay traces.
pub fn traces(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    match RateTrace::parse(text) {
        Ok(trace) => assert!(trace.mean_rate().bps() > 0.0),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Err(error) = DelayTrace::parse(text) {
        assert!(!error.to_string().is_empty());
    }
}
