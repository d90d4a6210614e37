//! A temporary file of records and of the lists of their offsets.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::result::RunResult;

use crate::store::record::{LENGTH, decode};

/// Bytes read ahead: the runs of a point lie close together.
const BUFFER: usize = 256 << 10;

#[derive(Debug)]
pub(crate) struct Writer {
    file: BufWriter<File>,
    /// Offset of the next record.
    end: u64,
}

impl Writer {
    /// Creates a file without a name on the file system of `dir`.
    pub(crate) fn new(dir: &Path) -> io::Result<Writer> {
        Ok(Writer { file: BufWriter::new(tempfile::tempfile_in(dir)?), end: 0 })
    }

    /// Appends a record or a list and returns its offset.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.file.write_all(bytes)?;
        let begin = self.end;
        self.end += bytes.len() as u64;
        Ok(begin)
    }

    /// Hands the file over for reading.
    pub(crate) fn finish(self) -> io::Result<Reader> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Reader { file: BufReader::with_capacity(BUFFER, file), at: 0, body: Vec::new() })
    }
}

#[derive(Debug)]
pub(crate) struct Reader {
    file: BufReader<File>,
    /// Position in the file, to seek relative to it.
    at: u64,
    /// Body of the last record, kept to reuse its allocation.
    body: Vec<u8>,
}

impl Reader {
    /// Reads the list of `places` offsets that begins at `begin`.
    pub(crate) fn list(&mut self, begin: u64, places: usize) -> io::Result<Vec<u64>> {
        self.seek(begin)?;
        (0..places).map(|_| self.number()).collect()
    }

    /// Reads the record at `begin`.
    pub(crate) fn read(&mut self, begin: u64) -> io::Result<RunResult> {
        self.seek(begin)?;
        let length = self.number()? as usize;
        self.body.resize(length, 0);
        self.file.read_exact(&mut self.body)?;
        self.at += length as u64;
        decode(&self.body).map_err(io::Error::other)
    }

    /// Seeks relative to the position, since that keeps the buffer: a move within it costs no
    /// system call.
    fn seek(&mut self, to: u64) -> io::Result<()> {
        self.file.seek_relative(to.wrapping_sub(self.at) as i64)?;
        self.at = to;
        Ok(())
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut number = [0; LENGTH];
        self.file.read_exact(&mut number)?;
        self.at += LENGTH as u64;
        Ok(u64::from_le_bytes(number))
    }
}
