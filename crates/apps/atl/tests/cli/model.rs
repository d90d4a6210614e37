//! `atl model` compared with numbers worked by hand.

use std::path::Path;

use serde_json::Value;

use crate::{fine, json, refused};

const PATH: [&str; 8] = ["--p", "0.02", "--pw", "0.015", "--rtt", "120ms", "--dw", "50ms"];

fn with<'a>(head: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    head.iter().chain(&PATH).chain(more).copied().collect()
}

fn model(args: &[&str]) -> Value {
    json(Path::new("."), args)
}

/// Equal to as many digits as were worked out.
fn near(document: &Value, key: &str, expected: f64) {
    let value = document["results"][key]["value"].as_f64();
    let value = value.unwrap_or_else(|| panic!("no {key} in {document}"));
    assert!((value / expected - 1.0).abs() < 2e-4, "{key}: {value}, not {expected}");
}

/// Worked by hand for p = 0.02, p_w = 0.015, R = 120 ms, d_w = 50 ms:
///
/// - eq. 5: p_c = (0.02 - 0.015)/(1 - 0.015) = 0.005/0.985 = 0.00507614
/// - eq. 6: R_c = 120 - 2 · 50 = 20 ms, so T_0c = 4 R_c = 80 ms
/// - eq. 7 with alpha = 1, beta = 1/2, b = 1, p_c and R_c:
///   R_c sqrt(2 p_c/3) = 0.02 · sqrt(0.00338409) = 0.02 · 0.0581730 = 0.00116346;
///   3 sqrt(3 p_c/8) = 3 · sqrt(0.00190355) = 3 · 0.0436297 = 0.130889;
///   p_c (1 + 32 p_c^2) = 0.00507614 · 1.00082455 = 0.00508033;
///   0.08 · 0.130889 · 0.00508033 = 0.0000531967;
///   T = 1/(0.00116346 + 0.0000531967) = 1/0.00121666 = 821.92 packets/s
/// - beta = 0.80, as 50 ms begins the second class
/// - eq. 9 with p, R, T_0 = 4 R = 480 ms:
///   p (1 + 32 p^2) = 0.02 · 1.0128 = 0.020256;
///   2 R + 3 T_0 · 0.020256 · 1.8 = 0.24 + 0.0525036 = 0.2925036;
///   T · 0.2925036 = 240.415, squared 57799.3;
///   p (1 - beta)/(2 (1 + beta)) = 0.02 · 0.2/3.6 = 0.00111111;
///   alpha = 0.00111111 · 57799.3 = 64.221
#[test]
fn tcp_atl_decides_what_the_equations_say() {
    let document = model(&with(&["model", "tcp-atl", "--json"], &[]));
    near(&document, "p_c", 0.005_076_14);
    near(&document, "r_c_s", 0.020);
    near(&document, "t", 821.92);
    near(&document, "beta", 0.80);
    near(&document, "alpha", 64.221);
    assert_eq!(document["results"]["alpha"]["unit"], "packets/RTT");
    assert_eq!(document["results"]["alpha"]["equation"], "eq. 9");
}

/// The same path with an access link of 2 Mb/s: packets of 1000 bytes give T_hat = 250 packets/s,
/// and alpha = 0.00111111 · (250 · 0.2925036)^2 = 0.00111111 · 5347.39 = 5.94155.
#[test]
fn the_access_link_caps_the_target() {
    let more = ["--access-rate", "2Mb/s", "--packet-size", "1000"];
    let document = model(&with(&["model", "tcp-atl", "--json"], &more));
    near(&document, "t_hat", 250.0);
    near(&document, "alpha", 5.941_55);
}

