//! The verifier of a run's log. It knows what links and endpoints are for, and has nothing of how
//! they do it: it works from the events alone, from the setup, and from what RFCs say.

mod end;
mod link;
mod record;

use std::collections::BTreeMap;

use atl_engine::setup::Setup;
use toml::{Table, Value};

pub(super) use self::record::Log;
use super::bench::Bench;

/// Every event of a run is possible, and together they are what was measured.
///
/// # Errors
/// What does not hold.
pub(super) fn log(bench: &Bench<'_>) -> Result<(), String> {
    if bench.engine.name() != "sim" {
        return Ok(());
    }
    let (setup, disciplines) = (bench.setup(), disciplines(bench.tree));
    for (seed, result) in bench.scenario.seeds.iter().zip(&bench.results) {
        let log = Log::of(setup, *seed);
        if log.result != *result {
            return Err("a run that is watched is another run".to_owned());
        }
        let celled = celled(setup);
        let of = |name: &str| disciplines.get(name).map_or("drop-tail", String::as_str);
        let late: Vec<_> =
            setup.links.iter().map(|link| link::drops_late(of(&link.name))).collect();
        for (at, link) in setup.links.iter().enumerate().filter(|(at, _)| !celled[*at]) {
            let discipline = of(&link.name);
            link::link((setup, at), discipline, &log)
                .map_err(|what| format!("link {} ({discipline}): {what}", link.name))?;
        }
        for (at, flow) in setup.flows.iter().enumerate() {
            let paths = flow.paths.iter().flat_map(|path| path.forward.iter().chain(&path.back));
            if paths.clone().any(|link| celled[*link]) {
                continue;
            }
            end::flow((setup, at), &late, &log)
                .map_err(|what| format!("flow {}: {what}", flow.name))?;
        }
    }
    Ok(())
}

/// For each link, whether cells cross it, which are not in the log.
fn celled(setup: &Setup) -> Vec<bool> {
    let mut celled: Vec<bool> = setup.links.iter().map(|link| link.adaptation.is_some()).collect();
    for flow in setup.flows.iter().filter(|flow| flow.adaptation.is_some()) {
        for path in &flow.paths {
            path.forward.iter().chain(&path.back).for_each(|link| celled[*link] = true);
        }
    }
    celled
}

/// The queue discipline of each direction of each link, as the file says: `several` where a network
/// or a change may bring another one.
fn disciplines(tree: &Table) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let networks = tree.get("network").and_then(Value::as_table).into_iter().flatten();
    let queued = |network: &Value| network.get("queue").is_some();
    let bring = networks
        .map(|(_, network)| network)
        .any(|network| queued(network) || network.get("reverse").is_some_and(queued));
    for key in ["link", "cell"] {
        let links = tree.get(key).and_then(Value::as_array).into_iter().flatten();
        for link in links.filter_map(Value::as_table) {
            let Some(name) = link.get("name").and_then(Value::as_str) else { continue };
            let roams = link.get("roam").and_then(Value::as_array).into_iter().flatten();
            // No discipline's name: it may drop what another has taken, mark, and change the order.
            let brings = bring && (link.contains_key("network") || link.contains_key("roam"));
            let own = match brings || roams.into_iter().any(|at| at.get("queue").is_some()) {
                true => "several".to_owned(),
                false => discipline(link.get("queue")),
            };
            let reverse = link.get("reverse").and_then(|reverse| reverse.get("queue"));
            let fixed = reverse.filter(|_| !brings);
            let back = fixed.map_or_else(|| own.clone(), |queue| discipline(Some(queue)));
            names.insert(name.to_owned(), own);
            names.insert(format!("{name}.back"), back);
        }
    }
    names
}

fn discipline(queue: Option<&Value>) -> String {
    let Some(Value::Table(queue)) = queue else { return "drop-tail".to_owned() };
    let named = queue.get("discipline").and_then(|named| match named {
        Value::Table(table) => table.get("name").and_then(Value::as_str),
        other => other.as_str(),
    });
    let priority = queue.get("priority").and_then(Value::as_bool) == Some(true);
    named.unwrap_or(if priority { "priority" } else { "drop-tail" }).to_owned()
}
