//! A file that another program keeps rewriting.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use atl_core::time::{Span, Time};

use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};
use crate::text::{self, MAX_TEXT};

/// A regular file whose text is [link information](crate::text).
///
/// Its writer should write another file and rename it: then a reader sees the old text or the new
/// one. A text without a newline at its end is an error, since its writer has not finished.
#[derive(Debug)]
pub struct FileSource {
    path: PathBuf,
    oldest: Option<Span>,
}

impl FileSource {
    /// The file at `path`, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        FileSource { path: path.into(), oldest: None }
    }

    /// The same file, whose text counts for `oldest` after it was written, and as unknown
    /// afterwards.
    #[must_use]
    pub fn valid_for(mut self, oldest: Span) -> Self {
        self.oldest = Some(oldest);
        self
    }

    /// True if the file was last written more than `oldest` ago.
    fn stale(&self, file: &File) -> std::io::Result<bool> {
        let Some(oldest) = self.oldest else {
            return Ok(false);
        };
        let written = file.metadata()?.modified()?;
        // A time of writing in the future is taken as now: a clock was set back.
        let age = SystemTime::now().duration_since(written).unwrap_or_default();
        Ok(age.as_nanos() > u128::from(oldest.nanos()))
    }
}

impl LinkSource for FileSource {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        let path = self.path.display();
        let failed = |error| SourceError::io(format!("reading {path}"), error);
        let file = open(&self.path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(SourceError::unfit(format!("{path} is not a regular file")));
        }
        if self.stale(&file).map_err(failed)? {
            return Ok(LinkInfo::UNKNOWN);
        }
        let mut bytes = Vec::new();
        file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        text::parse(&bytes).map_err(|error| SourceError::Text { place: path.to_string(), error })
    }
}

/// Opens without waiting for the other end, should it be a FIFO.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits());
    }
    options.read(true).open(path)
}
