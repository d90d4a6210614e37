//! Files, headings and scenarios named in the documentation exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use atl_scenario::builtin;
use atl_scenario::protocol::catalogue;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Pages of the documentation, relative to the root.
fn pages() -> Vec<PathBuf> {
    const TOP: [&str; 5] =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
    let mut pages: Vec<PathBuf> = TOP.map(PathBuf::from).into();
    for dir in ["docs", "crates"] {
        markdown(&root().join(dir), 3, &mut pages);
    }
    pages
}

/// Appends the pages of a folder: in `docs` all of them, of a crate (`crates/FLOOR/CRATE`) its
/// README, so no deeper than this many levels.
fn markdown(folder: &Path, levels: u32, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a directory") {
        let path = entry.expect("readable").path();
        if path.is_dir() && levels > 1 {
            markdown(&path, levels - 1, pages);
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path.strip_prefix(root()).expect("below the root").to_owned());
        }
    }
}

fn read(page: &Path) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

/// The lines outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

/// Anchors of a page's headings on GitHub.
fn anchors(text: &str) -> BTreeSet<String> {
    prose(text)
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            let kept = |c: char| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
                _ => None,
            };
            line.trim_start_matches('#').trim().chars().filter_map(kept).collect()
        })
        .collect()
}

/// The targets of the links in a text.
fn links(text: &str) -> Vec<&str> {
    prose(text)
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = read(&page);
        for link in links(&text).into_iter().filter(|l| !l.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap_or(Path::new("")).join(file),
            };
            let there = root().join(&target).exists()
                && (anchor.is_empty() || anchors(&read(&target)).contains(anchor));
            if !there {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn nothing_is_left_of_a_merge() {
    let scripts = [".ci/run", ".ci/python", "Makefile"].map(PathBuf::from);
    for page in pages().into_iter().chain(scripts) {
        let mark = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
        let text = read(&page);
        assert!(!text.lines().any(mark), "{} has the marks of a conflict", page.display());
    }
}

#[test]
fn every_file_that_is_named_exists() {
    const FOLDERS: [&str; 4] = ["crates/", "docs/", "fuzz/", "scenarios/"];
    let mut missing = Vec::new();
    let mut seen = 0;
    for page in pages() {
        let text = read(&page);
        for line in prose(&text) {
            for name in line.split('`').skip(1).step_by(2) {
                let path =
                    FOLDERS.iter().any(|f| name.starts_with(f)) && !name.contains(['<', '*', ' ']);
                seen += usize::from(path);
                if path && !root().join(name).exists() {
                    missing.push(format!("{}: {name}", page.display()));
                }
            }
        }
    }
    assert!(seen > 20, "the pages name only {seen} files");
    assert!(missing.is_empty(), "no such files:\n{}", missing.join("\n"));
}

#[test]
fn the_index_lists_every_scenario() {
    let index = read(Path::new("docs/README.md"));
    let missing: Vec<&str> =
        builtin().iter().map(|b| b.name).filter(|n| !index.contains(&format!("`{n}`"))).collect();
    assert!(missing.is_empty(), "not in docs/README.md: {missing:?}");
}

/// The row of a protocol leads to its section; another test follows the link.
#[test]
fn the_index_of_protocols_leads_to_every_one() {
    let index = read(Path::new("docs/protocols/README.md"));
    for protocol in catalogue() {
        let name = format!("`{}`", protocol.name);
        let row = index.lines().find(|line| line.starts_with("| `") && line.contains(&name));
        let row = row.unwrap_or_else(|| panic!("no row of {name} in docs/protocols/README.md"));
        assert!(row.contains(".md"), "no link to where {name} is described: {row}");
    }
}

/// No page lies in `docs/protocols` that nothing leads to.
#[test]
fn the_index_of_protocols_lists_every_page() {
    let index = read(Path::new("docs/protocols/README.md"));
    for entry in fs::read_dir(root().join("docs/protocols")).expect("a directory") {
        let page = entry.expect("readable").file_name().into_string().expect("text");
        assert!(page == "README.md" || index.contains(&format!("| [{page}]({page}) |")), "{page}");
    }
}

/// The files of Rust of a crate.
fn sources(krate: &Path) -> String {
    let (mut folders, mut text) = (vec![krate.to_owned()], String::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a directory") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                text += &read(&path);
            }
        }
    }
    text
}

/// The folder of a crate, on whatever floor it lies.
fn folder_of(krate: &str) -> Option<PathBuf> {
    let floors = fs::read_dir(root().join("crates")).expect("a directory");
    floors.map(|floor| floor.expect("readable").path().join(krate)).find(|folder| folder.is_dir())
}

/// True of a function whose attributes, over it, make it a test, also within `proptest!`.
fn is_test(text: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    text.match_indices(&head).any(|(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let attribute = |line: &&str| line.starts_with('#') || line.starts_with("///");
        let mut above = text[..line].lines().rev().map(str::trim).take_while(attribute);
        above.any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}

/// Each threat names the tests that hold its bound, in their crates, or says that there is none.
#[test]
fn every_test_of_the_threat_table_exists() {
    let page = read(Path::new("SECURITY.md"));
    let table = page.split("## Threats").nth(1).expect("the section").split("\n## ").next();
    let rows = table.expect("text").lines().filter(|line| line.starts_with("| ")).skip(2);
    let (mut named, mut missing) = (0, Vec::new());
    let mut crates = BTreeMap::new();
    for row in rows {
        let cell = row.trim_end_matches('|').rsplit(" | ").next().expect("a cell").trim();
        if cell == "none yet" {
            continue;
        }
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(
            !names.is_empty() && names.len().is_multiple_of(2),
            "pairs of crate and test: {row}"
        );
        for pair in names.chunks(2) {
            let text = crates.entry(pair[0].to_owned()).or_insert_with(|| {
                let folder = folder_of(pair[0]).unwrap_or_else(|| panic!("no crate {}", pair[0]));
                sources(&folder)
            });
            named += 1;
            if !is_test(text, pair[1]) {
                missing.push(format!("{} {}", pair[0], pair[1]));
            }
        }
    }
    assert!(named > 40, "the table names only {named} tests");
    assert!(missing.is_empty(), "no such tests:\n{}", missing.join("\n"));
    assert!(is_test("#[test]\nfn a() {}", "a") && !is_test("fn a() {}", "a"));
    assert!(!is_test("#[test]\nfn b() {}\n\nfn a() {}", "a"));
}
