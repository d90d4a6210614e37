//! Generated documents: built-in scenarios with one key set, removed or misspelt.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use atl_scenario::keys::{self, Key, Section, Shape};
use atl_scenario::{Report, builtin};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

use super::documents::{json_of, read, toml_of};
use super::validator;

/// Checks of the reader that a schema cannot express: name of the class, and parts of its messages.
#[rustfmt::skip]
const BEYOND_A_SCHEMA: &[(&str, &[&str])] = &[
    ("references to names in other places of the file", &[
        "there is no node", "there is no network", "there is no variable", "there is no flow", "there is no quote", "no path leads",
        "there is no cell",
        "nothing uses the variable", "is never `", "no point of the sweep", "which `", "cannot be called",
    ]),
    ("names and values that must be unique", &[
        "this name is taken", "already in the list", "another quote has this `id`", "with the label",
        "as printed",
        "between two different nodes", "joins two different nodes",
    ]),
    ("comparisons and sums of several values", &[
        "longer than a blackout", "overlaps another", "the run ends", "the run does", "after the start and after the change",
        "`mark` must be smaller", "must be below `max` (", "the queue is at most",
        "`max` must not be below", "`min-rto` above `max-rto`", "`minimum` above `target`",
        "too long together", "must not be shorter", "higher than the one before", "later than its start",
        "a multiple of that", "after the run ends", "samples", "more than", "`from` is above `to`", "the sweep has",
        "it takes up to", "own `id`", "itself a reading of", "our own check", "the way point before it",
    ]),
    ("what depends on another part of the file", &[
        "[record]", "no flow ends", "live encoder", "does not apply to", "needs a layer that repairs", "layer's queue",
        "only a wireless link", "cannot be one-way", "cannot see into cells", "has no target", "is an application over", "frames need a protocol",
        "AIMD", "with `during`", "must have one unit", "`source` is missing in `quote", "has no rate", "nothing to recover",
        "has no length", "lacks an option", "is not a number of packets", "is not a size like `bytes`", "source quenches run", "its own adaptation layer",
        "has no network: it", "only one end of a flow", "in which the other end of the flow stays", "has one path, and a mobile has several",
        "this protocol is another", "nobody can split it", "a TCP that delivers every byte", "have no proxy", "hosts that stay where they are",
        "on the way there and back", "a node that stays where it is", "at least two segments", "plays a video", "may start as late", "may start later",
    ]),
    ("ranges of quantities with a unit", &[
        "too large", "at least 1b/s", "a whole number of bytes", "two distinct states", "no mean ratio", "of a Wi-Fi channel",
    ]),
    ("the content of a file", &["is not a list of flows"]),
    ("words whose meaning depends on other keys", &["expected one of", "is not a rate"]),
];

fn is_beyond_a_schema(report: &Report, text: &str) -> bool {
    let listed = BEYOND_A_SCHEMA
        .iter()
        .any(|(_, texts)| texts.iter().any(|text| report.message.contains(text)));
    // The schema has bounds for numbers, but not for texts such as `"5min"` or `"150%"`, except for
    // zero.
    let quantity = report.value.starts_with('"')
        && ["it must be", "a probability is from", "a relative error is from"]
            .iter()
            .any(|text| report.message.contains(text))
        && !report.message.contains("greater than zero");
    // Ranges of options are checked by the controller, the discipline or the application.
    let parts = [".protocol", ".discipline.", ".application"];
    let option = parts.iter().any(|part| report.key.contains(part));
    // A variable's value must fit where the variable is used.
    let line = report.line.and_then(|line| text.lines().nth(line - 1)).unwrap_or_default();
    let variable = line.starts_with("vars =") || line.starts_with("sweep =");
    listed || quantity || option || variable
}

/// Compares the verdicts of schema and reader on a document.
fn compare(validator: &jsonschema::Validator, document: &Value) -> Result<bool, String> {
    let text = toml_of(document);
    let valid = validator.is_valid(document);
    match read(&text) {
        Ok(()) if valid => Ok(true),
        Ok(()) => {
            let errors: Vec<String> = validator
                .iter_errors(document)
                .map(|e| format!("{}: {e}", e.instance_path()))
                .collect();
            Err(format!(
                "the reader accepts what the schema refuses: {}\n{text}",
                errors.join("\n")
            ))
        }
        Err(errors) if valid => {
            match errors.reports().iter().find(|report| !is_beyond_a_schema(report, &text)) {
                Some(report) => {
                    Err(format!("the schema accepts what the reader refuses: {report:?}"))
                }
                None => Ok(false),
            }
        }
        Err(_) => Ok(false),
    }
}

