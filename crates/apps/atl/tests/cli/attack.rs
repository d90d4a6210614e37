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

#[test]
fn the_worst_path_of_a_search_is_a_file_that_runs() {
    let dir = with_tiny();
    let search = ["attack", "path", "--protocols", "reno", "--objectives", "utilisation,low-rate"];
    let size = ["--runs", "32", "--seed", "2", "--out", "found"];
    let output = atl(dir.path(), &[&search[..], &size].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("32 paths in ") && text.contains(" an hour"), "{text}");
    for name in ["found/reno-utilisation.toml", "found/reno-low-rate.toml"] {
        assert!(text.contains(name), "{text}");
        let run = atl(dir.path(), &["run", name, "--seeds", "1", "-q", "--out", "o"]);
        assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    }
}

#[test]
fn a_search_for_paths_says_what_it_cannot_take() {
    let dir = with_tiny();
    for (args, says) in [
        (&["--protocols", "nosuch"][..], "there is no such protocol"),
        (&["--protocols", "reno", "--objectives", "fame"], "allowed are utilisation, drops"),
        (&["--protocols", "reno", "--on", "quic"], "engines in virtual time"),
        (&["--protocols", "noq-cubic"], "quic-sim"),
    ] {
        let output = atl(dir.path(), &[&["attack", "path", "--runs", "1"][..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(err(&output).contains(says), "{args:?}: {}", err(&output));
    }
}
