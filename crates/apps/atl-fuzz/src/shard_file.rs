//! Files of parts of a sweep.

use std::sync::Arc;

use atl_engine::store::Room;
use atl_experiment::shard::{Builds, Part, Whole, write};
use sha2::{Digest as _, Sha256};

/// The first line of a file.
const MAGIC: &[u8] = b"atl-shard 5\n";

/// The file of a part: the bytes as they are, and once more with a correct beginning and checksum,
/// so that the fuzzer reaches the fields behind them. A file that is accepted as the only part of a
/// sweep must be written and read back unchanged.
pub fn shard_file(data: &[u8]) {
    let _ = Part::open(data);
    let mut bytes = [MAGIC, data].concat();
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum.iter());
    let Ok(part) = Part::open(bytes) else { return };
    part.each(|_, _, _| Ok(())).expect("it was read before");
    let header = part.header().clone();
    let Ok(whole) = Whole::of(vec![part], Builds::Same) else { return };
    let room = Arc::new(Room::unlimited());
    let results = whole.results(1, &room, "nowhere".as_ref()).expect("all fits in memory");
    if header.shard.of() == 1 {
        let mut again = Vec::new();
        write(&mut again, &header, &results).expect("a header that was read is short enough");
        let read = Part::open(again.clone()).expect("what was written is read");
        // Results may hold NaN, which never equals itself: bytes are compared.
        let results = Whole::of(vec![read], Builds::Same)
            .map(|whole| whole.results(1, &room, "nowhere".as_ref()));
        let mut once_more = Vec::new();
        let results = results.expect("the only part").expect("all fits in memory");
        write(&mut once_more, &header, &results).expect("as before");
        assert_eq!(again, once_more, "bytes change");
    }
}
