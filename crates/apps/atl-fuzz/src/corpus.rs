//! The corpus: seeds and findings of each target, in `fuzz/corpus/`.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a target's inputs.
pub fn corpus_folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus").join(target)
}

/// The inputs of a target by their files, in order of their names.
///
/// # Panics
/// Panics if the folder or a file cannot be read.
pub fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = corpus_folder(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let data = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, data)
    };
    paths.into_iter().map(read).collect()
}
