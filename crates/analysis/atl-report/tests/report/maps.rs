//! The map, and the effect of mobiles' handoffs on charts and recovery times.

use std::path::Path;
use std::sync::Arc;

use atl_engine::result::EngineId;
use atl_engine::setup::Setup;
use atl_report::recovery::recovery;
use atl_report::{Outcome, html, judge};
use atl_scenario::{Overrides, no_files, parse};

use crate::support::{first_run, run, sample};

/// A bus between two cells 850 m apart, at 25 m/s: it enters the second after 14 s, is half way
/// after 17 s, and leaves the first after 20 s.
const BUS: &str = r#"
title = "A bus"
duration = "34s"
seeds = 1
record = { every = "1s" }
link = [{ name = "wire", from = "server", to = "gateway", rate = "155Mb/s" }]
cell = [
  { name = "wlan", at = [0, 0], radius = "500m", behind = "gateway", rate = "6Mb/s", reverse = { rate = "2Mb/s" } },
  { name = "umts", at = [850, 0], radius = "500m", behind = "gateway", rate = "1Mb/s" },
]
mobile = [{ name = "bus", path = [[0, 0], [850, 0]], speed = "90km/h" }]
flow = [{ name = "download", from = "server", to = "bus", protocol = "newreno" }]
"#;

fn outcome(text: &str, rate: impl Fn(f64) -> f64) -> Outcome {
    let scenario = parse("bus", text, Path::new("bus.toml"), &no_files, &Overrides::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    let mut result = run(&[1.0]);
    let mut bytes = 0.0;
    for second in 1..=34 {
        let time_s = f64::from(second);
        bytes += rate(time_s) / 8.0;
        let mut row = sample(time_s, 0, 3.0, rate(time_s));
        row.delivered_bytes = bytes as u64;
        result.samples.push(row);
    }
    Outcome {
        results: vec![vec![result]; scenario.points.len()].into(),
        scenario: Arc::new(scenario),
        engine: EngineId { name: "sim".to_owned(), version: "0.1.0".to_owned() },
        version: "0.1.0".to_owned(),
        command: "atl run bus".to_owned(),
    }
}

fn page(outcome: &Outcome) -> String {
    html::page(std::slice::from_ref(outcome), &[judge(outcome)])
}

/// The map's part of a page.
fn map(page: &str) -> &str {
    let start = page.find("<figure class=\"map\">").expect("a map");
    &page[start..start + page[start..].find("</figure>").expect("its end")]
}

#[test]
fn a_map_is_drawn_to_scale() {
    let page = page(&outcome(BUS, |_| 1e6));
    let map = map(&page);
    // 1850 m fill 668 units inside a margin of 26, so both circles have a radius of 180.5.
    for circle in [
        "class=\"cell k0\" cx=\"206.5\" cy=\"206.5\" r=\"180.5\"",
        "class=\"cell k1\" cx=\"513.5\" cy=\"206.5\" r=\"180.5\"",
        // The track changes its colour in the middle.
        "class=\"way k0\" points=\"206.5,206.5 360.0,206.5\"",
        "class=\"way k1\" points=\"360.0,206.5 513.5,206.5\"",
    ] {
        assert!(map.contains(circle), "{circle}\n{map}");
    }
    // Height: 2 x 180.5 + 2 x 26 + 26.
    assert!(map.contains("viewBox=\"0 0 720 439\""), "{map}");
    for text in [
        ">wlan<",
        ">6 Mb/s down, 2 Mb/s up<",
        ">1 Mb/s<",
        ">bus, 0 s<",
        ">17 s<",
        ">34 s<",
        ">200 m<",
    ] {
        assert!(map.contains(text), "{text}\n{map}");
    }
    assert!(map.contains("bus moves through wlan, umts"), "{map}");
    // Signals announced, done, gone.
    assert_eq!(map.matches("class=\"sign").count(), 3, "{map}");
}

#[test]
fn a_way_without_a_cell_is_dotted() {
    let hole = BUS.replace(
        "radius = \"500m\", behind = \"gateway\", rate = \"6",
        "radius = \"300m\", behind = \"gateway\", rate = \"6",
    );
    let page = page(&outcome(&hole, |_| 1e6));
    assert!(map(&page).contains("class=\"way none\""), "{}", map(&page));
    assert!(page.contains("\"text\":\"no cell\""));
}

#[test]
fn a_map_that_not_all_points_share_says_so() {
    let swept = format!(
        "{}sweep = {{ v = [\"90km/h\", \"45km/h\"] }}\n",
        BUS.replace("\"90km/h\"", "\"$v\"")
    );
    let page = page(&outcome(&swept, |_| 1e6));
    assert!(map(&page).contains("Drawn for v = 90km/h; at 1 of 2 points"), "{}", map(&page));
}

#[test]
fn names_on_a_map_are_text() {
    // Names are restricted, labels of values are not.
    let evil = "{ label = \"<script>\", value = \"45km/h\" }, \"90km/h\"";
    let swept = format!("{}sweep = {{ v = [{evil}] }}\n", BUS.replace("\"90km/h\" }", "\"$v\" }"));
    let page = page(&outcome(&swept, |_| 1e6));
    assert!(map(&page).contains("v = &lt;script&gt;"), "{}", map(&page));
}

#[test]
fn without_cells_there_is_no_map() {
    let still = "title = \"t\"\nduration = \"34s\"\nseeds = 1\n\
                 link = [{ name = \"wire\", from = \"a\", to = \"b\", rate = \"1Mb/s\" }]\n\
                 flow = [{ name = \"f\", from = \"a\", to = \"b\", protocol = \"reno\" }]\n";
    assert!(!page(&outcome(still, |_| 1e6)).contains("<figure class=\"map\">"));
}

#[test]
fn charts_over_time_name_the_cells() {
    let page = page(&outcome(BUS, |_| 1e6));
    for mark in [
        "{\"text\":\"wlan\",\"x\":0.0}",
        "{\"text\":\"umts\",\"x\":17.0}",
        "{\"text\":\"overlap\",\"to\":20.0,\"x\":14.0}",
    ] {
        assert!(page.contains(mark), "{mark}");
    }
}

#[test]
fn a_handoff_is_recovered_from() {
    let setup_of = |outcome: &Outcome| -> Setup { outcome.scenario.points[0].setup.clone() };
    let found = |text: &str, rate: &dyn Fn(f64) -> f64| {
        let outcome = outcome(text, rate);
        recovery(&setup_of(&outcome), &first_run(&outcome), 0).expect("a handoff")
    };
    // The reference is the mean of the last 10 s: 1 Mb/s, which the flow reaches 5 s after the
    // handoff.
    let slow = |t: f64| if t > 17.0 && t <= 22.0 { 1e5 } else { 1e6 };
    let recovered = found(BUS, &slow);
    assert!((recovered.time_s - 5.0).abs() < 1e-9 && recovered.recovered, "{recovered:?}");
    assert!(found(BUS, &|_| 1e6).time_s.abs() < 1e-9);
}
