//! Messages about mistakes in a file.

use std::path::Path;

use atl_engine::setup::Nagle;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, no_files, parse};

const GOOD: &str = r#"title = "t"
duration = "60s"
[vars]
d = "10ms"
[sweep]
protocol = ["reno", "sack"]
p_w = [1e-3, 1e-2]
[[sweep.also]]
protocol = "sack"
d = "50ms"
[network.wifi]
rate = "2Mb/s"
[[link]]
name = "air"
from = "phone"
to = "ap"
wireless = true
network = "wifi"
delay = "$d"
loss = "$p_w"
queue = 50
roam = [{ at = "20s", network = "wifi", loss = 0 }]
blackout = [{ at = "5s", lasts = "1s" }]
[[link]]
name = "path"
from = "ap"
to = "server"
rate = "10Mb/s"
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "$protocol"
[record]
every = "1s"
[[figure]]
title = "f"
kind = "sweep"
x = "p_w"
y = "goodput"
series = "protocol"
[[quote]]
id = "q"
text = "t"
source = "s"
metric = "goodput"
ratio = { of = { protocol = "sack", p_w = 1e-2 }, over = { protocol = "reno", p_w = 1e-2 }, expect = 2.0, within = "10%" }
"#;

fn read(text: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    parse("test", text, Path::new("test.toml"), &no_files, overrides)
}

/// Errors of the good file with `from` replaced by `to`.
fn errors(from: &str, to: &str) -> Errors {
    assert_eq!(GOOD.matches(from).count(), 1, "{from:?} is not there once");
    let result = read(&GOOD.replace(from, to), &Overrides::default());
    result.map(|_| ()).expect_err(to)
}

/// The only error with its line.
fn error(from: &str, to: &str) -> (usize, String) {
    let errors = errors(from, to);
    assert_eq!(errors.len(), 1, "{errors}");
    (errors.reports()[0].line.unwrap_or(0), errors.to_string())
}

#[test]
fn the_good_file_is_good() {
    let scenario = read(GOOD, &Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.points.len(), 5);
    assert_eq!(scenario.swept, ["protocol", "p_w", "d"]);
    let last = &scenario.points[4].vars;
    assert_eq!((last["p_w"].text.as_str(), last["d"].text.as_str()), ("1e-3", "50ms"));
}

