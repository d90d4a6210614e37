//! The workspace's crates, as cargo tells of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of the workspace.
#[derive(Clone, Debug)]
pub struct Crate {
    /// Its folder, from the workspace's.
    pub folder: PathBuf,
    /// rustc's name of its library.
    pub library: String,
    /// Crates of the workspace that its library needs.
    needs: BTreeSet<String>,
    /// Those that its tests need besides.
    tests_need: BTreeSet<String>,
    /// Its integration tests.
    pub tests: Vec<String>,
}

/// All crates, by their packages' names with underscores.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
    /// The crates, by the names of their packages.
    pub crates: BTreeMap<String, Crate>,
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

impl Workspace {
    /// Asks cargo.
    ///
    /// # Errors
    ///
    /// Cargo fails; its message.
    pub fn read() -> Result<Workspace, String> {
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1", "--locked"])
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let all: Value =
            serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
        let root = PathBuf::from(text(&all, "workspace_root"));
        let mut crates = BTreeMap::new();
        for package in list(&all, "packages") {
            let manifest = Path::new(text(package, "manifest_path"));
            let folder = manifest.parent().unwrap_or(manifest);
            let folder = folder.strip_prefix(&root).unwrap_or(folder).to_owned();
            let (mut needs, mut tests_need) = (BTreeSet::new(), BTreeSet::new());
            for dependency in list(package, "dependencies") {
                if dependency["path"].is_string() {
                    let name = text(dependency, "name").replace('-', "_");
                    let for_tests = dependency["kind"].as_str() == Some("dev");
                    if for_tests { &mut tests_need } else { &mut needs }.insert(name);
                }
            }
            let is_test = |target: &&Value| list(target, "kind").any(|kind| kind == "test");
            let tests = list(package, "targets").filter(is_test);
            let tests = tests.map(|target| text(target, "name").to_owned()).collect();
            let name = text(package, "name").replace('-', "_");
            let is_library = |target: &&Value| text(target, "src_path").ends_with("src/lib.rs");
            let library = list(package, "targets").find(is_library);
            let library = library
                .map_or_else(|| name.clone(), |target| text(target, "name").replace('-', "_"));
            crates.insert(name, Crate { folder, library, needs, tests_need, tests });
        }
        Ok(Workspace { root, target: text(&all, "target_directory").into(), crates })
    }

    /// The crate of an integration test.
    #[must_use]
    pub fn of_test(&self, test: &str) -> Option<&str> {
        let has = |there: &&Crate| there.tests.iter().any(|name| name == test);
        self.crates.iter().find(|(_, there)| has(there)).map(|(name, _)| name.as_str())
    }

    /// The crate that a file belongs to.
    #[must_use]
    pub fn of_file(&self, file: &Path) -> Option<&str> {
        let holds = |there: &Crate| file.starts_with(there.folder.join("src"));
        self.crates.iter().find(|(_, there)| holds(there)).map(|(name, _)| name.as_str())
    }

    /// All crates that the tests of some need, with those themselves.
    #[must_use]
    pub fn needed_by_tests(&self, of: &BTreeSet<String>) -> BTreeSet<String> {
        let direct = of.iter().flat_map(|name| {
            self.crates.get(name).into_iter().flat_map(|c| c.tests_need.iter().cloned())
        });
        let mut open: Vec<String> = of.iter().cloned().chain(direct).collect();
        let mut needed = BTreeSet::new();
        while let Some(name) = open.pop() {
            if needed.insert(name.clone())
                && let Some(there) = self.crates.get(&name)
            {
                open.extend(there.needs.iter().cloned());
            }
        }
        needed
    }
}

/// The cargo that runs this, or the one on the path.
#[must_use]
pub fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
