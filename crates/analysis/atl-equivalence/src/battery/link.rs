//! A case's link, read as that of a scenario file.

use std::fmt;
use std::io;
use std::path::Path;

use atl_engine::setup::{LinkSetup, Setup};
use atl_scenario::{Errors, Overrides, parse};

use super::Case;

/// The traces that cases use, by file name.
const TRACES: &[(&str, &str)] = &[
    ("commute.up", include_str!("../../../../../scenarios/showcase/traces/commute.up")),
    ("wifi.down", include_str!("../../../../../scenarios/showcase/traces/wifi.down")),
    ("waves.delay", include_str!("waves.delay")),
];
/// Longer than any case, so that no schedule ends before its case does.
const DURATION: &str = "600s";

/// A case whose link is not accepted in a scenario file.
#[derive(Debug)]
pub struct BadLink {
    case: String,
    errors: Box<Errors>,
}

impl fmt::Display for BadLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the link of {}: {}", self.case, self.errors)
    }
}

impl std::error::Error for BadLink {}

/// The first point of a scenario that uses no files but the traces of cases.
pub(crate) fn read(name: &str, text: &str) -> Result<Setup, BadLink> {
    let read = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        let known = TRACES.iter().find(|(trace, _)| Some(*trace) == name);
        known.map(|(_, text)| (*text).to_owned()).ok_or(io::ErrorKind::NotFound.into())
    };
    let parsed = parse(name, text, Path::new("equivalence.toml"), &read, &Overrides::default());
    let bad = |errors| BadLink { case: name.to_owned(), errors: Box::new(errors) };
    let mut scenario = parsed.map_err(bad)?;
    Ok(scenario.points.swap_remove(0).setup)
}

impl Case {
    /// Reads the link that probes cross.
    ///
    /// # Errors
    /// If the keys are not those of a link in a scenario file.
    pub fn link(&self) -> Result<LinkSetup, BadLink> {
        Ok(self.scenario("protocol = \"sack\"")?.links.swap_remove(0))
    }

    /// A scenario over the case's link, whose only flow has these keys.
    pub(crate) fn scenario(&self, flow: &str) -> Result<Setup, BadLink> {
        let Case { name, link, .. } = self;
        let text = format!(
            "title = \"{name}\"\nduration = \"{DURATION}\"\n[[link]]\nname = \"link\"\nfrom = \"near\"\nto = \"far\"\n{link}\n\
             [[flow]]\nname = \"probes\"\nfrom = \"near\"\nto = \"far\"\n{flow}\n"
        );
        read(name, &text)
    }
}
