use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;

use atl_engine::result::RunResult;
use atl_engine::store::{LENGTH, decode};
use sha2::{Digest, Sha256};

use crate::shard::form::{HEADER_LIMIT, MAGIC, SUM, Unreadable, foreign};
use crate::shard::header::Header;

/// Bytes of a part's file, which are read twice: once for the checksum, once for the results.
pub trait Source {
    /// Opens them from the first byte; also gives their number.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self) -> io::Result<(impl Read, u64)>;
}

impl Source for PathBuf {
    fn open(&self) -> io::Result<(impl Read, u64)> {
        let file = File::open(self)?;
        let length = file.metadata()?.len();
        Ok((BufReader::new(file), length))
    }
}

impl Source for &[u8] {
    fn open(&self) -> io::Result<(impl Read, u64)> {
        Ok((*self, self.len() as u64))
    }
}

impl Source for Vec<u8> {
    fn open(&self) -> io::Result<(impl Read, u64)> {
        Ok((self.as_slice(), self.len() as u64))
    }
}

/// A part's file whose checksum has been found right. Results are read from it only when asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<S> {
    source: S,
    /// Identity of the results.
    pub(crate) header: Header,
    /// SHA-256 at the end of the file, to compare two files that claim to be the same part.
    pub(crate) sum: [u8; SUM],
}

/// The reason why the file of a part cannot be used.
#[derive(Debug)]
pub enum PartError {
    /// The operating system cannot read it.
    Io(io::Error),
    /// It is not the whole, unchanged file of a part.
    Unreadable(Unreadable),
}

impl std::fmt::Display for PartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PartError::Io(error) => error.fmt(f),
            PartError::Unreadable(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for PartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PartError::Io(error) => Some(error),
            PartError::Unreadable(why) => Some(why),
        }
    }
}

impl From<Unreadable> for PartError {
    fn from(why: Unreadable) -> PartError {
        PartError::Unreadable(why)
    }
}

impl From<io::Error> for PartError {
    /// A file that ends before the length it promises was cut off.
    fn from(error: io::Error) -> PartError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Unreadable::Damaged.into(),
            _ => PartError::Io(error),
        }
    }
}

impl<S: Source> Part<S> {
    /// Reads the file from the first byte to the last, holding at most one result in memory. The
    /// bytes may be anything.
    ///
    /// # Errors
    /// If it cannot be read, or is not the whole, unchanged file of a part.
    pub fn open(source: S) -> Result<Part<S>, PartError> {
        check_sum(&source)?;
        let (mut read, header, left) = begin(&source)?;
        let runs = header.own_runs().ok_or(Unreadable::Inconsistent)?;
        let mut rest = left;
        let mut sum = Sha256::new();
        let mut body = Vec::new();
        for _ in header.engines.iter().flat_map(|_| 0..runs) {
            record(&mut read, &mut rest, &mut body)?;
            sum.update(&body);
            decode(&body).map_err(|_| Unreadable::Inconsistent)?;
        }
        if rest > 0 {
            return Err(Unreadable::Inconsistent.into());
        }
        drop(read);
        Ok(Part { source, header, sum: sum.finalize().into() })
    }

    /// Identity of the results.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Hands each result to `keep`, with the index of its engine and the index of its run in the
    /// whole.
    ///
    /// # Errors
    /// If the file can no longer be read or has changed since [`Part::open`], and those of `keep`.
    pub fn each(
        &self,
        mut keep: impl FnMut(usize, usize, RunResult) -> io::Result<()>,
    ) -> Result<(), PartError> {
        let (mut read, header, mut rest) = begin(&self.source)?;
        let total = usize::try_from(header.runs).unwrap_or(usize::MAX);
        if header != self.header {
            return Err(Unreadable::Damaged.into());
        }
        let mut body = Vec::new();
        for engine in 0..header.engines.len() {
            for run in header.shard.runs(total) {
                record(&mut read, &mut rest, &mut body)?;
                let result = decode(&body).map_err(|_| Unreadable::Damaged)?;
                keep(engine, run, result).map_err(PartError::Io)?;
            }
        }
        Ok(())
    }
}

/// Checks that the file is of our format and that its checksum matches.
fn check_sum(source: &impl Source) -> Result<(), PartError> {
    let (mut read, length) = source.open()?;
    let mut begin = Vec::new();
    read.by_ref().take(40).read_to_end(&mut begin)?;
    if !begin.starts_with(MAGIC) {
        return Err(foreign(&begin).into());
    }
    let mut left = length
        .checked_sub((begin.len() + SUM) as u64)
        .filter(|_| length >= (MAGIC.len() + SUM) as u64)
        .ok_or(Unreadable::Damaged)?;
    let mut sum = Sha256::new();
    sum.update(&begin);
    let mut buffer = vec![0; 64 << 10];
    while left > 0 {
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        read.read_exact(&mut buffer[..most])?;
        sum.update(&buffer[..most]);
        left -= most as u64;
    }
    let mut expected = [0; SUM];
    read.read_exact(&mut expected)?;
    if sum.finalize()[..] == expected { Ok(()) } else { Err(Unreadable::Damaged.into()) }
}

/// Reads up to the first record. Also gives the header and the number of bytes from there to the
/// checksum.
fn begin<S: Source>(source: &S) -> Result<(impl Read + use<'_, S>, Header, u64), PartError> {
    let (mut read, length) = source.open()?;
    let mut magic = [0; MAGIC.len()];
    read.read_exact(&mut magic)?;
    let mut size = [0; 4];
    read.read_exact(&mut size)?;
    let size = u32::from_le_bytes(size) as usize;
    let taken = (MAGIC.len() + 4 + size + SUM) as u64;
    let left = length.checked_sub(taken).filter(|_| size <= HEADER_LIMIT);
    let left = left.ok_or(Unreadable::Inconsistent)?;
    let mut header = vec![0; size];
    read.read_exact(&mut header)?;
    let header = postcard::from_bytes(&header).map_err(|_| Unreadable::Inconsistent)?;
    Ok((read, header, left))
}

/// Reads the body of a record; `left` counts down the bytes that remain for records.
fn record(read: &mut impl Read, left: &mut u64, body: &mut Vec<u8>) -> Result<(), PartError> {
    let mut length = [0; LENGTH];
    *left = left.checked_sub(LENGTH as u64).ok_or(Unreadable::Inconsistent)?;
    read.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    *left = left.checked_sub(length).ok_or(Unreadable::Inconsistent)?;
    // No allocation beyond the size of the file, whatever the length says.
    let length = usize::try_from(length).map_err(|_| Unreadable::Inconsistent)?;
    body.resize(length, 0);
    read.read_exact(body)?;
    Ok(())
}
