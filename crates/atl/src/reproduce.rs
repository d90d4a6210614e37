//! `atl reproduce`.

use std::path::{Path, PathBuf};

use atl_report::summary::Summary;
use atl_report::{Judged, Verdict};
use atl_scenario::builtin;
use serde::Serialize;

use crate::args::Reproduce;
use crate::experiment::{self, Experiment, VERSION, effort};
use crate::failure::{Failure, Status};
use crate::folder::{self, Folder};
use crate::output::{self, Look};
use crate::{repeat, verdicts};

/// Built-in scenarios that come from no paper.
const NO_PAPER: &str = "showcase/";

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    scenarios: Vec<Summary>,
    files: Vec<PathBuf>,
}

/// Runs the papers' scenarios and judges their quotes.
///
/// # Errors
/// If a scenario is not there or is wrong, or results cannot be written.
pub fn reproduce(args: &Reproduce) -> Result<Status, Failure> {
    let running = &args.running;
    let names = chosen(&args.names);
    let specs = names.iter().map(String::as_str);
    let scenarios = experiment::open(specs, &args.changes, running.json)?;
    let folder = Folder::prepare(&args.out)?;
    let with_command = scenarios.into_iter().zip(&names).map(|(scenario, spec)| {
        let command = repeat::command("run", spec, &args.changes);
        (scenario, command)
    });
    let experiment = experiment::run(with_command.collect(), running)?;
    for outcome in &experiment.outcomes {
        let dir = folder.staging().join(folder::inner(&outcome.scenario.name));
        experiment::write_data(&dir, outcome, running)?;
    }
    experiment.write_page(folder.staging())?;
    let files = folder.commit()?;

    if running.json {
        let each = experiment.outcomes.iter().zip(&experiment.judged);
        output::json(&Document {
            version: VERSION,
            scenarios: each.map(|(o, j)| Summary::new(o, j)).collect(),
            files,
        })?;
    } else {
        output::text(&shown(&experiment, &args.out))?;
    }
    let holds = experiment.judged.iter().flatten().all(holds);
    Ok(if args.strict && !holds { Status::Failed } else { Status::Fine })
}

/// What `--strict` lets pass.
fn holds(judged: &Judged) -> bool {
    matches!(judged.verdict, Verdict::Met | Verdict::SameDirection)
}

/// The built-in scenarios whose names are given or begin as given, each once. What names none is kept: opening
/// it tells what is wrong.
fn chosen(names: &[String]) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !chosen.iter().any(|c| c == name) {
            chosen.push(name.to_owned());
        }
    };
    if names.is_empty() {
        let papers = builtin().iter().filter(|b| !b.name.starts_with(NO_PAPER));
        papers.for_each(|b| add(b.name));
    }
    for spec in names {
        let exact = builtin().iter().any(|b| b.name == spec) || Path::new(spec).is_file();
        let matching = builtin().iter().filter(|b| b.name.starts_with(spec.as_str()));
        if exact || matching.clone().next().is_none() {
            add(spec);
        } else {
            matching.for_each(|b| add(b.name));
        }
    }
    chosen
}

fn shown(experiment: &Experiment, dir: &Path) -> String {
    let look = Look::of_stdout();
    let mut out = String::new();
    for (outcome, judged) in experiment.outcomes.iter().zip(&experiment.judged) {
        let scenario = &outcome.scenario;
        out.push_str(&format!("{}: {}\n", look.bold(&scenario.name), scenario.title));
        if judged.is_empty() {
            out.push_str("  no quotes; its figures are in the report\n");
        }
        out.push_str(&verdicts::show(judged, look));
        out.push('\n');
    }
    let scenarios: Vec<_> = experiment.outcomes.iter().map(|o| &*o.scenario).collect();
    let all = experiment.judged.iter().flatten();
    out.push_str(&format!("{}\n", look.bold(&verdicts::count(all))));
    out.push_str(&look.paragraph("", &format!("{}.", effort(&scenarios, experiment.took))));
    out.push_str(&format!("\nReport  {}\n", dir.join(folder::REPORT).display()));
    out.push_str(&format!("Data    {}: a directory for each scenario\n", dir.display()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen_by(names: &[&str]) -> Vec<String> {
        chosen(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_may_be_beginnings_and_count_once() {
        assert_eq!(chosen_by(&["atl/fig06", "atl/fig06"]), ["atl/fig06"]);
        let figures = chosen_by(&["atl/fig", "atl/fig02"]);
        assert!(figures.len() >= 4 && figures.iter().all(|n| n.starts_with("atl/fig")));
        assert_eq!(chosen_by(&["nothing"]), ["nothing"]);
    }

    #[test]
    fn by_default_all_papers_and_no_showcase() {
        let all = chosen_by(&[]);
        assert!(all.contains(&"atl/table1".to_owned()));
        assert!(all.iter().all(|n| !n.starts_with(NO_PAPER)));
    }
}
