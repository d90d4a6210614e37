//! Packed scenarios, opened without access to their files.

use std::fs;

use atl_scenario::{Overrides, Packed, open};

const TEXT: &str = r#"
title = "A trace"
duration = "2s"
seeds = 1
[[link]]
name = "air"
from = "phone"
to = "server"
trace = "air.trace"
delay = "10ms"
[[flow]]
name = "upload"
from = "phone"
to = "server"
protocol = "reno"
"#;

#[test]
fn it_is_the_same_scenario_without_its_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("mine.toml");
    fs::write(&file, TEXT).expect("written");
    fs::write(dir.path().join("air.trace"), "1\n2\n5\n9\n").expect("written");
    fs::write(dir.path().join("other.trace"), "1\n2\n5\n8\n").expect("written");
    let spec = file.to_str().expect("text");
    let other = Overrides {
        set: vec![(
            "link.air.trace".to_owned(),
            dir.path().join("other.trace").display().to_string(),
        )],
        ..Overrides::default()
    };
    let mut hashes = Vec::new();
    let mut packed = Vec::new();
    for changes in [Overrides::default(), other.clone()] {
        let opened = open(spec, &changes).expect("a scenario");
        let (same, pack) = Packed::open(spec, &changes).expect("a scenario");
        assert_eq!((&same.hash, &same.name), (&opened.hash, &opened.name));
        assert_eq!(pack.traces.len(), 1);
        hashes.push(opened.hash);
        packed.push((pack, changes));
    }
    assert_ne!(hashes[0], hashes[1]);
    drop(dir);
    for ((pack, changes), hash) in packed.iter().zip(&hashes) {
        let again = pack.unpack(changes).expect("a scenario");
        assert_eq!((&again.hash, again.name.as_str()), (hash, "mine"));
    }
    let error = packed[0].0.unpack(&other).expect_err("another trace").render(false);
    assert!(error.contains("other.trace") && error.contains("it was not packed"), "{error}");
}

#[test]
fn built_in_scenarios_are_packed_with_their_traces() {
    let changes = Overrides { quick: true, ..Overrides::default() };
    let (scenario, packed) = Packed::open("recorded-trace", &changes).expect("built in");
    assert!(!packed.traces.is_empty());
    assert_eq!(packed.unpack(&changes).expect("built in").hash, scenario.hash);
    let message = |error: atl_scenario::Errors| error.render(false);
    assert_eq!(
        Packed::open("nothing", &changes).map(|_| ()).map_err(message),
        open("nothing", &changes).map(|_| ()).map_err(message)
    );
    let wrong = packed.text.replace("title", "titel");
    let told = Packed::text("mine", &wrong, &changes).map(|_| ()).map_err(message);
    let read = atl_scenario::read_from(&mut wrong.as_bytes(), "mine", &changes);
    assert_eq!(told, read.map(|_| ()).map_err(message));
    assert!(told.is_err());
}
