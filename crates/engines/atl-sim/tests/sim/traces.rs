//! Recorded links in runs.

use std::io;
use std::path::Path;

use atl_core::time::Span;
use atl_engine::result::RunResult;
use atl_sim::Simulation;

use crate::support::parse_with;

/// A link whose recording is busy in its first second and nearly silent in its other three.
fn run(offset: &str, seed: u64) -> RunResult {
    let text = format!(
        r#"
title = "t"
duration = "1s"
[[link]]
name = "air"
from = "a"
to = "b"
trace = "air.up"
delay-trace = "air.delay"
{offset}
reverse = {{ rate = "unlimited" }}
[[link]]
name = "wire"
from = "b"
to = "c"
rate = "unlimited"
[[flow]]
name = "f"
from = "a"
to = "c"
protocol = "sack"
"#
    );
    let read = |path: &Path| match path.extension().and_then(|e| e.to_str()) {
        Some("up") => Ok((1..=1000).chain([4000]).map(|ms| format!("{ms}\n")).collect()),
        Some("delay") => Ok("5\n".repeat(100) + &"90\n".repeat(300)),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    Simulation::new(&parse_with(&text, &read), seed).run()
}

fn offsets(result: &RunResult) -> Vec<Option<Span>> {
    result.links.iter().map(|link| link.trace_offset).collect()
}

#[test]
fn a_run_begins_where_the_file_says() {
    let start = run("trace-offset = \"0s\"", 1);
    assert_eq!(offsets(&start), [Some(Span::ZERO), Some(Span::ZERO), None, None]);
    let silent = run("trace-offset = \"2s\"", 1);
    assert_eq!(offsets(&silent)[0], Some(Span::from_secs(2)));
    assert!(start.flows[0].goodput_bps > 5e6, "{}", start.flows[0].goodput_bps);
    assert_eq!(silent.links[0].delivered, 0);
    // The trace repeats, and its delays begin where its rates do.
    let again = run("trace-offset = \"4s\"", 1);
    assert_eq!(again.flows, start.flows);
    assert!(start.flows[0].rtt_min_s < Some(0.02), "{:?}", start.flows[0].rtt_min_s);
    let late = run("trace-offset = \"3500ms\"", 1);
    assert!(late.links[0].delivered > 0 && late.links[0].delivered < start.links[0].delivered);
}

/// Seeds on a recorded link without losses would otherwise all be the same run.
#[test]
fn each_seed_begins_elsewhere() {
    let mut begun: Vec<Span> = Vec::new();
    for seed in 1..=8 {
        let result = run("", seed);
        let offsets = offsets(&result);
        // Both directions begin together, and the same seed gives the same run.
        assert_eq!((offsets[0], offsets[2]), (offsets[1], None));
        assert_eq!(result, run("", seed));
        let offset = offsets[0].expect("a recorded link");
        assert!(offset < Span::from_secs(4) && !begun.contains(&offset), "{offset} {begun:?}");
        // The reported offset, given by hand, repeats the run.
        let told = run(&format!("trace-offset = \"{}ms\"", offset.nanos() / 1_000_000), seed);
        assert_eq!(told, result);
        begun.push(offset);
    }
}
