//! A run's result as bytes: its length, then the result in the form of `postcard` 1.

use std::fmt;

use crate::result::RunResult;

/// Bytes of the length that a record begins with, little endian.
pub const LENGTH: usize = 8;

/// Bytes that are no result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are no result of a run")
    }
}

impl std::error::Error for Malformed {}

/// The record of a result, its length included.
///
/// # Errors
/// None for a result that a host has made.
pub fn encode(run: &RunResult) -> Result<Vec<u8>, Malformed> {
    let mut record = postcard::to_extend(run, vec![0; LENGTH]).map_err(|_| Malformed)?;
    let length = (record.len() - LENGTH) as u64;
    record[..LENGTH].copy_from_slice(&length.to_le_bytes());
    Ok(record)
}

/// The result in a record's bytes, without the length. They may be anything.
///
/// # Errors
/// If they are no result, or more than one.
pub fn decode(body: &[u8]) -> Result<RunResult, Malformed> {
    match postcard::take_from_bytes(body) {
        Ok((run, [])) => Ok(run),
        _ => Err(Malformed),
    }
}
