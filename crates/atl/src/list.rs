//! `atl list`.

use atl_report::table::{Cell, Column, Table};
use atl_scenario::protocol::{Recovery, catalogue};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, builtin};
use serde_json::json;

use crate::args::List;
use crate::experiment::duration;
use crate::failure::{Failure, Status};
use crate::output::{self, Look};

/// Lists scenarios and protocols.
///
/// # Errors
/// If a built-in scenario cannot be read, which its tests rule out.
pub fn list(args: &List) -> Result<Status, Failure> {
    let mut scenarios = Vec::new();
    for builtin in builtin() {
        let open = |quick| {
            let overrides = Overrides { quick, ..Overrides::default() };
            atl_scenario::open(builtin.name, &overrides)
                .map_err(|e| Failure::Scenarios { errors: vec![e], json: args.json })
        };
        scenarios.push((open(false)?, open(true)?));
    }
    if args.json {
        return output::json(&document(&scenarios));
    }
    let look = Look::of_stdout();
    output::text(&format!(
        "{}\n{}\n{}\n{}",
        look.bold("Scenarios: atl run NAME"),
        look.table(&scenario_table(&scenarios)),
        look.bold("Protocols: atl run NAME --set protocol=NAME"),
        look.table(&protocol_table()),
    ))
}

/// How a protocol repairs losses, as a scenario file names it.
fn recovery(recovery: Recovery) -> &'static str {
    match recovery {
        Recovery::Reno => "reno",
        Recovery::NewReno => "newreno",
        Recovery::Sack => "sack",
    }
}

fn document(scenarios: &[(Scenario, Scenario)]) -> serde_json::Value {
    let size = |s: &Scenario| {
        json!({
            "points": s.points.len(),
            "seeds": s.seeds.len(),
            "runs": s.runs(),
            "simulated_s": s.simulated().secs(),
        })
    };
    let scenarios = scenarios.iter().map(|(full, quick)| {
        json!({
            "name": full.name,
            "title": full.title,
            "about": full.about,
            "source": full.source,
            "swept": full.swept,
            "quotes": full.quotes.len(),
            "full": size(full),
            "quick": size(quick),
        })
    });
    let protocols = catalogue().iter().map(|p| {
        json!({
            "name": p.name,
            "label": p.label,
            "about": p.about,
            "source": p.source,
            "recovery": recovery(p.recovery),
        })
    });
    json!({
        "scenarios": scenarios.collect::<Vec<_>>(),
        "protocols": protocols.collect::<Vec<_>>(),
    })
}

fn words(titles: &[&str], rows: Vec<Vec<String>>) -> Table {
    let column = |title: &&str| Column {
        title: (*title).to_owned(),
        key: (*title).to_owned(),
        quantity: None,
    };
    Table {
        columns: titles.iter().map(column).collect(),
        rows: rows.into_iter().map(|row| row.into_iter().map(Cell::Text).collect()).collect(),
    }
}

fn scenario_table(scenarios: &[(Scenario, Scenario)]) -> Table {
    let size = |s: &Scenario| format!("{} × {}", s.runs(), mean_duration(s));
    let rows = scenarios
        .iter()
        .map(|(full, quick)| vec![full.name.clone(), full.title.clone(), size(full), size(quick)]);
    words(&["name", "what it asks", "runs × time", "with --quick"], rows.collect())
}

/// Simulated time of a run, the mean over its runs.
fn mean_duration(scenario: &Scenario) -> String {
    duration(scenario.simulated().secs() / scenario.runs().max(1) as f64)
}

fn protocol_table() -> Table {
    let rows = catalogue().iter().map(|p| {
        let texts = [p.name, p.label, p.about, p.source];
        texts.map(str::to_owned).to_vec()
    });
    words(&["name", "label", "what it is", "source"], rows.collect())
}
