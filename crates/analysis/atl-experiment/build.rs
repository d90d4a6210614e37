//! Names this build by the sources that decide results, so that parts of one sweep by different
//! builds can be told apart, also while all call themselves the same version.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest as _, Sha256};

/// Below the root of the workspace: all that stands below this crate. Some of it decides nothing,
/// which costs a name that differs without need, and never one that agrees without reason.
const SOURCES: [&str; 8] = [
    "Cargo.lock",
    "crates/control",
    "crates/network",
    "crates/adapters",
    "crates/engines",
    "crates/realtime",
    "crates/analysis/atl-scenario",
    "crates/analysis/atl-experiment",
];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names it"));
    let root = root.join("../../..");
    let own = SOURCES.iter().all(|source| root.join(source).exists());
    // A crate from a registry stands alone and never changes: its version is its name.
    let build = if own { of_sources(&root) } else { "release".to_owned() };
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=ATL_BUILD={build}");
}

/// 16 hexadecimal digits of a SHA-256 over the names and contents of all files.
fn of_sources(root: &Path) -> String {
    let mut files = BTreeSet::new();
    for source in SOURCES {
        collect(root, Path::new(source), &mut files);
    }
    let mut sum = Sha256::new();
    for file in files {
        let mut content = fs::read(root.join(&file)).expect("a source is readable");
        // The same sources may be checked out with other ends of lines.
        content.retain(|byte| *byte != b'\r');
        let name = file.to_string_lossy().replace('\\', "/");
        sum.update((name.len() as u64).to_le_bytes());
        sum.update(name);
        sum.update((content.len() as u64).to_le_bytes());
        sum.update(content);
    }
    sum.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Adds the file, or the manifests and the files in the `src` of each crate below a folder.
fn collect(root: &Path, path: &Path, files: &mut BTreeSet<PathBuf>) {
    let full = root.join(path);
    if full.is_file() {
        println!("cargo::rerun-if-changed={}", full.display());
        files.insert(path.to_owned());
        return;
    }
    let entries = fs::read_dir(&full).expect("a folder of sources is readable");
    for entry in entries {
        let name = entry.expect("an entry is readable").file_name();
        let inner = path.join(&name);
        let source = path.components().any(|part| part.as_os_str() == "src");
        let is_folder = root.join(&inner).is_dir();
        let wanted = match name.to_str() {
            Some("src" | "Cargo.toml" | "build.rs") => true,
            Some("tests" | "benches" | "examples" | "target") if !source => false,
            _ => source || is_folder,
        };
        if wanted {
            collect(root, &inner, files);
        }
    }
}