/// A table of a document: path and section.
type Place = (Vec<String>, &'static Section);

/// All tables of declared sections in a value.
fn places(value: &Value, shape: &'static Shape, path: &mut Vec<String>, out: &mut Vec<Place>) {
    for alternative in shape.alternatives() {
        match (alternative, value) {
            (Shape::Table(section), Value::Object(entries)) => {
                out.push((path.clone(), section));
                for (key, value) in entries {
                    let others = section.others.as_ref().map(|others| &others.shape);
                    let Some(shape) = section.key(key).map(|key| &key.shape).or(others) else {
                        continue;
                    };
                    path.push(key.clone());
                    places(value, shape, path, out);
                    path.pop();
                }
            }
            (Shape::List { of, .. }, Value::Array(items)) => {
                for (i, item) in items.iter().enumerate() {
                    path.push(i.to_string());
                    places(item, of, path, out);
                    path.pop();
                }
            }
            _ => {}
        }
    }
}

static ROOT: Shape = Shape::Table(&keys::TOP);

fn table_at<'a>(document: &'a mut Value, path: &[String]) -> &'a mut Map<String, Value> {
    let mut value = document;
    for step in path {
        value = match value {
            Value::Array(items) => &mut items[step.parse::<usize>().expect("an index")],
            value => &mut value[step.as_str()],
        };
    }
    value.as_object_mut().expect("a table")
}

/// Values that a shape allows, and values that it does not.
fn samples(shape: &Shape) -> (Vec<Value>, Vec<Value>) {
    match *shape {
        Shape::Text => (vec![json!("text")], vec![json!(7), json!([])]),
        Shape::ShortText(longest) => {
            (vec![json!("x")], vec![json!(""), json!("x".repeat(longest + 1)), json!(1)])
        }
        Shape::Name => (vec![json!("a-1_B")], vec![json!("a b"), json!(""), json!(3)]),
        Shape::Word(words) => {
            let words: Vec<Value> = (words.list)().into_iter().map(|word| json!(word)).collect();
            (words, vec![json!("no-such-word"), json!(1)])
        }
        Shape::Bool => (vec![json!(true), json!(false)], vec![json!(1), json!("true")]),
        Shape::Off => (vec![json!(false)], vec![json!(true)]),
        Shape::Whole { from, to } => {
            let mut wrong = vec![json!(-1), json!(1.5), json!("1")];
            wrong.extend(from.checked_sub(1).map(|n| json!(n)));
            wrong.extend(to.checked_add(1).map(|n| json!(n)));
            (vec![json!(from), json!(to.min(from + 7))], wrong)
        }
        Shape::Number(range)
        | Shape::Frequency(range)
        | Shape::Decibels(range)
        | Shape::Length(range) => {
            let middle = range.from + (range.to - range.from) / 8.0;
            let mut fine = vec![json!(middle)];
            let mut wrong = vec![
                json!(range.from - 1.0),
                json!(range.to * 2.0 + 1.0),
                json!("1 parsec"),
                json!([]),
            ];
            match range.above {
                true => wrong.push(json!(range.from)),
                false => fine.push(json!(range.from)),
            }
            match shape {
                Shape::Frequency(_) => fine.push(json!("12.5 Hz")),
                Shape::Decibels(_) => fine.push(json!("-3dB")),
                Shape::Length(_) => fine.push(json!("1.5 km")),
                _ => {}
            }
            (fine, wrong)
        }
        Shape::Probability(_) => (
            vec![json!(0.25), json!("25%"), json!(".5 %")],
            vec![json!(-0.1), json!(1.5), json!("25"), json!(true)],
        ),
        Shape::Time { from, .. } => {
            let mut wrong =
                vec![json!(5), json!("5"), json!("5 parsecs"), json!("-1s"), json!("1e")];
            if !from.is_zero() {
                wrong.push(json!("0s"));
            }
            (vec![json!("1s"), json!("1.5e3 ms"), json!(".5min")], wrong)
        }
        Shape::Rate => (
            vec![json!("1Mb/s"), json!("2.5 Gbps")],
            vec![json!(5), json!("5MB/s"), json!("0b/s"), json!("Mb/s")],
        ),
        Shape::Speed(_) => (
            vec![json!("50km/h"), json!("2.5 m/s")],
            vec![json!(5), json!("5"), json!("0m/s"), json!("-1m/s"), json!("5 knots")],
        ),
        Shape::Current => (
            vec![json!("327mA"), json!("0.5 A")],
            vec![json!(5), json!("5"), json!("-1A"), json!("5 V")],
        ),
        Shape::Charge => (
            vec![json!("730mAh"), json!("2.5 mAmin")],
            vec![json!(5), json!("5"), json!("-1As"), json!("5 C")],
        ),
        Shape::Size(_) => {
            (vec![json!("64kB"), json!("1MiB")], vec![json!("64"), json!("0B"), json!(true)])
        }
        Shape::List { of, from, to } => {
            let (fine, wrong) = samples(of);
            let lists = fine.into_iter().map(|item| Value::Array(vec![item; from.max(1)]));
            let mut wrong: Vec<Value> = wrong.into_iter().map(|item| json!([item])).collect();
            wrong.push(json!({}));
            if from > 0 {
                wrong.push(json!([]));
            }
            if to < 1000 {
                wrong.push(Value::Array(vec![json!("1s"); to + 1]));
            }
            (lists.collect(), wrong)
        }
        Shape::AnyOf(shapes) => {
            let all = shapes.iter().map(samples);
            all.fold((Vec::new(), Vec::new()), |(mut fine, mut wrong), (f, w)| {
                fine.extend(f);
                wrong.extend(w);
                (fine, wrong)
            })
        }
        Shape::Value => (
            vec![json!("x"), json!(1), json!({ "label": "l", "value": [1] })],
            vec![json!("$x"), json!([1])],
        ),
        Shape::Anything => (vec![json!("x"), json!([1])], vec![json!("$x"), json!(["$x"])]),
        Shape::Quantity => (vec![json!(3), json!("3ms")], vec![json!("three"), json!(true)]),
        Shape::RelativeError
        | Shape::Expected
        | Shape::PointValue
        | Shape::Option
        | Shape::Table(_) => (vec![], vec![json!([1])]),
    }
}

