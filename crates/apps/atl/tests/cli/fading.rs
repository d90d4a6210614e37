//! `atl model fading` compared with numbers worked by hand.

use std::path::Path;

use serde_json::Value;

use crate::{fine, json, refused};

fn near(document: &Value, key: &str, expected: f64) {
    let value = document["results"][key]["value"].as_f64();
    let value = value.unwrap_or_else(|| panic!("no {key} in {document}"));
    assert!((value / expected - 1.0).abs() < 2e-4, "{key}: {value}, not {expected}");
}

const HEAD: [&str; 7] = ["model", "fading", "--modulation", "dpsk", "--rate", "424kb/s", "--json"];

fn model(more: &[&str]) -> Value {
    json(Path::new("."), &[&HEAD[..], more].concat())
}

/// DPSK at 20 dB, g = 100, with a threshold of 10 dB, so that rho^2 = .1 and rho = .316228;
/// f_D = 10 Hz; a cell in 1 ms.
///
/// - mean bit errors: 1/(2 . 101) = .00495050
/// - fades: sqrt(2 pi) . 10 . .316228 . exp(-.1) = 25.0663 . .316228 . .904837 = 7.17237 a second,
///   of (exp(.1) - 1)/(.316228 . 25.0663) = .105171/7.92666 = 13.2680 ms, 126.157 ms apart
/// - bad for 1 - exp(-.1) = .0951626 of the time;
///   errors in it (1/202)(1 - exp(-10 . 1.01))/.0951626
///   = .00495050 . .999958922/.0951626 = .0520193;
///   in the good state .00495050 . 4.10779e-5/.904837 = 2.24744e-7
/// - 1/13.2680 + 1/126.157 = .0832959 changes in a cell's time; 1 - exp(-.0832959) = .0799210:
///   from good to bad .0951626 . .0799210 = .00760549, back .904837 . .0799210 = .0723155
#[test]
fn results_for_a_fading_channel_follow_from_the_equations() {
    let document = model(&["--snr", "20dB", "--doppler", "10Hz", "--threshold", "10"]);
    near(&document, "snr_db", 20.0);
    near(&document, "bit_errors", 0.004_950_50);
    near(&document, "threshold_db", 10.0);
    near(&document, "crossings", 7.172_37);
    near(&document, "fade", 0.013_268_0);
    near(&document, "clear", 0.126_157);
    near(&document, "bad_share", 0.095_162_6);
    near(&document, "bit_errors_bad", 0.052_019_3);
    near(&document, "bit_errors_good", 2.247_44e-7);
    near(&document, "good_to_bad", 0.007_605_49);
    near(&document, "bad_to_good", 0.072_315_5);
    near(&document, "fade_cells", 13.268_0);
    assert_eq!(document["results"]["fade"]["unit"], "s");
    assert_eq!(document["results"]["crossings"]["unit"], "1/s");
}

#[test]
fn a_cell_error_ratio_gives_the_snr_and_struck_cells_the_threshold() {
    let document = model(&["--cell-errors", "0.1%", "--doppler", "1kHz"]);
    near(&document, "cell_errors", 1e-3);
    let value = |key: &str| document["results"][key]["value"].as_f64().expect("a number");
    near(&document, "bad_share", value("struck_cells"));
    assert!(value("struck_cells") > 1e-3 && value("struck_cells") < 1.05e-3);
    // The computed ratio as input gives the same result.
    let snr = format!("{:.9}dB", value("snr_db"));
    near(&model(&["--snr", &snr, "--doppler", "1kHz"]), "cell_errors", 1e-3);
    // The output as text.
    let args = [
        "model",
        "fading",
        "--modulation",
        "bpsk",
        "--snr",
        "20",
        "--doppler",
        "10",
        "--rate",
        "2Mb/s",
    ];
    let text = fine(Path::new("."), &args);
    assert!(text.contains("level crossing rate") && text.contains("20.00 dB"), "{text}");
}

#[test]
fn impossible_channels_are_refused() {
    let refused = |more: &[&str]| refused(Path::new("."), &[&HEAD[..], more].concat(), 2);
    assert!(refused(&["--doppler", "10"]).contains("--snr"));
    assert!(refused(&["--doppler", "10", "--snr", "20", "--cell-errors", "0.1"]).contains("--snr"));
    assert!(refused(&["--doppler", "0", "--snr", "20"]).contains("0.001"));
    assert!(refused(&["--doppler", "10m", "--snr", "20"]).contains("Hz"));
    assert!(refused(&["--doppler", "10", "--snr", "200dB"]).contains("100"));
    assert!(
        refused(&["--doppler", "10", "--snr", "-20", "--threshold", "100dB"]).contains("threshold")
    );
    assert!(refused(&["--doppler", "10", "--cell-errors", "1"]).contains("cell-errors"));
}
