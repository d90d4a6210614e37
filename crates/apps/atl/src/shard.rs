//! `atl run --shard`: a part of a sweep.

use std::path::PathBuf;

use atl_experiment::shard::Shard;
use atl_experiment::{BUILD, VERSION, part};
use atl_scenario::repeat::quoted;
use serde::Serialize;

use crate::args::Run;
use crate::document::Format;
use crate::experiment::Plan;
use crate::failure::Failure;
use crate::format::counted;
use crate::status::Status;
use crate::{folder, opening, output};

/// The JSON document of `--json`.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    build: &'static str,
    scenario: String,
    scenario_hash: String,
    shard: String,
    /// Number of runs in this part, on each engine.
    runs: usize,
    /// Number of runs in the whole, on each engine.
    of: usize,
    files: [PathBuf; 1],
}

/// Carries out a part of a scenario's runs.
///
/// # Errors
/// If the scenario is wrong or cannot be read again, an engine cannot run it, a run fails, or the
/// results cannot be written.
pub(crate) fn run(args: &Run, shard: Shard) -> Result<Status, Failure> {
    if args.scenario == opening::STDIN {
        let message =
            "--shard needs a scenario that can be read again: a file or a name, not standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    let (running, changes) = (&args.running, &args.changes);
    let plan = Plan::new([args.scenario.as_str()], changes, running)?;
    let Some(scenario) = plan.scenarios().first() else { return Ok(Status::Success) };
    let overrides = changes.overrides();
    let default = || folder::default_for(&scenario.name, &overrides, &running.on, &[]);
    let dir = args.out.clone().unwrap_or_else(default);
    let path = part::file(&dir, shard);
    let header =
        part::header(&args.scenario, &overrides, &running.on, scenario, plan.engines(), shard);
    std::fs::create_dir_all(&dir).map_err(|error| Failure::file("create", &dir, &error))?;
    let results = plan.run_shard(shard, running, &dir)?;
    part::write(&path, &header, &results)?;
    let (runs, of) = (shard.runs(scenario.runs()).len(), scenario.runs());
    if running.json {
        return output::json(
            Format::Shard,
            &Document {
                version: VERSION,
                build: BUILD,
                scenario: scenario.name.clone(),
                scenario_hash: scenario.hash.clone(),
                shard: shard.to_string(),
                runs,
                of,
                files: [path],
            },
        );
    }
    if running.quiet {
        return Ok(Status::Success);
    }
    let here = quoted(&dir.display().to_string());
    let out = if args.out.is_some() { format!(" --out {here}") } else { String::new() };
    output::text(&format!(
        "{}, part {shard}: {} of {of}\n\nResults  {}\nWhen all parts are there: atl merge {here}{out}\n",
        scenario.name,
        counted(runs, "run"),
        path.display(),
    ))
}
