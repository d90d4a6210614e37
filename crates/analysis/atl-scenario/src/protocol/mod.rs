//! Protocols by their names in a scenario file.

mod catalogue;

use atl_engine::protocol::{Protocol, Recovery};

pub use catalogue::{Listed, catalogue, register};

/// Loss recoveries by their names in a scenario file.
pub(crate) const RECOVERIES: &[(&str, Recovery)] = &{
    let mut named = [("", Recovery::None); Recovery::ALL.len()];
    let mut i = 0;
    while i < named.len() {
        named[i] = (Recovery::ALL[i].name(), Recovery::ALL[i]);
        i += 1;
    }
    named
};

/// The protocol of this name, with its default parameters.
pub fn named(name: &str) -> Option<Protocol> {
    catalogue().iter().find(|p| p.name == name)?.with_defaults()
}
