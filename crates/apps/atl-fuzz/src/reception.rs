//! A folder that is received into, from a sender that says anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use atl_transfer::folder::{Folder, Target};
use atl_transfer::name::STATE_FOLDER;
use atl_transfer::wire::{LENGTH_OCTETS, MAX_MESSAGE, Message, Name, decode, length};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

/// Files that a sender sends at a time, at most.
const STREAMS: usize = 3;
/// A digest of these octets stands for the right one, which no fuzzer would hit upon.
const RIGHT: [u8; 32] = [0xff; 32];
/// Messages that are taken.
const MOST: usize = 64;

/// A stream: the file on offer, and its content so far.
struct Stream {
    path: Vec<Name>,
    size: u64,
    target: Target,
    /// The bytes that the file should hold so far.
    content: Vec<u8>,
}

/// The first byte says whether files may be replaced. The others are messages after the greeting,
/// in any order; after a `LOAD` as many bytes follow as content of the file that was offered last.
/// What stands in the folder was complete and of the length and hash that the sender named, nothing
/// is touched otherwise, and nothing outside ever.
pub fn reception(data: &[u8]) {
    let Some((&options, mut rest)) = data.split_first() else { return };
    let force = options & 1 != 0;
    let dir = TempDir::new().expect("a directory");
    let root = dir.path().join("in");
    let outside = dir.path().join("outside");
    fs::write(&outside, b"not theirs").expect("room");
    let mut folder = Folder::open(&root, force).expect("a new folder");
    let mut streams: Vec<Stream> = Vec::new();
    // The bytes that were written of each file, whether or not it was finished.
    let mut parts: BTreeMap<Vec<Name>, Vec<u8>> = BTreeMap::new();
    for _ in 0..MOST {
        let Some((head, after)) = rest.split_first_chunk::<LENGTH_OCTETS>() else { break };
        let Ok(octets) = length(*head, MAX_MESSAGE) else { break };
        let Some((body, after)) = after.split_at_checked(octets) else { break };
        rest = after;
        let Ok(message) = decode(body) else { continue };
        let before = listing(&root);
        let mut placed = None;
        match message {
            // A receiver lets nobody else send a file that is being received.
            Message::Offer(mut offer) if streams.iter().all(|stream| stream.path != offer.path) => {
                // A file that its owner may not read could not be compared.
                offer.mode |= 0o600;
                if let Ok(target) = folder.begin(&offer) {
                    assert!(target.pieces().length() <= offer.size, "{offer:?}");
                    let (path, size) = (offer.path, offer.size);
                    streams.push(Stream { path, size, target, content: Vec::new() });
                    if streams.len() > STREAMS {
                        keep(streams.remove(0), &mut parts);
                    }
                }
            }
            Message::From(from) => {
                if let Some(stream) = streams.last_mut() {
                    start(stream, from, &root, &parts);
                }
            }
            Message::Load { bytes } => {
                let many = bytes.unwrap_or(u64::MAX).min(rest.len() as u64) as usize;
                let (content, after) = rest.split_at(many);
                rest = after;
                if let Some(stream) = streams.last_mut()
                    && stream.target.write(content).is_ok()
                {
                    stream.content.extend(content);
                    assert!(stream.content.len() as u64 <= stream.size, "more than was offered");
                }
            }
            Message::Digest(digest) => {
                if let Some(Stream { path, size, target, content }) = streams.pop() {
                    let right = Sha256::digest(&content).into();
                    let digest = if digest == RIGHT { right } else { digest };
                    if target.finish(&digest).is_ok() {
                        placed = Some((place(&root, &path), digest));
                        let found = fs::read(place(&root, &path)).expect("it is in its place");
                        assert_eq!(found.len() as u64, size);
                        assert_eq!(<[u8; 32]>::from(Sha256::digest(&found)), digest);
                    }
                    parts.remove(&path);
                }
            }
            Message::Folder { path } => _ = folder.make(&path),
            // The connection ends, and the receiver too.
            Message::Bye => {
                streams.drain(..).for_each(|stream| keep(stream, &mut parts));
                folder.close();
                folder = Folder::open(&root, force).expect("as before");
            }
            _ => {}
        }
        let after = listing(&root);
        for (path, content) in &before {
            let replaced = placed.as_ref().is_some_and(|(place, _)| place == path);
            assert!(replaced || after.get(path) == Some(content), "{} changes", path.display());
            assert!(force || after.get(path) == Some(content), "{} is replaced", path.display());
        }
        for path in after.keys().filter(|path| !before.contains_key(*path)) {
            let new = placed.as_ref().is_some_and(|(place, _)| place == path);
            assert!(new, "{} appears", path.display());
        }
    }
    drop(streams);
    assert_eq!(fs::read(&outside).expect("it is there"), b"not theirs");
    let beside = fs::read_dir(dir.path()).expect("readable").count();
    assert_eq!(beside, 2, "something is outside of the folder");
}

/// The sender names the first byte that it sends: the bytes before it are those that are held.
fn start(stream: &mut Stream, from: u64, root: &Path, parts: &BTreeMap<Vec<Name>, Vec<u8>>) {
    let held = stream.target.pieces().length();
    if stream.target.start(from).is_err() {
        return;
    }
    assert!(from <= held && stream.target.left() == stream.size - from);
    let there = fs::read(place(root, &stream.path)).unwrap_or_default();
    let part = parts.get(&stream.path).filter(|part| part.len() as u64 == held);
    let content = part.cloned().unwrap_or(there);
    stream.content = content.get(..from as usize).unwrap_or_default().to_vec();
}

/// A stream that breaks off leaves its part.
fn keep(stream: Stream, parts: &mut BTreeMap<Vec<Name>, Vec<u8>>) {
    if !stream.content.is_empty() {
        parts.insert(stream.path, stream.content);
    }
}

/// The place of a file below the folder.
fn place(root: &Path, path: &[Name]) -> PathBuf {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    path.iter().fold(root.to_owned(), |place, name| place.join(OsStr::from_bytes(name)))
}

/// All files below the folder with their contents, but for the receiver's own.
fn listing(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("readable").flatten() {
            let path = entry.path();
            let kind = entry.file_type().expect("known");
            assert!(kind.is_dir() || kind.is_file(), "{} is neither", path.display());
            if kind.is_dir() {
                if path != root.join(STATE_FOLDER) {
                    folders.push(path);
                }
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
