//! `atl path`: an answer without a scenario file.

use crate::{atl, err, fine, json, names, out, path_json, path_text, refused};

#[test]
fn a_named_network_is_enough() {
    let dir = tempfile::tempdir().expect("a directory");
    let told = path_text(dir.path(), &["path", "3g", "--then", "4g@5s"]);
    for text in [
        "A download over 3g, then 4g",
        "3g, 0 to 5 s; the link carries 3 Mb/s with headers",
        "4g, 5 to 10 s; the link carries 30 Mb/s",
        "all of it, 0 to 10 s; the link carries 16.50 Mb/s",
        "TCP-ATL robust",
        "BBRv3",
        "queueing, p95",
        "For bulk data: ",
        "For calls:",
        "beside a CUBIC flow in the same queue",
        "Link knowledge: ",
        "75 runs",
    ] {
        assert!(told.contains(text), "{text} in {told}");
    }
    assert!(names(dir.path()).is_empty(), "an answer writes nothing that was not asked for");
}

#[test]
fn json_has_the_answer_and_the_command_that_repeats_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = [
        "path",
        "--rtt",
        "40ms",
        "--up",
        "5Mb/s",
        "--loss",
        "1%",
        "--send",
        "up",
        "--duration",
        "5s",
    ];
    let first = path_json(dir.path(), &[&args[..], &["--json"]].concat());
    assert_eq!(first["all"]["rate_bps"], 5e6);
    assert_eq!(first["all"]["places"].as_array().map(Vec::len), Some(5));
    assert_eq!(first["beside"].as_array().map(Vec::len), Some(5));
    assert_eq!(first["knowledge"]["inputs"][0]["input"], "p_w");
    assert!(
        first["knowledge"]["all"]["ratio"]["mean"].as_f64().is_some_and(|ratio| ratio > 0.9),
        "{first}"
    );
    let command = first["command"].as_str().expect("text");
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let again = path_json(dir.path(), &words);
    assert_eq!(first, again, "{command}");
}

#[test]
fn the_command_repeats_a_network_with_its_effects() {
    let dir = tempfile::tempdir().expect("a directory");
    let brief = ["--duration", "2s", "--seeds", "1", "--protocols", "cubic", "--json"];
    let words = ["path", "hotel wifi no jitter 1% loss then wifi 6 5mbit up at 1s"];
    let first = path_json(dir.path(), &[&words[..], &brief].concat());
    let command = first["command"].as_str().expect("text");
    let wanted = "atl path hotel-wifi --loss 0.01 --jitter 0s --then 'wifi-6 5Mb/s up@1s'";
    assert!(command.starts_with(wanted), "{command}");
    let mut again = vec!["path", "hotel-wifi", "--loss", "0.01", "--jitter", "0s"];
    again.extend(["--then", "wifi-6 5Mb/s up@1s"]);
    assert_eq!(first, path_json(dir.path(), &[&again[..], &brief].concat()));
}

#[test]
fn the_scenario_that_was_run_can_be_saved_and_run_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["path", "wifi", "--duration", "2s", "--save", "mine.toml", "--out", "results"];
    let told = path_text(dir.path(), &args);
    assert!(
        told.contains("Scenario  mine.toml") && told.contains("Report    results/report.html"),
        "{told}"
    );
    let told = fine(dir.path(), &["validate", "mine.toml"]);
    assert!(told.contains("15 points × 5 seeds"), "{told}");
    let told =
        fine(dir.path(), &["run", "mine.toml", "--set", "network.wifi.loss=0", "--seeds", "1"]);
    assert!(told.contains("CUBIC"), "{told}");

    // An existing file is not replaced.
    let before = std::fs::read_to_string(dir.path().join("mine.toml")).expect("readable");
    let told = refused(dir.path(), &["path", "geo", "--save", "mine.toml"], 2);
    assert!(told.contains("--save mine.toml: the file exists"), "{told}");
    assert_eq!(std::fs::read_to_string(dir.path().join("mine.toml")).expect("readable"), before);
}

