//! The command `atl validate`.

use atl_scenario::Cost;
use atl_scenario::scenario::Scenario;
use serde_json::json;

use crate::args::Validate;
use crate::failure::Failure;
use crate::format::{about, counted, duration};
use crate::journeys;
use crate::opening;
use crate::output;
use crate::status::Status;

/// Checks scenario files and reports all errors in all of them.
///
/// # Errors
/// If standard output cannot be written to. Errors in files are reported and decide the status.
pub(crate) fn validate(args: &Validate) -> Result<Status, Failure> {
    let overrides = args.changes.overrides();
    let mut status = Status::Success;
    let mut documents = Vec::new();
    for file in &args.files {
        match opening::open(file, &overrides) {
            Ok(scenario) if args.json => documents.push(json!({
                "file": file,
                "ok": true,
                "points": scenario.points.len(),
                "seeds": scenario.seeds.len(),
                "runs": scenario.runs(),
                "simulated_s": scenario.simulated().secs(),
                "cost": cost(&scenario),
                "mobiles": journeys::json(&scenario),
                "errors": [],
                "warnings": scenario.warnings.reports(),
            })),
            Ok(scenario) => {
                output::error(&scenario.warnings.render(output::stderr_colour()));
                output::text(&(fine(file, &scenario) + &journeys::lines(&scenario)))?;
            }
            Err(errors) => {
                status = Status::Usage;
                if args.json {
                    documents
                        .push(json!({ "file": file, "ok": false, "errors": errors.reports() }));
                } else {
                    output::error(&errors.render(output::stderr_colour()));
                }
            }
        }
    }
    if args.json {
        output::json_list(&documents)?;
    }
    Ok(status)
}

/// The cost of all runs on one engine, before any of them.
fn cost(scenario: &Scenario) -> serde_json::Value {
    let Cost { flows, packets, memory, results, .. } = scenario.cost();
    json!({
        "flows": flows,
        "packets": packets,
        "memory_bytes": memory,
        "results_bytes": results,
    })
}

fn fine(file: &str, scenario: &Scenario) -> String {
    let cost = scenario.cost();
    let packets = match cost.packets.is_finite() {
        true => format!("up to {} packets", about(cost.packets).trim_end()),
        false => "packets without a limit".to_owned(),
    };
    format!(
        "{file}: OK, {} × {} = {}, {} of simulated time, {}, {}\n  \
         on one engine {packets}, {}B of memory for the sweep, {}B of results\n",
        counted(scenario.points.len(), "point"),
        counted(scenario.seeds.len(), "seed"),
        counted(scenario.runs(), "run"),
        duration(scenario.simulated().secs()),
        counted(scenario.figures.len(), "figure"),
        counted(scenario.quotes.len(), "quote"),
        about(cost.memory as f64),
        about(cost.results as f64),
    )
}
