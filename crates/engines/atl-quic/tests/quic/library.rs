//! The version of the QUIC library that data name is the one that is built.

use std::fs;
use std::path::Path;

use atl_engine::{Stopped, Watch};
use atl_quic::Options;
use atl_quic::connection::LIBRARY;

use crate::support::parse;

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

/// A window of ten packets that never changes meets a queue that holds nine: in step with it the
/// same retransmission finds the queue full each time. The library ends the connection, and the
/// user learns which key to lower.
#[test]
fn more_pieces_than_the_library_holds_name_the_key_that_prevents_them() {
    let run = |window: &str| {
        let case = include_str!("in-step.toml").replace("# window", window);
        atl_quic::run(&parse(&case), 134, &Options::default(), &Watch::unwatched())
    };
    let Err(Stopped::Failed(failed)) = run("") else { panic!("it runs") };
    let message = failed.to_string();
    assert!(message.contains("flow `flow-2`"), "{message}");
    assert!(message.contains("`tcp.receive-window` is 10000 packets: with 1024"), "{message}");
    run("receive-window = 1024").expect("the sender waits");
}
