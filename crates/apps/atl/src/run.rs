//! The command `atl run`.

use std::path::{Path, PathBuf};

use atl_experiment::write;
use atl_report::compare::Worth;
use atl_report::engines::EngineComparison;
use atl_report::summary::Summary;
use atl_report::table;
use atl_scenario::scenario::Scenario;
use serde::Serialize;

use crate::args::Run;
use crate::document::Format;
use crate::documents::Document;
use crate::experiment::{Experiment, Plan};
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;
use crate::written::Written;
use crate::{ablation, folder, packets, plot, repeat, shard, verdicts};

/// The JSON document for one engine: the summary, and paths of the files.
#[derive(Serialize)]
struct OneEngine {
    #[serde(flatten)]
    summary: Summary,
    /// Contribution of each ablated part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    worth: Vec<Worth>,
    #[serde(flatten)]
    written: Written,
}

/// Runs one scenario.
///
/// # Errors
/// If the scenario is wrong, an engine cannot run it, a run fails, or its results cannot be
/// written.
pub(crate) fn run(args: &Run) -> Result<Status, Failure> {
    if let Some(shard) = args.shard {
        return shard::run(args, shard);
    }
    let running = &args.running;
    let command = repeat::command("run", &args.scenario, &args.changes, &running.on, &args.ablate);
    let plan = Plan::new([args.scenario.as_str()], &args.changes, running)?;
    let named = |s: &Scenario| {
        folder::default_for(&s.name, &args.changes.overrides(), &running.on, &args.ablate)
    };
    let default = || plan.scenarios().first().map(named);
    let dir = args.out.clone().or_else(default).unwrap_or_default();
    let folder = folder::prepare(&dir, &[PathBuf::new()])?;
    let of_another = folder::of_another(&folder, &command);
    if args.out.is_none() {
        folder::warn_of_another(&dir, of_another.as_deref());
    }
    let packets = packets::written(args, &plan)?;
    let without = ablation::plans(&plan, &args.ablate, running)?;
    let mut experiment = plan.run(std::slice::from_ref(&command), running, folder.staging())?;
    let mut worths = Vec::new();
    let mut ablated = Vec::new();
    for (ablation, plan) in without {
        let Experiment { outcomes, .. } =
            plan.run(std::slice::from_ref(&command), running, folder.staging())?;
        worths.extend(ablation::worths(ablation, &outcomes, &experiment.outcomes));
        ablated.extend(outcomes);
    }
    let whole = experiment.outcomes.len();
    experiment.outcomes.extend(ablated);
    write::data(folder.staging(), &experiment.outcomes, running.csv)?;
    experiment.outcomes.truncate(whole);
    experiment.write_page(folder.staging())?;
    let replaced = folder.earlier().is_some();
    let files = folder.commit()?;
    let written = Written { files, replaced, of_another, packets: Vec::new() };
    match (running.json, running.quiet) {
        (true, _) => json(&experiment, worths, Written { packets, ..written }),
        (_, true) => Ok(Status::Success),
        _ => {
            let look = Look::of_stdout();
            let plots = plot::wanted(args.plot, look);
            let plots = experiment.outcomes.iter().filter(|_| plots);
            let plots: String = plots.map(|outcome| plot::all(outcome, look)).collect();
            let results = shown(&experiment, &worths, &dir, &written);
            output::text(&(plots + &results + &packets::shown(&packets, look)))
        }
    }
}

pub(crate) fn json(
    experiment: &Experiment,
    worth: Vec<Worth>,
    written: Written,
) -> Result<Status, Failure> {
    match (&experiment.outcomes[..], &experiment.judged[..]) {
        ([outcome], [judged]) => output::json(
            Format::Run,
            &OneEngine { summary: Summary::new(outcome, judged), worth, written },
        ),
        _ => output::json(Format::Runs, &Document::new(experiment, worth, written)),
    }
}

/// Results, verdicts, and paths of the files.
pub(crate) fn shown(
    experiment: &Experiment,
    worths: &[Worth],
    dir: &Path,
    written: &Written,
) -> String {
    let look = Look::of_stdout();
    let mut out = String::new();
    for (outcome, judged) in experiment.judged() {
        let scenario = &outcome.scenario;
        out.push_str(&look.titled(&experiment.heading(outcome), &scenario.title));
        let results = table::results(outcome);
        out.push_str(&look.numbers(&results));
        let legend = table::legend(outcome, &results).join(" ");
        out.push_str(&look.paragraph("", &format!("{legend} {}.", experiment.effort())));
        if let Some(delays) = table::delays(outcome) {
            out.push_str(&format!("\n{}\n", look.bold("Delay in each network")));
            out.push_str(&look.numbers(&delays));
            out.push_str(&look.paragraph("", table::OF_NETWORKS));
        }
        if !judged.is_empty() {
            out.push_str(&format!("\n{}", look.paragraph("", &verdicts::count([judged]))));
            out.push_str(&verdicts::show(judged, look));
        }
        out.push('\n');
    }
    for engines in EngineComparison::all(&experiment.outcomes) {
        let heading = look.bold(&format!("{}: engines compared", engines.scenario));
        out.push_str(&format!("{heading}\n{}", look.numbers(&engines.table())));
        out.push_str(&format!("{}\n", look.paragraph("", &engines.words())));
    }
    for worth in worths {
        out.push_str(&ablation::shown(worth, look));
    }
    out.push_str(&where_files_are(dir, written, look));
    out
}

/// Paths of the report and the data files.
fn where_files_are(dir: &Path, written: &Written, look: Look) -> String {
    let (report, data): (Vec<_>, Vec<_>) =
        written.files.iter().partition(|f| f.ends_with(folder::REPORT));
    let mut out = String::new();
    for report in report {
        out.push_str(&format!("Report  {}\n", report.display()));
    }
    let names: Vec<_> = data
        .iter()
        .filter_map(|f| f.strip_prefix(dir).ok())
        .map(|f| f.display().to_string())
        .collect();
    let data = format!("{}, in the same directory", names.join(", "));
    out.push_str(&look.paragraph("Data    ", &data));
    out.push_str(&written.note());
    out
}
