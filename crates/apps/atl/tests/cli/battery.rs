//! `atl model battery` compared with numbers worked by hand and those in the paper.

use std::path::Path;

use serde_json::Value;

use crate::{fine, json, refused};

fn model(args: &[&str]) -> Value {
    json(Path::new("."), &[&["model", "battery", "--json"][..], args].concat())
}

/// A result in milliampere minutes: .06 A s each.
fn milliampere_minutes(document: &Value, key: &str) -> f64 {
    document["results"][key]["value"].as_f64().expect("a number") / 0.06
}

fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 2e-4, "{value}, not {expected}");
}

/// 1000 B at 11 Mb/s are 727.273 us, 32 B are 23.2727 us.
///
/// - 327 mA . 727.273 us + 539 mA . 23.2727 us = 250.362 mA ms = .00417271 mA min
/// - the other way round 539 . .727273 + 327 . .0232727 = 399.610 mA ms = .00666017 mA min
/// - of 730 mAh = 43 800 mA min
#[test]
fn a_hundred_dummies_of_tcp_cost_what_eq_4_says_and_not_what_eq_5_does() {
    let document = model(&["--dummies", "100"]);
    near(milliampere_minutes(&document, "each"), 0.004_172_71);
    near(milliampere_minutes(&document, "charge"), 0.417_271);
    near(milliampere_minutes(&document, "swapped"), 0.666_017);
    near(document["results"]["share"]["value"].as_f64().unwrap(), 0.417_271 / 43_800.0);
}

/// 10 Mb/s for .5 s are 1250 packets of 500 B, 363.636 us each at 11 Mb/s: 454.545 ms at 327 mA =
/// 148.636 mA s.
#[test]
fn half_a_second_of_rtp_costs_two_and_a_half_milliampere_minutes() {
    let document = model(&["--stream", "10Mb/s", "--over", "500ms", "--packet", "500B"]);
    near(document["results"]["dummies"]["value"].as_f64().unwrap(), 1250.0);
    near(milliampere_minutes(&document, "charge"), 148.636 / 60.0);
    assert!(document["results"]["swapped"].is_null(), "nothing is answered");
    assert_eq!(document["inputs"]["ack_bytes"], 0);
}

#[test]
fn its_own_card_and_battery_count() {
    let packets = ["--dummies", "10", "--packet", "1500", "--ack", "0B", "--rate", "12Mb/s"];
    let card = ["--receiving", "0.2A", "--transmitting", "300mA", "--battery", "4Ah"];
    let document = model(&[&packets[..], &card].concat());
    // 10 packets of 1 ms at 200 mA: 2 mA s.
    near(document["results"]["charge"]["value"].as_f64().unwrap(), 0.002);
    near(document["results"]["share"]["value"].as_f64().unwrap(), 0.002 / 14_400.0);
}

#[test]
fn people_read_milliampere_minutes_and_mistakes_are_refused() {
    let shown = fine(Path::new("."), &["model", "battery", "--dummies", "100"]);
    assert!(shown.contains("mA min") && shown.contains("eq. 5, as published"), "{shown}");
    for (args, hint) in [
        (&["--dummies", "0"][..], "whole number from 1"),
        (&["--dummies", "1", "--receiving", "11A"], "0A to 10A"),
        (&["--dummies", "1", "--receiving", "3Mb/s"], "such as 327mA"),
        (&["--dummies", "1", "--battery", "0mAh"], "greater than 0"),
        (&["--stream", "1Mb/s"], "--over"),
        (&["--stream", "1kb/s", "--over", "1ms"], "no whole dummy"),
        (&[], "--dummies"),
    ] {
        let said = refused(Path::new("."), &[&["model", "battery"][..], args].concat(), 2);
        assert!(said.contains(hint), "{args:?}: {said}");
    }
}