/// Rarely used parts of the format that no built-in scenario has.
const CORNERS: &str = r#"
title = "t"
duration = "60s"
network = { wifi = { rate = "2Mb/s", reverse = { loss = 0.1 } } }
record = { every = "1s" }
pacing = { minimum = "9kb/s" }
tcp = { segment = 1000 }
vars = { d = { label = "near", value = "10ms" } }
labels = { d = "distance (ms)" }
sweep = { p_w = [0.1, 0.2], also = [{ p_w = 0.3, d = "20ms" }] }
quick = { seeds = 1, sweep = { p_w = [0.1] } }
link = [
  { name = "air", from = "a", to = "b", wireless = true, network = "wifi", delay = "$d", loss = "$p_w", queue = { packets = 50, discipline = { name = "priority" } }, agent = { name = "snoop" }, reverse = { queue = { discipline = "wred", packets = 50, low = { min = 2 } } }, roam = [{ at = "20s", network = "wifi" }, { at = "30s", queue = "200ms" }], blackout = [{ at = "5s", lasts = "1s" }], report-error = { loss = 2 }, jitter = { spread = "5ms", shape = "normal" }, reorder = { share = 0.1, by = "5ms" }, reconfiguration = { every = "100h", step = "4ms", outage = "60ms" } },
  { name = "ramp", from = "a", to = "b", one-way = true, rate = { from = "2Mb/s", to = "1Mb/s", over = "5s" } },
  { name = "turns", from = "a", to = "b", roam = { every = "30s", networks = ["wifi", "wifi"] } },
  { name = "wire", from = "b", to = "c", rate = "2Mb/s", loss = { fading = { doppler = 10, modulation = "dpsk", snr = 20 } } },
  { name = "cells", from = "b", to = "d", rate = "2Mb/s", loss = { wireless = { good-to-bad = 0.1, bad-to-good = 0.2 } } },
  { name = "station", from = "b", to = "f", wifi = { rate = "65Mb/s" } },
  { name = "waves", from = "b", to = "g", rate = "2Mb/s", blockage = { rate = "1Mb/s", clear-for = "5s", blocked-for = "1s" } },
  { name = "more", from = "d", to = "e", rate = "2Mb/s", shaper = { rate = "1Mb/s", burst = "9kB" }, loss = { bit-errors = 1e-6 } },
]
cell = [
  { name = "west", at = [0, 0], radius = "500m", behind = "b", network = "wifi", reverse = { queue = 9 } },
  { name = "east", at = ["850m", "0m"], radius = 500, behind = "c", rate = "2Mb/s" },
]
mobile = [
  { name = "bus", path = [[0, 0], { at = [400, 0], speed = "30km/h", wait = "1s" }, [850, 0]], speed = "100km/h", handoff = { at = "strongest", hysteresis = "1dB", predict = "history", history = [["west", "east"]] }, card = { receiving = "327mA", transmitting = "0.5 A", rate = "11Mb/s" } },
]
flow = [
  { name = "down", from = "a", to = "bus", protocol = "sack" },
  { name = "up", from = "a", to = "c", protocol = { name = "sack", new-path = { how = "probe" } }, notices = { forged = { says = "moved", cell = "east", every = "1s" } }, source = { bytes = "1MB" }, receiver = { loss = 0.1, delay = "1s" }, tcp = { ack = 40 } },
  { name = "tunnel", from = "b", to = "e", protocol = "sack", adaptation = { name = "aal-t", quench = { every = "1s" }, faults = { scenario = 1, share = 0.1 } } },
  { name = "media", from = "a", to = "c", protocol = { name = "nada" }, source = { frames = 30, min = "100kb/s", max = "1Mb/s" }, pacing = { target = "1Mb/s" } },
  { name = "split", from = "a", to = "c", protocol = "sack", stop = "50s", pep = { at = "b", buffer = "1MB", protocol = { name = "cubic" } } },
  { name = "web", from = "a", to = "c", protocol = "sack", source = { application = { name = "request-response", pause = "1s" } } },
]
figure = [{ title = "f", kind = "sweep", x = "p_w", y = "goodput", series = "flow", at = { d = "near" } }]
quote = [
  { id = "q", text = "t", source = "s", metric = "goodput", value = { of = { p_w = 0.1 }, expect = "1Mb/s", within = 0.1 } },
  { id = "r", text = "t", source = "s", metric = "goodput", ratio = { of = { p_w = 0.1 }, over = { p_w = 0.2 }, expect = 2, within = "10%" } },
  { id = "again", text = "t", source = "s", claim = "r", fitted = "the queue", metric = "goodput", value = { of = { p_w = 0.1 }, expect = "1Mb/s", within = 0.1 } },
  { id = "ours", text = "t", source = "s", own = true, metric = "goodput", value = { of = { p_w = 0.1 }, expect = "1Mb/s", within = 0.1 } },
  { id = "a", text = "t", source = "s", metric = "loss", above = { of = { flow = "up" }, over = { flow = "media" }, along = "p_w" } },
]
"#;

