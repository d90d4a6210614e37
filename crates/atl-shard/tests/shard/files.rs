//! The files of parts.

use atl_shard::{ShardFile, Unreadable};
use proptest::prelude::*;

use crate::{part, shard};

#[test]
fn a_part_is_read_as_it_was_written() {
    for (text, runs) in [("1/1", 5), ("2/3", 10), ("3/3", 2), ("1/2", 0)] {
        let file = part(shard(text), runs, 2);
        let bytes = file.to_bytes().expect("written");
        assert_eq!(ShardFile::from_bytes(&bytes), Ok(file), "{text} of {runs}");
    }
}

#[test]
fn the_same_part_has_the_same_bytes() {
    let bytes = || part(shard("2/3"), 10, 1).to_bytes().expect("written");
    assert_eq!(bytes(), bytes());
}

#[test]
fn other_files_are_told_apart() {
    let read = |bytes: &[u8]| ShardFile::from_bytes(bytes).expect_err("no part");
    assert_eq!(read(b""), Unreadable::Foreign);
    assert_eq!(read(b"PAR1"), Unreadable::Foreign);
    assert_eq!(read(b"atl-shard 1\n"), Unreadable::Damaged);
    assert_eq!(read(b"atl-shard 2\nand so on"), Unreadable::Version("atl-shard 2".to_owned()));
}

/// A header that promises other results than there are, under a right checksum.
#[test]
fn content_that_does_not_fit_together_is_refused() {
    let mut file = part(shard("2/3"), 10, 1);
    file.results[0].pop();
    let bytes = file.to_bytes().expect("written");
    assert_eq!(ShardFile::from_bytes(&bytes), Err(Unreadable::Inconsistent));
    let mut file = part(shard("2/3"), 10, 1);
    file.header.runs = u64::MAX;
    let bytes = file.to_bytes().expect("written");
    assert_eq!(ShardFile::from_bytes(&bytes), Err(Unreadable::Inconsistent));
}

proptest! {
    #[test]
    fn a_changed_byte_is_noticed(at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut bytes = part(shard("1/2"), 3, 1).to_bytes().expect("written");
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        prop_assert!(ShardFile::from_bytes(&bytes).is_err());
    }

    #[test]
    fn a_file_that_was_cut_off_is_noticed(at in any::<prop::sample::Index>()) {
        let bytes = part(shard("1/2"), 3, 1).to_bytes().expect("written");
        let short = &bytes[..at.index(bytes.len())];
        prop_assert!(ShardFile::from_bytes(short).is_err());
    }
}
