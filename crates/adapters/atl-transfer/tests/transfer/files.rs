//! Names, folders, files that exist already, and files that change.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::time::Duration;

use atl_transfer::Error;
use atl_transfer::folder::{Folder, FolderError};
use atl_transfer::name::{Limits, shown};
use atl_transfer::receiver;
use atl_transfer::sender::{self, Fate, Listing, Load, Why, Work};
use atl_transfer::wire::{Modified, Reason};

use crate::support::{Receiving, Sending, file, noise, options, sending, tree};

fn refused(fate: &Fate) -> Option<Reason> {
    match fate {
        Fate::Refused(refusal) => Some(refusal.reason),
        _ => None,
    }
}

#[test]
fn folders_arrive_with_all_that_is_in_them() {
    let dir = tempfile::tempdir().expect("a folder");
    let tree_of = dir.path().join("tree");
    fs::create_dir_all(tree_of.join("deep/er")).expect("made");
    fs::create_dir_all(tree_of.join("empty")).expect("made");
    file(&tree_of, "zero", 0, 1);
    file(&tree_of.join("deep/er"), "ü b", 70_000, 2);
    for n in 0..40 {
        file(&tree_of.join("deep"), &format!("{n}"), 100 * n, 3 + n as u64);
    }
    let tool = file(&tree_of, "tool", 10, 4);
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("set");
    symlink("/etc/passwd", tree_of.join("link")).expect("made");
    let single = file(dir.path(), "single", 65_536, 5);

    let paths = [tree_of.clone(), single];
    let listing = Listing::of(&paths, &[]).expect("readable");
    assert_eq!(listing.left_out, [(tree_of.join("link"), Why::Link)]);

    let into = dir.path().join("in/to");
    let receiving = Receiving::start(&into, false, options());
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&paths, sending(&receiving.ticket, to)).summary();
    assert!(sent.is_complete(), "{sent:?}");
    let received = receiving.summary();
    assert_eq!((received.count, received.folders), (44, 1));
    assert_eq!(sent.fates.len(), 45, "both ends count the same");
    assert!(received.took > Duration::ZERO && received.took <= Duration::from_secs(60));
    fs::remove_file(tree_of.join("link")).expect("removed");
    assert!(tree(&into.join("tree")) == tree(&tree_of), "{:?}", tree(&into).keys());
    assert_eq!(fs::read(into.join("single")).expect("there"), noise(65_536, 5));
    let mode = |name: &str| fs::metadata(into.join(name)).expect("there").permissions().mode();
    assert_eq!((mode("tree/tool") & 0o100, mode("tree/zero") & 0o111), (0o100, 0));
    assert!(!into.join(".atl-recv").exists(), "the state folder is gone");
}

#[test]
fn a_private_file_stays_private_and_keeps_its_time() {
    let dir = tempfile::tempdir().expect("a folder");
    let times = [-86_400_i64, 0, 1_234_567_890];
    let modes = [0o600, 0o400, 0o755];
    let mut paths = Vec::new();
    for (n, (mode, seconds)) in modes.into_iter().zip(times).enumerate() {
        let path = file(dir.path(), &format!("{n}"), 70_000 * n, n as u64);
        let time = Modified { seconds, nanos: 500_000_000 }.time().expect("in range");
        fs::File::options().write(true).open(&path).expect("open").set_modified(time).expect("set");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
        paths.push(path);
    }
    let into = dir.path().join("in");
    let receiving = Receiving::start(&into, false, options());
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&paths, sending(&receiving.ticket, to)).summary();
    assert!(sent.is_complete(), "{sent:?}");
    receiving.summary();
    for path in paths {
        let [here, there] = [path.clone(), into.join(path.file_name().expect("a name"))]
            .map(|path| fs::metadata(path).expect("there"));
        assert_eq!(there.modified().expect("a time"), here.modified().expect("a time"), "{path:?}");
        let mode = |data: &fs::Metadata| data.permissions().mode() & 0o777;
        // Whatever the mask of the tests is, it gives no rights.
        assert_eq!(mode(&there) & !mode(&here), 0, "{path:?}");
        assert_eq!(mode(&there) & 0o700, mode(&here) & 0o700, "{path:?}");
    }
}

