//! `atl run --ablate`: the contribution of a part of the protocols.

use crate::{fine, json, refused, with_tiny};

#[test]
fn reports_are_worth_something_to_those_who_listen() {
    let dir = with_tiny();
    let changes = ["--duration", "30s", "--set", "link.path.delay=100ms"];
    let whole = [&["run", "tiny.toml"][..], &changes].concat();
    let arguments = [&whole[..], &["--ablate", "link-reports,recovery", "--out", "a"]].concat();
    let told = fine(dir.path(), &arguments);
    for text in [
        "Without reports of wireless links, and with",
        "Without recovery beyond NewReno's, and with",
        "protocol = tcp-atl",
    ] {
        assert!(told.contains(text), "{text} in {told}");
    }
    assert!(!told.contains("protocol = newreno"), "it has neither: {told}");

    let document = json(dir.path(), &[&arguments[..], &["--json"]].concat());
    let worth = document["worth"].as_array().expect("a list");
    let names: Vec<_> = worth.iter().map(|w| w["without"].as_str()).collect();
    assert_eq!(names, [Some("link-reports"), Some("recovery")]);
    let goodput = worth[0]["differences"].as_array().expect("a list").iter();
    let mut goodput = goodput.filter(|d| d["metric"] == "goodput");
    let gain = goodput.next().expect("one point listens");
    assert!(gain["ratio"]["mean"].as_f64().is_some_and(|ratio| ratio > 1.2), "{gain}");
    assert_eq!(gain["real"], true);

    // The data files hold both, and a comparison keeps them apart.
    fine(dir.path(), &[&whole[..], &["--out", "b"]].concat());
    let compared = fine(dir.path(), &["compare", "a", "b"]);
    assert!(compared.contains("All results are the same"), "{compared}");
    assert!(compared.contains("Only A has: "), "{compared}");
    assert!(compared.contains("without link-reports"), "{compared}");
    assert!(compared.contains("The scenario is the same"), "{compared}");
}

#[test]
fn what_is_not_there_cannot_be_left_out() {
    let dir = with_tiny();
    let told = refused(dir.path(), &["run", "tiny.toml", "--ablate", "probing"], 2);
    assert!(told.contains("has no probes of a new path that could be left out"), "{told}");
    assert!(!dir.path().join("out").exists(), "nothing is written");
    let told = refused(dir.path(), &["run", "tiny.toml", "--ablate", "luck"], 2);
    assert!(told.contains("choose from link-reports, recovery, probing"), "{told}");
}
