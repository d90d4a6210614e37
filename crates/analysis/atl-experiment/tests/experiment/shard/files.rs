use atl_engine::store::encode;
use atl_experiment::shard::{Part, PartError, Source, Unreadable};
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};

use super::{part, refused, shard};

#[test]
fn a_part_is_read_as_it_was_written() {
    for (text, runs) in [("1/1", 5), ("2/3", 10), ("3/3", 2), ("1/2", 0)] {
        let left = part(shard(text), runs, 2);
        let file = left.open();
        assert_eq!(file.header(), &left.header, "{text} of {runs}");
        let mut read = vec![Vec::new(); 2];
        let mut numbers = vec![Vec::new(); 2];
        let keep = |engine: usize, run, result| {
            read[engine].push(result);
            numbers[engine].push(run);
            Ok(())
        };
        file.each(keep).expect("read");
        assert_eq!(read, left.results, "{text} of {runs}");
        let expected: Vec<usize> = shard(text).runs(runs).collect();
        assert_eq!(numbers, [expected.clone(), expected], "{text} of {runs}");
    }
}

#[test]
fn the_same_part_has_the_same_bytes() {
    let bytes = || part(shard("2/3"), 10, 1).to_bytes();
    assert_eq!(bytes(), bytes());
}

#[test]
fn other_files_are_told_apart() {
    assert_eq!(refused(b""), Unreadable::Foreign);
    assert_eq!(refused(b"PAR1"), Unreadable::Foreign);
    assert_eq!(refused(b"atl-shard 5\n"), Unreadable::Damaged);
    assert_eq!(refused(b"atl-shard 1\nand so on"), Unreadable::Version("atl-shard 1".to_owned()));
}

#[test]
fn a_file_that_is_not_there_is_no_damaged_one() {
    let dir = tempfile::tempdir().expect("a directory");
    let error = Part::open(dir.path().join("missing.atl")).expect_err("not there");
    assert!(matches!(&error, PartError::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
}

/// The file's bytes changed by `change`, with a checksum to match.
fn forged(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = part(shard("2/3"), 10, 1).to_bytes();
    bytes.truncate(bytes.len() - 32);
    change(&mut bytes);
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum.iter());
    bytes
}

/// Lengths that do not add up are found even where the checksum matches.
#[test]
fn content_that_does_not_fit_together_is_refused() {
    assert!(Part::open(forged(|_| {})).is_ok());
    let last = encode(&part(shard("2/3"), 10, 1).results[0][2]).expect("a record").len();
    let without_the_last = forged(|bytes| bytes.truncate(bytes.len() - last));
    assert_eq!(refused(&without_the_last), Unreadable::Inconsistent);
    assert_eq!(refused(&forged(|bytes| bytes.push(0))), Unreadable::Inconsistent);
    // Only the length of the last record is wrong.
    for length in [0, 1, last as u64, u64::MAX, u64::MAX - 7] {
        let file = forged(|bytes| {
            let at = bytes.len() - last;
            bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
        });
        assert_eq!(refused(&file), Unreadable::Inconsistent, "{length}");
    }
}

/// A file that changes between the check and the reading of results.
#[derive(Debug)]
struct Changing(std::cell::Cell<u32>);

impl Source for Changing {
    fn open(&self) -> std::io::Result<(impl std::io::Read, u64)> {
        let opened = self.0.replace(self.0.get() + 1);
        let text = if opened < 2 { "2/3" } else { "1/3" };
        let bytes = part(shard(text), 10, 1).to_bytes();
        let length = bytes.len() as u64;
        Ok((std::io::Cursor::new(bytes), length))
    }
}

#[test]
fn a_file_that_changes_meanwhile_is_refused() {
    let file = Part::open(Changing(Default::default())).expect("a part");
    let error = file.each(|_, _, _| Ok(())).expect_err("changed");
    assert!(matches!(error, PartError::Unreadable(Unreadable::Damaged)), "{error}");
}

proptest! {
    #[test]
    fn a_changed_byte_is_noticed(at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut bytes = part(shard("1/2"), 3, 1).to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        prop_assert!(Part::open(bytes).is_err());
    }

    #[test]
    fn a_file_that_was_cut_off_is_noticed(at in any::<prop::sample::Index>()) {
        let bytes = part(shard("1/2"), 3, 1).to_bytes();
        let short = &bytes[..at.index(bytes.len())];
        prop_assert!(Part::open(short).is_err());
    }
}
