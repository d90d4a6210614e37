//! Relations between runs: what must not change when the scenario does.

use std::path::Path;
use std::sync::Arc;

use atl_core::time::Span;
use atl_engine::result::RunResult;
use atl_engine::setup::{Setup, Tcp};
use atl_engine::store::{Collector, Results, Room};
use atl_engine::{Cancel, Options, run_some};
use atl_experiment::shard::{Builds, Changes, Header, Part, Shard, Whole, write};
use atl_scenario::scenario::Scenario;
use toml::{Table, Value};

use super::bench::Bench;
use super::engines::run;
use super::file::{read, read_with};
use super::laws::hold;

/// The same case once more gives the same bytes.
///
/// # Errors
/// What differs.
pub(super) fn twice(bench: &Bench<'_>) -> Result<(), String> {
    let again = run(bench.engine, &bench.scenario, 1)?;
    all_alike((bench.setup(), &bench.results), (bench.setup(), &again))
}

/// A run of half the duration is the beginning of the whole one.
///
/// # Errors
/// What differs.
pub(super) fn prefix(bench: &Bench<'_>) -> Result<(), String> {
    let half = bench.setup().duration / 2;
    let short = read_with(bench.tree, Some(format!("{}ns", half.nanos())))?;
    let shorter = &short.points[0].setup;
    if as_a_whole(bench.setup()) != as_a_whole(shorter) {
        return Ok(());
    }
    // The ends of a QUIC connection agree on the number of paths when it begins, and a mobile has
    // one for each cell that it will use.
    let paths =
        |setup: &Setup| -> Vec<usize> { setup.flows.iter().map(|flow| flow.paths.len()).collect() };
    if bench.engine.name() != "sim" && paths(bench.setup()) != paths(shorter) {
        return Ok(());
    }
    let results = run(bench.engine, &short, 1)?;
    // A host that freezes its connection looks ahead: what the shorter run does not live to see it
    // does not foresee either.
    let frozen = bench.setup().flows.iter().filter_map(|flow| flow.protocol.tcp()?.freeze);
    let known = half.saturating_sub(frozen.max().unwrap_or(Span::ZERO)).secs();
    for (short, long) in results.iter().zip(&bench.results) {
        let begun = &long.samples[..short.samples.len().min(long.samples.len())];
        let pairs = short.samples.iter().zip(begun).filter(|(one, _)| one.time_s <= known);
        for (one, other) in pairs {
            let at = (one.time_s, one.flow);
            same(one, other).map_err(|what| format!("sample {at:?} of half a run: {what}"))?;
        }
        let next = long.samples.get(short.samples.len());
        hold(next.is_none_or(|next| next.time_s > half.secs()), || {
            format!("a sample is missing: {next:?}")
        })?;
    }
    Ok(())
}

/// Defaults of each flow that depend on all of the run: the slowest of all cells that a mobile will
/// use makes its `overhead = "auto"`.
fn as_a_whole(setup: &Setup) -> Vec<(Span, Tcp)> {
    setup.flows.iter().map(|flow| (flow.overhead, flow.tcp.clone())).collect()
}

/// A network that shares nothing with this one changes nothing.
///
/// # Errors
/// What differs.
pub(super) fn independent(bench: &Bench<'_>) -> Result<(), String> {
    let mut tree = bench.tree.clone();
    append(
        &mut tree,
        "link",
        r#"
        name = "elsewhere"
        from = "here"
        to = "there"
        rate = "700kb/s"
        delay = "7ms"
        loss = 0.02
        queue = 7
        wireless = true"#,
    );
    append(
        &mut tree,
        "flow",
        r#"
        name = "stranger"
        from = "here"
        to = "there"
        protocol = "reno"
        overhead = "auto""#,
    );
    unchanged(bench, &tree)
}

/// Links that no flow uses change nothing: one apart, and one beside the first that comes later in
/// the file.
///
/// # Errors
/// What differs.
pub(super) fn unused(bench: &Bench<'_>) -> Result<(), String> {
    let mut tree = bench.tree.clone();
    let apart =
        "name = \"apart\"\nfrom = \"east\"\nto = \"west\"\nrate = \"1Mb/s\"\nwireless = true";
    append(&mut tree, "link", apart);
    let first = tree.get("link").and_then(|links| links.get(0)).and_then(Value::as_table);
    let mut beside = first.cloned().unwrap_or_default();
    beside.insert("name".to_owned(), "beside".into());
    // Channels are numbered through, and FQ-CoDel hashes the number of a cell's channel: one more
    // would let other channels share a queue.
    beside.remove("adaptation");
    if let Some(links) = tree.get_mut("link").and_then(Value::as_array_mut) {
        links.push(beside.into());
    }
    unchanged(bench, &tree)
}

