//! `atl compare`: two folders of results.

use crate::{fine, json, refused, with_tiny};

#[test]
fn the_same_runs_are_the_same() {
    let dir = with_tiny();
    for out in ["a", "b"] {
        fine(dir.path(), &["run", "tiny.toml", "--out", out]);
    }
    let told = fine(dir.path(), &["compare", "a", "b"]);
    for text in [
        "A  a: atl 0.1.0, 5 seeds, atl run tiny.toml",
        "The scenario is the same.",
        "All results are the same: ",
    ] {
        assert!(told.contains(text), "{text} in {told}");
    }
}

#[test]
fn a_change_and_what_it_changes_are_told() {
    let dir = with_tiny();
    let text = std::fs::read_to_string(dir.path().join("tiny.toml")).expect("readable");
    let clean = text.replace("loss = 1e-2", "loss = 0 # clean");
    std::fs::write(dir.path().join("clean.toml"), clean).expect("writable");
    fine(dir.path(), &["run", "tiny.toml", "--out", "a", "--duration", "10s"]);
    fine(dir.path(), &["run", "clean.toml", "--out", "b", "--duration", "10s"]);
    let told = fine(dir.path(), &["compare", "a", "b"]);
    for text in [
        "differs in 2 lines:",
        "- loss = 1e-2",
        "+ loss = 0 # clean",
        "protocol = newreno",
        "would look real by chance",
    ] {
        assert!(told.contains(text), "{text} in {told}");
    }
    let document = json(dir.path(), &["compare", "a", "b", "--json"]);
    let differences = document["differences"].as_array().expect("a list");
    let rtt = differences
        .iter()
        .find(|d| d["place"] == "protocol = newreno" && d["metric"] == "median RTT")
        .expect("compared");
    assert_eq!(rtt["real"], true);
    assert!(rtt["ratio"]["mean"].as_f64().is_some_and(|ratio| ratio > 1.0), "{rtt}");
    assert_eq!(document["same_scenario_hash"], false);

    // Only flow groups and points in both folders are compared.
    fine(
        dir.path(),
        &["run", "tiny.toml", "--out", "c", "--set", "protocol=newreno", "--seeds", "3,4,9"],
    );
    let told = fine(dir.path(), &["compare", "a", "c", "--all"]);
    assert!(told.contains("Only A has: protocol = tcp-atl."), "{told}");
    assert!(told.contains("The scenario's file is the same; the commands change it."), "{told}");
}

#[test]
fn a_folder_without_results_is_refused() {
    let dir = with_tiny();
    let told = refused(dir.path(), &["compare", ".", "b"], 2);
    assert!(
        told.contains("flows.parquet") && told.contains("name a folder that `atl run` wrote"),
        "{told}"
    );
    std::fs::create_dir(dir.path().join("a")).expect("created");
    std::fs::write(dir.path().join("a/flows.parquet"), "PAR1 is not enough").expect("written");
    let told = refused(dir.path(), &["compare", "a", "a"], 2);
    assert!(told.contains("is it a file of `atl run`?"), "{told}");
}

/// The lines that differ would fill the screen, and say nothing.
#[test]
fn results_with_nothing_in_common_are_refused() {
    let dir = with_tiny();
    let other = crate::TINY.replace("name = \"up\"", "name = \"other\"");
    std::fs::write(dir.path().join("other.toml"), other).expect("writable");
    for (file, out) in [("tiny.toml", "a"), ("other.toml", "b")] {
        fine(dir.path(), &["run", file, "--out", out, "--seeds", "1", "-q"]);
    }
    for more in [&[][..], &["--json"]] {
        let told = refused(dir.path(), &[&["compare", "a", "b"], more].concat(), 2);
        assert_eq!(
            told,
            "error: nothing can be compared: the folders share no engine, point, flow group and seed\n  \
             A  a: atl 0.1.0, 1 seed, atl run tiny.toml --seeds 1\n  \
             B  b: atl 0.1.0, 1 seed, atl run other.toml --seeds 1\n"
        );
    }
}
