//! `atl run`.

use std::path::{Path, PathBuf};

use atl_report::summary::Summary;
use atl_report::table;
use serde::Serialize;

use crate::args::Run;
use crate::experiment::{self, Experiment, effort};
use crate::failure::{Failure, Status};
use crate::folder::{self, Folder};
use crate::output::{self, Look};
use crate::{repeat, verdicts};

/// What `--json` prints: the summary, and where the files are.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    summary: Summary,
    files: Vec<PathBuf>,
}

/// Runs one scenario.
///
/// # Errors
/// If the scenario is wrong, or its results cannot be written.
pub fn run(args: &Run) -> Result<Status, Failure> {
    let running = &args.running;
    let command = repeat::command("run", &args.scenario, &args.changes);
    let scenarios = experiment::open([args.scenario.as_str()], &args.changes, running.json)?;
    let default = || scenarios.first().map(|s| folder::default_for(&s.name));
    let dir = args.out.clone().or_else(default).unwrap_or_default();
    let folder = Folder::prepare(&dir)?;
    let scenarios = scenarios.into_iter().map(|s| (s, command.clone())).collect();
    let experiment = experiment::run(scenarios, running)?;
    for outcome in &experiment.outcomes {
        experiment::write_data(folder.staging(), outcome, running)?;
    }
    experiment.write_page(folder.staging())?;
    let files = folder.commit()?;
    if running.json {
        return json(&experiment, files);
    }
    output::text(&shown(&experiment, &dir, &files))
}

fn json(experiment: &Experiment, files: Vec<PathBuf>) -> Result<Status, Failure> {
    let mut status = Status::Fine;
    for (outcome, judged) in experiment.outcomes.iter().zip(&experiment.judged) {
        let summary = Summary::new(outcome, judged);
        let files = files.clone();
        status = output::json(&Document { summary, files })?;
    }
    Ok(status)
}

fn shown(experiment: &Experiment, dir: &Path, files: &[PathBuf]) -> String {
    let look = Look::of_stdout();
    let mut out = String::new();
    for (outcome, judged) in experiment.outcomes.iter().zip(&experiment.judged) {
        let scenario = &outcome.scenario;
        out.push_str(&format!("{}: {}\n", look.bold(&scenario.name), scenario.title));
        out.push_str(&look.numbers(&table::results(outcome)));
        let seeds = match scenario.seeds.len() {
            1 => "One seed, so no intervals".to_owned(),
            n => format!("Mean ± 95 % interval over {n} seeds"),
        };
        let effort = effort(&[&**scenario], experiment.took);
        out.push_str(&look.paragraph("", &format!("{seeds}. {effort}.")));
        if !judged.is_empty() {
            out.push_str(&format!("\n{}\n", look.bold(&verdicts::count(judged))));
            out.push_str(&verdicts::show(judged, look));
        }
    }
    out.push('\n');
    out.push_str(&where_files_are(dir, files));
    out
}

/// The report, and the data files.
fn where_files_are(dir: &Path, files: &[PathBuf]) -> String {
    let (report, data): (Vec<_>, Vec<_>) = files.iter().partition(|f| f.ends_with(folder::REPORT));
    let mut out = String::new();
    for report in report {
        out.push_str(&format!("Report  {}\n", report.display()));
    }
    let names: Vec<_> = data
        .iter()
        .filter_map(|f| f.strip_prefix(dir).ok())
        .map(|f| f.display().to_string())
        .collect();
    out.push_str(&format!("Data    {}, beside it\n", names.join(", ")));
    out
}