/// Protocols whose controllers draw at random, each from a stream with the flow's name.
const DRAWS: &[&str] = &["bbr2", "bbr3"];

/// Flows and nodes by other names, in another alphabetical order, do the same, where nothing of a
/// flow is random.
///
/// # Errors
/// What differs.
pub(super) fn renamed(bench: &Bench<'_>) -> Result<(), String> {
    let mut plain = bench.tree.clone();
    let mut draws = bench.engine.name() != "sim";
    for flow in tables(&mut plain, "flow") {
        draws |= flow.contains_key("adaptation");
        for key in ["start-jitter", "notices"] {
            flow.remove(key);
        }
        // Flows that pace beside others have one unless the file says otherwise.
        flow.insert("overhead".to_owned(), Value::String("0s".to_owned()));
        if let Some(source) = flow.get_mut("source").and_then(Value::as_table_mut) {
            source.remove("distribution");
            // Sizes of a page's objects.
            draws |= source.get("application").and_then(name) == Some("web-page");
        }
        let laws = [flow.get("protocol"), flow.get("pep").and_then(|pep| pep.get("protocol"))];
        let drawn =
            |law: Option<&Value>| law.and_then(name).is_some_and(|law| DRAWS.contains(&law));
        draws |= laws.into_iter().any(drawn);
    }
    for link in tables(&mut plain, "link") {
        draws |= link.contains_key("adaptation");
    }
    if draws {
        return Ok(());
    }
    let mut other = plain.clone();
    let fixed = |name: &str| name.starts_with("cell-") || name == "mobile";
    let rename = |table: &mut Table, key: &str| {
        if let Some(Value::String(name)) = table.get_mut(key)
            && !fixed(name)
        {
            let last = name.bytes().last().unwrap_or(b'0');
            *name = format!("{}-{name}", 255 - last);
        }
    };
    for flow in tables(&mut other, "flow") {
        ["name", "from", "to"].iter().for_each(|key| rename(flow, key));
        if let Some(pep) = flow.get_mut("pep").and_then(Value::as_table_mut) {
            rename(pep, "at");
        }
    }
    for link in tables(&mut other, "link") {
        ["from", "to"].iter().for_each(|key| rename(link, key));
    }
    for cell in tables(&mut other, "cell") {
        rename(cell, "behind");
    }
    let (plain, other) = (read(&plain)?, read(&other)?);
    let results = [run(bench.engine, &plain, 1)?, run(bench.engine, &other, 1)?];
    let setup = |scenario: &Scenario| scenario.points[0].setup.clone();
    all_alike((&setup(&plain), &results[0]), (&setup(&other), &results[1]))
}

/// Several seeds on one thread, on three, and in three parts that are merged give the same bytes.
///
/// # Errors
/// What differs.
pub(super) fn shards(bench: &Bench<'_>) -> Result<(), String> {
    let mut tree = bench.tree.clone();
    let seeds = [3, 4, 5, 6, 7].map(Value::Integer);
    tree.insert("seeds".to_owned(), Value::Array(seeds.to_vec()));
    let scenario = read(&tree)?;
    let alone = bytes(bench, &scenario, collected(&run(bench.engine, &scenario, 1)?))?;
    let beside = bytes(bench, &scenario, collected(&run(bench.engine, &scenario, 3)?))?;
    hold(alone == beside, || "three threads give other bytes than one".to_owned())?;
    let parts = (1..=3).map(|number| {
        let shard = Shard::new(number, 3).ok_or("a shard")?;
        let runs = shard.runs(scenario.seeds.len());
        let part = Collector::new(runs.len(), 1, Arc::new(Room::unlimited()), "nowhere");
        let cancel = Cancel::default();
        let options = Options { jobs: None, cancel: &cancel, progress: &|_| {} };
        let keep = |run, result| part.put(run, result);
        run_some(bench.engine, &scenario, runs, options, &keep).map_err(|e| e.to_string())?;
        let results = part.finish().map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        write(&mut out, &header(bench, &scenario, shard), &[results]).map_err(|e| e.to_string())?;
        Part::open(out).map_err(|error| error.to_string())
    });
    let parts: Result<Vec<_>, String> = parts.collect();
    let whole = Whole::of(parts?, Builds::Same).map_err(|error| error.to_string())?;
    let merged = whole
        .results(1, &Arc::new(Room::unlimited()), Path::new("nowhere"))
        .map_err(|(_, error)| error.to_string())?;
    let merged = merged.into_iter().next().ok_or("no results")?;
    let merged = bytes(bench, &scenario, merged)?;
    hold(merged == alone, || "three parts, merged, give other bytes than the whole".to_owned())
}

