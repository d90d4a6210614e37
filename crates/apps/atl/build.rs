//! Embeds the playground's page into the program if `ATL_PLAYGROUND` names the folder that `make
//! playground` built.

use std::path::{Path, PathBuf};
use std::{env, fs};

const VARIABLE: &str = "ATL_PLAYGROUND";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let folder = env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    let files = folder.map_or_else(Vec::new, |folder| files(Path::new(&folder)));
    let list: String = files
        .iter()
        .map(|(name, path)| format!("    ({name:?}, include_bytes!({:?})),\n", path.display()))
        .collect();
    let out = env::var_os("OUT_DIR").expect("cargo names it");
    let text = format!("&[\n{list}]\n");
    fs::write(Path::new(&out).join("playground.rs"), text).expect("cargo's folder is writable");
}

/// Files of a folder by name.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.unwrap_or_else(|e| panic!("{VARIABLE}={}: {e}", folder.display()));
    let mut files: Vec<(String, PathBuf)> = entries
        .iter()
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| {
            let path = entry.path().canonicalize().ok()?;
            Some((entry.file_name().into_string().ok()?, path))
        })
        .collect();
    files.sort();
    files
}
