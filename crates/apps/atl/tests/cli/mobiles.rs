//! Scenarios with a map: the output of `validate`, and a run.

use std::fs;

use crate::{atl, err, out};

const BUS: &str = r#"title = "A bus"
duration = "34s"
seeds = 5
link = [{ name = "wire", from = "server", to = "gateway", rate = "155Mb/s", delay = "10ms" }]
cell = [
  { name = "wlan", at = [0, 0], radius = "500m", behind = "gateway", rate = "1Mb/s" },
  { name = "umts", at = [850, 0], radius = "500m", behind = "gateway", rate = "500kb/s" },
]
mobile = [{ name = "bus", path = [[-600, 0], [850, 0]], speed = "$v" }]
flow = [{ name = "download", from = "server", to = "bus", protocol = "newreno" }]
record = { every = "1s" }
sweep = { v = ["180km/h", "90km/h"] }
"#;

#[test]
fn a_map_is_told_before_it_is_run() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("bus.toml"), BUS).expect("writable");
    let output = atl(dir.path(), &["validate", "bus.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let expected = "  bus at v = 180km/h: in no cell; 2 s in wlan; 19 s umts imminent; 20.5 s in umts; 22 s wlan gone\n";
    assert!(out(&output).ends_with(expected), "{}", out(&output));

    let output = atl(dir.path(), &["validate", "--json", "bus.toml"]);
    let document: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    let bus = &document[0]["mobiles"][0];
    assert_eq!(bus["cells"], serde_json::json!(["wlan", "umts"]));
    assert_eq!(
        bus["steps"][2],
        serde_json::json!({ "at_s": 19.0, "signal": "imminent", "cell": "umts" })
    );

    let output =
        atl(dir.path(), &["run", "bus.toml", "--quick", "--seeds", "1", "--out", "result"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let report = fs::read_to_string(dir.path().join("result/report.html")).expect("a report");
    assert!(report.contains("<figure class=\"map\">"));
}
