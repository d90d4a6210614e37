//! Files of parts of a sweep.

use atl_shard::ShardFile;
use sha2::{Digest as _, Sha256};

/// How a file begins.
const MAGIC: &[u8] = b"atl-shard 1\n";

/// The file of a part: as the bytes are, and once more with a right beginning and checksum, so that what lies behind them is
/// reached. What is accepted is written to a file that reads as the same.
pub fn shard_file(data: &[u8]) {
    let _ = ShardFile::from_bytes(data);
    let mut bytes = [MAGIC, data].concat();
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum.iter());
    if let Ok(file) = ShardFile::from_bytes(&bytes) {
        let again = file.to_bytes().expect("a header that was read is short enough");
        // Results may hold NaN, which equals nothing: the bytes are what counts.
        let read = ShardFile::from_bytes(&again).expect("what was written is read");
        assert_eq!(read.to_bytes().expect("as before"), again, "bytes change");
    }
}