fn header(bench: &Bench<'_>, scenario: &Scenario, shard: Shard) -> Header {
    Header {
        version: "0".to_owned(),
        build: "swarm".to_owned(),
        spec: "swarm".to_owned(),
        changes: Changes::default(),
        command: "swarm".to_owned(),
        scenario: scenario.name.clone(),
        hash: scenario.hash.clone(),
        runs: scenario.seeds.len() as u64,
        engines: vec![bench.engine.id()],
        shard,
    }
}

fn collected(results: &[RunResult]) -> Results {
    let all = Collector::new(results.len(), 1, Arc::new(Room::unlimited()), "nowhere");
    for (run, result) in results.iter().enumerate() {
        all.put(run, result.clone()).expect("all fits in memory");
    }
    all.finish().expect("all are there")
}

/// The file of a whole sweep's results.
fn bytes(bench: &Bench<'_>, scenario: &Scenario, results: Results) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let whole = Shard::new(1, 1).ok_or("the whole")?;
    write(&mut out, &header(bench, scenario, whole), &[results]).map_err(|e| e.to_string())?;
    Ok(out)
}

/// The name in a value that is a name, or a table with one.
fn name(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("name")?.as_str())
}

/// Tables of the top level, each `[[key]]`.
fn tables<'a>(tree: &'a mut Table, key: &str) -> impl Iterator<Item = &'a mut Table> {
    let items = tree.get_mut(key).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_table_mut)
}

fn append(tree: &mut Table, key: &str, text: &str) {
    let table: Table = text.parse().expect("a table");
    if let Some(items) = tree.get_mut(key).and_then(Value::as_array_mut) {
        items.push(table.into());
    }
}

/// The other tree, which has all that the bench's has and more, gives the same results for that.
fn unchanged(bench: &Bench<'_>, other: &Table) -> Result<(), String> {
    let other = read(other)?;
    let results = run(bench.engine, &other, 1)?;
    all_alike((bench.setup(), &bench.results), (&other.points[0].setup, &results))
}

fn all_alike(a: (&Setup, &[RunResult]), b: (&Setup, &[RunResult])) -> Result<(), String> {
    a.1.iter().zip(b.1).try_for_each(|(one, other)| alike((a.0, one), (b.0, other)))
}

/// The flows, links and samples of `a` are in `b`, unchanged.
fn alike(a: (&Setup, &RunResult), b: (&Setup, &RunResult)) -> Result<(), String> {
    let flows = a.1.flows.len();
    for (at, (one, other)) in a.1.flows.iter().zip(&b.1.flows).enumerate() {
        let name = &a.0.flows[at].name;
        same(one, other).map_err(|what| format!("flow {name} differs: {what}"))?;
    }
    for (link, one) in a.0.links.iter().zip(&a.1.links) {
        let place = b.0.links.iter().position(|other| other.name == link.name);
        let other = place.and_then(|place| b.1.links.get(place));
        same(&Some(one), &other).map_err(|what| format!("link {} differs: {what}", link.name))?;
    }
    let mut others = b.1.samples.iter().filter(|sample| (sample.flow as usize) < flows);
    for one in &a.1.samples {
        let other = others.next();
        hold(other == Some(one), || format!("a sample differs: {one:?} and {other:?}"))?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(one: &T, other: &T) -> Result<(), String> {
    if one == other {
        return Ok(());
    }
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let lines = one.lines().zip(other.lines()).filter(|(a, b)| a != b).take(4);
    let lines: Vec<_> = lines.map(|(a, b)| format!("{} / {}", a.trim(), b.trim())).collect();
    Err(lines.join("; "))
}
