use std::io::{self, Write};

use atl_engine::store::{Results, encode};
use sha2::{Digest, Sha256};

use crate::shard::form::{HEADER_LIMIT, MAGIC};
use crate::shard::header::Header;

/// Writes the file of a part: for each engine the results of the part's
/// [runs](crate::shard::Shard::runs), in their order. Each point of `results` holds a single run.
///
/// # Errors
/// Those of `out`, and if the header is longer than [`HEADER_LIMIT`].
///
/// # Panics
/// Panics if the number of engines or of results differs from that in the header.
pub fn write(out: impl Write, header: &Header, results: &[Results]) -> io::Result<()> {
    assert_eq!(results.len(), header.engines.len(), "results of each engine");
    let runs = header.own_runs();
    let all = results.iter().all(|of_engine| Some(of_engine.points()) == runs);
    assert!(all, "a result of each run of the part");
    let bytes = postcard::to_stdvec(header).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= HEADER_LIMIT);
    let length = length.ok_or_else(|| io::Error::other("the header is too long"))?;
    let mut out = Summed { out, sum: Sha256::new() };
    out.put(MAGIC)?;
    out.put(&length.to_le_bytes())?;
    out.put(&bytes)?;
    for run in results.iter().flat_map(Results::iter) {
        for result in &*run {
            out.put(&encode(result).map_err(io::Error::other)?)?;
        }
    }
    let Summed { mut out, sum } = out;
    out.write_all(&sum.finalize())
}

/// A writer that also computes the SHA-256 of the bytes.
struct Summed<W> {
    out: W,
    sum: Sha256,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }
}
