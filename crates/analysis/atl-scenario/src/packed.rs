//! Scenarios packed for opening on other machines.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::errors::Errors;
use crate::load::{find, parse};
use crate::overrides::Overrides;
use crate::scenario::Scenario;

/// A scenario's text with the texts of all its traces. Opened elsewhere, it is the same scenario
/// with the same hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed {
    /// Name of the scenario.
    pub name: String,
    /// Path as shown in messages.
    pub origin: PathBuf,
    /// Text of the scenario file.
    pub text: String,
    /// Texts of its traces by path.
    pub traces: BTreeMap<PathBuf, String>,
}

impl Packed {
    /// Opens a scenario as [`open`](crate::open) does, and packs it. Other overrides than these may
    /// need other traces.
    ///
    /// # Errors
    /// Those of [`open`](crate::open).
    pub fn open(spec: &str, overrides: &Overrides) -> Result<(Scenario, Packed), Errors> {
        let found = find(spec)?;
        let text = found.text.into_owned();
        Packed::of(found.name, text, found.origin, &found.read, overrides)
    }

    /// Reads a scenario from a text, which messages call `name`, and packs it. Relative paths of
    /// traces start at the working directory.
    ///
    /// # Errors
    /// Those of [`read_from`](crate::read_from).
    pub fn text(
        name: &str,
        text: &str,
        overrides: &Overrides,
    ) -> Result<(Scenario, Packed), Errors> {
        // Traces have the same limits and messages as without packing.
        let read = crate::load::trace;
        Packed::of(name.to_owned(), text.to_owned(), PathBuf::from(name), &read, overrides)
    }

    fn of(
        name: String,
        text: String,
        origin: PathBuf,
        read: &dyn Fn(&Path) -> io::Result<String>,
        overrides: &Overrides,
    ) -> Result<(Scenario, Packed), Errors> {
        let traces = RefCell::new(BTreeMap::new());
        let keep = |path: &Path| {
            let text = read(path)?;
            traces.borrow_mut().insert(path.to_path_buf(), text.clone());
            Ok(text)
        };
        let scenario = parse(&name, &text, &origin, &keep, overrides)?;
        Ok((scenario, Packed { name, origin, text, traces: traces.into_inner() }))
    }

    /// Opens it with the overrides that it was packed with.
    ///
    /// # Errors
    /// All mistakes in it; with other overrides also a missing trace.
    pub fn unpack(&self, overrides: &Overrides) -> Result<Scenario, Errors> {
        let read = |path: &Path| {
            let text = self.traces.get(path).cloned();
            text.ok_or_else(|| io::Error::new(ErrorKind::NotFound, "it was not packed"))
        };
        parse(&self.name, &self.text, &self.origin, &read, overrides)
    }
}