/// The same path; eq. 13 with T = 821.92, beta = 0.8, q = 1/(p R) = 1/0.0024 = 416.667:
///
/// - (1.8/2)(T + q) = 0.9 · 1238.587 = 1114.728
/// - 8 · 0.2 · T^2/(1.8^2 · 1238.587^2) = 1.6 · 0.440356/3.24 = 0.217460
/// - sqrt(1.217460) - 1 = 0.103386
/// - alpha = 1114.728 · 0.103386 = 115.247 packets/s per RTT
#[test]
fn rcp_atl_decides_what_the_equations_say() {
    let document = model(&with(&["model", "rcp-atl", "--json"], &[]));
    near(&document, "t", 821.92);
    near(&document, "alpha", 115.247);
    near(&document, "alpha_window", 115.247 * 0.12);
    for form in ["last-round", "mended"] {
        let other = model(&with(&["model", "rcp-atl", "--json", "--form", form], &[]));
        assert_ne!(other["results"]["alpha"], document["results"]["alpha"], "{form}");
        assert_eq!(other["inputs"]["form"], form);
    }
}

/// Plain TCP at p = 0.01, R = 100 ms, T_0 = 400 ms: 0.1 sqrt(0.02/3) = 0.00816497;
/// 3 sqrt(0.00375) = 0.183712; 0.01 · 1.0032 = 0.010032; 0.4 · 0.183712 · 0.010032 = 0.000737198;
/// T = 1/0.00890216 = 112.332. Eq. 10 with alpha = 1/R is ARC's eq. 21:
/// (3 + sqrt(25 + 2400))/(4 · 0.1) = (3 + 49.2443)/0.4 = 130.611.
#[test]
fn throughput_is_what_the_equations_say() {
    let args = ["model", "throughput", "--json", "--p", "1%", "--rtt", "100ms"];
    let document = model(&args);
    near(&document, "eq7_published", 112.332);
    near(&document, "eq7_bounded", 112.332);
    near(&document, "eq10_published", 130.611);
    near(&document, "arc_eq21", 130.611);
    // With alpha R p = 1 the half-round form is not valid, so it has no number.
    let args = ["model", "throughput", "--json", "--p", "0.5", "--alpha", "2", "--rtt", "100ms"];
    assert_eq!(model(&args)["results"]["eq10_half_round"]["value"], Value::Null);
}

/// alpha R = 1 packet, p = 0.01, R = 100 ms, beta = 1/2: alpha = 10, q = 1/(p R) = 1000.
///
/// - published: 5 (1.5 + sqrt(6.25 + 600)) = 5 · 26.12214 = 130.611
/// - last-round: 5 (1.5 + sqrt(0.25 + 600)) = 5 · 26 = 130
/// - mended: c^2 = 0.75/5 = 0.15, K = 0.75 · 1.15 = 0.8625;
///   x = (1.25 + sqrt(1.5625 + 1.725 · 99))/0.8625 = 16.6698;
///   (1000 + 156.698)/(0.5 · 16.6698) = 138.777
/// - half-round: x = (0.75 + sqrt(0.5625 + 1.725 · 99.5))/0.8625 = 16.0841;
///   (1000 + 155.841)/8.54203 = 135.312
///
/// Errors against the process are those of docs/errata.md at alpha R p = 0.01.
#[test]
fn each_form_of_eq_10_comes_with_its_error() {
    let args = ["model", "rate", "--json", "--p", "1%", "--rtt", "100ms"];
    let document = model(&args);
    near(&document, "published", 130.611);
    near(&document, "last_round", 130.0);
    near(&document, "mended", 138.777);
    near(&document, "half_round", 135.312);
    let of = |form: &str, key: &str| document["results"][form][key].as_f64();
    for (form, error) in [("published", -4.5), ("last_round", -4.9), ("mended", 1.5)] {
        let found = of(form, "error_appendix").expect("an error") * 100.0;
        assert!((found - error).abs() < 0.4, "{form}: {found} %, not {error}");
    }
    let anywhere = of("half_round", "error_anywhere").expect("an error");
    assert!(anywhere.abs() < 0.015, "{anywhere}");
    assert_eq!(of("published", "alpha_r_p_below"), None);
    assert_eq!(of("half_round", "alpha_r_p_below"), Some(1.0));
    // 2 K/(2 K - 1.5625) = 1.725/0.1625.
    assert!((of("mended", "alpha_r_p_below").expect("a limit") - 10.615).abs() < 1e-3);
}