#[test]
fn words_say_what_options_say() {
    let dir = tempfile::tempdir().expect("a directory");
    let brief = ["--duration", "2s", "--seeds", "1", "--protocols", "cubic", "--json"];
    for (words, options) in [
        (
            &["hotel", "wifi", "20", "down", "5", "up", "80ms", "2%", "loss"][..],
            &["hotel-wifi", "--down", "20Mb/s", "--up", "5Mb/s", "--rtt", "80ms", "--loss", "2%"][..],
        ),
        (&["wlan 10mbit"], &["wlan", "--bandwidth", "10Mb/s"]),
        (&["lte", "one-way", "30ms"], &["lte", "--delay", "30ms"]),
        (&["10mbit", "--delay", "20ms"], &["--bandwidth", "10Mb/s", "--rtt", "40ms"]),
        (&["upload", "over", "starlink"], &["starlink", "--send", "up"]),
        (&["wifi 5% loss", "--loss", "1%"], &["wifi", "--loss", "1%"]),
        (&["wifi, lte 5% loss at 1s"], &["wifi", "--then", "lte 5% loss@1s"]),
        (&["wifi", "->", "lte", "at", "1s"], &["wifi", "--then", "lte@1s"]),
        (&["lte 5ms jitter, 200ms queue"], &["lte", "--jitter", "5 msec", "--queue", "200ms"]),
        (&["wlan 10mbit 2% loss"], &["wlan", "--bandwidth", "10mbit", "--loss", "2 percent"]),
        (&["10mbit 40ms each way"], &["--down", "10 Mbit", "--delay", "40 milliseconds"]),
    ] {
        let said = path_json(dir.path(), &[&["path"], words, &brief[..]].concat());
        let given = path_json(dir.path(), &[&["path"], options, &brief[..]].concat());
        assert_eq!(said, given, "{words:?}");
    }
}

#[test]
fn what_was_understood_is_shown_beside_the_answer() {
    let dir = tempfile::tempdir().expect("a directory");
    let brief = ["--duration", "2s", "--seeds", "1", "--protocols", "cubic"];
    let output = atl(dir.path(), &[&["path", "starlink", "ping", "60"], &brief[..]].concat());
    assert!(output.status.success(), "{}", err(&output));
    let understood = "Understood: starlink at 0 s (100 Mb/s down, 15 Mb/s up, RTT 60 ms, 0.1 % loss each way, jitter 4 ms, reconfiguration every 15 s step 8 ms outage 60 ms loss 0.7); data goes down for 2 s, queue of 500 packets (1 BDP), with cubic.";
    assert!(err(&output).contains(understood), "{}", err(&output));
    assert!(!out(&output).contains("Understood"), "the answer alone is on standard output");
    let document =
        path_json(dir.path(), &[&["path", "starlink ping 60", "--json"], &brief[..]].concat());
    let told = document["understood"].as_str().expect("text");
    assert!(understood.contains(told), "{told}");
    let output = atl(dir.path(), &[&["path", "802.11ac"], &brief[..]].concat());
    assert!(out(&output).contains("A download over wlan"), "{}", out(&output));
    // Options are what somebody meant too, and a name stands for numbers.
    let options = ["path", "wifi", "--loss", "1%", "--rtt", "30ms", "--neighbours", "0", "--json"];
    let told = path_json(dir.path(), &[&options[..], &brief].concat());
    assert_eq!(
        told["understood"],
        "wifi at 0 s (50 Mb/s down, 20 Mb/s up, RTT 30 ms, 1 % loss each way, jitter 1 ms wifi); \
         data goes down for 2 s, queue of 125 packets (1 BDP), without neighbours, with cubic"
    );
    let output = atl(dir.path(), &[&["path", "wifi"], &brief[..]].concat());
    assert!(err(&output).starts_with("Understood: wifi at 0 s (50 Mb/s down,"), "{}", err(&output));
    let options = ["path", "--rtt", "60ms", "--down", "10Mb/s"];
    let told = path_text(dir.path(), &[&options[..], &brief].concat());
    assert!(told.contains("A download over your path") && told.contains("your path, 0 to 2 s"));
}

/// A queue that is right for one network may be far too short for the next.
#[test]
fn each_network_has_its_own_queue_unless_one_is_stated() {
    let dir = tempfile::tempdir().expect("a directory");
    let brief = ["--seeds", "1", "--neighbours", "0", "--json"];
    let understood = |args: &[&str]| {
        let told = path_json(dir.path(), &[&["path"], args, &brief].concat());
        told["understood"].as_str().expect("text").to_owned()
    };
    let twice = &["wifi then geo at 1s", "--duration", "2s"][..];
    let told = path_json(
        dir.path(),
        &[&["path"], twice, &brief, &["--save", "mine.toml", "--out", "results"]].concat(),
    );
    let own = told["understood"].as_str().expect("text");
    let queues = "queue of 104 packets in wifi (1 BDP), 2500 packets in geo (1 BDP)";
    assert!(own.contains(queues), "{own}");
    // As each has it alone, and the same when the phone comes back.
    for (name, queue) in [("wifi", "104"), ("geo", "2500")] {
        let alone = understood(&[name, "--duration", "2s"]);
        assert!(alone.contains(&format!("queue of {queue} packets (1 BDP)")), "{alone}");
    }
    let back = understood(&["wifi, geo, wifi, 1s each"]);
    assert!(back.contains(&format!("{queues}, without")), "{back}");
    // Files say the same.
    let about = format!("Simulated: {own}.");
    let file = std::fs::read_to_string(dir.path().join("mine.toml")).expect("a file");
    assert!(file.contains(&about), "{file}");
    let vars = "# Packets, each way, in each network.\nqueue-wifi = 104\nqueue-geo = 2500\n";
    assert!(file.contains(vars), "{file}");
    let report = std::fs::read_to_string(dir.path().join("results/report.html")).expect("a page");
    assert!(report.contains(&about), "the report does not say what was simulated");
    // A stated one is that of all networks.
    for stated in [&["--queue", "104"][..], &["104 packets queue"]] {
        let one = understood(&[twice, stated].concat());
        let queue = "queue of 104 packets in every network (1 BDP of wifi, 0.042 of geo)";
        assert!(one.contains(queue), "{one}");
    }
}

