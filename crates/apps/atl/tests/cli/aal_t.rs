//! `atl model aal-t` compared with numbers worked by hand and those in the paper.

use std::path::Path;

use serde_json::Value;

use crate::{fine, json, refused};

fn model(args: &[&str]) -> Value {
    json(Path::new("."), &[&["model", "aal-t", "--json"], args].concat())
}

fn value(results: &Value, key: &str) -> f64 {
    results[key]["value"].as_f64().unwrap_or_else(|| panic!("no {key} in {results}"))
}

fn near(results: &Value, key: &str, expected: f64) {
    let value = value(results, key);
    assert!((value / expected - 1.0).abs() < 2e-4, "{key}: {value}, not {expected}");
}

/// The paper's example at CER 1e-3: 1200 + 48 bytes are 26 cells.
///
/// - P_s = .999^26 = .974322; E[N] = (.974322 + .025678 · 10)/.974322 = 1.263545
/// - TCP: 1/1.04 = .961538; .961538/1.263545 = .760985
/// - AAL-T: .974322 · .961538 = .936848, the paper's .94
/// - ratio: .974322 · 1.263545 = 1.231102
#[test]
fn the_quoted_point_follows_from_the_equations() {
    let document = model(&["--cer", "0.001"]);
    let results = &document["results"];
    near(results, "p_c", 0.999);
    near(results, "cells", 26.0);
    near(results, "p_s", 0.974_322);
    near(results, "attempts", 1.263_545);
    near(results, "tcp", 0.760_985);
    near(results, "aal_t", 0.936_848);
    near(results, "ratio", 1.231_102);
    assert_eq!(results["tcp"]["equation"], "eq. 4");
    assert_eq!(document["inputs"]["window_packets"], 10);
    assert_eq!(document["inputs"]["ber"], Value::Null);
    assert!(results.get("clr").is_none(), "a CER does not say which errors hit headers");
}

/// P_b = 1e-4; L is 92 bytes, 2 cells. With 10 bytes of payload a packet has 2 cells.
///
/// - P0 = .9999^40 = .99600779, P1 = 40e-4 · .9999^39 = .00398443
/// - CLR = 1 - .99600779 · 1.00398443 = 2.369e-5
/// - P_c = .9999^424 · 1.00398443 = .9584858 · 1.00398443 = .9623049
/// - S-ARQ's own: .9623049^2 · 92/96 = .926031 · .958333 = .887446
#[test]
fn results_for_a_bit_error_ratio_follow_from_the_equations() {
    let document = model(&["--ber", "1e-4", "--payload", "10", "--window", "5"]);
    let results = &document["results"];
    near(results, "p_c", 0.962_304_9);
    near(results, "cer", 1.0 - 0.962_304_9);
    let clr = value(results, "clr");
    assert!((clr - 2.369e-5).abs() < 1e-8, "{clr}");
    near(results, "payload", 92.0);
    near(results, "payload_table_1", 92.0);
    near(results, "cells", 2.0);
    near(results, "p_s", 0.926_031);
    near(results, "attempts", (0.926_031 + 0.073_969 * 5.0) / 0.926_031);
    near(results, "s_arq", 0.887_446);
}

/// The bit error ratio that corresponds to a cell error ratio gives that ratio by eq. 8.
#[test]
fn cell_and_bit_error_ratios_convert_both_ways() {
    let ber = value(&model(&["--cer", "2%"])["results"], "ber").to_string();
    let document = model(&["--ber", &ber]);
    near(&document["results"], "cer", 0.02);
}

