//! A program that writes the text form itself.

use crate::info::LinkInfo;
use crate::text::{self, TextError};

/// Lines of the [text form](crate::text), each of which replaces the one before, as the helper for
/// Android and programs of one's own write them. What they bound is up to the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines;

impl Lines {
    /// Takes a line; `None` of an empty one.
    ///
    /// # Errors
    /// If it is not in the text form.
    pub fn take(self, line: &str) -> Result<Option<LinkInfo>, TextError> {
        if line.is_empty() {
            return Ok(None);
        }
        text::parse(format!("{line}\n").as_bytes()).map(Some)
    }
}
