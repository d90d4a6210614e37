//! Runs everything in `fuzz/corpus/` through its target, and mutations of it.

use std::fs;

use atl_fuzz::{TARGETS, corpus, corpus_folder, mutated};

#[test]
#[expect(clippy::print_stdout, reason = "it shows which file caused a panic")]
fn every_target_survives_its_corpus() {
    for (name, target) in TARGETS {
        let inputs = corpus(name);
        assert!(inputs.len() >= 3, "{name} has {} seeds", inputs.len());
        for (path, data) in inputs {
            println!("{}", path.display());
            target(&data);
        }
    }
}

#[test]
fn the_seed_of_a_part_is_of_today_s_form() {
    let part = fs::read(corpus_folder("shard_file").join("part")).expect("a seed");
    let part = atl_experiment::shard::Part::open(part).expect("cargo run --example seeds");
    assert_eq!(part.header().engines[0].name, "sim");
}

/// Mutated inputs for each target. CI runs others of them with each commit (`examples/rounds.rs`).
const CASES: u64 = 60;

#[test]
#[expect(clippy::print_stdout, reason = "it shows which case caused a panic")]
fn every_target_survives_mutations_of_its_corpus() {
    for (name, target) in TARGETS {
        let corpus: Vec<_> = corpus(name).into_iter().map(|(_, data)| data).collect();
        for seed in 0..CASES {
            println!("{name} {seed}");
            target(&mutated(seed, &corpus));
        }
    }
}
