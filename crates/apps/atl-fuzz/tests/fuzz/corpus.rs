//! Runs everything in `fuzz/corpus/` through its target, and mutations of it.

use std::fs;
use std::path::PathBuf;

use atl_fuzz::{TARGETS, mutated};

fn folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus").join(target)
}

#[test]
#[expect(clippy::print_stdout, reason = "it shows which file caused a panic")]
fn every_target_survives_its_corpus() {
    for (name, target) in TARGETS {
        let files = fs::read_dir(folder(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut paths: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
        paths.sort();
        assert!(paths.len() >= 3, "{name} has {} seeds", paths.len());
        for path in paths {
            let data = fs::read(&path).expect("readable");
            println!("{}", path.display());
            target(&data);
        }
    }
}

#[test]
fn the_seed_of_a_part_is_of_today_s_form() {
    let part = fs::read(folder("shard_file").join("part")).expect("a seed");
    let part = atl_experiment::shard::Part::open(part).expect("cargo run --example seeds");
    assert_eq!(part.header().engines[0].name, "sim");
}

/// Mutated inputs for each target. CI runs others of them with each commit (`examples/rounds.rs`).
const CASES: u64 = 60;

#[test]
#[expect(clippy::print_stdout, reason = "it shows which case caused a panic")]
fn every_target_survives_mutations_of_its_corpus() {
    for (name, target) in TARGETS {
        let files = fs::read_dir(folder(name)).expect("a corpus");
        let mut paths: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
        paths.sort();
        let corpus: Vec<_> = paths.iter().map(|path| fs::read(path).expect("readable")).collect();
        for seed in 0..CASES {
            println!("{name} {seed}");
            target(&mutated(seed, &corpus));
        }
    }
}
