//! The house: every crate can be understood on its own, and the floor plan of ARCHITECTURE.md is
//! that of the manifests.

mod comments;
mod imports;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Fields that a crate needs before it may be published.
const FIELDS: [&str; 5] = ["description", "readme", "keywords", "categories", "license"];

/// A crate of the workspace.
struct Crate {
    floor: String,
    folder: PathBuf,
    manifest: toml::Table,
}

impl Crate {
    fn package(&self) -> &toml::Table {
        self.manifest["package"].as_table().expect("[package]")
    }

    fn description(&self) -> &str {
        self.package()["description"].as_str().expect("text")
    }

    /// The crates of the workspace that its library is built with.
    fn dependencies(&self) -> impl Iterator<Item = &str> {
        let table = self.manifest.get("dependencies").and_then(toml::Value::as_table);
        let names = table.into_iter().flat_map(|table| table.keys().map(String::as_str));
        names.filter(|name| *name == "atl" || name.starts_with("atl-"))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect()
}

/// The crates by their names.
fn crates() -> BTreeMap<String, Crate> {
    let mut crates = BTreeMap::new();
    for floor in folders(&root().join("crates")) {
        for folder in folders(&floor) {
            let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
            let manifest: toml::Table = text.parse().expect("a manifest");
            let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
            let floor = floor.file_name().expect("a name").to_string_lossy().into_owned();
            crates.insert(name, Crate { floor, folder, manifest });
        }
    }
    assert!(crates.len() >= 10, "{} crates found", crates.len());
    crates
}

/// The floor plan: `(floor, crate, description)`, from the top.
fn drawn() -> Vec<(String, String, String)> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let (_, rest) = page.split_once("```text\ncrates/\n").expect("the floor plan");
    let (plan, _) = rest.split_once("\n```").expect("its end");
    let mut floor = "";
    let mut drawn: Vec<(String, String, String)> = Vec::new();
    for line in plan.lines() {
        let text = line.trim_start();
        match line.len() - text.len() {
            2 => floor = text.split_once('/').expect("`floor/  what it is`").0,
            4 => {
                let (name, about) = text.split_once(' ').expect("`crate  what it is`");
                drawn.push((floor.to_owned(), name.to_owned(), about.trim().to_owned()));
            }
            _ => {
                let (.., about) = drawn.last_mut().expect("a crate above");
                about.push(' ');
                about.push_str(text);
            }
        }
    }
    drawn
}

#[test]
fn the_floor_plan_shows_every_crate_with_its_description() {
    let crates = crates();
    let drawn = drawn();
    for (floor, name, about) in &drawn {
        let Some(there) = crates.get(name) else { panic!("there is no crate `{name}`") };
        assert_eq!(floor, &there.floor, "{name}");
        assert_eq!(about, there.description(), "{name}");
    }
    let names: Vec<&String> = drawn.iter().map(|(_, name, _)| name).collect();
    for name in crates.keys() {
        assert_eq!(names.iter().filter(|n| *n == &name).count(), 1, "`{name}` is drawn once");
    }
}

#[test]
fn every_arrow_points_down_the_floor_plan() {
    let crates = crates();
    let order: Vec<String> = drawn().into_iter().map(|(_, name, _)| name).collect();
    let place = |name: &str| order.iter().position(|n| n == name).expect("it is drawn");
    for (name, of) in &crates {
        for below in of.dependencies() {
            assert!(
                place(below) > place(name),
                "`{name}` depends on `{below}`, which stands above it in ARCHITECTURE.md"
            );
        }
    }
}

#[test]
fn every_crate_has_complete_metadata_and_a_readme() {
    for (name, there) in crates() {
        let package = there.package();
        for field in FIELDS {
            assert!(package.contains_key(field), "{name}: `{field}` is missing in Cargo.toml");
        }
        // The limits of the registry of crates.
        let keywords = package["keywords"].as_array().expect("a list");
        assert!((1..=5).contains(&keywords.len()), "{name}: one to five keywords");
        for keyword in keywords.iter().map(|keyword| keyword.as_str().expect("text")) {
            assert!(keyword.len() <= 20, "{name}: `{keyword}` is longer than 20 characters");
        }
        let readme = fs::read_to_string(there.folder.join("README.md")).expect("README.md");
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}: README.md has another title");
        assert!(
            readme.contains("never"),
            "{name}: README.md does not say what the crate never holds"
        );
    }
}

#[test]
fn a_crate_that_can_be_published_needs_none_that_cannot() {
    let crates = crates();
    let workspace: toml::Table = fs::read_to_string(root().join("Cargo.toml"))
        .expect("Cargo.toml")
        .parse()
        .expect("the workspace's manifest");
    let shared = workspace["workspace"]["dependencies"].as_table().expect("a table");
    let published = |name: &str| crates[name].package()["publish"].as_bool() == Some(true);
    let mut seen = 0;
    for (name, there) in crates.iter().filter(|(name, _)| published(name)) {
        for below in there.dependencies() {
            assert!(published(below), "`{name}` can be published, but needs `{below}`");
            assert!(
                shared[below].get("version").is_some(),
                "Cargo.toml: `{below}` has no version, which the registry asks for"
            );
        }
        seen += 1;
    }
    assert!(seen >= 6, "{seen} crates can be published");
}

#[test]
fn no_file_imports_a_file_that_imports_it() {
    let mut circles = Vec::new();
    for there in crates().values() {
        circles.extend(imports::Imports::read(&there.folder.join("src")).circles());
    }
    let shown = |circle: &Vec<PathBuf>| {
        let names = circle.iter().map(|path| path.display().to_string());
        names.collect::<Vec<_>>().join(" <-> ")
    };
    let list: Vec<String> = circles.iter().map(shown).collect();
    assert!(circles.is_empty(), "{} circles:\n{}", list.len(), list.join("\n"));
}

#[test]
fn comments_say_what_the_code_does_not() {
    let mut files = Vec::new();
    for folder in ["crates", "examples", "fuzz", "peers"] {
        comments::sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 1000, "{} files found", files.len());
    let mut found = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a source file");
        let shown = path.strip_prefix(root()).unwrap_or(&path).display();
        for (line, what) in comments::complaints(&text) {
            found.push(format!("{shown}:{line}: {what}"));
        }
    }
    assert!(found.is_empty(), "{} comments:\n{}", found.len(), found.join("\n"));
}
