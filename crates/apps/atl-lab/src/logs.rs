//! The qlogs of a failed run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use atl_engine::setup::Setup;

/// Files, opened before the run.
pub(crate) struct Files(Mutex<BTreeMap<usize, File>>, Vec<PathBuf>);

impl Files {
    /// The file of this flow's log; `None` the second time.
    pub(crate) fn of(&self, flow: usize) -> Option<Box<dyn Write + Send + Sync>> {
        let file = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&flow)?;
        Some(Box::new(BufWriter::new(file)))
    }

    pub(crate) fn paths(self) -> Vec<PathBuf> {
        self.1
    }
}

/// `target/atl-lab/CASE/POINT-seed-N`, or the same below the folder that the caller has chosen.
pub(crate) fn folder(chosen: Option<&Path>, case: &str, point: &str, seed: u64) -> PathBuf {
    let below = chosen.map_or_else(|| target().join("atl-lab"), Path::to_path_buf);
    let run = if point.is_empty() { String::new() } else { format!("{}-", plain(point)) };
    below.join(plain(case)).join(format!("{run}seed-{seed}"))
}

/// A text with everything replaced that does not belong in a file's name.
fn plain(text: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let parts = text.split(|c| !keep(c)).map(|part| part.trim_matches('.'));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The build folder, found from the path of the running test.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let found = program.ancestors().find(|dir| dir.file_name() == Some(OsStr::new("target")));
    found.map_or_else(|| PathBuf::from("target"), Path::to_path_buf)
}

/// Creates a file for each of these flows.
pub(crate) fn create(folder: &Path, setup: &Setup, flows: &[usize]) -> io::Result<Files> {
    fs::create_dir_all(folder)?;
    let (mut files, mut paths) = (BTreeMap::new(), Vec::new());
    for &flow in flows {
        let path = folder.join(format!("{}.sqlog", plain(&setup.flows[flow].name)));
        files.insert(flow, File::create(&path)?);
        paths.push(path);
    }
    Ok(Files(Mutex::new(files), paths))
}
