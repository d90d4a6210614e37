//! The results of a case in one line, for comparisons between builds.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use toml::Table;

use super::bench::Bench;
use super::engines::able;
use super::file::read;
use crate::caught;

/// A digest of each bit that a case's runs measured, by engine: `sim:0123456789abcdef`. Where an
/// engine refuses the case or fails, its words stand for it.
pub fn digest(tree: &Table) -> String {
    let Ok(scenario) = read(tree) else { return "unread".to_owned() };
    let engines = able(&scenario.points[0].setup).into_iter().map(|engine| {
        let results = caught(|| Bench::new(tree, engine).map(|bench| bench.results));
        let mut hasher = DefaultHasher::new();
        // Its text has all digits of each number.
        format!("{results:?}").hash(&mut hasher);
        format!("{}:{:016x}", engine.name(), hasher.finish())
    });
    engines.collect::<Vec<_>>().join(" ")
}
