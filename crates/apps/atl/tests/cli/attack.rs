//! `atl attack receiver`.

use crate::{atl, err, out, with_tiny};

#[test]
fn what_a_search_finds_is_a_file_that_runs() {
    let dir = with_tiny();
    let search =
        ["attack", "receiver", "--protocols", "tcp-atl", "--medium", "wire", "--runs", "1"];
    let output = atl(dir.path(), &[&search[..], &["--out", "found"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("found/tcp-atl-wire.toml"), "{}", out(&output));
    let output = atl(dir.path(), &["validate", "found/tcp-atl-wire.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
}

#[test]
fn a_protocol_that_does_not_listen_cannot_be_lied_to() {
    let dir = with_tiny();
    for (name, why) in [("reno", "it does not listen"), ("nosuch", "there is no such protocol")] {
        let output = atl(dir.path(), &["attack", "receiver", "--protocols", name]);
        assert_eq!(output.status.code(), Some(2));
        let message = err(&output);
        assert!(message.contains(&format!("--protocols {name}: {why}")), "{message}");
    }
}