#[test]
fn a_file_that_is_there_stays_unless_it_is_the_same_or_the_user_wants_it_replaced() {
    let dir = tempfile::tempdir().expect("a folder");
    let sources = dir.path().join("from");
    fs::create_dir(&sources).expect("made");
    let names = ["same", "longer", "other", "folder", "link"];
    let paths: Vec<PathBuf> = names.iter().map(|name| file(&sources, name, 100_000, 1)).collect();
    let into = dir.path().join("in");
    fs::create_dir_all(into.join("folder")).expect("made");
    file(&into, "same", 100_000, 1);
    file(&into, "longer", 100_001, 1);
    // The first piece agrees.
    let mut other = noise(100_000, 1);
    other[99_999] ^= 1;
    fs::write(into.join("other"), &other).expect("written");
    let outside = file(dir.path(), "outside", 100_000, 9);
    symlink(&outside, into.join("link")).expect("made");
    let before = tree(&into);

    let receiving = Receiving::start(&into, false, options());
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&paths, sending(&receiving.ticket, to)).summary();
    assert!(matches!(sent.fates[0], Fate::Done { from: 100_000, .. }), "{:?}", sent.fates[0]);
    for fate in &sent.fates[1..] {
        assert_eq!(refused(fate), Some(Reason::Exists), "{fate:?}");
    }
    assert_eq!(receiving.summary().refused, 4);
    assert!(tree(&into) == before, "{:?}", tree(&into).keys());

    let receiving = Receiving::start(&into, true, options());
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&paths, sending(&receiving.ticket, to)).summary();
    assert_eq!(refused(&sent.fates[3]), Some(Reason::Exists), "a folder is no file");
    // The first piece is not sent again.
    assert!(matches!(sent.fates[2], Fate::Done { from: 65_536, .. }), "{:?}", sent.fates[2]);
    receiving.summary();
    for name in ["same", "longer", "other", "link"] {
        assert!(fs::read(into.join(name)).expect("there") == noise(100_000, 1), "{name}");
    }
    assert!(!into.join("link").is_symlink(), "the link is replaced, not followed");
    assert!(fs::read(outside).expect("there") == noise(100_000, 9));
    assert_eq!(tree(&into).len(), 5);
}

#[test]
fn links_in_the_folder_lead_nowhere() {
    let dir = tempfile::tempdir().expect("a folder");
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).expect("made");
    let into = dir.path().join("in");
    fs::create_dir(&into).expect("made");
    symlink(&outside, into.join("tree")).expect("made");
    let source = dir.path().join("tree");
    fs::create_dir(&source).expect("made");
    file(&source, "f", 10, 1);
    fs::create_dir(source.join("empty")).expect("made");

    let receiving = Receiving::start(&into, true, options());
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&[source], sending(&receiving.ticket, to)).summary();
    assert!(sent.fates.iter().all(|fate| refused(fate) == Some(Reason::Name)), "{sent:?}");
    receiving.summary();
    assert_eq!(tree(&outside).len(), 0);
}

#[test]
fn a_limit_holds_and_what_fits_arrives() {
    let dir = tempfile::tempdir().expect("a folder");
    let paths: Vec<PathBuf> = [("a", 60_000), ("b", 60_000), ("c", 40_000), ("d", 1_000_000)]
        .iter()
        .map(|(name, size)| file(dir.path(), name, *size, 1))
        .collect();
    let into = dir.path().join("in");
    let limited = receiver::Options { limit: Some(100_000), ..options() };
    let receiving = Receiving::start(&into, false, limited);
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&paths, sending(&receiving.ticket, to)).summary();
    let refused_here = receiving.summary().refused;
    let arrived: u64 = tree(&into).values().flatten().map(|file| file.len() as u64).sum();
    assert!(arrived > 0 && arrived <= 100_000, "{arrived}");
    let limit = sent.fates.iter().filter(|fate| refused(fate) == Some(Reason::Limit)).count();
    assert_eq!(limit, 2, "{:?}", sent.fates);
    assert_eq!(refused(&sent.fates[3]), Some(Reason::Limit));
    assert_eq!((refused_here, tree(&into).len()), (2, 2), "nothing is left of what was refused");
}

#[test]
fn load_is_counted_and_not_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving =
        Receiving::start(dir.path(), false, receiver::Options { keep: true, ..options() });
    let to = receiving.ticket.addresses[0];
    let load = |load| {
        let sent =
            Sending::work(Work::Load(load), sending(&receiving.ticket, to), Default::default());
        sent.summary().loaded.expect("it arrived")
    };
    assert_eq!(load(Load::Bytes(3_000_001)).bytes, 3_000_001);
    let lasting = load(Load::For(Duration::from_millis(300)));
    assert!(lasting.bytes > 0 && lasting.took < Duration::from_secs(20), "{lasting:?}");
    assert!(receiving.is_done().is_none(), "it goes on");
    receiving.kill();
    let names: Vec<String> = tree(dir.path()).into_keys().collect();
    assert!(names.iter().all(|name| name.starts_with(".atl-recv")), "{names:?}");
}

#[test]
fn a_folder_has_one_receiver() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = Folder::open(dir.path(), false).expect("free");
    assert!(matches!(Folder::open(dir.path(), false), Err(FolderError::Taken { .. })));
    first.close();
    Folder::open(dir.path(), false).expect("free again").close();
    assert_eq!(tree(dir.path()).len(), 0);
}

/// Names with a backslash, a line break, an escape sequence or octets that are no UTF-8.
const ODD: [&[u8]; 5] = [b"\xff.txt", b"a\nb", b"back\\slash", b"con", b"\x1b[2J"];

fn odd(folder: &std::path::Path) -> PathBuf {
    let tree = folder.join("tree");
    fs::create_dir_all(tree.join("in")).expect("made");
    for name in ODD {
        fs::write(tree.join("in").join(OsStr::from_bytes(name)), name).expect("written");
    }
    fs::write(tree.join("fine"), "x").expect("written");
    tree
}

