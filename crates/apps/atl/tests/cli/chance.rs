//! A warning appears for exactly those runs that the seed does not determine.

use crate::{atl, err, with_tiny};

#[test]
fn a_protocol_without_a_seed_is_told_of_where_the_seed_decides() {
    let dir = with_tiny();
    let told = |engine: &str, protocol: &str| {
        let protocol = format!("protocol={protocol}");
        let args = ["run", "tiny.toml", "--out", "a", "--seeds", "1", "--on", engine];
        let output = atl(dir.path(), &[&args[..], &["--set", &protocol]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        err(&output).contains("warning: tiny: runs with `noq-bbr3` differ each time")
    };
    assert!(told("quic-sim", "noq-bbr3"));
    assert!(!told("quic-sim", "noq-cubic"));
    // In real time this holds for every run, so there is no warning.
    assert!(!told("quic", "noq-bbr3"));
}
