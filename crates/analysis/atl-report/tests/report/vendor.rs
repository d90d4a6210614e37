//! The vendored chart library is the published one, byte for byte.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[test]
fn uplot_is_the_published_file() {
    let js = include_bytes!("../../assets/vendor/uplot-1.6.32/uPlot.iife.min.js");
    let css = include_bytes!("../../assets/vendor/uplot-1.6.32/uPlot.min.css");
    let license = include_bytes!("../../assets/vendor/uplot-1.6.32/LICENSE");
    assert_eq!(hex(js), "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f");
    assert_eq!(hex(css), "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04");
    assert_eq!(hex(license), "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd");
}
