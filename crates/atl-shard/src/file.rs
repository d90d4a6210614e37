//! The file that holds the results of a part.
//!
//! ```text
//! "atl-shard 1\n"                          what it is, and the version of the form
//! length of the header, 4 bytes LE | header
//! length of the results, 8 bytes LE | results of each host, by run
//! SHA-256 of everything before it
//! ```
//!
//! Header and results are written in the form of `postcard` 1.

use std::fmt;

use atl_scenario::Overrides;
use atl_scenario::result::{HostId, RunResult};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::shard::Shard;

/// How a file begins.
const MAGIC: &[u8] = b"atl-shard 1\n";
/// How a file of any version begins.
const KIND: &[u8] = b"atl-shard ";
/// Bytes of the checksum.
const SUM: usize = 32;
/// The most bytes of a header: more than a scenario file may have.
pub const HEADER_LIMIT: usize = 16 << 20;

/// What the results of a part are results of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program.
    pub version: String,
    /// The scenario as it was named on the command line.
    pub spec: String,
    /// What the command line changed in it.
    pub changes: Changes,
    /// The command that repeats the whole.
    pub command: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Its hash.
    pub hash: String,
    /// The number of its runs, on each host.
    pub runs: u64,
    /// The hosts that carried them out.
    pub hosts: Vec<Host>,
    /// The part.
    pub shard: Shard,
}

/// A host that carried out runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl From<HostId> for Host {
    fn from(id: HostId) -> Host {
        Host { name: id.name, version: id.version }
    }
}

impl From<Host> for HostId {
    fn from(host: Host) -> HostId {
        HostId { name: host.name, version: host.version }
    }
}

/// What the command line changed in a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// `--set key=value`.
    pub set: Vec<(String, String)>,
    /// `--seeds`.
    pub seeds: Option<String>,
    /// `--duration`.
    pub duration: Option<String>,
    /// `--quick`.
    pub quick: bool,
}

impl From<Changes> for Overrides {
    fn from(changes: Changes) -> Overrides {
        let Changes { set, seeds, duration, quick } = changes;
        Overrides { set, seeds, duration, quick, options: Vec::new() }
    }
}

/// The results of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardFile {
    /// What they are results of.
    pub header: Header,
    /// For each host the results of the part's [runs](Shard::runs), in their order.
    pub results: Vec<Vec<RunResult>>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is something else.
    Foreign,
    /// It was written by a version of the program whose form is another.
    Version(String),
    /// It was cut off, or bytes have changed.
    Damaged,
    /// Its checksum is right, but its content is not what a part leaves behind.
    Inconsistent,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Foreign => f.write_str("it is not a file of `atl run --shard`"),
            Unreadable::Version(version) => write!(
                f,
                "it has the form {version:?} of another version of atl: this one reads {:?}",
                String::from_utf8_lossy(MAGIC).trim_end()
            ),
            Unreadable::Damaged => {
                f.write_str("it was cut off or has changed (wrong checksum): run this part again")
            }
            Unreadable::Inconsistent => {
                f.write_str("its content does not fit together: run this part again")
            }
        }
    }
}

impl std::error::Error for Unreadable {}

impl ShardFile {
    /// The file's bytes.
    ///
    /// # Errors
    /// If the header is longer than [`HEADER_LIMIT`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, postcard::Error> {
        let header = postcard::to_stdvec(&self.header)?;
        if header.len() > HEADER_LIMIT {
            return Err(postcard::Error::SerializeBufferFull);
        }
        let results = postcard::to_stdvec(&self.results)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend((results.len() as u64).to_le_bytes());
        bytes.extend(results);
        let sum = Sha256::digest(&bytes);
        bytes.extend(sum.iter());
        Ok(bytes)
    }

    /// Reads a file's bytes. They may be anything.
    ///
    /// # Errors
    /// If they are not the whole, unchanged file of a part.
    pub fn from_bytes(bytes: &[u8]) -> Result<ShardFile, Unreadable> {
        let Some(body) = bytes.strip_prefix(MAGIC) else {
            return Err(foreign(bytes));
        };
        if body.len() < SUM {
            return Err(Unreadable::Damaged);
        }
        let (content, sum) = bytes.split_at(bytes.len() - SUM);
        if Sha256::digest(content)[..] != *sum {
            return Err(Unreadable::Damaged);
        }
        let content = content.get(MAGIC.len()..).ok_or(Unreadable::Damaged)?;
        let (length, content) = content.split_first_chunk().ok_or(Unreadable::Inconsistent)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (header, content) = content.split_at_checked(length).ok_or(Unreadable::Inconsistent)?;
        let (length, results) = content.split_first_chunk().ok_or(Unreadable::Inconsistent)?;
        if u64::from_le_bytes(*length) != results.len() as u64 {
            return Err(Unreadable::Inconsistent);
        }
        let file = ShardFile {
            header: postcard::from_bytes(header).map_err(|_| Unreadable::Inconsistent)?,
            results: postcard::from_bytes(results).map_err(|_| Unreadable::Inconsistent)?,
        };
        if file.is_consistent() { Ok(file) } else { Err(Unreadable::Inconsistent) }
    }

    /// Whether it has a result of each host for each of its runs.
    fn is_consistent(&self) -> bool {
        let Header { shard, runs, hosts, .. } = &self.header;
        let Ok(total) = usize::try_from(*runs) else { return false };
        shard.exists()
            && self.results.len() == hosts.len()
            && !hosts.is_empty()
            && self.results.iter().all(|of_host| of_host.len() == shard.runs(total).len())
    }
}

/// Why bytes that do not begin as they should cannot be read.
fn foreign(bytes: &[u8]) -> Unreadable {
    if !bytes.starts_with(KIND) {
        return Unreadable::Foreign;
    }
    let line = bytes.iter().take(40).take_while(|byte| **byte != b'\n').copied();
    Unreadable::Version(String::from_utf8_lossy(&line.collect::<Vec<u8>>()).into_owned())
}
