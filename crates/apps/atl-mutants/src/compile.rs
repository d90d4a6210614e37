//! Builds the test programs with all mutants in them. A mutant that is no valid program is left
//! out, and the rest built again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::tree::{TREE, Tree};
use crate::workspace::{Workspace, cargo};

/// A test program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The crate, for its unit tests, or the name of the integration test.
    pub name: String,
    /// It holds unit tests.
    pub unit: bool,
    /// The file to run.
    pub path: PathBuf,
    /// Where to run it: the crate's folder.
    pub folder: PathBuf,
}

/// A mistake that the compiler found: file of the tree, range of bytes, message.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The file, from the tree's folder.
    pub file: PathBuf,
    /// Bytes of its text.
    pub range: Range<usize>,
    /// The compiler's own words.
    pub message: String,
}

/// The outcome of a build: all programs, or mistakes.
#[derive(Clone, Debug)]
pub enum Built {
    /// The programs that were asked for.
    Programs(Vec<Program>),
    /// Nothing, as the compiler found mistakes.
    Mistakes(Vec<Mistake>),
}

/// Builds unit tests of crates and integration tests by their names.
///
/// # Errors
///
/// Cargo fails otherwise than by mistakes in the tree's files.
pub fn build(
    workspace: &Workspace,
    tree: &Tree,
    units: &BTreeSet<String>,
    tests: &BTreeSet<String>,
) -> Result<Built, String> {
    let mut crates = units.clone();
    crates.extend(tests.iter().filter_map(|test| workspace.of_test(test)).map(str::to_owned));
    tree.empty(workspace, &workspace.needed_by_tests(&crates), units)?;
    let wrapper = std::env::current_exe().map_err(|e| format!("this program: {e}"))?;
    let mut command = Command::new(cargo());
    command
        // The features of the suite's build, so that the libraries of others are there.
        .args(["test", "--no-run", "--workspace", "--all-features", "--locked"])
        .args(["--message-format=json", "--quiet"])
        .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
        .env(TREE, &tree.folder)
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    if !units.is_empty() {
        command.arg("--lib");
    }
    for test in tests {
        command.args(["--test", test]);
    }
    let mut child = command.spawn().map_err(|e| format!("cargo: {e}"))?;
    let (mut programs, mut mistakes) = (BTreeMap::new(), Vec::new());
    let mut messages = Vec::new();
    let out = child.stdout.take().ok_or("cargo's output is not there")?;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|e| format!("cargo: {e}"))?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                if let Some(program) = program(&message, units, tests) {
                    programs.insert((program.unit, program.name.clone()), program);
                }
            }
            Some("compiler-message") => {
                let told = &message["message"];
                if told["level"].as_str() == Some("error") {
                    messages.push(told["rendered"].as_str().unwrap_or_default().to_owned());
                    mistakes.extend(places(told, &tree.folder));
                }
            }
            _ => {}
        }
    }
    let status = child.wait().map_err(|e| format!("cargo: {e}"))?;
    if status.success() {
        Ok(Built::Programs(programs.into_values().collect()))
    } else if mistakes.is_empty() {
        Err(format!("cargo test --no-run failed\n{}", messages.join("\n")))
    } else {
        Ok(Built::Mistakes(mistakes))
    }
}

fn program(message: &Value, units: &BTreeSet<String>, tests: &BTreeSet<String>) -> Option<Program> {
    let path = PathBuf::from(message["executable"].as_str()?);
    let target = &message["target"];
    let name = target["name"].as_str()?.replace('-', "_");
    let unit = !target["kind"].as_array()?.iter().any(|kind| kind == "test");
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let wanted = if unit { units.contains(&name) } else { tests.contains(&name) };
    (wanted && message["profile"]["test"].as_bool() == Some(true)).then_some(Program {
        name,
        unit,
        path,
        folder,
    })
}

/// Where a message of the compiler points to: at its first place in the tree.
fn places(told: &Value, tree: &Path) -> Option<Mistake> {
    let spans = told["spans"].as_array()?;
    let at = |span: &Value| {
        let file = Path::new(span["file_name"].as_str()?).strip_prefix(tree).ok()?.to_owned();
        let byte = |key: &str| usize::try_from(span[key].as_u64()?).ok();
        let range = byte("byte_start")?..byte("byte_end")?;
        Some(Mistake { file, range, message: told["message"].as_str()?.to_owned() })
    };
    let primary = spans.iter().filter(|span| span["is_primary"].as_bool() == Some(true));
    primary.chain(spans).find_map(at)
}