/// A path of one network has the goodputs that `atl run` finds in the same runs.
#[test]
fn one_run_has_one_goodput() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["path", "3g", "--duration", "4s", "--neighbours", "0", "--save", "mine.toml"];
    let told = path_json(dir.path(), &[&args[..], &["--json"]].concat());
    assert_eq!(told["stays"][0]["places"], told["all"]["places"]);
    let run = json(dir.path(), &["run", "mine.toml", "--json"]);
    for place in told["all"]["places"].as_array().expect("places") {
        let points = run["points"].as_array().expect("points");
        let own = |point: &&serde_json::Value| point["vars"]["protocol"] == place["protocol"];
        let point = points.iter().find(own).expect("the same transport");
        let goodput = &point["groups"][0]["metrics"]["goodput_bps"]["mean"];
        assert_eq!(place["goodput_bps"]["mean"], *goodput, "{}", place["protocol"]);
    }
}

#[test]
fn none_is_advised_for_calls_that_queueing_makes_impossible() {
    let dir = tempfile::tempdir().expect("a directory");
    let told = path_text(dir.path(), &["path", "crowded-wifi", "--neighbours", "0"]);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let calls = told.split("For calls: ").nth(1).expect("advice");
    assert!(calls.starts_with("none of them: at best 3"), "{told}");
    assert!(calls.contains(" ms one way with queueing, above the limit of 400 ms for a call."));
    let both = told.split("For both: ").nth(1).expect("advice");
    assert!(both.starts_with("none of them. "), "{told}");
}

#[test]
fn none_is_advised_that_is_behind_one_that_is_not() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["path", "3g", "--loss", "1%", "--neighbours", "0", "--json", "--protocols"];
    let names = "residual,bbr3,tcp-atl-robust,tcp-atl,cubic";
    let told = path_json(dir.path(), &[&args[..], &[names]].concat());
    assert_eq!(told["all"]["advice"]["bulk"], serde_json::json!(["Residual"]), "{told}");
    assert_eq!(told["all"]["advice"]["lead"]["over"], "TCP-ATL robust", "{told}");
}

#[test]
fn where_nothing_gets_through_none_is_advised() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["path", "wifi", "--loss", "99%", "--duration", "10s"];
    let told = path_text(dir.path(), &args);
    assert!(told.contains("\n  Nothing gets through.\n"), "{told}");
    assert!(!told.contains("For bulk data") && !told.contains("less than half"), "{told}");
    let told = path_json(dir.path(), &[&args[..], &["--json"]].concat());
    assert!(told["all"]["advice"].is_null() && told["stays"][0]["advice"].is_null(), "{told}");
}

#[test]
fn the_table_beside_neighbours_is_in_the_order_of_the_first() {
    let dir = tempfile::tempdir().expect("a directory");
    let told = path_json(dir.path(), &["path", "3g", "--loss", "1%", "--duration", "5s", "--json"]);
    let names = |places: &serde_json::Value| -> Vec<String> {
        let places = places.as_array().expect("an array");
        places.iter().map(|place| place["protocol"].to_string()).collect()
    };
    assert_eq!(names(&told["all"]["places"]), names(&told["beside"]));
}

