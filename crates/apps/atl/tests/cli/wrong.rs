//! Error messages of the program.

use std::fs;

use crate::{TINY, atl, err, fine, json, names, out, refused, with_tiny};

#[test]
fn all_errors_of_a_scenario_are_reported_and_nothing_is_created() {
    let dir = with_tiny();
    let wrong = TINY
        .replace("loss = 1e-2", "loss = 1.5")
        .replace("rate = \"10Mb/s\"", "rate = \"10MB/s\"")
        .replace("start-jitter", "start-jiter");
    fs::write(dir.path().join("wrong.toml"), wrong).expect("writable");
    for command in ["run", "reproduce", "validate"] {
        let told = refused(dir.path(), &[command, "wrong.toml"], 2);
        for word in [
            "wrong.toml:13:8", // file, line and column of the loss
            "loss = 1.5",
            "0 to 1",
            "80Mb/s",
            "start-jiter",
            "start-jitter",
            "3 errors in wrong.toml",
        ] {
            assert!(told.contains(word), "{command}: {word} in {told}");
        }
    }
    assert_eq!(names(dir.path()), ["tiny.toml", "wrong.toml"]);

    let output = atl(dir.path(), &["run", "wrong.toml", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(document["errors"].as_array().map(Vec::len), Some(3));
    assert_eq!(document["errors"][0]["line"], 13);
}

#[test]
fn each_file_is_validated_on_its_own() {
    let dir = with_tiny();
    fs::write(dir.path().join("empty.toml"), "").expect("writable");
    let output =
        atl(dir.path(), &["validate", "tiny.toml", "empty.toml", "missing.toml", "atl/table1"]);
    assert_eq!(output.status.code(), Some(2));
    let told = out(&output);
    assert!(told.contains("tiny.toml: OK, 2 points × 5 seeds = 10 runs, 20 s"), "{told}");
    assert!(told.contains("atl/table1: OK"), "{told}");
    let wrong = err(&output);
    assert!(wrong.contains("empty.toml") && wrong.contains("missing.toml"), "{wrong}");

    let output = atl(dir.path(), &["validate", "--json", "tiny.toml", "empty.toml"]);
    let document: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!((&document[0]["ok"], &document[0]["runs"]), (&true.into(), &10.into()));
    assert_eq!(document[1]["ok"], false);
}

#[test]
fn an_unknown_name_suggests_similar_ones() {
    let dir = with_tiny();
    for command in ["run", "show", "reproduce", "validate"] {
        let told = refused(dir.path(), &[command, "showcase/roming"], 2);
        assert!(told.contains("showcase/roaming"), "{command}: {told}");
    }
    let told = refused(dir.path(), &["run", "tiny.toml", "--set", "protocl=reno"], 2);
    assert!(told.contains("protocol"), "{told}");
    assert_eq!(names(dir.path()), ["tiny.toml"]);
}

#[test]
fn options_are_refused_with_what_is_allowed() {
    let dir = with_tiny();
    for (option, value, word) in [
        ("--set", "queue", "key=value"),
        ("--jobs", "0", "1..=1024"),
        ("--seeds", "0", "--seeds 0"),
        ("--duration", "ten", "--duration ten"),
    ] {
        let told = refused(dir.path(), &["run", "tiny.toml", option, value], 2);
        assert!(told.contains(word), "{option} {value}: {told}");
    }
}

#[test]
fn engines_are_refused_with_those_that_exist() {
    let dir = with_tiny();
    for command in ["run", "reproduce"] {
        let refused = |on: &str| refused(dir.path(), &[command, "tiny.toml", "--on", on], 2);
        let unknown = refused("smi");
        assert!(unknown.contains("unknown engine `smi`, did you mean `sim`?"), "{unknown}");
        assert!(
            unknown.contains("(engines: sim, udp, quic-sim, quic-sim-tls, quic, kernel)"),
            "{unknown}"
        );
        assert!(refused("sim,sim").contains("engine `sim` is named twice"));
        assert!(refused("sim,").contains("unknown engine ``"));
    }
    assert_eq!(names(dir.path()), ["tiny.toml"]);
}

#[test]
fn an_unwritable_directory_is_reported_before_the_simulation() {
    let dir = with_tiny();
    fs::write(dir.path().join("file"), "mine").expect("writable");
    // A scenario that would take hours to simulate.
    let long = ["run", "tiny.toml", "--duration", "10h", "--seeds", "1000"];
    for place in ["file", "file/below"] {
        let args: Vec<&str> = long.into_iter().chain(["--out", place]).collect();
        let told = refused(dir.path(), &args, 1);
        assert!(told.contains("cannot write results into") && told.contains(place), "{told}");
    }
    assert_eq!(fs::read_to_string(dir.path().join("file")).expect("still there"), "mine");
    assert_eq!(names(dir.path()), ["file", "tiny.toml"]);
}

/// An empty name would be a prefix of every name.
#[test]
fn an_empty_name_is_refused() {
    let dir = with_tiny();
    for args in
        [&["reproduce", ""][..], &["reproduce", "atl/fig06", ""], &["run", ""], &["validate", ""]]
    {
        let output = atl(dir.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(err(&output).contains("value is required"), "{}", err(&output));
    }
    assert_eq!(names(dir.path()), ["tiny.toml"], "nothing has been run");
}

#[test]
fn the_cost_of_a_sweep_is_told_or_refused_before_it_is_paid() {
    let dir = with_tiny();
    let document = json(dir.path(), &["validate", "tiny.toml", "--json"]);
    let cost = &document[0]["cost"];
    // 2 Mb/s for 2 s in packets of 1500 bytes, ten times.
    let packets = cost["packets"].as_f64().expect("a number");
    assert!((packets - 3333.3).abs() < 0.1, "{cost}");
    assert_eq!(cost["flows"], 2);
    let told = fine(dir.path(), &["validate", "tiny.toml"]);
    assert!(told.contains("on one engine up to 3.3 k packets, "), "{told}");

    let values =
        |unit: &str| (1..=100).map(|i| format!("\"{i}{unit}\"")).collect::<Vec<_>>().join(",");
    let many = TINY
        .replace("seeds = 5", "seeds = 10000")
        .replace("[sweep]", &format!("[sweep]\nd = [{}]\nq = [{}]", values("ms"), values("kB")))
        .replace("protocol = [\"tcp-atl\", \"newreno\"]", "protocol = [\"tcp-atl\"]")
        .replacen("delay = \"10ms\"", "delay = \"$d\"\nqueue = \"$q\"", 1);
    fs::write(dir.path().join("many.toml"), many).expect("writable");
    for command in ["run", "validate"] {
        let told = refused(dir.path(), &[command, "many.toml"], 2);
        assert!(told.contains("are 100000000 runs: at most 10000000 are allowed"), "{told}");
        assert!(told.contains("lower `seeds` to 1000"), "{told}");
    }
}

#[test]
fn a_flow_that_nothing_limits_is_refused_with_its_reason() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = TINY.replace("\"2Mb/s\"", "\"unlimited\"").replace("\"10Mb/s\"", "\"unlimited\"");
    let text = text.replace("loss = 1e-2\n", "").replace("\"10ms\"", "\"0s\"");
    fs::write(dir.path().join("free.toml"), text).expect("writable");
    for engine in ["sim", "quic-sim"] {
        let told = refused(dir.path(), &["run", "free.toml", "--on", engine], 2);
        assert!(told.contains("endlessly many packets over links of unlimited rate"), "{told}");
        assert!(told.contains("give a link of its route a `rate`"), "{told}");
    }
}
