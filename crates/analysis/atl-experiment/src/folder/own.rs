//! Files that somebody else made, under names of ours: they are never replaced or removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use atl_report::{data, html};

use crate::error::Error;

/// File name of the report in the directory.
pub const REPORT: &str = "report.html";
/// Limit on the names in a message.
const NAMED: usize = 8;

/// Checks that whatever stands at these paths below `dir` was written by this program.
///
/// # Errors
/// If a file was not, or cannot be read to tell.
pub(super) fn foreign<'a>(
    dir: &Path,
    paths: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Error> {
    let foreign: Vec<&PathBuf> = paths.filter(|path| !is_free(&dir.join(path))).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let (are, them) =
        if foreign.len() == 1 { ("is no file", "it") } else { ("are no files", "them") };
    let mut names: Vec<String> =
        foreign.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    if foreign.len() > NAMED {
        names.push(format!("and {} more", foreign.len() - NAMED));
    }
    Err(Error::Usage(format!(
        "{}: {} {are} of atl, and results would replace or remove {them}: name another folder (on the command line with --out), or move {them} away",
        dir.display(),
        names.join(", "),
    )))
}

/// True if nothing stands at this path, or a file of ours.
fn is_free(path: &Path) -> bool {
    match path.symlink_metadata() {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        // Reading a pipe would wait for its writer.
        Ok(_) => path.metadata().is_ok_and(|found| found.is_file()) && is_own(path),
    }
}

fn is_own(path: &Path) -> bool {
    if path.ends_with(REPORT) {
        return fs::read_to_string(path).is_ok_and(|page| html::is_report(&page));
    }
    data::is_own(path).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(dir: &Path, names: &[&str]) -> Option<String> {
        let paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        match foreign(dir, paths.iter()) {
            Err(Error::Usage(text)) => Some(text),
            Ok(()) => None,
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_are_told_by_their_content_and_not_by_their_names() {
        let dir = tempfile::tempdir().expect("a directory");
        let write =
            |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("written");
        assert_eq!(refusal(dir.path(), &[REPORT, "runs.csv", "runs.parquet"]), None);
        write("runs.csv", "scenario,scenario_hash,engine,version,point,seed\n");
        write(REPORT, "<!DOCTYPE html><meta name=\"generator\" content=\"atl\">");
        assert_eq!(refusal(dir.path(), &[REPORT, "runs.csv"]), None);
        write("links.csv", "scenario,scenario_hash\n");
        write("flows.csv", "");
        write("runs.parquet", "PAR1");
        write("samples.parquet", "a,b\n");
        for name in ["links.csv", "flows.csv", "runs.parquet", "samples.parquet"] {
            let text = refusal(dir.path(), &[REPORT, name, "runs.csv"]).expect(name);
            assert!(text.contains(&format!(": {name} is no file of atl")), "{text}");
        }
        write(REPORT, "<!DOCTYPE html><title>The yearly report</title>");
        let text = refusal(dir.path(), &[REPORT, "links.csv"]).expect("two");
        assert!(text.contains(": report.html, links.csv are no files of atl"), "{text}");
        // A report with bytes that are no text.
        fs::write(dir.path().join(REPORT), [0xff, 0xfe]).expect("written");
        assert!(refusal(dir.path(), &[REPORT]).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_somebodys() {
        let dir = tempfile::tempdir().expect("a directory");
        std::os::unix::fs::symlink("nowhere", dir.path().join("runs.csv")).expect("made");
        assert!(refusal(dir.path(), &["runs.csv"]).is_some());
    }
}
