//! Single cases, as a user writes them.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use atl_lab::{Failure, metric, scenario, scenario_text};
use noq_proto::congestion::{Controller, ControllerFactory, CubicConfig, NewRenoConfig};

use crate::reno::{Bug, RenoConfig};

pub(crate) const PATH: &str = r#"
title = "A path"
duration = "5s"
warmup = "1s"
seeds = 2
[sweep]
loss = [0, 1e-2]
[[link]]
name = "air"
from = "phone"
to = "server"
rate = "10Mb/s"
delay = "20ms"
loss = "$loss"
[[flow]]
name = "new"
from = "phone"
to = "server"
protocol = "noq-cubic"
[[flow]]
name = "old"
from = "phone"
to = "server"
protocol = "noq-newreno"
"#;

#[test]
fn a_built_in_scenario_runs_with_the_controller_in_place_of_its_protocols() {
    let report = scenario("showcase/roaming")
        .quick()
        .seeds(2)
        .with(CubicConfig::default())
        .expect(metric("goodput").at_least("1Mb/s"))
        .expect(metric("goodput").than("noq-cubic").at_least(0.99).at_most(1.01))
        .run();
    // Two seeds; the file's protocols all stand for the controller.
    assert_eq!(report.runs, 2);
    assert_eq!(report.measured.len(), 2);
    assert!(report.measured.iter().all(|measured| measured.point.is_empty()), "{report}");
}

/// NewReno that counts its controllers.
struct Counted(Arc<AtomicUsize>);

impl ControllerFactory for Counted {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Arc::new(NewRenoConfig::default()).build(now, mtu)
    }
}

#[test]
fn a_mobile_has_a_controller_for_each_path_unless_a_layer_below_keeps_its_address() {
    let built = |new_path: &str| {
        let text = format!(
            r#"
title = "A phone between two cells"
duration = "8s"
seeds = 1
[[link]]
name = "wire"
from = "server"
to = "gateway"
rate = "1Gb/s"
delay = "5ms"
[[cell]]
name = "home"
behind = "gateway"
at = ["0m", "0m"]
radius = "100m"
rate = "10Mb/s"
delay = "10ms"
[[cell]]
name = "town"
behind = "gateway"
at = ["150m", "0m"]
radius = "100m"
rate = "10Mb/s"
delay = "20ms"
[[mobile]]
name = "phone"
path = [["0m", "0m"], ["150m", "0m"]]
speed = "20m/s"
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = {{ name = "noq-cubic", new-path = "{new_path}" }}
"#
        );
        let count = Arc::new(AtomicUsize::new(0));
        let case = scenario_text("cells", &text).with(Counted(count.clone()));
        case.expect(metric("goodput").at_least("5Mb/s")).run();
        count.load(Ordering::Relaxed)
    };
    assert!(built("reset") > built("keep"));
}

#[test]
fn expectations_name_points_groups_and_ratios() {
    let report = scenario_text("path", PATH)
        .with(NewRenoConfig::default())
        .on("new")
        .expect(metric("goodput").of("new").over("old").at("loss", "0").at_most(3).at_least(0.2))
        .expect(metric("goodput").of("new").at("loss", "1e-2").at_most("10Mb/s"))
        .expect(metric("rtt-median").at_least("40ms"))
        .run();
    let points: Vec<&str> = report.measured.iter().map(|m| m.point.as_str()).collect();
    assert_eq!(points, ["loss = 0", "loss = 0", "loss = 1e-2", "loss = 1e-2"]);
}

#[test]
fn a_failure_tells_what_came_by_seed_and_leaves_a_qlog() {
    let logs = tempfile::tempdir().expect("a directory");
    let case = || {
        scenario_text("path", PATH)
            .with(RenoConfig::with(Bug::ReductionPerPacket))
            .on("new")
            .logs(logs.path())
            .expect(
                metric("goodput")
                    .of("new")
                    .at_least("9.9Mb/s")
                    .because("It has the link for itself"),
            )
    };
    let Err(Failure::Unmet(report)) = case().check() else { panic!("it does not pass") };
    let text = report.to_string();
    for part in [
        "path with noq, 4 runs",
        "goodput of `new`, at least 9.9Mb/s",
        "It has the link for itself",
        "by seed: 1: ",
        "repeated-reduction",
        "qlog of the worst run",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let [log] = &report.logs[..] else { panic!("{:?}", report.logs) };
    let worst = report.measured.iter().find(|m| !m.met).expect("unmet").worst;
    assert!(log.ends_with(format!("path/loss-0-seed-{worst}/new.sqlog")), "{}", log.display());
    let log = fs::read_to_string(log).expect("written");
    assert!(log.contains("congestion_window") && log.lines().count() > 100, "{}", log.len());
    // A second run gives the same text.
    let Err(again) = case().check() else { panic!("it does not pass") };
    assert_eq!(again.to_string(), text);
}

#[test]
#[should_panic(expected = "FAILED")]
fn run_panics_with_the_report() {
    scenario_text("path", PATH)
        .with(RenoConfig::default())
        .expect(metric("goodput").at_least("1Gb/s"))
        .run();
}

#[test]
fn what_is_known_passes_and_is_said() {
    let report = scenario_text("path", PATH)
        .with(RenoConfig::with(Bug::HugeInitialWindow))
        .known("initial-window", "our paths are fast")
        .run();
    assert!(report.to_string().contains("known: our paths are fast"), "{report}");
}