/// Documents to change: the rarely used parts, and the built-in scenarios.
static DOCUMENTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let built_in = builtin().iter().map(|scenario| scenario.text);
    std::iter::once(CORNERS).chain(built_in).map(|text| json_of(text).expect("TOML")).collect()
});

fn places_of(document: &Value) -> Vec<Place> {
    let mut all = Vec::new();
    places(document, &ROOT, &mut Vec::new(), &mut all);
    all
}

#[test]
fn the_corners_are_valid() {
    let document = json_of(CORNERS).expect("TOML");
    assert_eq!(compare(&validator(), &document), Ok(true), "{}", read(CORNERS).unwrap_err());
}

/// Sets a key to values of all kinds, the first in all tables of its section, each other in one of
/// them by turns: the number of documents that are accepted, and disagreements.
fn judged(
    validator: &jsonschema::Validator,
    document: &Value,
    found: &[&Place],
    key: &Key,
) -> (usize, Vec<String>) {
    let (mut accepted, mut wrong) = (0, Vec::new());
    let (fine, refused) = samples(&key.shape);
    for (i, value) in fine.iter().chain(&refused).enumerate() {
        let tables = if i == 0 { found } else { &found[i % found.len()..][..1] };
        for (path, _) in tables {
            let mut changed = document.clone();
            table_at(&mut changed, path).insert(key.name.to_owned(), value.clone());
            match compare(validator, &changed) {
                Ok(true) => accepted += 1,
                Ok(false) => {}
                Err(error) => {
                    let place = format!("{}.{} = {value} ({i})", path.join("."), key.name);
                    wrong.push(format!("{place}: {}", error.lines().next().unwrap_or_default()));
                }
            }
        }
    }
    (accepted, wrong)
}

