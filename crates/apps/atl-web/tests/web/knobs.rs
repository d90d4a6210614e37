//! Sliders: the numbers that have one, their places and ranges.

use atl_scenario::builtin;
use atl_web::knobs::{Knob, of};
use proptest::prelude::*;

fn written(text: &str, knob: &Knob) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[knob.from..knob.to]).expect("whole characters")
}

#[test]
fn variables_networks_and_links_have_sliders() {
    let text = r#"# 😀
[vars]
first = "40s"
queue = 100
share = 0.25
swept = 3
word = "sack"
day = "2024-01-01"
[sweep]
swept = [1, 2]
[network.wifi]
rate = "20 Mb/s"
delay = "5e-1ms"
loss = 0
reverse = { loss = 0 }
[[link]]
name = "air"
rate = "$rate"
queue = 50
"#;
    let knobs = of(text);
    let found: Vec<(&str, String, f64, &str)> = knobs
        .iter()
        .map(|knob| (knob.path.as_str(), written(text, knob), knob.number, knob.unit.as_str()))
        .collect();
    let expected = [
        ("link.air.queue", "50", 50.0, ""),
        ("network.wifi.delay", "\"5e-1ms\"", 0.5, "ms"),
        ("network.wifi.loss", "0", 0.0, ""),
        ("network.wifi.rate", "\"20 Mb/s\"", 20.0, " Mb/s"),
        ("vars.first", "\"40s\"", 40.0, "s"),
        ("vars.queue", "100", 100.0, ""),
        ("vars.share", "0.25", 0.25, ""),
    ];
    let mut sorted = found.clone();
    sorted.sort_by_key(|knob| knob.0);
    assert_eq!(
        sorted,
        expected.map(|(path, text, number, unit)| (path, text.to_owned(), number, unit))
    );
    assert!(knobs.is_sorted_by_key(|knob| knob.from), "in the file's order: {found:?}");
    let loss = knobs.iter().find(|knob| knob.path.ends_with("loss")).expect("a loss");
    assert!(loss.zero && !loss.whole && loss.high <= 1.0);
}

#[test]
fn every_slider_of_a_built_in_scenario_holds_its_number() {
    let mut some = 0;
    for scenario in builtin() {
        for knob in of(scenario.text) {
            some += 1;
            let Knob { number, low, high, zero, .. } = knob;
            assert!(low > 0.0 && low < high && number <= high, "{}: {knob:?}", scenario.name);
            assert!(number >= low || (zero && number >= 0.0), "{}: {knob:?}", scenario.name);
            assert!(written(scenario.text, &knob).contains(&knob.unit));
        }
    }
    assert!(some > 100, "{some}");
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,80}", number in "[-+0-9.eE]{0,12}[a-zA-Z/%µ ]{0,4}") {
        let _ = of(&text);
        let file = format!("[vars]\na = \"{number}\"\n[network.n]\nloss = \"{number}\"\n");
        for knob in of(&file) {
            prop_assert!(knob.low < knob.high && knob.number.is_finite());
        }
    }
}