#[test]
fn each_mistake_is_one_error_at_its_line_that_says_what_is_allowed() {
    #[rustfmt::skip]
    let cases = [
        ("duration = \"60s\"", "duration = 60", 2, "write \"60s\" or \"60ms\""),
        ("duration = \"60s\"", "duration = \"-1s\"", 2, "not negative"),
        ("duration = \"60s\"", "duration = \"60s\"\nwarmup = \"60s\"", 3, "warm-up"),
        ("duration = \"60s\"\n", "", 1, "`duration` is missing in the file"),
        ("rate = \"2Mb/s\"", "rate = 2", 12, "write \"2Mb/s\" or \"2kb/s\""),
        ("rate = \"2Mb/s\"", "delay = \"1s\"", 11, "no rate"),
        ("rate = \"2Mb/s\"", "trace = \"x\"", 12, "cannot read the trace x"),
        ("queue = 50", "queue = 0", 21, "from 1 to"),
        ("queue = 50", "queue = \"64\"", 21, "unit is missing"),
        ("queue = 50", "qeue = 50", 21, "did you mean `queue`?"),
        ("queue = 50", "queue = { packets = 0 }", 21, "from 1 to"),
        ("queue = 50", "queue = { bytes = \"0B\" }", 21, "at least 1 B"),
        ("queue = 50", "queue = { priority = true }", 21, "has neither"),
        ("queue = 50", "queue = { packets = 5, bytes = \"1kB\" }", 21, "has both"),
        ("queue = 50", "queue = { packets = 5, prio = true }", 21, "did you mean `priority`?"),
        ("queue = 50", "queue = { packets = 5, mark = 5 }", 21, "`mark` must be smaller than `packets`"),
        ("queue = 50", "queue = { packets = 5, mark = 0 }", 21, "from 1 to"),
        ("queue = 50", "queue = { mark = 5 }", 21, "has neither"),
        ("queue = 50", "queue = { packets = 5, discipline = \"rde\" }", 21, "did you mean `red`?"),
        ("queue = 50", "queue = { packets = 5, discipline = \"red\", priority = true }", 21, "exclude each other"),
        ("queue = 50", "queue = { packets = 5, min = 1 }", 21, "drops early"),
        ("queue = 50", "queue = { packets = 5, discipline = \"priority\", drop = 0.1 }", 21, "drops early"),
        ("queue = 50", "queue = { packets = 5, discipline = \"wred\", adaptive = true }", 21, "adapts"),
        ("queue = 50", "queue = { packets = 5, discipline = \"red\", low = { min = 1 } }", 21, "two precedences"),
        ("queue = 50", "queue = { packets = 5, discipline = \"red\", min = 5 }", 21, "`min` (5) must be below `max` (5)"),
        ("queue = 50", "queue = { packets = 5, discipline = \"red\", max = 6 }", 21, "at most 5 long"),
        ("queue = 50", "queue = { packets = 5, discipline = \"red\", min = \"1kB\" }", 21, "a size needs a queue with `bytes`"),
        ("queue = 50", "queue = { bytes = \"5kB\", discipline = \"red\", min = 1 }", 21, "needs a queue with `packets`"),
        ("queue = 50", "queue = { packets = 5, discipline = \"red\", weight = 0 }", 21, "above 0"),
        ("queue = 50", "queue = { packets = 5, discipline = \"wred\", low = { max = 2, min = 2 } }", 21, "below `max` (2)"),
        ("queue = 50", "queue = { packets = 5, discipline = \"wred\", low = { drp = 0.2 } }", 21, "did you mean `drop`?"),
        ("loss = \"$p_w\"\n", "loss = { bit-errors = \"$p_w\", loss-bad = 1 }\n", 20, "`loss-bad` and `bit-errors` exclude each other"),
        ("loss = \"$p_w\"\n", "loss = { bit-errors = \"$p_w\", cell-errors = 0.1 }\n", 20, "exclude each other"),
        ("loss = \"$p_w\"\n", "loss = { bit-errors = 0.6, wireless = \"$p_w\" }\n", 20, "exclude each other"),
        ("loss = 0 }]", "loss = { bit-errors = 0.6 } }]", 22, "it must be from 0 to 0.5"),
        ("loss = 0 }]", "loss = { cell-errors = 1 } }]", 22, "it must be at least 0 and below 1"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dpsk\" } } }]", 22, "has neither"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dpsk\", snr = 20, cell-errors = 0.1 } } }]", 22, "has both"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dqpsk\", snr = 20 } } }]", 22, "did you mean `dpsk` or `qpsk`?"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dpsk\", snr = 20, model = \"jakes\" } } }]", 22, "expected one of `rayleigh`, `two-state`"),
        ("loss = 0 }]", "loss = { fading = { doppler = \"10\", modulation = \"dpsk\", snr = 20 } } }]", 22, "unit is missing"),
        ("loss = 0 }]", "loss = { fading = { doppler = \"10kb/s\", modulation = \"dpsk\", snr = 20 } } }]", 22, "not one of the units Hz, kHz"),
        ("loss = 0 }]", "loss = { fading = { doppler = 0, modulation = \"dpsk\", snr = 20 } } }]", 22, "from 0.001 to 100000"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dpsk\", snr = \"-30dB\" } } }]", 22, "from -20 to 100 dB"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dpsk\", cell-errors = 0 } } }]", 22, "no mean ratio"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, modulation = \"dpsk\", cell-errors = 1 } } }]", 22, "no mean ratio"),
        ("loss = 0 }]", "loss = { fading = { modulation = \"dpsk\", cell-errors = 0.1 } } }]", 22, "`doppler` is missing"),
        ("loss = 0 }]", "loss = { fading = { doppler = 10, cell-errors = 0.1 } } }]", 22, "`modulation` is missing"),
        ("loss = 0 }]", "loss = { bit-errors = 0.1, fading = { doppler = 10, modulation = \"dpsk\", snr = 20 } } }]", 22, "`bit-errors` and `fading` exclude each other"),
        ("loss = 0 }]", "loss = { fading = 0.1 } }]", 22, "is not a table"),
        ("loss = 0 }]", "loss = { bit-error = 1e-6 } }]", 22, "did you mean `bit-errors`?"),
        ("queue = 50", "agent = \"snop\"", 21, "did you mean `snoop`?"),
        ("queue = 50", "agent = { window = 9 }", 21, "`name` is missing in `link.air.agent`"),
        ("queue = 50", "agent = { name = \"snoop\", window = 0 }", 21, "from 1 to"),
        ("queue = 50", "agent = { name = \"snoop\", min-timeout = \"0s\" }", 21, "at least 1ms"),
        ("queue = 50", "agent = { name = \"snoop\", delay = 1 }", 21, "needs a unit"),
        ("rate = \"10Mb/s\"", "rate = \"10Mb/s\"\nagent = \"snoop\"", 29, "add `wireless = true`"),
        ("to = \"ap\"", "to = \"ap\"\nagent = \"snoop\"\none-way = true", 17, "cannot be one-way"),
        ("network = \"wifi\"\n", "network = \"wfi\"\n", 18, "did you mean `wifi`?"),
        ("loss = \"$p_w\"", "loss = \"$p_w\"\nat-change = \"loose\"", 21, "did you mean `lose`?"),
        ("at = \"20s\"", "at = \"70s\"", 22, "the run ends at 60s"),
        ("loss = 0 }]", "loss = 0 }, { at = \"0s\", network = \"wifi\" }]", 22, "after the start"),
        ("loss = 0 }]", "loss = 0 }, { at = \"20s\", network = \"wifi\" }]", 22, "after the change before it"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\ngroup = \"a b\"", 34, "letters, digits"),
        ("lasts = \"1s\" }", "lasts = \"1s\" }, { at = \"5.5s\", lasts = \"1s\" }", 23, "overlaps"),
        ("lasts = \"1s\" }", "lasts = \"0s\" }", 23, "greater than zero"),
        ("lasts = \"1s\" }", "lasts = \"1s\", every = \"1s\" }", 23, "longer than a blackout lasts"),
        ("lasts = \"1s\" }", "lasts = \"1s\", times = 3 }", 23, "`every` is missing in `link.air.blackout.0`"),
        ("lasts = \"1s\" }", "lasts = \"1s\", every = \"10s\", times = 0 }", 23, "from 1 to"),
        ("lasts = \"1s\" }", "lasts = \"1s\", every = \"10s\", times = 7 }", 23, "the run ends at 60s"),
        ("lasts = \"1s\" }", "lasts = \"1s\", every = \"10s\" }, { at = \"44.5s\", lasts = \"1s\" }", 23, "overlaps"),
        ("at = \"5s\", lasts = \"1s\" }", "at = \"0s\", lasts = \"1ns\", every = \"2ns\" }", 23, "at least 1ms"),
        ("name = \"path\"", "name = \"air\"", 25, "two links called `air`"),
        ("name = \"path\"", "name = \"a path\"", 25, "letters, digits"),
        ("from = \"ap\"", "from = \"server\"", 27, "joins two different nodes"),
        ("rate = \"10Mb/s\"", "rate = \"10Mb/s\"\none-way = true", 30, "no path leads from `server` to `phone`"),
        ("to = \"server\"\nprotocol", "to = \"servr\"\nprotocol", 32, "did you mean `server`?"),
        ("to = \"server\"\nprotocol", "to = \"phone\"\nprotocol", 32, "between two different nodes"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\ncount = 100001", 34, "from 0 to 100000"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\ncount = 0", 29, "every flow has count = 0"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\nstart = \"60s\"", 34, "before the flow starts"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\nreceiver = \"aware?\"", 34, "did you mean `aware`"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\nreceiver = { loss = 0.5 }", 34, "`delay` is missing"),
        ("protocol = \"$protocol\"", "protocol = \"$protocol\"\nreceiver = { loss = 2, delay = \"1s\" }", 34, "from 0 to 1"),
        ("protocol = \"$protocol\"", "protocol = { name = \"$protocol\", freeze = true }", 33, "is not a time"),
        ("every = \"1s\"", "every = \"1us\"", 35, "samples"),
        ("every = \"1s\"", "every = \"0s\"", 35, "greater than zero"),
        ("[\"reno\", \"sack\"]", "[\"reno\", \"sack\", \"rno\"]", 6, "used here as `$protocol`"),
        ("[\"reno\", \"sack\"]", "[\"reno\", \"sack\", \"reno\"]", 6, "already in the list"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, 2]", 7, "a probability is from 0 to 1"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, nan]", 7, "finite"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, [1]]", 7, "a list as a value needs a label"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { value = 1 }]", 7, "`label` is missing"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { label = 1, value = 1 }]", 7, "is not a text"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { label = \"\", value = 1 }]", 7, "must not be empty"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { label = \"x\", value = 1, note = 2 }]", 7, "unknown key"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { label = \"x\", value = \"$d\" }]", 7, "cannot stand in the value"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { label = \"x\", value = 1 }, { label = \"x\", value = 0 }]", 7, "already in the list"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2, { label = \"x\", value = 2 }]", 7, "a probability is from 0 to 1"),
        ("p_w = [1e-3, 1e-2]", "p_w = [1e-3, 1e-2]\nx = [1]", 8, "nothing uses the variable `x`"),
        ("d = \"10ms\"", "d = \"10ms\"\nlink = 1", 5, "choose another"),
        ("loss = \"$p_w\"", "loss = \"$p_w\"\nreport-window = \"$w\"", 21, "there is no variable `w`"),
        ("d = \"50ms\"", "e = \"50ms\"", 10, "there is no variable `e`"),
        ("x = \"p_w\"", "x = \"pw\"", 39, "did you mean `p_w`?"),
        ("series = \"protocol\"", "series = \"flow\"", 36, "which `protocol`?"),
        ("y = \"goodput\"", "y = \"goodputs\"", 40, "did you mean `goodput`?"),
        ("y = \"goodput\"", "y = \"completion\"", 40, "no flow ends"),
        ("of = { protocol = \"sack\"", "of = { protocol = \"sak\"", 47, "did you mean `sack`?"),
        ("of = { protocol = \"sack\"", "of = { flow = \"down\", protocol = \"sack\"", 47, "there is no flow `down`"),
        ("of = { protocol = \"sack\"", "of = { d = \"50ms\", protocol = \"sack\"", 47, "no point"),
        ("of = { protocol = \"sack\", p_w = 1e-2 }", "of = { protocol = \"sack\" }", 47, "which `p_w`?"),
        ("within = \"10%\"", "within = 0", 47, "it must be above 0 and at most 1"),
        ("ratio = {", "order = {", 47, "not a list"),
        ("metric = \"goodput\"\n", "metric = \"goodput\"\norder = []\n", 48, "one claim"),
        ("source = \"s\"\n", "", 42, "`source` is missing in `quote.q`"),
        ("[record]", "[record", 34, "not TOML"),
    ];
    let mut wrong = String::new();
    for (from, to, line, message) in cases {
        let errors = errors(from, to);
        let text = errors.to_string();
        let fine =
            errors.len() == 1 && errors.reports()[0].line == Some(line) && text.contains(message);
        if !fine {
            wrong.push_str(&format!("{to:?}: wanted {message:?} at line {line}, got\n{text}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text = GOOD
        .replace("queue = 50", "queue = 0")
        .replace("\"2Mb/s\"", "\"2MB/s\"")
        .replace("kind = \"sweep\"", "kind = \"swoop\"")
        .replace("within = \"10%\"", "within = \"ten\"");
    let errors = read(&text, &Overrides::default()).expect_err("four mistakes");
    let lines: Vec<_> = errors.reports().iter().map(|r| r.line).collect();
    assert_eq!(lines, [Some(12), Some(21), Some(38), Some(47)], "{errors}");
}

/// `[flow]` for `[[flow]]`: what such tables hold is not missing, and keys are not there twice.
#[test]
fn single_brackets_are_one_mistake() {
    let one_of_two = GOOD.replacen("[[link]]", "[link]", 1);
    let other = "[link]\nname = \"path\"";
    let other_of_two = GOOD.replace("[[link]]\nname = \"path\"", other);
    for (text, key, line) in [
        (GOOD.replace("[[flow]]", "[flow]"), "flow", 29),
        (GOOD.replace("[[figure]]", "[figure]"), "figure", 36),
        (GOOD.replace("[[link]]", "[link]"), "link", 24),
        (one_of_two, "link", 13),
        (other_of_two, "link", 24),
    ] {
        let errors = read(&text, &Overrides::default()).expect_err("single brackets");
        let [only] = &errors.reports()[..] else { panic!("{errors}") };
        assert_eq!((only.line, only.key.as_str()), (Some(line), key), "{errors}");
        assert!(only.message.contains(&format!("`{key}` is not a list")), "{errors}");
        assert!(only.help[0].contains(&format!("write `[[{key}]]`")), "{errors}");
    }
    // Each kind of table is one, and a key that is there twice remains its own mistake.
    let text = GOOD
        .replace("[[link]]", "[link]")
        .replace("[[flow]]", "[flow]")
        .replace("every = \"1s\"\n", "every = \"1s\"\nevery = \"1s\"\n");
    let errors = read(&text, &Overrides::default()).expect_err("single brackets");
    let lines: Vec<_> = errors.reports().iter().map(|r| r.line).collect();
    assert_eq!(lines, [Some(24), Some(36)], "{errors}");
    // Nothing is wrong with what the table holds; what is wrong there is told beside it.
    let text = GOOD.replace("[[flow]]", "[flow]").replace("to = \"server\"\nprotocol", "protocol");
    let errors = read(&text, &Overrides::default()).expect_err("two mistakes");
    assert_eq!(errors.len(), 2, "{errors}");
    assert!(errors.to_string().contains("`to` is missing"), "{errors}");
}

#[test]
fn a_bracket_that_is_not_closed_is_one_mistake() {
    // Each line below would be another.
    let open = GOOD.replace("p_w = [1e-3, 1e-2]", "p_w = [1e-3, { label = \"x\", value = 1e-2]");
    let errors = read(&open, &Overrides::default()).expect_err("an open table");
    assert_eq!(errors.len(), 1, "{errors}");
    assert_eq!(errors.reports()[0].line, Some(7), "{errors}");
    // Two that have nothing to do with each other are two.
    let two = GOOD.replace("title = ", "title ").replace("[record]", "[record");
    let errors = read(&two, &Overrides::default()).expect_err("two mistakes");
    assert_eq!(errors.len(), 2, "{errors}");
}

#[test]
fn protocol_options_are_checked_each_at_its_place() {
    let with = |options: &str| {
        let protocol =
            format!("protocol = {{ name = \"sack\", label = \"$protocol\", {options} }}");
        error("protocol = \"$protocol\"", &protocol)
    };
    let (line, text) = with("alpa = 1");
    assert_eq!(line, 33);
    assert!(text.contains("did you mean `alpha`?"), "{text}");
    assert!(text.contains("its options are `alpha`, `beta`"), "{text}");
    assert!(with("alpha = \"x\"").1.contains("expected a number"));
    assert!(with("halving = \"x\"").1.contains("expected one of `window`, `flight`"));
}

#[test]
fn a_tcp_without_error_control_needs_a_layer_that_repairs() {
    let with = |recovery: &str, more: &str| {
        let flow = format!(
            "protocol = {{ name = \"tahoe\", label = \"$protocol\", recovery = \"{recovery}\" }}\n{more}"
        );
        read(&GOOD.replace("protocol = \"$protocol\"", &flow), &Overrides::default()).map(|_| ())
    };
    for wrong in ["", "adaptation = \"aal5\"", "adaptation = false"] {
        let errors = with("none", wrong).expect_err(wrong);
        assert_eq!((errors.len(), errors.reports()[0].line), (1, Some(29)), "{errors}");
        assert!(errors.to_string().contains("needs a layer that repairs everything"), "{errors}");
        assert!(with("go-back-n", wrong).is_ok());
    }
    assert!(with("none", "adaptation = \"aal-t\"").is_ok());
}

#[test]
fn a_flow_is_told_what_says_nothing_to_its_protocol() {
    let (line, text) = error(
        "protocol = \"$protocol\"",
        "protocol = \"$protocol\"\npacing = { minimum = \"9kb/s\" }",
    );
    assert_eq!(line, 34, "{text}");
    assert!(text.contains("does not apply to a TCP"), "{text}");
    let paced = |tcp: &str| {
        let flow = format!("protocol = {{ name = \"tfrc\", label = \"$protocol\" }}\ntcp = {tcp}");
        read(&GOOD.replace("protocol = \"$protocol\"", &flow), &Overrides::default())
    };
    let wrong =
        paced("{ delayed-ack = \"40ms\", segment = 500 }").map(|_| ()).expect_err("a window's");
    assert_eq!((wrong.len(), wrong.reports()[0].line), (1, Some(34)), "{wrong}");
    assert!(wrong.to_string().contains("does not apply to a protocol that paces"), "{wrong}");
    assert!(paced("{ segment = 500, ack = 80, access-rate = \"1Mb/s\" }").is_ok());
    // Parameters for all flows need not apply to each of them.
    let top = GOOD
        .replace("[record]", "[tcp]\nmin-rto = \"1s\"\n[pacing]\nminimum = \"9kb/s\"\n[record]");
    assert!(read(&top, &Overrides::default()).is_ok());
}

#[test]
fn nagle_is_one_of_its_forms_or_off() {
    let of = |nagle: &str| {
        let flow = format!("protocol = \"$protocol\"\ntcp = {{ nagle = {nagle} }}");
        read(&GOOD.replace("protocol = \"$protocol\"", &flow), &Overrides::default())
    };
    for (text, nagle) in
        [("false", Nagle::Off), ("\"rfc896\"", Nagle::Rfc896), ("\"minshall\"", Nagle::Minshall)]
    {
        let scenario = of(text).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(scenario.points[0].setup.flows[0].tcp.nagle, nagle);
    }
    for wrong in ["\"minshal\"", "true", "1"] {
        let errors = of(wrong).map(|_| ()).expect_err("not a form").to_string();
        assert!(errors.contains("nagle") && errors.contains("minshall"), "{errors}");
    }
}

#[test]
fn a_mistake_of_some_points_says_which() {
    let text = GOOD.replace("[\"reno\", \"sack\"]", "[\"tcp-atl\", \"sack\"]");
    let option = "protocol = { name = \"$protocol\", window-packets = 9 }";
    let text = text.replace("protocol = \"$protocol\"", option).replace("\"reno\"", "\"tcp-atl\"");
    let errors = read(&text, &Overrides::default()).expect_err("SACK has no such option");
    let text = errors.to_string();
    assert_eq!(errors.len(), 1, "{text}");
    assert!(text.contains("SACK has no option `window-packets`"), "{text}");
    assert!(text.contains("this happens at d = 10ms, p_w = 1e-3, protocol = sack"), "{text}");
}

#[test]
fn the_command_line_is_quoted_where_it_is_wrong() {
    let cases = [
        ("lnk.air.delay", "1s", "did you mean `link`"),
        ("link.ar.delay", "1s", "did you mean `air`?"),
        ("link.air.dely", "1s", "did you mean `delay`"),
        ("link.air.delay", "1", "write \"1s\" or \"1ms\""),
        ("network.wfi.rate", "1Mb/s", "did you mean `wifi`?"),
        ("p_v", "1", "did you mean `p_w`?"),
        ("p_w", "0.1,7", "a probability is from 0 to 1"),
        ("", "", "no variable or key"),
        ("link.9.delay", "1s", "there is no `9` in `link`"),
        ("title.x", "1", "there is no `x` in `title`"),
    ];
    for (key, value, message) in cases {
        let set = vec![(key.to_owned(), value.to_owned())];
        let errors = read(GOOD, &Overrides { set, ..Overrides::default() }).expect_err(key);
        let text = errors.to_string();
        assert!(text.contains(message), "{key}={value}: {message:?} is not in\n{text}");
        assert_eq!(errors.reports()[0].file, "command line", "{text}");
    }
    let seeds = Overrides { seeds: Some("0".to_owned()), ..Overrides::default() };
    let text = read(GOOD, &seeds).expect_err("no seeds").to_string();
    assert!(text.contains("--seeds 0") && text.contains("from 1 to"), "{text}");
}

#[test]
fn errors_are_data_too() {
    let errors = read(&GOOD.replace("queue = 50", "queue = 0"), &Overrides::default());
    let json = serde_json::to_value(errors.expect_err("no queue")).expect("serializable");
    assert_eq!(json[0]["file"], "test.toml");
    assert_eq!((&json[0]["line"], &json[0]["column"]), (&21.into(), &9.into()));
    assert_eq!((&json[0]["key"], &json[0]["value"]), (&"link.air.queue".into(), &"0".into()));
}

#[test]
fn colours_only_where_wanted() {
    let errors = read("title = 1", &Overrides::default()).expect_err("not a title");
    assert!(errors.render(true).contains('\u{1b}'));
    assert!(!errors.render(false).contains('\u{1b}'));
}

#[test]
fn a_controllers_option_out_of_its_range_is_an_error() {
    for (option, allowed) in [
        ("name = \"tcp-atl\", beta = 7", "greater than 0 and less than 1"),
        ("name = \"reno\", alpha = -1", "must not be negative"),
        ("name = \"westwood\", m = 0", "from 1 to 10"),
    ] {
        let to = format!("protocol = {{ {option} }} # $protocol");
        let text = errors("protocol = \"$protocol\"", &to).to_string();
        assert!(text.contains(allowed) && text.contains("test.toml:33"), "{text}");
    }
}

#[test]
fn bbr_without_its_version_is_answered_with_it() {
    let text = errors("protocol = \"$protocol\"", "protocol = \"bbr\" # $protocol").to_string();
    assert!(text.contains("did you mean `bbr3`"), "{text}");
}

#[test]
fn options_of_a_controller_are_judged_together() {
    let with = |options: &str| {
        GOOD.replace("protocol = \"$protocol\"", &format!("protocol = {{ {options} }}"))
            .replace("[sweep]\nprotocol = [\"reno\", \"sack\"]", "[sweep]")
            .replace("[[sweep.also]]\nprotocol = \"sack\"\n", "[[sweep.also]]\n")
            .replace("series = \"protocol\"", "series = \"d\"")
            .replace("protocol = \"sack\", p_w", "p_w")
            .replace("protocol = \"reno\", p_w", "p_w")
    };
    // Valid together, although each is invalid with the other's default.
    for fine in ["vegas\", alpha = 5, beta = 6", "wtcp\", min-rate = 2e6, max-rate = 3e6"] {
        let scenario = read(&with(&format!("name = \"{fine}")), &Overrides::default());
        let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
        assert!(scenario.points.iter().all(|point| point.setup.flows.len() == 1));
    }
    // The opposite case must not make the flow vanish silently.
    for (wrong, why) in [
        ("vegas\", alpha = 3.9, beta = 2.1", "at least alpha"),
        ("wtcp\", min-rate = 900, max-rate = 10", "max-rate at least min-rate"),
    ] {
        let errors = read(&with(&format!("name = \"{wrong}")), &Overrides::default());
        let text = errors.expect_err(wrong).to_string();
        assert!(text.contains("contradict each other") && text.contains(why), "{text}");
    }
}

#[test]
fn a_packet_fits_into_sixteen_bits() {
    let flow = "protocol = \"$protocol\"\ntcp = { segment = 65500, header = 36 }";
    let text = errors("protocol = \"$protocol\"", flow).to_string();
    assert!(text.contains("packets of more than 65535 bytes"), "{text}");
}
