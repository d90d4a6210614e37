//! The imports between the files of a crate, read as text.
//!
//! An import is an edge to the file that *defines* what it names: re-exports are followed, and are
//! no imports themselves. So a `mod.rs` that only gathers its children closes no circle, and one
//! that its children take something from does. Unit tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path below its crate: empty for the root.
type Module = Vec<String>;

/// The files of a crate, with their definitions, re-exports and imports.
pub(super) struct Imports {
    files: BTreeMap<Module, File>,
}

struct File {
    path: PathBuf,
    defines: BTreeSet<String>,
    /// Name, and the path that it stands for; the name `*` for globs.
    exports: Vec<(String, Module)>,
    /// Paths that the code names.
    uses: BTreeSet<Module>,
}

impl Imports {
    /// Reads the sources below `folder`, a crate's `src`.
    pub(super) fn read(folder: &Path) -> Imports {
        let mut paths = Vec::new();
        sources(folder, &mut paths);
        let file = |path: PathBuf| {
            let below = path.strip_prefix(folder).expect("below the folder").with_extension("");
            let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
            let mut module: Module = parts.collect();
            if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                module.pop();
            }
            let text = fs::read_to_string(&path).expect("a source file");
            (module.clone(), File::of(path, &module, &text))
        };
        Imports { files: paths.into_iter().map(file).collect() }
    }

    /// Groups of files that import each other, directly or through others.
    pub(super) fn circles(&self) -> Vec<Vec<PathBuf>> {
        let edges: BTreeMap<&Module, BTreeSet<&Module>> =
            self.files.keys().map(|module| (module, self.edges(module))).collect();
        let reach: BTreeMap<&Module, BTreeSet<&Module>> = edges
            .keys()
            .map(|start| {
                let (mut seen, mut open) = (BTreeSet::new(), vec![*start]);
                while let Some(module) = open.pop() {
                    open.extend(edges[module].iter().filter(|next| seen.insert(**next)));
                }
                (*start, seen)
            })
            .collect();
        let mut circles = BTreeSet::new();
        for (module, there) in &reach {
            let back = there.iter().filter(|other| reach[**other].contains(module));
            let circle: Vec<PathBuf> = back.map(|other| self.files[*other].path.clone()).collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    fn edges(&self, module: &Module) -> BTreeSet<&Module> {
        let uses = self.files[module].uses.iter();
        let targets = uses.filter_map(|path| self.defining(path, 0));
        targets.filter(|target| *target != module).collect()
    }

    /// The file that defines what a path names.
    fn defining(&self, path: &[String], depth: usize) -> Option<&Module> {
        let known = (0..=path.len()).rev().find(|n| self.files.contains_key(&path[..*n]))?;
        let (module, file) = self.files.get_key_value(&path[..known])?;
        let Some(name) = path.get(known) else { return Some(module) };
        if file.defines.contains(name) || depth > 8 {
            return Some(module);
        }
        let named = file.exports.iter().filter(|(export, _)| export == name);
        let globs = file.exports.iter().filter(|(export, _)| export == "*");
        let through = |target: &Module| {
            let whole: Module = target.iter().chain(&path[known + 1..]).cloned().collect();
            self.defining(&whole, depth + 1)
        };
        if let Some((_, target)) = named.clone().next() {
            return through(target);
        }
        let holds = |target: &&Module| {
            self.files.get(*target).is_some_and(|there| there.defines.contains(name))
        };
        globs
            .map(|(_, target)| target)
            .find(holds)
            .and_then(|target| self.files.get_key_value(target))
            .map(|(module, _)| module)
    }
}

impl File {
    fn of(path: PathBuf, module: &Module, text: &str) -> File {
        let (mut defines, mut exports, mut uses) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        let code = without_tests_and_comments(text);
        for line in code.lines() {
            defines.extend(definition(line).map(str::to_owned));
        }
        for (at, _) in code.match_indices("use ") {
            let before = code[..at].rsplit('\n').next().unwrap_or_default().trim_start();
            let Some(end) =
                code[at..].find(';').filter(|_| before.is_empty() || before.starts_with("pub"))
            else {
                continue;
            };
            for (name, target) in flat(&code[at + 4..at + end]) {
                let Some(target) = absolute(module, &target) else { continue };
                if before.is_empty() {
                    uses.insert(target);
                } else {
                    exports.push((name, target));
                }
            }
        }
        // Paths in the code itself: `crate::a::b(...)`, `super::b::C`, `child::d(...)`.
        let children = code.lines().filter_map(|line| {
            let name = line
                .split_once("mod ")
                .filter(|(before, _)| !before.contains(' ') || *before == "pub(crate) ");
            name.and_then(|(_, name)| name.strip_suffix(';'))
        });
        let roots: Vec<String> = ["crate", "super"]
            .into_iter()
            .chain(children)
            .map(|root| format!("{root}::"))
            .collect();
        for root in &roots {
            for (at, _) in code.match_indices(root.as_str()) {
                let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$';
                let line = code[..at].rsplit('\n').next().unwrap_or_default();
                if code[..at].ends_with(part) || line.contains("use ") || line.contains("pub(in") {
                    continue;
                }
                let length = code[at..].find(|c| !part(c)).unwrap_or(code.len() - at);
                let path = code[at..at + length].trim_end_matches(':');
                let parts: Vec<String> = path.split("::").map(str::to_owned).collect();
                uses.extend(absolute(module, &parts));
            }
        }
        File { path, defines, exports, uses }
    }
}

/// The name that a line without indentation defines.
fn definition(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest
            .strip_prefix('(')
            .map_or(rest, |r| r.split_once(')').map_or(r, |(_, r)| r))
            .trim_start(),
        None => line,
    };
    let line = ["const fn ", "unsafe fn ", "async fn "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .or_else(|| {
            let words = [
                "struct ",
                "enum ",
                "trait ",
                "fn ",
                "const ",
                "static ",
                "type ",
                "union ",
                "macro_rules! ",
            ];
            words.iter().find_map(|word| line.strip_prefix(word))
        })?;
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(line.len());
    Some(&line[..end])
}

/// `a::{b, c::{d as e}}` as `[(b, a::b), (e, a::c::d)]`.
fn flat(tree: &str) -> Vec<(String, Module)> {
    let tree = tree.trim();
    if let Some((head, rest)) = tree.split_once('{') {
        let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
        let head = head.trim().trim_end_matches("::");
        let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(&inner[from..at]);
                    from = at + 1;
                }
                _ => {}
            }
        }
        let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
        return parts
            .flat_map(flat)
            .map(|(name, path)| {
                let head = head.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
                let own = path.first().is_some_and(|first| first == "self");
                let path: Module = head.chain(path.into_iter().skip(usize::from(own))).collect();
                let name = if own { path.last().cloned().unwrap_or_default() } else { name };
                (name, path)
            })
            .collect();
    }
    let (path, name) = tree.split_once(" as ").map_or((tree, None), |(p, n)| (p, Some(n.trim())));
    let path: Module = path.trim().split("::").map(|part| part.trim().to_owned()).collect();
    let name = name.map(str::to_owned).or_else(|| path.last().cloned()).unwrap_or_default();
    let path = path.into_iter().filter(|part| part != "*").collect();
    vec![(name, path)]
}

