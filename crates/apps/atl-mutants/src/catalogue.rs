//! The mutants of some files, with numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::compile::Mistake;
use crate::find::{find, test_modules};
use crate::place::{Change, Found, LeftOut};
use crate::rewrite::{MODULE, Rewritten, rewrite};
use crate::tree::Tree;
use crate::workspace::Workspace;

/// A mutant: a change of a file, under a number that is good for one run.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// From 1.
    pub number: u32,
    /// The file, from the workspace's folder.
    pub file: PathBuf,
    /// Its place, with the text before and after.
    pub change: Change,
    /// Which of several alike it is in its function, from 1.
    pub nth: usize,
    /// Its number in its file, from 0.
    pub in_file: usize,
}

/// The name of a mutant that holds where lines have moved: file, function, sound and changed text,
/// which of several.
pub type Key = (PathBuf, String, String, String, usize);

impl Mutant {
    /// Its name in tables and in the list of those that are explained.
    #[must_use]
    pub fn key(&self) -> Key {
        let Change { function, before, after, .. } = &self.change;
        (self.file.clone(), function.clone(), before.clone(), after.clone(), self.nth)
    }
}

struct Source {
    file: PathBuf,
    text: String,
    found: Found,
    written: Rewritten,
}

/// Files with their mutants.
#[derive(Default)]
pub struct Catalogue {
    sources: Vec<Source>,
    /// All mutants that take part, by their numbers.
    pub mutants: BTreeMap<u32, Mutant>,
    /// Those that are no valid programs.
    pub refused: BTreeSet<Key>,
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogue").field("mutants", &self.mutants.len()).finish_non_exhaustive()
    }
}

/// Names of files and folders that hold tests, wherever they stand.
const TESTS: [&str; 4] = ["tests", "tests.rs", "testing.rs", "testing"];

/// The sources below files and folders, from the workspace's folder. Tests are left out.
///
/// # Errors
///
/// Something is not there, is no source of a crate's library, or cannot be read.
pub fn sources(workspace: &Workspace, of: &[PathBuf]) -> Result<BTreeSet<PathBuf>, String> {
    let mut out = BTreeSet::new();
    for name in of {
        let path = workspace.root.join(name);
        if workspace.of_file(name).is_none() {
            let shown = name.display();
            return Err(format!("{shown}: allowed are files and folders in crates/*/*/src"));
        }
        gather(workspace, &path, &mut out).map_err(|e| format!("{}: {e}", name.display()))?;
    }
    Ok(out)
}

fn gather(
    workspace: &Workspace,
    path: &Path,
    out: &mut BTreeSet<PathBuf>,
) -> Result<(), std::io::Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if TESTS.contains(&name.as_str()) || name == "main.rs" || name == "bin" {
        return Ok(());
    }
    if fs::metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            gather(workspace, &entry?.path(), out)?;
        }
    } else if name.ends_with(".rs") && !declared_for_tests(path)? {
        out.insert(path.strip_prefix(&workspace.root).unwrap_or(path).to_owned());
    }
    Ok(())
}