#[test]
fn each_transport_runs_beside_as_many_neighbours_as_said() {
    let dir = tempfile::tempdir().expect("a directory");
    let brief = ["--duration", "4s", "--seeds", "1", "--protocols", "cubic"];
    let of = |number: &str| {
        let args = ["path", "10mbit 20ms no jitter", "--neighbours", number, "--json"];
        path_json(dir.path(), &[&args[..], &brief].concat())
    };
    let (none, three) = (of("0"), of("3"));
    assert_eq!(none["neighbours"], 0);
    assert_eq!(none["beside"].as_array().map(Vec::len), Some(0));
    assert!(none["knowledge"]["beside"].is_null() && none["knowledge"]["all"].is_object());
    let cubic = |document: &serde_json::Value| {
        let all = document["beside"].as_array().expect("an array").clone();
        all.into_iter().find(|one| one["protocol"] == "CUBIC").expect("itself")
    };
    let mean = |of: &serde_json::Value| of["mean"].as_f64().expect("a number");
    // Four flows of one kind share the link.
    let cubic = cubic(&three);
    let carried = mean(&cubic["goodput_bps"]) + 3.0 * mean(&cubic["neighbour_bps"]);
    assert!((7e6..10e6).contains(&carried), "{three}");
    let told = path_text(dir.path(), &[&["path", "3g", "--neighbours", "2"], &brief[..]].concat());
    assert!(told.contains("beside 2 CUBIC flows in the same queue"), "{told}");
    assert!(told.contains("each CUBIC's"), "{told}");
    let told = path_text(dir.path(), &[&["path", "3g", "--neighbours", "0"], &brief[..]].concat());
    assert!(!told.contains("beside"), "{told}");
}

#[test]
fn what_cannot_be_is_refused_with_what_is_allowed() {
    let dir = tempfile::tempdir().expect("a directory");
    for (args, word) in [
        (&["path", "moon"][..], "there is no network `moon`: use one of wlan, hotel-wifi"),
        (&["path", "wifi", "5%", "lag"], "a delay needs its number: `50ms rtt`"),
        (&["path", "satellite"], "`satellite` has two readings: `leo`"),
        (&["path", "10mb", "50ms"], "`10mb` has two readings"),
        (&["path", "wifi", "then", "moon"], "there is no network `moon`"),
        (&["path", "wifi", "--delay", "1ms", "--rtt", "2ms"], "cannot be used with"),
        (&["path", "wifi", "--bandwidth", "1Mb/s", "--up", "2Mb/s"], "cannot be used with"),
        (&["path", "wifi", "--then", "leo"], "expected NETWORK@TIME, such as leo@40s"),
        (&["path", "wifi", "--then", "leo@0s"], "`leo` begins at 0 s, not after `wifi`"),
        (&["path", "wifi", "--then", "leo@1.2s"], "a multiple of 0.5 s"),
        (&["path", "wifi", "--loss", "2"], "a percentage such as 2%"),
        (&["path", "wifi", "--delay", "-5ms"], "it must be finite and not negative"),
        (&["path", "wifi", "--bandwidth", "10mb"], "`10mb` has two readings"),
        (&["path", "wifi", "--bandwidth", "10"], "the unit is missing"),
        (&["path", "wifi", "--queue", "0"], "from 1 to 1000000 packets"),
        (&["path", "wifi", "--neighbours", "-1"], "is not in 0..=100"),
        (&["path", "wifi", "--los", "1%"], "unexpected argument '--los' found"),
        (&["path", "wifi", "--jitter", "90ms"], "from 1ms to 85ms, not 90ms"),
        (&["path", "10mbit 50ms", "--jitter", "30ms"], "more than the 25 ms one way"),
        (&["path", "starlink", "--rtt", "10ms"], "varies its delay by 12 ms"),
        (&["path", "--rtt", "10ms"], "--down <RATE>"),
        (&["path", "--down", "1Mb/s"], "--rtt <TIME>"),
        (&["path", "wifi", "--protocols", "cubik"], "did you mean `cubic`"),
        (&["path", "wifi", "--protocols", "bbr"], "no protocol `bbr`; did you mean `bbr3`? `atl"),
        (&["path", "wifi", "--protocols", "bbr3,bbr3"], "`--protocols`: `bbr3` is there twice"),
        (&["path", "wifi", "--duration", "0s"], "greater than 0s"),
        (&["path", "wifi", "--duration", "1ms"], "`--duration 1ms` is too short"),
        (&["path", "wifi", "--then", "4g@1s", "--duration", "1.7s"], "a multiple of 0.5 s"),
        (
            &["path", "wifi", "--rtt", "1h"],
            "`--rtt 3600s` at 50 Mb/s has a bandwidth-delay product",
        ),
        (
            &["path", "wifi then leo 3600s rtt at 1s"],
            "`leo` with an RTT of 3600s at 100 Mb/s has a bandwidth-delay product",
        ),
    ] {
        let told = refused(dir.path(), args, 2);
        assert!(told.contains(word), "{args:?}: {told}");
        assert!(!told.contains("scenario:"), "{args:?} blames a file that nobody wrote: {told}");
    }
    let output = atl(dir.path(), &["path"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        (out(&output) + &err(&output)).contains("Networks, those of scenarios and of `atl link`")
    );
}