/// A path as the crate's root sees it; `None` for one into another crate.
fn absolute(module: &Module, path: &[String]) -> Option<Module> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some(module.iter().chain(&path[1..]).cloned().collect()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            let base = module.len().checked_sub(ups)?;
            Some(module[..base].iter().chain(&path[ups..]).cloned().collect())
        }
        // A child, where there is one: other crates' names resolve to nothing below this module.
        first if first.chars().all(|c| c.is_lowercase() || c == '_' || c.is_ascii_digit()) => {
            Some(module.iter().chain(path).cloned().collect())
        }
        _ => None,
    }
}

/// A file's text up to its unit tests, without comments.
fn without_tests_and_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod ")) {
            if lines.peek().is_some_and(|next| next.ends_with('{')) {
                break;
            }
            continue;
        }
        code.push_str(line.split("//").next().unwrap_or_default());
        code.push('\n');
    }
    code
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let tests = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !tests {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !tests {
            found.push(path);
        }
    }
}

#[test]
fn a_circle_is_found_through_a_re_export_and_a_gathering_module_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    file("lib.rs", "mod a;\nmod b;\npub use a::A;\npub use b::{B, inner::C as D};\n");
    file("a.rs", "use crate::D;\npub struct A(D);\n");
    file("b/mod.rs", "pub mod inner;\npub struct B;\n");
    file("b/inner.rs", "pub struct C;\n#[cfg(test)]\nmod tests {\n    use crate::A;\n}\n");
    assert_eq!(Imports::read(folder.path()).circles(), Vec::<Vec<PathBuf>>::new());
    file("b/inner.rs", "pub struct C(Option<Box<super::super::A>>);\n");
    let circle = ["a.rs", "b/inner.rs"].map(|name| folder.path().join(name)).to_vec();
    assert_eq!(Imports::read(folder.path()).circles(), [circle]);
}
