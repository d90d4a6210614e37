//! A form of an impairment.

use std::fmt;

use atl_engine::setup::Setup;

/// An impairment of paths that can be emulated in several forms.
#[derive(Debug, PartialEq, Eq)]
pub struct Impairment {
    /// Its name, such as `jitter`.
    pub name: &'static str,
    /// The scenario with it, in any form: `with jitter`.
    pub with: &'static str,
}

/// One form of an impairment, as a rewriting of a setup.
pub struct Form {
    /// Name on the command line.
    pub name: &'static str,
    /// The impairment that it is a form of.
    pub of: &'static Impairment,
    /// The scenario in this form: `with jitter in order`.
    pub words: &'static str,
    /// Its meaning, and what stays equal, for lists.
    pub about: &'static str,
    /// True for the form that takes the impairment away.
    pub is_off: bool,
    /// Gives all of a setup this form; true if that changed anything.
    pub rewrite: fn(&mut Setup) -> bool,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