/// 130 packets/s of 1040 bytes are 1.0816 Mb/s: alpha = 10 packets/s per RTT in the last-round
/// form, as above; slightly less in the published form, for which 10 gives 130.611.
#[test]
fn each_form_of_eq_13_gives_the_alpha_of_a_target() {
    let path = ["--p", "1%", "--rtt", "100ms", "--target", "1.0816Mb/s"];
    let args: Vec<&str> = ["model", "rate", "--json"].into_iter().chain(path).collect();
    let document = model(&args);
    near(&document, "last_round", 10.0);
    let alpha = |form: &str| document["results"][form]["value"].as_f64().expect("an alpha");
    assert!(alpha("mended") < alpha("half_round") && alpha("half_round") < alpha("published"));
    assert!(alpha("published") < 10.0);
    assert_eq!(document["results"]["mended"]["unit"], "packets/s/RTT");
    // A sender with the published alpha exceeds the target by the error of the form.
    let off = document["results"]["published"]["off_target_appendix"].as_f64().expect("a share");
    assert!((0.03..0.06).contains(&off), "{off}");
}

#[test]
fn the_table_of_forms_says_where_each_holds() {
    let here = Path::new(".");
    let text = fine(here, &["model", "rate", "--p", "10%", "--rtt", "100ms", "--alpha", "200"]);
    for word in ["alpha R p = 20.00", "published", "10.62", "errata.md", "below alpha R p = 1"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    for form in ["mended", "half-round"] {
        let line = text.lines().find(|line| line.contains(form)).expect(form);
        assert!(line.contains('–'), "{line}");
    }
    let text = fine(here, &["model", "rate", "--p", "1%", "--rtt", "100ms", "--target", "2Mb/s"]);
    assert!(text.contains("240.4 packets/s = 2.000 Mb/s"), "{text}");
    let args = ["model", "rate", "--p", "1%", "--rtt", "1s", "--target", "2Mb/s", "--alpha", "2"];
    let told = refused(here, &args, 2);
    assert!(told.contains("--target") && told.contains("--alpha"), "{told}");
    let none = refused(here, &["model", "rate", "--p", "0", "--rtt", "1s"], 2);
    assert!(none.contains("greater than 0"), "{none}");
}

#[test]
fn the_table_gives_each_number_with_unit_and_equation() {
    let text = fine(Path::new("."), &with(&["model", "tcp-atl"], &[]));
    for word in ["eq. 5", "eq. 6", "eq. 7", "eq. 9", "821.9 packets/s = 6.838 Mb/s", "20.00 ms"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn values_out_of_range_are_refused_by_name() {
    let tcp = |args: [&str; 8]| {
        let args: Vec<&str> = ["model", "tcp-atl"].into_iter().chain(args).collect();
        refused(Path::new("."), &args, 2)
    };
    for (args, words) in [
        (["--p", "2", "--pw", "0", "--rtt", "1s", "--dw", "0s"], ["'2'", "--p", "from 0 to 0.99"]),
        (
            ["--p", "-1", "--pw", "0", "--rtt", "1s", "--dw", "0s"],
            ["'-1'", "--p", "from 0 to 0.99"],
        ),
        (["--p", "nan", "--pw", "0", "--rtt", "1s", "--dw", "0s"], ["'nan'", "--p", "0.99"]),
        (["--p", ".1", "--pw", "0", "--rtt", "120", "--dw", "0s"], ["'120'", "--rtt", "unit"]),
        (
            ["--p", ".1", "--pw", "0", "--rtt", "0s", "--dw", "0s"],
            ["'0s'", "--rtt", "greater than 0s"],
        ),
        (["--p", ".1", "--pw", "0", "--rtt", "2h", "--dw", "0s"], ["'2h'", "--rtt", "1h"]),
        (
            ["--p", ".1", "--pw", ".2", "--rtt", "1s", "--dw", "0s"],
            ["--pw 0.2", "--p 0.1", "--packets"],
        ),
        (
            ["--p", ".1", "--pw", ".1", "--rtt", "1s", "--dw", "1s"],
            ["--dw 1s", "--rtt 1s", "smaller than 500ms"],
        ),
        (
            ["--p", ".1", "--pw", ".1", "--rtt", "1s", "--dw", "0s"],
            ["p_c = 0", "--access-rate", "--packets"],
        ),
    ] {
        let told = tcp(args);
        for word in words {
            assert!(told.contains(word), "{args:?}: {word} in {told}");
        }
    }
    let beta = refused(Path::new("."), &with(&["model", "tcp-atl"], &["--beta", "1"]), 2);
    assert!(beta.contains("--beta") && beta.contains("smaller than 1"), "{beta}");
    let form = refused(Path::new("."), &with(&["model", "rcp-atl"], &["--form", "best"]), 2);
    assert!(form.contains("published") && form.contains("half-round"), "{form}");
}

/// Measured over 99 packets, p below p_w gives p_c = 1/100.
#[test]
fn measured_values_are_bounded_as_in_the_protocol() {
    let args = [
        "model",
        "tcp-atl",
        "--json",
        "--p",
        "0.01",
        "--pw",
        "0.05",
        "--rtt",
        "100ms",
        "--dw",
        "10ms",
        "--packets",
        "99",
    ];
    let document = model(&args);
    near(&document, "p_c", 0.01);
    near(&document, "p", 1.0 - 0.95 * 0.99);
    assert_eq!(document["results"]["p_c"]["equation"], "eq. 5, at least 1/(n+1)");
}

/// ARC's path of p = .01, r = .2, q = .005, s = .4: P(S1) = .01/.21, P(I1) = .005/.405 = 1/81,
/// pi = 1 - (20/21)(80/81) = 101/1701. Eq. 21 at R = 220 ms: (3 + sqrt(25 + 24 . 81))/(4 . .22)
/// = (3 + sqrt(1969))/.88 = (3 + 44.3734)/.88 = 53.8335 packets/s.
#[test]
fn arc_s_path_gives_its_rate() {
    let chain = ["model", "arc", "--p", "0.01", "--r", "20%", "--q", "0.005", "--s", "0.4"];
    let document = model(&[&chain[..], &["--rtt", "220ms", "--json"]].concat());
    near(&document, "omega", 0.047_619);
    near(&document, "p_i1", 0.012_345_7);
    near(&document, "pi", 0.059_376_8);
    near(&document, "wireless_burst", 5.0);
    near(&document, "rate", 53.8335);
    // The same result from pi and omega.
    let measured = ["model", "arc", "--pi", "0.0593768371546149", "--omega", "0.0476190476190476"];
    let document = model(&[&measured[..], &["--rtt", "220ms", "--json"]].concat());
    near(&document, "p_i1", 0.012_345_7);
    near(&document, "rate", 53.8335);
}

#[test]
fn arc_s_path_is_one_of_chains_or_of_measured_losses() {
    let refused = |more: &[&str]| {
        refused(Path::new("."), &[&["model", "arc", "--rtt", "220ms"], more].concat(), 2)
    };
    assert!(
        refused(&["--p", "0.01", "--q", "0.1", "--pi", "0.1", "--omega", "0.1"]).contains("--pi")
    );
    assert!(refused(&["--p", "0.01"]).contains("--q"));
    assert!(refused(&["--pi", "0.01"]).contains("--omega"));
    assert!(refused(&["--p", "0.01", "--q", "0.1", "--r", "0"]).contains("greater than 0"));
    // Without congestion eq. 21 sets no limit.
    assert!(refused(&["--p", "0.01", "--q", "0"]).contains("eq. 21"));
    assert!(refused(&["--pi", "0.01", "--omega", "0.02"]).contains("eq. 21"));
}
