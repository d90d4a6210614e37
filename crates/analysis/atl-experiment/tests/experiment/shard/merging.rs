use std::sync::Arc;

use atl_engine::result::RunResult;
use atl_engine::store::Room;
use atl_experiment::shard::{Builds, MergeError, Shard, Whole};
use proptest::prelude::*;

use super::{Left, part, result, shard};

fn merge(files: &[Left]) -> Result<Whole<Vec<u8>>, MergeError> {
    Whole::of(files.iter().map(Left::open).collect(), Builds::Same)
}

/// All results, by engine and run, with at most `kept` of them in memory.
fn results(whole: &Whole<Vec<u8>>, kept: usize) -> Vec<Vec<RunResult>> {
    let room = Arc::new(Room::new(kept, usize::MAX));
    let results = whole.results(1, &room, &std::env::temp_dir()).expect("read");
    results.iter().map(|of_engine| of_engine.to_vec().concat()).collect()
}

/// All parts of a sweep, each with made-up results.
fn parts(of: u32, runs: usize, engines: usize) -> Vec<Left> {
    let shards = (1..=of).filter_map(|number| Shard::new(number, of));
    shards.map(|shard| part(shard, runs, engines)).collect()
}

#[test]
fn missing_parts_are_named_with_the_command_that_runs_them() {
    let mut files = parts(4, 10, 1);
    files.remove(2);
    files.remove(0);
    let error = merge(&files).expect_err("two are missing");
    let MergeError::Missing { shards, .. } = &error else { panic!("{error}") };
    assert_eq!(shards, &[shard("1/4"), shard("3/4")]);
    assert_eq!(
        error.to_string(),
        "2 parts are missing: 1/4, 3/4; run atl run mine.toml --set a=b --shard 1/4"
    );
}

#[test]
fn parts_without_runs_may_be_missing() {
    let files = &parts(5, 3, 1)[..3];
    assert_eq!(results(&merge(files).expect("whole"), 0)[0].len(), 3);
}

#[test]
fn parts_of_different_sweeps_are_refused() {
    type Change = fn(&mut Left);
    let changes: [(&str, Change); 4] = [
        ("hash", |file| file.header.hash.push('0')),
        ("engines", |file| file.header.engines[0].name.push('1')),
        ("number of runs", |file| file.header.runs += 1),
        ("number of parts", |file| {
            file.header.shard = shard("2/3");
            file.results[0].truncate(3);
        }),
    ];
    for (what, change) in changes {
        let mut files = parts(2, 10, 1);
        change(&mut files[1]);
        let error = merge(&files).expect_err(what);
        assert_eq!(error.files(), Some([0, 1]));
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn parts_of_different_builds_are_merged_only_on_demand() {
    type Change = fn(&mut Left);
    let changes: [Change; 2] =
        [|file| file.header.version.push('1'), |file| file.header.build.push('4')];
    for change in changes {
        let mut files = parts(2, 10, 1);
        change(&mut files[1]);
        let (one, other) = (files[0].header.made_by(), files[1].header.made_by());
        let error = merge(&files).expect_err("two builds");
        assert_eq!(error.files(), Some([0, 1]));
        let told = error.to_string();
        let said = format!("part 1/2 was run by atl {one} and part 2/2 by atl {other}");
        assert!(told.starts_with(&said) && told.contains("--other-builds"), "{told}");
        let all = files.iter().map(Left::open).collect();
        let whole = Whole::of(all, Builds::Any).expect("allowed");
        assert_eq!(whole.version(), format!("{one} and {other}"));
        assert_eq!(results(&whole, 0)[0].len(), 10);
    }
    assert_eq!(merge(&parts(2, 10, 1)).expect("one build").version(), "0.1.0");
}

#[test]
fn results_that_contradict_each_other_are_refused() {
    let mut files = parts(2, 10, 1);
    files.push(files[1].clone());
    assert!(merge(&files).is_ok(), "the same twice is fine");
    files[2].results[0][0].flows[0].sent += 1;
    let error = merge(&files).expect_err("two say different things");
    assert_eq!(error, MergeError::Conflict { files: [1, 2], shard: shard("2/2") });
}

#[test]
fn nothing_is_no_whole() {
    assert_eq!(merge(&[]), Err(MergeError::Nothing));
}

proptest! {
    /// The whole equals one machine's results for every split and order, also with parts that were
    /// run twice or failed at first.
    #[test]
    fn the_parts_are_the_whole(
        runs in 0_usize..40,
        of in 1_u32..12,
        engines in 1_usize..3,
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        again in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        failed in prop::option::of(any::<prop::sample::Index>()),
        kept in 0_usize..50,
    ) {
        let mut files = parts(of, runs, engines);
        for (i, index) in order.iter().enumerate() {
            let other = index.index(files.len());
            let i = i % files.len();
            files.swap(i, other);
        }
        for index in again {
            let again = files[index.index(files.len())].clone();
            files.push(again);
        }
        if let Some(index) = failed {
            let lost = files[index.index(files.len())].header.shard;
            let rest: Vec<_> = files.iter().filter(|file| file.header.shard != lost).cloned().collect();
            match merge(&rest) {
                Err(MergeError::Missing { shards, .. }) => prop_assert_eq!(shards, vec![lost]),
                Err(MergeError::Nothing) => prop_assert_eq!(of, 1),
                other => {
                    prop_assert!(other.is_ok());
                    prop_assert_eq!(lost.runs(runs).len(), 0);
                }
            }
        }
        let merged = merge(&files).expect("all parts are there");
        let expected: Vec<Vec<_>> =
            (0..engines).map(|engine| (0..runs).map(|run| result(run, engine)).collect()).collect();
        prop_assert_eq!(results(&merged, kept), expected);
    }
}
