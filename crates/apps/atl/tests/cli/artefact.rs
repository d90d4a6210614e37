//! `atl artefact`: a verdict with each impairment in its other form.

use crate::{fine, json, json::holds, json_and_messages, refused, with_tiny};

/// BBRv3 and CUBIC over jitter that overtakes, which costs CUBIC more.
const SHORT: [&str; 8] = [
    "artefact",
    "showcase/noq-819",
    "--seeds",
    "5",
    "--set",
    "rate=20Mb/s",
    "--set",
    "flow.transfer.source.bytes=3MB",
];

#[test]
fn a_verdict_that_hangs_on_the_order_of_packets_is_told() {
    let dir = with_tiny();
    let told =
        fine(dir.path(), &[&SHORT[..], &["--forms", "jitter-in-order,queue-in-time"]].concat());
    for text in [
        "CUBIC behind BBRv3: only with jitter that overtakes.",
        "as written",
        "jitter-in-order",
        "falls",
        "stands",
        "means over 5 seeds",
        "30 runs",
    ] {
        assert!(told.contains(text), "{text} in {told}");
    }
    assert!(!told.contains("no-jitter"), "it was not asked for: {told}");

    let document = json(dir.path(), &[&SHORT[..], &["--json"]].concat());
    holds(&document, "atl-artefact/1");
    let claim = &document["results"][0]["claims"][0];
    assert_eq!((&claim["of"], &claim["beside"]), (&"CUBIC".into(), &"BBRv3".into()));
    let forms = claim["forms"].as_array().expect("a list");
    let verdict = |name: &str| {
        let form = forms.iter().find(|form| form["form"] == name);
        form.unwrap_or_else(|| panic!("{name} was tried: {claim}"))["verdict"].clone()
    };
    assert_eq!(verdict("jitter-in-order"), "falls");
    assert_eq!(verdict("no-jitter"), "falls");
    assert_eq!(verdict("hosts-random"), "stands");
    assert!(forms.iter().all(|form| form["form"] != "jitter-overtaking"), "that is its own");
    assert!(forms.iter().all(|form| form["form"] != "no-loss"), "it has no losses");
    // Runs with one form have the seeds of those with another, and nothing is written.
    assert_eq!(crate::names(dir.path()), ["tiny.toml"]);
}

/// The answer of docs/artefacts.md with noq's own controllers, a tenth of the bytes and half of the
/// seeds. Their BBRv3 takes its randomness from the system, so the test holds orders, not digits.
#[test]
fn noqs_own_controllers_give_the_answer_of_the_page() {
    let dir = with_tiny();
    let (document, messages) = json_and_messages(
        dir.path(),
        &[
            "artefact",
            "showcase/noq-819",
            "--on",
            "quic-sim",
            "--quick",
            "--set",
            "protocol=noq-cubic,noq-bbr3",
            "--set",
            "flow.transfer.source.bytes=10MB",
            "--forms",
            "jitter-in-order,no-jitter",
            "--json",
        ],
    );
    assert!(messages.contains("runs with `noq-bbr3` differ each time"), "{messages}");
    let claim = &document["results"][0]["claims"][0];
    assert_eq!((&claim["of"], &claim["beside"]), (&"BBRv3 (noq)".into(), &"CUBIC (noq)".into()));
    assert_eq!(claim["relation"], "behind", "as written: {claim}");
    let goodputs = |form: &serde_json::Value| {
        [0, 1].map(|who| form["goodputs_bps"][who]["mean"].as_f64().expect("a number") / 1e6)
    };
    // Both use less than a tenth of the 100 Mb/s where packets overtake: the overtaken look lost.
    assert!(goodputs(claim).iter().all(|mbps| *mbps < 10.0), "{claim}");
    let forms = claim["forms"].as_array().expect("a list");
    for form in forms {
        assert!(goodputs(form).iter().all(|mbps| *mbps > 60.0), "{form}");
        assert_ne!(form["relation"], "ahead", "the order does not turn round: {form}");
    }
    let without = forms.iter().find(|form| form["form"] == "no-jitter").expect("it was tried");
    assert_eq!((&without["relation"], &without["verdict"]), (&"behind".into(), &"stands".into()));
}

#[test]
fn independent_losses_become_bursts_and_go() {
    let dir = with_tiny();
    let document = json(dir.path(), &["artefact", "tiny.toml", "--duration", "20s", "--json"]);
    let forms = document["results"][0]["claims"][0]["forms"].as_array().expect("a list");
    let names: Vec<&str> = forms.iter().filter_map(|form| form["form"].as_str()).collect();
    let expected = [
        "loss-per-packet",
        "loss-per-second",
        "no-loss",
        "loss-one-way",
        "queue-in-time",
        "hosts-exact",
        "hosts-random",
    ];
    assert_eq!(names, expected, "the link loses packets both ways");
    let goodput = |name: &str| {
        let form = forms.iter().find(|form| form["form"] == name).expect("it was tried");
        form["goodputs_bps"][0]["mean"].as_f64().expect("a number")
    };
    assert!(goodput("no-loss") > goodput("loss-per-packet"), "{document}");
}

#[test]
fn what_cannot_be_judged_is_refused_before_it_runs() {
    let dir = with_tiny();
    let refuse = |args: &[&str]| refused(dir.path(), &[&["artefact"], args].concat(), 2);
    let cases: [(&[&str], &str); 5] = [
        (&["tiny.toml", "--seeds", "3"], "`tiny` has 3 seeds, and a verdict takes at least 5"),
        (&["tiny.toml", "--set", "protocol=reno"], "`tiny` compares nothing"),
        (&["tiny.toml", "--forms", "no-blackouts"], "no form changes `tiny`: no-blackouts would"),
        (&["tiny.toml", "--forms", "jitter-inorder"], "did you mean `jitter-in-order`?"),
        (&["tiny.toml", "--set", "link.air.loss=2"], "loss"),
    ];
    for (args, text) in cases {
        let told = refuse(args);
        assert!(told.contains(text), "{text} in {told}");
    }
}
