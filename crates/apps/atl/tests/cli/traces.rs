//! Recorded links, if the traces are available next to the workspace.

use std::path::{Path, PathBuf};

use crate::json;

fn traces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/traces")
}

/// Runs the showcase over recorded traces; `None`, with a message, if a file is missing.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn over(settings: &[(&str, &str)]) -> Option<serde_json::Value> {
    let mut args: Vec<String> =
        ["run", "showcase/recorded-trace", "--json", "--seeds", "1"].map(str::to_owned).to_vec();
    args.extend(["--duration", "20s", "--set", "protocol=tcp-atl,cubic"].map(str::to_owned));
    for (key, file) in settings {
        let path = traces().join(file);
        if !path.is_file() {
            eprintln!("skipped: {} is missing", path.display());
            return None;
        }
        args.extend(["--set".to_owned(), format!("{key}={}", path.display())]);
    }
    let dir = tempfile::tempdir().expect("a directory");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    Some(json(dir.path(), &args))
}

#[test]
fn uploads_run_over_each_recorded_link() {
    let mut hashes = Vec::new();
    for file in ["tmobile-umts-driving.down", "verizon-lte-short.down", "starlink.down"] {
        let Some(document) = over(&[("network.lte.trace", file)]) else { continue };
        for point in document["points"].as_array().expect("a list") {
            let goodput = point["total"]["goodput_bps"]["mean"].as_f64().expect("measured");
            assert!(goodput > 1e4, "{file}: {goodput} b/s");
        }
        hashes.push(document["scenario_hash"].clone());
    }
    // The hash covers the trace's content.
    for (i, hash) in hashes.iter().enumerate() {
        assert!(!hashes[i + 1..].contains(hash));
    }
}
