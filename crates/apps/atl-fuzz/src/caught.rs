//! Panics, which the swarm and the rounds report as finds and survive.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs this to its end.
///
/// # Errors
/// The words of its panic.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}
