//! A run ends with no packet, event or option left in its stores.

use std::path::Path;

use atl_core::time::Time;
use atl_scenario::{Overrides, no_files, parse};

use super::Simulation;

mod cells;
mod quench;

/// Both ends wireless, with losses and overflowing queues in both directions, interruptions, and
/// each kind of agent.
const ALL: &str = r#"
title = "t"
duration = "200s"
seeds = 3
[sweep]
protocol = ["sack", "tcp-atl", "peach", "peach-plus", "wtcp", "freeze-tcp", "tahoe"]
agent = [false, "snoop", { label = "slow", value = { name = "snoop", window = 8, delay = "7ms" } }]
rack = ["sack", "rack", "newreno"]
[tcp]
segment = 1000
header = 40
ack = 40
initial-window = 2
[[link]]
name = "up"
from = "a"
to = "b"
wireless = true
rate = "500kb/s"
delay = "20ms"
loss = 0.05
queue = { packets = 6, priority = true }
agent = "$agent"
blackout = [{ at = "1s", lasts = "300ms", every = "1300ms", times = 4 }]
[[link]]
name = "middle"
from = "b"
to = "c"
rate = "1Mb/s"
queue = { bytes = "5kB", priority = true }
reverse = { queue = { bytes = "200B", priority = true } }
[[link]]
name = "down"
from = "c"
to = "d"
wireless = true
rate = "400kb/s"
delay = "15ms"
loss = 0.05
queue = 4
agent = "$agent"
blackout = [{ at = "2s", lasts = "1s" }]
[[flow]]
name = "f"
from = "a"
to = "d"
protocol = { name = "$protocol", recovery = "$rack", freeze = "150ms" }
source = { bytes = "150kB" }
tcp = { handshake = true, delayed-ack = "50ms" }
[[flow]]
name = "g"
from = "a"
to = "d"
protocol = "$protocol"
source = { bytes = "150kB" }
overhead = "4ms"
"#;

#[test]
fn the_options_of_every_ack_are_freed_once() {
    let scenario = parse("t", ALL, Path::new("t.toml"), &no_files, &Overrides::default());
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.points.len(), 63);
    for point in &scenario.points {
        for seed in 1..=3 {
            let mut sim = Simulation::new(&point.setup, seed);
            for s in 1..=200 {
                sim.advance_to(Time::from_millis(1000 * s));
                // It asserts that no slot was freed twice.
                assert!(sim.options.in_use() < 1000);
            }
            assert_eq!((sim.delivered(0), sim.delivered(1)), (150, 150), "{:?}", point.vars);
            assert_eq!(sim.options.in_use(), 0, "{:?}, seed {seed}", point.vars);
        }
    }
}

/// A wireless receiver that reports or acknowledges over a narrow and lossy reverse path.
const PACED: &str = r#"
title = "t"
duration = "60s"
seeds = 3
[sweep]
protocol = ["aimd-rate"]
feedback = ["acks", "7ms"]
[tcp]
segment = 1000
header = 40
ack = 40
initial-window = 2
[[link]]
name = "air"
from = "a"
to = "b"
wireless = true
rate = "1Mb/s"
delay = "20ms"
loss = 0.05
queue = { packets = 6, priority = true }
reverse = { rate = "20kb/s", queue = { packets = 3, priority = true } }
[[flow]]
name = "f"
count = 3
from = "a"
to = "b"
protocol = "$protocol"
pacing = { feedback = "$feedback" }
source = { on = "20s", off = "100s", rate = "200kb/s" }
overhead = "4ms"
"#;

#[test]
fn the_slots_of_every_ack_and_report_are_freed_once() {
    let scenario = parse("t", PACED, Path::new("t.toml"), &no_files, &Overrides::default());
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    for point in &scenario.points {
        for seed in 1..=3 {
            let mut sim = Simulation::new(&point.setup, seed);
            sim.advance_to(Time::from_millis(60_000));
            let arrived: u64 = (0..3).map(|flow| sim.delivered(flow)).sum();
            assert!(arrived > 500, "{:?}: {arrived}", point.vars);
            assert_eq!((sim.reports.in_use(), sim.options.in_use()), (0, 0), "{:?}", point.vars);
        }
    }
}

#[test]
fn copies_have_slots_of_their_own_and_every_segment_is_delivered_once() {
    let twice = "wireless = true\nduplicate = 0.2\ningress-loss = 0.02";
    let all = ALL
        .replace(
            "\"sack\", \"tcp-atl\", \"peach\", \"peach-plus\", \"wtcp\"",
            "\"tcp-atl\", \"peach-plus\"",
        )
        .replace("[\"sack\", \"rack\", \"newreno\"]", "[\"sack\"]")
        .replace("wireless = true", twice);
    let paced = PACED.replace("wireless = true", twice);
    for text in [&all, &paced] {
        let scenario = parse("t", text, Path::new("t.toml"), &no_files, &Overrides::default());
        let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
        for point in &scenario.points {
            let mut sim = Simulation::new(&point.setup, 1);
            for s in 1..=200 {
                sim.advance_to(Time::from_millis(1000 * s));
                assert!(sim.options.in_use() < 1000);
            }
            if point.setup.flows.len() == 2 {
                assert_eq!((sim.delivered(0), sim.delivered(1)), (150, 150), "{:?}", point.vars);
            }
            assert_eq!((sim.reports.in_use(), sim.options.in_use()), (0, 0), "{:?}", point.vars);
            let result = sim.run();
            for flow in &result.flows {
                assert!(flow.copies > Some(0), "{flow:?}");
                let [before, arrived, dropped, lost, after] = [
                    flow.under_way_before,
                    flow.arrived,
                    flow.dropped,
                    flow.lost,
                    flow.under_way_after,
                ]
                .map(|count| count.expect("it is counted"));
                let came = before + flow.sent + flow.copies.unwrap_or(0);
                assert_eq!(came, arrived + dropped + lost + after, "{flow:?}");
            }
        }
    }
}
