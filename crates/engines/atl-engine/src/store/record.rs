//! A run's result as bytes: its length, then the result in the encoding of `postcard` 1.

use std::fmt;

use crate::result::RunResult;

/// Size in bytes of the little-endian length at the start of a record.
pub const LENGTH: usize = 8;

/// Bytes that do not hold the result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are no result of a run")
    }
}

impl std::error::Error for Malformed {}

/// Encodes a result as a record, length included.
///
/// # Errors
/// If `postcard` cannot encode it, which does not happen with the results of our engines.
pub fn encode(run: &RunResult) -> Result<Vec<u8>, Malformed> {
    let mut record = postcard::to_extend(run, vec![0; LENGTH]).map_err(|_| Malformed)?;
    let length = (record.len() - LENGTH) as u64;
    record[..LENGTH].copy_from_slice(&length.to_le_bytes());
    Ok(record)
}

/// Decodes a record's body, the length left out. The bytes may be anything.
///
/// # Errors
/// If they are not exactly one result.
pub fn decode(body: &[u8]) -> Result<RunResult, Malformed> {
    match postcard::take_from_bytes(body) {
        Ok((run, [])) => Ok(run),
        _ => Err(Malformed),
    }
}
