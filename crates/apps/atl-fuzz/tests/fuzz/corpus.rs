//! Runs everything in `fuzz/corpus/` through its target, and mutations of it.

use std::fs;
use std::path::PathBuf;

use atl_fuzz::TARGETS;
use proptest::prelude::*;

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

/// A seed with some bytes changed or cut off, like the first steps of a fuzzer.
fn mutated() -> impl Strategy<Value = (usize, usize, Vec<(u16, u8)>, u16)> {
    (0..TARGETS.len(), 0..64_usize, prop::collection::vec(any::<(u16, u8)>(), 0..12), any::<u16>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_target_survives_mutations_of_its_corpus((target, seed, changes, end) in mutated()) {
        let (name, target) = TARGETS[target];
        let mut paths: Vec<PathBuf> = fs::read_dir(folder(name))
            .expect("a corpus")
            .map(|file| file.expect("readable").path())
            .collect();
        paths.sort();
        let mut data = fs::read(&paths[seed % paths.len()]).expect("readable");
        for (place, value) in changes {
            if !data.is_empty() {
                let place = usize::from(place) % data.len();
                data[place] = value;
            }
        }
        if end % 3 == 0 {
            data.truncate(usize::from(end) % (data.len() + 1));
        }
        target(&data);
    }
}
