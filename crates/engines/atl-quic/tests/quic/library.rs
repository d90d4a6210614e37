//! The version of the QUIC library that data name is the one that is built.

use std::fs;
use std::path::Path;

use atl_quic::connection::LIBRARY;

#[test]
fn results_name_the_locked_version() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../Cargo.lock");
    let lock = fs::read_to_string(&lock).expect("the workspace's lock file");
    let (name, version) = LIBRARY.split_once(' ').expect("a name and a version");
    // The library over sockets counts with its state machines.
    for package in [name, "noq"] {
        let entry = format!("name = \"{package}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "{LIBRARY}: Cargo.lock has another version of {package}");
    }
}
