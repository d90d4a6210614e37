//! An engine that runs nothing: its numbers follow from names, so that rankings, sums and names can
//! be tested on any scenario at once.

use std::sync::Arc;

use atl_engine::result::{EngineId, FlowResult, RunResult};
use atl_report::Outcome;
use atl_scenario::scenario::{Point, Scenario};

/// A number from 0 to 1 derived from a text (FNV-1a).
fn number_of(text: &str) -> f64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

fn run(point: &Point, swept: &[String], seed: u64) -> RunResult {
    let values = swept.iter().filter_map(|v| point.vars.get(v));
    let (numbers, words): (Vec<_>, Vec<_>) = values.partition(|value| value.number.is_some());
    let text = |values: &[&atl_scenario::scenario::Value]| {
        values.iter().map(|v| v.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let active_s = point.setup.duration.secs() - point.setup.warmup.secs();
    let flows = point.setup.flows.iter().map(|flow| {
        let design = number_of(&format!("{} {} {}", flow.protocol.label, flow.group, text(&words)));
        let condition = number_of(&text(&numbers));
        let luck = number_of(&format!("{seed} {} {}", flow.name, text(&words)));
        let goodput_bps = 1e6 * (0.5 + design) * (1.0 - 0.5 * condition) * (1.0 + 0.02 * luck);
        FlowResult {
            active_s,
            goodput_bps,
            throughput_bps: 1.1 * goodput_bps,
            ..FlowResult::default()
        }
    });
    RunResult { flows: flows.collect(), ..RunResult::default() }
}

/// The outcome of a scenario on this engine.
pub(crate) fn outcome_of(scenario: Scenario) -> Outcome {
    let runs = |point: &Point| {
        scenario.seeds.iter().map(|seed| run(point, &scenario.swept, *seed)).collect()
    };
    Outcome {
        results: scenario.points.iter().map(runs).collect::<Vec<_>>().into(),
        scenario: Arc::new(scenario),
        engine: EngineId { name: "none".to_owned(), version: "0".to_owned() },
        version: "0".to_owned(),
        command: "none".to_owned(),
    }
}