/// The file's parent declares it with `#[cfg(test)]`.
fn declared_for_tests(path: &Path) -> Result<bool, std::io::Error> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let Some(folder) = path.parent() else { return Ok(false) };
    for parent in [folder.join("mod.rs"), folder.join("lib.rs"), folder.with_extension("rs")] {
        if parent != path
            && let Ok(text) = fs::read_to_string(parent)
            && test_modules(&text).is_ok_and(|modules| modules.contains(&stem))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Catalogue {
    /// Finds the mutants of files.
    ///
    /// # Errors
    ///
    /// A file cannot be read or is no Rust.
    pub fn of(workspace: &Workspace, files: &BTreeSet<PathBuf>) -> Result<Catalogue, String> {
        let mut catalogue = Catalogue::default();
        for file in files {
            let at = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
            let text = fs::read_to_string(workspace.root.join(file)).map_err(|e| at(&e))?;
            let found = find(&text).map_err(|e| at(&e))?;
            let mut alike: BTreeMap<(String, String, String), usize> = BTreeMap::new();
            for (in_file, change) in found.changes.iter().enumerate() {
                let same = (change.function.clone(), change.before.clone(), change.after.clone());
                let nth = alike.entry(same).or_default();
                *nth += 1;
                let number = u32::try_from(catalogue.mutants.len() + 1).expect("below 2^32");
                let (file, change, nth) = (file.clone(), change.clone(), *nth);
                let mutant = Mutant { number, file, change, nth, in_file };
                catalogue.mutants.insert(number, mutant);
            }
            let written = Rewritten::default();
            catalogue.sources.push(Source { file: file.clone(), text, found, written });
        }
        Ok(catalogue)
    }

    /// Parts of the files that cannot be changed.
    #[must_use]
    pub fn left_out(&self) -> LeftOut {
        self.sources.iter().fold(LeftOut::default(), |sum, source| LeftOut {
            in_const_functions: sum.in_const_functions + source.found.left_out.in_const_functions,
            macros: sum.macros + source.found.left_out.macros,
        })
    }

    /// Keeps only some mutants.
    pub fn retain(&mut self, mut keep: impl FnMut(&Mutant) -> bool) {
        self.mutants.retain(|_, mutant| keep(mutant));
    }

    /// The crates that have mutants.
    #[must_use]
    pub fn crates(&self, workspace: &Workspace) -> BTreeSet<String> {
        let files = self.mutants.values().map(|mutant| mutant.file.as_path());
        files.filter_map(|file| workspace.of_file(file)).map(str::to_owned).collect()
    }

    /// Writes the files with their mutants into the tree.
    ///
    /// # Errors
    ///
    /// One cannot be written.
    pub fn write(&mut self, workspace: &Workspace, tree: &Tree) -> Result<(), String> {
        let mut roots: BTreeMap<PathBuf, String> = BTreeMap::new();
        let last = self.mutants.keys().last().copied().unwrap_or(0);
        let module = MODULE.replace("=LAST", &format!("={last}"));
        for name in self.crates(workspace) {
            let file = workspace.crates[&name].folder.join("src/lib.rs");
            let text = fs::read_to_string(workspace.root.join(&file))
                .map_err(|e| format!("{}: {e}", file.display()))?;
            roots.insert(file, text);
        }
        for source in &mut self.sources {
            let of = self.mutants.values().filter(|mutant| mutant.file == source.file);
            let numbers = of.map(|mutant| (mutant.in_file, mutant.number)).collect();
            source.written = rewrite(&source.text, &source.found, &numbers);
            if let Some(root) = roots.get_mut(&source.file) {
                root.clone_from(&source.written.text);
            } else {
                tree.write(&source.file, &source.written.text)?;
            }
        }
        for (file, text) in roots {
            tree.write(&file, &(text + &module))?;
        }
        Ok(())
    }

    /// The files that have mutants, and the roots of their crates.
    #[must_use]
    pub fn files(&self, workspace: &Workspace) -> BTreeSet<PathBuf> {
        let own = self.sources.iter().map(|source| source.file.clone());
        let roots = self.crates(workspace).into_iter();
        own.chain(roots.map(|name| workspace.crates[&name].folder.join("src/lib.rs"))).collect()
    }

    /// Leaves out mutants that are known to be no valid programs.
    pub fn drop_known(&mut self, refused: &BTreeSet<Key>) {
        let own: BTreeSet<Key> = self.mutants.values().map(Mutant::key).collect();
        self.refused.extend(own.intersection(refused).cloned());
        self.retain(|mutant| !refused.contains(&mutant.key()));
    }

    /// Leaves out the mutants that the compiler refuses.
    ///
    /// # Errors
    ///
    /// A mistake that no mutant explains.
    pub fn drop_refused(&mut self, mistakes: &[Mistake]) -> Result<(), String> {
        let mut refused: BTreeSet<(PathBuf, usize)> = BTreeSet::new();
        let mut unclear = Vec::new();
        for mistake in mistakes {
            let Some(source) = self.sources.iter().find(|source| source.file == mistake.file)
            else {
                unclear.push(mistake);
                continue;
            };
            let of = |change: usize| (source.file.clone(), change);
            match source.written.change_at(&mistake.range) {
                Some(change) => _ = refused.insert(of(change)),
                None => unclear.push(mistake),
            }
        }
        // A mistake beside the changed texts may follow from those that are gone now.
        if refused.is_empty() {
            for mistake in unclear {
                let around = self.around(mistake);
                if around.is_empty() {
                    return Err(format!("{}: {}", mistake.file.display(), mistake.message));
                }
                refused.extend(around.into_iter().map(|change| (mistake.file.clone(), change)));
            }
        }
        let there = self.mutants.values();
        let gone = there.filter(|mutant| refused.contains(&(mutant.file.clone(), mutant.in_file)));
        let gone: BTreeSet<Key> = gone.map(Mutant::key).collect();
        let before = self.mutants.len();
        self.drop_known(&gone);
        if before == self.mutants.len() {
            let first = mistakes.first().map_or("", |mistake| mistake.message.as_str());
            return Err(format!("the compiler refuses what no mutant explains: {first}"));
        }
        Ok(())
    }

    /// Changes that take part at the nearest places around a mistake, or in it, or else in its
    /// function.
    fn around(&self, mistake: &Mistake) -> Vec<usize> {
        let Some(source) = self.sources.iter().find(|source| source.file == mistake.file) else {
            return Vec::new();
        };
        let inside = mistake.range.clone().find_map(|at| source.written.sound_at(at));
        let before = (0..mistake.range.start).rev().find_map(|at| source.written.sound_at(at));
        let Some(start) = inside.or(before) else { return Vec::new() };
        let ends = mistake.range.clone().rev().find_map(|at| source.written.sound_at(at));
        let end = ends.unwrap_or(start) + 1;
        let takes_part = |change: &usize| {
            let numbered =
                |mutant: &&Mutant| mutant.file == source.file && mutant.in_file == *change;
            self.mutants.values().any(|mutant| numbered(&mutant))
        };
        let changes = |within: &std::ops::Range<usize>| -> Vec<usize> {
            let places = source.found.places.iter();
            let there = places
                .filter(|place| within.start <= place.range.start && place.range.end <= within.end);
            there
                .flat_map(|place| place.variants.iter().map(|(of, _)| *of))
                .filter(takes_part)
                .collect()
        };
        let own = changes(&(start..end));
        if !own.is_empty() {
            return own;
        }
        let ranges = source.found.places.iter().map(|place| &place.range);
        let functions = source.found.functions.iter();
        let holding =
            ranges.chain(functions).filter(|there| there.start <= start && end <= there.end);
        let mut holding: Vec<_> = holding.collect();
        holding.sort_by_key(|there| there.len());
        holding.into_iter().map(changes).find(|there| !there.is_empty()).unwrap_or_default()
    }
}