/// Reader and schema agree on every key of every section, with allowed values and others.
#[test]
fn every_key_is_judged_alike() {
    let validator = validator();
    let document = json_of(CORNERS).expect("TOML");
    let all = places_of(&document);
    let mut keys = Vec::new();
    for section in keys::ALL.iter().filter(|s| !["vars.NAME"].contains(&s.name)) {
        let found: Vec<&Place> = all.iter().filter(|(_, s)| s.name == section.name).collect();
        assert!(!found.is_empty(), "no document has a table `{}`", section.name);
        // The content of the file decides about `flows`, which here is that of a trace.
        let of_section = section.keys.iter().filter(|key| key.name != "flows");
        keys.extend(of_section.map(|key| (found.clone(), key)));
    }
    // It is the longest test of its program.
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut accepted, mut wrong) = (0, Vec::new());
        while let Some((found, key)) = keys.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (fine, not) = judged(&validator, &document, found, key);
            accepted += fine;
            wrong.extend(not);
        }
        (accepted, wrong)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (accepted, wrong) = thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().fold((0, Vec::new()), |(accepted, mut wrong), thread| {
            let (fine, not) = thread.join().expect("no key makes the reader panic");
            wrong.extend(not);
            (accepted + fine, wrong)
        })
    });
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    assert!(accepted > 200, "only {accepted} documents are valid");
}

/// Both refuse undeclared keys, except where keys are the user's own.
#[test]
fn unknown_and_missing_keys_are_refused_by_both() {
    let validator = validator();
    let document = json_of(CORNERS).expect("TOML");
    for (path, section) in places_of(&document) {
        if section.others.is_none() {
            let mut changed = document.clone();
            table_at(&mut changed, &path).insert("no-such-key".to_owned(), json!(1));
            assert!(!validator.is_valid(&changed), "{path:?}");
            let errors = read(&toml_of(&changed)).expect_err("an unknown key").to_string();
            assert!(errors.contains("unknown key `no-such-key`"), "{path:?}: {errors}");
        }
        let required = section.keys.iter().filter(|k| matches!(k.default, keys::Default::Required));
        for key in required {
            let mut changed = document.clone();
            let Some(_) = table_at(&mut changed, &path).remove(key.name) else { continue };
            assert!(!validator.is_valid(&changed), "{path:?} without {}", key.name);
            let errors = read(&toml_of(&changed)).expect_err("a missing key").to_string();
            assert!(errors.contains(&format!("`{}` is missing", key.name)), "{path:?}: {errors}");
        }
    }
}

proptest! {
    // `PROPTEST_CASES=5000` tries more.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(11), ..ProptestConfig::default() })]

    /// Built-in scenarios with one or two keys set to some value, removed or misspelt.
    #[test]
    fn changed_scenarios_are_judged_alike(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6_u8),
            1..3,
        ),
    ) {
        let mut document = DOCUMENTS[which.index(DOCUMENTS.len())].clone();
        for (place, key, value, what) in changes {
            let all = places_of(&document);
            let (path, section) = &all[place.index(all.len())];
            let table = table_at(&mut document, path);
            let present: Vec<String> = table.keys().cloned().collect();
            match what {
                0 if !present.is_empty() => {
                    table.remove(&present[key.index(present.len())]);
                }
                1 if section.others.is_none() => {
                    table.insert("no-such-key".to_owned(), json!(1));
                }
                _ if !section.keys.is_empty() => {
                    let key = &section.keys[key.index(section.keys.len())];
                    let (mut values, wrong) = samples(&key.shape);
                    values.extend(wrong);
                    table.insert(key.name.to_owned(), values[value.index(values.len())].clone());
                }
                _ => {}
            }
        }
        static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(validator);
        if let Err(error) = compare(&VALIDATOR, &document) {
            return Err(TestCaseError::fail(error));
        }
    }
}
