//! A fixed number of the swarm's cases, and what its generator reaches.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use atl_fuzz::swarm::{digest, draw, examine, read, refusal, text};
use atl_scenario::protocol::catalogue;

/// Cases of the suite: half a minute on one core.
const CASES: u64 = 250;

#[test]
fn no_judge_finds_anything_in_the_first_cases() {
    for seed in 0..CASES {
        let tree = draw(seed);
        if let Err(find) = examine(&tree, seed) {
            panic!("seed {seed}: {find}\n\n{}", text(&tree));
        }
    }
}

/// The same case has the same digest, and any other result another one.
#[test]
fn a_digest_tells_results_apart() {
    let mut tree = draw(1);
    let first = digest(&tree);
    assert!(first.starts_with("sim:"), "{first}");
    assert_eq!(digest(&tree), first);
    tree.insert("seeds".to_owned(), vec![105].into());
    assert_ne!(digest(&tree), first);
    assert_eq!(digest(&toml::Table::new()), "unread");
}

/// Finds of the swarm that are mended, as small as they could be made.
#[test]
fn what_was_found_once_is_not_found_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/finds");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    for path in files {
        let text = fs::read_to_string(&path).expect("readable");
        let tree = text.parse().expect("TOML");
        // Every judge looks at case 0.
        if let Err(find) = examine(&tree, 0) {
            panic!("{}: {find}", path.display());
        }
    }
}

/// The swarm reaches every name in the catalogues. A name that is missing after this many cases is
/// one that the reader never accepts as it is drawn.
#[test]
fn the_generator_reaches_everything_that_has_a_name() {
    let mut missing: BTreeSet<String> =
        catalogue().iter().map(|listed| format!("name = \"{}\"", listed.name)).collect();
    // No two runs of it are the same, which no judge could do without.
    missing.remove("name = \"noq-bbr3\"");
    for word in [
        "codel",
        "fq-codel",
        "cake",
        "dualpi2",
        "pie",
        "policer",
        "ack-filter",
        "red",
        "wred",
        "priority",
        "snoop",
        "aal5",
        "aal-t",
        "fading",
        "shaper",
        "mobile",
        "forged",
        "application",
        "frames",
        "new-path",
        "report-error",
        "blackout",
        "roam",
        "accurate",
        "hold",
        "ahead",
        "quench",
        "stop",
        "pep",
        "connections",
        "networks",
        "wifi",
        "blockage",
        "grants",
    ] {
        missing.insert(word.to_owned());
    }
    let mut refused = 0;
    for seed in 0..600 {
        let text = text(&draw(seed));
        missing.retain(|word| !text.contains(word.as_str()));
        refused += u32::from(refusal(seed).is_some());
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(refused < 300, "the reader refuses {refused} of 600");
}

#[test]
fn a_seed_is_the_whole_case() {
    let trees = [7, 7, 8].map(draw);
    assert_eq!(trees[0], trees[1]);
    assert_ne!(trees[0], trees[2]);
    assert_eq!(read(&trees[0]).expect("valid").points.len(), 1);
}
