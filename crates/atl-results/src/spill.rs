//! A temporary file of records.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use atl_scenario::result::RunResult;

use crate::record::{LENGTH, decode, encode};

/// Bytes that are read at once: the runs of a point lie close together.
const BUFFER: usize = 256 << 10;

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Writer {
    file: BufWriter<File>,
    /// Where the next record begins.
    end: u64,
}

impl Writer {
    /// A new file without a name, on the file system of this directory.
    pub(crate) fn new(dir: &Path) -> io::Result<Writer> {
        Ok(Writer { file: BufWriter::new(tempfile::tempfile_in(dir)?), end: 0 })
    }

    /// Appends a record and returns where it begins.
    pub(crate) fn append(&mut self, record: &[u8]) -> io::Result<u64> {
        self.file.write_all(record)?;
        let begin = self.end;
        self.end += record.len() as u64;
        Ok(begin)
    }

    /// Appends a result.
    pub(crate) fn put(&mut self, run: &RunResult) -> io::Result<u64> {
        self.append(&encode(run).map_err(io::Error::other)?)
    }

    /// The file, to be read.
    pub(crate) fn finish(self) -> io::Result<Reader> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Reader { file: BufReader::with_capacity(BUFFER, file), at: 0, body: Vec::new() })
    }
}

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct Reader {
    file: BufReader<File>,
    /// Where it stands.
    at: u64,
    /// The record that was read last, kept for its memory.
    body: Vec<u8>,
}

impl Reader {
    /// The result whose record begins at `begin`.
    pub(crate) fn read(&mut self, begin: u64) -> io::Result<RunResult> {
        // Moves within the buffer cost no system call.
        self.file.seek_relative(begin.wrapping_sub(self.at) as i64)?;
        self.at = begin;
        let mut length = [0; LENGTH];
        self.file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length) as usize;
        self.body.resize(length, 0);
        self.file.read_exact(&mut self.body)?;
        self.at += (LENGTH + length) as u64;
        decode(&self.body).map_err(io::Error::other)
    }
}
