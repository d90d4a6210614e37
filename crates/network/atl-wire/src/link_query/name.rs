//! Names of links in questions.

use super::form::MAX_NAME;

/// The name of a link: at most [`MAX_NAME`] octets of UTF-8; empty for the asker's own link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkName(String);

impl LinkName {
    /// A name, or `None` if it is too long.
    pub fn new(name: &str) -> Option<Self> {
        (name.len() <= MAX_NAME).then(|| LinkName(name.to_owned()))
    }

    /// The name of the asker's own link.
    pub fn own() -> Self {
        LinkName::default()
    }

    /// True if it stands for the asker's own link.
    pub fn is_own(&self) -> bool {
        self.0.is_empty()
    }
}

impl AsRef<str> for LinkName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
