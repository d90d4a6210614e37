//! Every step of a reception fails once: refused, half done, or with the program.

use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::Path;

use tempfile::TempDir;

use super::step::{Fault, plan};
use super::{Folder, Refusal, STATE_FOLDER};
use crate::hash;
use crate::wire::{Modified, Offer};

const NAME: &str = "album/photo.raw";

/// Contents of a version of the file: more than a piece.
fn contents(version: u8) -> Vec<u8> {
    (0..90_000_u32).map(|n| (n % 251) as u8 ^ version).collect()
}

/// Receives a file, as a sender sends it that has all of it: the rest after what is held of the
/// same bytes. With `stops` the connection ends half-way.
fn receive(dir: &Path, version: u8, force: bool, stops: bool) -> Result<(), Refusal> {
    let refused = |error: super::FolderError| Refusal::storage("open", error);
    let folder = Folder::open(dir, force).map_err(refused)?;
    let bytes = contents(version);
    let path = NAME.split('/').map(|name| name.as_bytes().to_vec()).collect();
    let size = bytes.len() as u64;
    let offer = Offer { size, mode: 0o640, modified: Modified::default(), path };
    let mut target = folder.begin(&offer)?;
    let mut own = tempfile::tempfile().expect("a file");
    own.write_all(&bytes).expect("room");
    own.rewind().expect("a file");
    let (from, _) = hash::common(&mut own, target.pieces()).expect("readable");
    target.start(from)?;
    if from < size {
        let (from, half) = (from as usize, (from as usize + bytes.len()) / 2);
        target.write(&bytes[from..half])?;
        if stops {
            return Ok(());
        }
        target.write(&bytes[half..])?;
    }
    target.finish(&hash::of(&bytes))?;
    folder.close();
    Ok(())
}

/// The version at the file's place; `None`: nothing is there. Anything else fails the test.
fn version(dir: &Path, place: &str) -> Option<u8> {
    let found = fs::read(dir.join(NAME)).ok()?;
    let which = (1..=2).find(|version| contents(*version) == found);
    Some(which.unwrap_or_else(|| panic!("{place}: neither the one nor the other")))
}

/// A reception in two connections, then one of another version that replaces it; the step `nth`
/// fails. What stands at the file's place is whole at any time, and a repetition completes it.
fn one(nth: u32, fault: Fault, another: bool) -> bool {
    let dir = TempDir::new().expect("a directory");
    let dir = dir.path();
    let place = format!("step {nth}, {fault:?}");
    plan(Some((nth, fault)));
    let mut newest = 0;
    for (wanted, force, stops) in
        [(1, false, true), (1, false, false), (2, true, true), (2, true, false)]
    {
        let before = version(dir, &place);
        let done = receive(dir, wanted, force, stops);
        let after = version(dir, &place);
        assert!(after == before || after == Some(wanted), "{place}: {before:?}, {after:?}");
        if done.is_ok() && !stops {
            assert_eq!(after, Some(wanted), "{place}: reported as done");
        }
        newest = wanted;
        if done.is_err() {
            break;
        }
    }
    let failed = plan(None);
    // Without faults from now on, another version comes and stops half-way, or the same again.
    if another {
        let before = version(dir, &place);
        receive(dir, 3 - newest, true, true).unwrap_or_else(|error| panic!("{place}: {error:?}"));
        assert_eq!(version(dir, &place), before, "{place}: a part is no other name of a file");
    }
    receive(dir, newest, true, false).unwrap_or_else(|error| panic!("{place}: {error:?}"));
    assert_eq!(version(dir, &place), Some(newest), "{place}");
    // Then another version comes, and stops half-way: the file at its place is not touched.
    receive(dir, 3 - newest, true, true).unwrap_or_else(|error| panic!("{place}: {error:?}"));
    assert_eq!(version(dir, &place), Some(newest), "{place}: a part is no other name of a file");
    receive(dir, 3 - newest, true, false).unwrap_or_else(|error| panic!("{place}: {error:?}"));
    assert_eq!(version(dir, &place), Some(3 - newest), "{place}");
    assert!(!dir.join(STATE_FOLDER).exists(), "{place}: nothing is left");
    failed
}

#[test]
fn each_step_of_a_reception_fails_once_and_no_file_is_a_mixture() {
    for fault in [Fault::Refused, Fault::Half, Fault::Crash] {
        for another in [false, true] {
            let steps = (0..).take_while(|nth| one(*nth, fault, another)).count();
            assert!((20..200).contains(&steps), "{fault:?}: {steps} steps");
        }
    }
}