#[test]
fn several_ratios_give_a_table() {
    let document = model(&["--ber", "1e-6,1e-5,1e-4,0"]);
    let rows = document["rows"].as_array().expect("rows");
    let payloads: Vec<f64> = rows.iter().map(|row| value(&row["results"], "payload")).collect();
    assert_eq!(payloads[..3], [716.0, 236.0, 92.0]);
    assert_eq!(rows[1]["ber"], 1e-5);
    assert_eq!(rows[3]["results"]["attempts"]["value"], 1.0);
    assert_eq!(document["inputs"]["ber"].as_array().map(Vec::len), Some(4));
    let text = fine(Path::new("."), &["model", "aal-t", "--cer", "1e-4,1e-3"]);
    for word in ["+23.11 %", "0.9368", "1.00e-4", "428 (9)", "26 cells"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

/// If nothing arrives the number of attempts is unbounded, and the ratio of the efficiencies equals
/// the window.
#[test]
fn attempts_are_unbounded_where_nothing_arrives() {
    let document = model(&["--ber", "0.1"]);
    assert_eq!(document["results"]["attempts"]["value"], Value::Null);
    near(&document["results"], "ratio", 10.0);
    assert!(fine(Path::new("."), &["model", "aal-t", "--ber", "0.1"]).contains("unbounded"));
}

#[test]
fn counts_on_simulated_cells_agree_with_the_equations() {
    let document = model(&["--ber", "1e-4", "--payload", "188", "--simulate", "20000"]);
    let results = &document["results"];
    for (key, tolerance) in [("p_c", 0.002), ("p_s", 0.012), ("attempts", 0.04), ("aal_t", 0.012)] {
        let (by_equation, counted) =
            (value(results, key), value(results, &format!("{key}_counted")));
        assert!((counted / by_equation - 1.0).abs() < tolerance, "{key}: {counted}, {by_equation}");
    }
    assert_eq!(model(&["--ber", "1e-4", "--payload", "188", "--simulate", "20000"]), document);
}

#[test]
fn table_1_is_compared_with_eq_2() {
    let document = model(&["--table"]);
    let rows = document["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 15);
    let printed: Vec<u64> = rows
        .iter()
        .filter(|row| row["printed"].is_string())
        .map(|row| row["payload_bytes"].as_u64().expect("bytes"))
        .collect();
    assert_eq!(printed, [44, 92, 140, 236, 284, 332, 428, 476, 716], "the paper's nine rows");
    // Bands of eq. 2 are contiguous.
    for pair in rows.windows(2) {
        assert_eq!(pair[0]["ber_above"], pair[1]["ber_up_to"]);
    }
    // Table 1 has no payload of 4 cells: it gives 5 or 3 there.
    assert_eq!(rows[3]["table_1_cells"], serde_json::json!([3, 5]));
    assert_eq!(rows[3]["differs"], true);
    assert_eq!(rows[1]["differs"], false);
    let text = fine(Path::new("."), &["model", "aal-t", "--table"]);
    for word in ["2e-4 or higher", "3 or 5", "15, not 14", "the same", "188 bytes"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn contradictory_arguments_are_refused() {
    let refused = |args: &[&str]| refused(Path::new("."), &[&["model", "aal-t"], args].concat(), 2);
    for (args, words) in [
        (&[][..], &["--ber", "--cer", "--table"][..]),
        (&["--ber", "1e-5", "--cer", "1e-5"], &["--ber", "--cer"]),
        (&["--ber", "0.2"], &["'0.2'", "from 0 to 0.1"]),
        (&["--ber", "-1"], &["'-1'", "from 0 to 0.1"]),
        (&["--ber", "nan"], &["'nan'", "1e-5"]),
        (&["--ber", "1e-5,x"], &["'x'", "1e-5"]),
        (&["--cer", "1"], &["'1'", "0.99"]),
        (&["--ber", "1e-5", "--window", "0"], &["--window", "1"]),
        (&["--ber", "1e-5", "--payload", "0"], &["--payload", "65535B"]),
        (&["--ber", "1e-5", "--payload", "65535", "--overhead", "200"], &["65735", "65568"]),
        (&["--table", "--window", "5"], &["--table", "--window"]),
        (&["--ber", "1e-5,1e-4", "--simulate", "10"], &["--simulate", "one --ber"]),
        (&["--ber", "0.1", "--simulate", "10"], &["--simulate 10", "infinitely many"]),
        (&["--ber", "1e-3", "--simulate", "1000000"], &["P_s", "fewer packets"]),
    ] {
        let told = refused(args);
        for word in words {
            assert!(told.contains(word), "{args:?}: {word} in {told}");
        }
    }
}
