//! Commands on systems without groups of processes: there are none yet.

use atl_core::time::{Span, Time};

use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};

/// A command whose standard output is [link information](crate::text). It needs Unix: elsewhere
/// each call is an error.
#[derive(Debug)]
pub struct CommandSource {
    program: String,
}

impl CommandSource {
    /// A program and its arguments, which is not started.
    pub fn new(
        program: impl Into<String>,
        _arguments: impl IntoIterator<Item = String>,
        _timeout: Span,
    ) -> Self {
        CommandSource { program: program.into() }
    }

    /// The same command, without this variable in its environment.
    #[must_use]
    pub fn without_variable(self, _name: impl Into<String>) -> Self {
        self
    }
}

impl LinkSource for CommandSource {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        Err(SourceError::unfit(format!("{}: a command needs Unix", self.program)))
    }
}