#[test]
fn names_travel_as_octets() {
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let receiving = Receiving::start(&into, false, options());
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&[odd(dir.path())], sending(&receiving.ticket, to)).summary();
    assert!(sent.is_complete(), "{sent:?}");
    assert_eq!(receiving.summary().count, 6);
    for name in ODD {
        let there = into.join("tree/in").join(OsStr::from_bytes(name));
        assert_eq!(fs::read(there).expect("there"), name);
    }
}

/// A file with such a name that was cut off goes on under it.
#[test]
fn a_part_remembers_any_name() {
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let odd = b"\xff\n";
    let source = dir.path().join(OsStr::from_bytes(odd));
    fs::write(&source, noise(20_000_000, 1)).expect("written");
    let receiving = Receiving::start(&into, false, options());
    let (ticket, to) = (receiving.ticket.clone(), receiving.ticket.addresses[0]);
    let alarm = receiving.watching.alarm(2_000_000);
    let sending_first = Sending::start(std::slice::from_ref(&source), sending(&ticket, to));
    alarm.recv_timeout(Duration::from_secs(60)).expect("some of it arrives");
    sending_first.kill();
    receiving.kill();
    let folder = Folder::open(&into, false).expect("free");
    let unfinished = folder.unfinished();
    assert_eq!(unfinished.len(), 1);
    assert_eq!(unfinished[0].path, [odd.to_vec()]);
}

/// Names that the receiver's file system cannot hold are known before anything is sent. They stop
/// no other file, and everything if the sender is strict.
#[test]
fn names_that_the_receiver_cannot_hold_are_refused_at_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let tree = odd(dir.path());
    fs::write(tree.join("FINE"), "x").expect("written");
    for strict in [false, true] {
        let into = dir.path().join(format!("in-{strict}"));
        let narrow = receiver::Options { limits: Limits::WINDOWS, ..options() };
        let receiving = Receiving::start(&into, false, narrow);
        let to = receiving.ticket.addresses[0];
        let options = sender::Options { strict, ..sending(&receiving.ticket, to) };
        let sent = Sending::start(std::slice::from_ref(&tree), options).summary();
        let names = sent.fates.iter().filter(|fate| refused(fate) == Some(Reason::Name)).count();
        // Five odd ones, and one of those that differ in their case.
        assert_eq!(names, 6, "{:?}", sent.fates);
        if strict {
            assert!(matches!(sent.error, Some(Error::Names { names: 6 })), "{sent:?}");
            assert!(!into.join("tree").exists());
            receiving.kill();
        } else {
            assert!(sent.error.is_none() && !sent.is_complete());
            assert_eq!(receiving.summary().count, 1);
            assert_eq!(fs::read(into.join("tree/FINE")).expect("there"), b"x");
        }
    }
}

/// A pattern is held against the name and against the path below what was given, which itself is
/// always sent.
#[test]
fn what_is_excluded_is_neither_sent_nor_listed() {
    let dir = tempfile::tempdir().expect("a folder");
    let tree = dir.path().join("tree");
    for name in ["a.tmp", "b.txt", "target/x", "in/a.tmp", "in/target", "in/deep/y"] {
        let path = tree.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, "x").expect("written");
    }
    let sent = |patterns: &[&str]| -> Vec<String> {
        let patterns: Vec<_> = patterns.iter().map(|p| p.parse().expect("a pattern")).collect();
        let listing = Listing::of(std::slice::from_ref(&tree), &patterns).expect("readable");
        assert_eq!(listing.left_out, []);
        listing.entries.iter().map(|entry| shown(&entry.path[1..])).collect()
    };
    assert_eq!(sent(&["*.tmp", "tree"]), ["b.txt", "in/deep/y", "in/target", "target/x"]);
    assert_eq!(sent(&["target"]), ["a.tmp", "b.txt", "in/a.tmp", "in/deep/y"]);
    assert_eq!(sent(&["in/*.tmp", "target/*"]).len(), 4);
    assert_eq!(sent(&["in"]), ["a.tmp", "b.txt", "target/x"]);
}

#[test]
fn what_cannot_be_sent_is_told_before_anything_is() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(dir.path().join("x/same")).expect("made");
    let twice = [file(dir.path(), "same", 1, 1), dir.path().join("x/same")];
    for (paths, word) in [
        (&[dir.path().join("missing")][..], "cannot read"),
        (&[PathBuf::from("/dev/null")], "neither a file nor a folder"),
        (&twice, "two files would be called same"),
    ] {
        match Listing::of(paths, &[]) {
            Err(Error::Source(why)) => assert!(why.contains(word), "{why}"),
            other => panic!("{paths:?}: {other:?}"),
        }
    }
    assert_eq!(
        Listing::of(&[PathBuf::from(".")], &[]).expect("the crate").entries[0].path[0],
        b"atl-transfer"
    );
}
