//! A copy of the sources below the target folder, in which the mutants stand.
//!
//! Cargo builds the workspace as it is, but its compiler is called through this program
//! (`RUSTC_WORKSPACE_WRAPPER`), which hands it the copy's files instead. So cargo keeps what it
//! builds apart from sound builds, and takes libraries of others from them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::Workspace;

/// Names the folder of the copy to the compiler's wrapper.
pub const TREE: &str = "ATL_MUTANTS_TREE";

/// The copy.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Absolute path, below the target folder.
    pub folder: PathBuf,
}

fn write_if_other(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn files_below(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files_below(&path, out)? } else { out.push(path) }
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Tree {
    /// Copies the crates' sources as they are. Files that are the same keep their time, so that
    /// cargo does not build them again; `mutated` files are left for [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// Git does not tell the files, or one cannot be read or written.
    pub fn copy(workspace: &Workspace, mutated: &BTreeSet<PathBuf>) -> Result<Tree, String> {
        let folder = workspace.target.join("mutants");
        let tree = Tree { folder };
        tree.fill(workspace, mutated).map_err(|e| format!("{}: {e}", tree.folder.display()))?;
        Ok(tree)
    }

    fn fill(&self, workspace: &Workspace, mutated: &BTreeSet<PathBuf>) -> io::Result<()> {
        let root = &workspace.root;
        let output = Command::new("git")
            .args(["ls-files", "-z", "-co", "--exclude-standard", "--", "crates"])
            .current_dir(root)
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        let listed: BTreeSet<&Path> =
            listed.split('\0').filter(|name| !name.is_empty()).map(Path::new).collect();
        fs::create_dir_all(self.folder.join("crates"))?;
        for file in listed.iter().filter(|file| !mutated.contains(**file)) {
            // Git lists deleted files until the deletion is committed.
            if let Ok(bytes) = fs::read(root.join(file)) {
                write_if_other(&self.folder.join(file), &bytes)?;
            }
        }
        let mut there = Vec::new();
        files_below(&self.folder.join("crates"), &mut there)?;
        for path in there {
            let file = path.strip_prefix(&self.folder).unwrap_or(&path);
            if !listed.contains(file) || !root.join(file).exists() {
                remove(&path)?;
            }
        }
        // Sources name files beside the crates: scenarios, documents.
        for entry in fs::read_dir(root)? {
            let name = entry?.file_name();
            let link = self.folder.join(&name);
            let own = ["crates", "target", "out"].iter().any(|own| name == *own);
            if !own && !link.exists() {
                remove(&link)?;
                std::os::unix::fs::symlink(root.join(&name), &link)?;
            }
        }
        Ok(())
    }

    /// Writes a file of the copy.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, file: &Path, text: &str) -> Result<(), String> {
        let path = self.folder.join(file);
        write_if_other(&path, text.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Makes crates that no wanted test needs empty, and unit tests that nobody wants.
    ///
    /// # Errors
    ///
    /// A file cannot be written or removed.
    pub fn empty(
        &self,
        workspace: &Workspace,
        needed: &BTreeSet<String>,
        units: &BTreeSet<String>,
    ) -> Result<(), String> {
        for (name, there) in &workspace.crates {
            for (path, wanted) in [
                (empty_library(&self.folder, &there.library), needed.contains(name)),
                (empty_unit(&self.folder, &there.library), units.contains(name)),
            ] {
                let done = if wanted { remove(&path) } else { write_if_other(&path, b"") };
                done.map_err(|e| format!("{}: {e}", path.display()))?;
            }
        }
        Ok(())
    }
}

fn empty_library(tree: &Path, name: &str) -> PathBuf {
    tree.join("empty").join(format!("{name}.rs"))
}

fn empty_unit(tree: &Path, name: &str) -> PathBuf {
    tree.join("empty").join(format!("{name}.unit.rs"))
}

/// The compiler's arguments with the root file of the copy, or an empty one.
#[must_use]
pub fn redirected(arguments: Vec<OsString>, tree: &Path) -> Vec<OsString> {
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).and_then(|next| next.to_str()).map(str::to_owned)
    };
    // Cargo also asks the compiler about itself.
    let Some(name) = after("--crate-name").filter(|name| name != "___") else { return arguments };
    let is_root = |argument: &OsString| {
        let path = Path::new(argument);
        path.starts_with("crates") && path.extension().is_some_and(|end| end == "rs")
    };
    let Some(at) = arguments.iter().position(is_root) else { return arguments };
    let library = Path::new(&arguments[at]).ends_with("src/lib.rs");
    let unit = arguments.iter().any(|argument| argument == "--test");
    let mut out = arguments;
    let copied = tree.join(&out[at]);
    let (no_library, no_unit) = (empty_library(tree, &name), empty_unit(tree, &name));
    let root = match library {
        true if no_library.exists() => no_library,
        true if unit && no_unit.exists() => no_unit,
        _ => copied,
    };
    out[at] = root.into_os_string();
    out.push("--cap-lints=allow".into());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_compiler_gets_the_copy_of_a_crates_root_and_an_empty_one_where_nobody_needs_it() {
        let tree = std::env::temp_dir().join(format!("atl-mutants-tree-{}", std::process::id()));
        fs::create_dir_all(tree.join("empty")).expect("a folder");
        for empty in ["atl_web.rs", "atl_link.unit.rs"] {
            fs::write(tree.join("empty").join(empty), "").expect("written");
        }
        let root = |name: &str, root: &str, more: &str| {
            let given = words(&format!("--crate-name {name} --edition=2024 {root} {more}"));
            let out = redirected(given, &tree);
            assert_eq!(out.last(), Some(&OsString::from("--cap-lints=allow")));
            let path = PathBuf::from(&out[3]);
            path.strip_prefix(&tree).expect("in the tree").display().to_string()
        };
        let (link, web) = ("crates/network/atl-link/src/lib.rs", "crates/apps/atl-web/src/lib.rs");
        assert_eq!(root("atl_link", link, ""), link);
        assert_eq!(root("atl_link", link, "--test"), "empty/atl_link.unit.rs");
        assert_eq!(root("atl_web", web, ""), "empty/atl_web.rs");
        let test = "crates/network/atl-link/tests/link/main.rs";
        assert_eq!(root("link", test, "--test"), test);
        fs::remove_dir_all(&tree).expect("removed");
    }

    #[test]
    fn what_is_no_crate_of_ours_stays() {
        for given in ["-vV", "- --crate-name ___ --print=cfg", "--crate-name x /elsewhere/lib.rs"] {
            assert_eq!(redirected(words(given), Path::new("/tree")), words(given), "{given}");
        }
    }
}
