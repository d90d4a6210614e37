//! The engines that a program offers.

use std::fmt;

use crate::engine::Engine;
use crate::registry::{RegisterError, Registry};

/// Engines to choose from, by name. The first one is the default.
#[derive(Debug)]
pub struct Engines(Registry<&'static dyn Engine>);

impl Engines {
    /// Engines with distinct names.
    pub const fn new(ours: &'static [&'static dyn Engine]) -> Engines {
        Engines(Registry::new("engine", ours, |engine| engine.name()))
    }

    /// Adds engines, for the life of the process and before one is chosen.
    ///
    /// # Errors
    /// If a name is taken, or the engines have been asked for already.
    pub fn register(&self, engines: &[&'static dyn Engine]) -> Result<(), RegisterError> {
        self.0.register(engines)
    }

    /// All engines, the default first.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Engine> {
        self.0.all().iter().copied()
    }

    /// The engines with these names, in this order.
    ///
    /// # Errors
    /// If a name is unknown or repeated.
    pub fn choose<S: AsRef<str>>(
        &self,
        names: &[S],
    ) -> Result<Vec<&'static dyn Engine>, BadChoice> {
        let mut chosen: Vec<&'static dyn Engine> = Vec::new();
        for name in names.iter().map(AsRef::as_ref) {
            let engine =
                self.iter().find(|h| h.name() == name).ok_or_else(|| self.unknown(name))?;
            if chosen.iter().any(|c| c.name() == name) {
                return Err(BadChoice::Repeated { name: name.to_owned() });
            }
            chosen.push(engine);
        }
        Ok(chosen)
    }

    fn unknown(&self, name: &str) -> BadChoice {
        let known: Vec<String> = self.iter().map(|h| h.name().to_owned()).collect();
        let distance = |candidate: &&String| strsim::osa_distance(name, candidate);
        // Up to a third of the letters wrong counts as a misspelling.
        let near = known.iter().min_by_key(distance);
        let near = near.filter(|n| distance(n) <= name.chars().count().div_ceil(3)).cloned();
        BadChoice::Unknown { name: name.to_owned(), near, known }
    }
}

/// A choice of engines that is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadChoice {
    /// No engine has this name.
    Unknown {
        /// Name as given.
        name: String,
        /// Most similar name, if any is similar.
        near: Option<String>,
        /// Names of all engines.
        known: Vec<String>,
    },
    /// An engine is named twice.
    Repeated {
        /// Name of that engine.
        name: String,
    },
}

impl fmt::Display for BadChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadChoice::Unknown { name, near, known } => {
                write!(f, "unknown engine `{name}`")?;
                if let Some(near) = near {
                    write!(f, ", did you mean `{near}`?")?;
                }
                write!(f, " (engines: {})", known.join(", "))
            }
            BadChoice::Repeated { name } => {
                write!(f, "engine `{name}` is named twice; name each engine once")
            }
        }
    }
}

impl std::error::Error for BadChoice {}
