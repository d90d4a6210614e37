//! The command `atl reproduce`.

use std::path::Path;

use atl_experiment::write;
use atl_report::stats::MIN_SEEDS;
use atl_scenario::{Builtin, builtin, named};

use crate::args::Reproduce;
use crate::document::Format;
use crate::documents::Document;
use crate::experiment::{Experiment, Plan};
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;
use crate::written::Written;
use crate::{folder, repeat, verdicts};

/// Prefix of built-in scenarios that are not from a paper.
const NO_PAPER: &str = "showcase/";

/// Runs the papers' scenarios and judges their quotes.
///
/// # Errors
/// If a scenario is unknown or wrong, an engine cannot run it, a run fails, or results cannot be
/// written.
pub(crate) fn reproduce(args: &Reproduce) -> Result<Status, Failure> {
    let running = &args.running;
    if args.page.is_some() && running.on.len() > 1 {
        let message = "--page describes the results of one engine; name one with --on";
        return Err(Failure::Usage(message.to_owned()));
    }
    let names = chosen(&args.names);
    let specs = names.iter().map(String::as_str);
    let plan = Plan::new(specs, &args.changes, running)?;
    let inner: Vec<_> = plan.scenarios().iter().map(|s| folder::inner(&s.name)).collect();
    let default = || folder::default_for("reproduce", &args.changes.overrides(), &running.on, &[]);
    let dir = args.out.clone().unwrap_or_else(default);
    let folder = folder::prepare(&dir, &inner)?;
    let command = |spec| repeat::command("run", spec, &args.changes, &running.on, &[]);
    let commands: Vec<String> = names.iter().map(|name| command(name)).collect();
    let experiment = plan.run(&commands, running, folder.staging())?;
    for outcomes in experiment.by_scenario() {
        let name = outcomes.first().map_or("", |outcome| &outcome.scenario.name);
        let dir = folder.staging().join(folder::inner(name));
        write::data(&dir, outcomes, running.csv)?;
    }
    experiment.write_page(folder.staging())?;
    let replaced = folder.earlier().is_some();
    let mut files = folder.commit()?;
    if let Some(path) = &args.page {
        experiment.write_results_page(path)?;
        files.push(path.clone());
    }
    let written = Written { files, replaced, of_another: None, packets: Vec::new() };

    if running.json {
        output::json(Format::Runs, &Document::new(&experiment, Vec::new(), written))?;
    } else if !running.quiet {
        output::text(&(shown(&experiment, &dir, args.page.as_deref()) + &written.note()))?;
    }
    let passes = experiment.judged.iter().flatten().all(|judged| judged.verdict.passes());
    Ok(if args.strict && !passes { Status::Failure } else { Status::Success })
}

/// Built-in scenarios with one of these names, or with one of them as last component or prefix,
/// each once. A name without a match is kept, so that opening it reports the error.
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
        let begun = builtin().iter().filter(|b| b.name.starts_with(spec.as_str()));
        let matching: Vec<&Builtin> = match named(spec) {
            _ if Path::new(spec).is_file() => Vec::new(),
            named if named.is_empty() => begun.collect(),
            named => named,
        };
        if matching.is_empty() {
            add(spec);
        }
        matching.iter().for_each(|b| add(b.name));
    }
    chosen
}

fn shown(experiment: &Experiment, dir: &Path, page: Option<&Path>) -> String {
    let look = Look::of_stdout();
    let mut out = String::new();
    for (outcome, judged) in experiment.judged() {
        out.push_str(&look.titled(&experiment.heading(outcome), &outcome.scenario.title));
        if judged.is_empty() {
            out.push_str("  no quotes; see the figures in the report\n");
        }
        out.push_str(&verdicts::show(judged, look));
        out.push('\n');
    }
    out.push_str(
        &look.paragraph("", &verdicts::count(experiment.judged.iter().map(Vec::as_slice))),
    );
    let fewest = experiment.outcomes.iter().map(|outcome| outcome.scenario.seeds.len()).min();
    if fewest.is_some_and(|seeds| seeds < MIN_SEEDS) {
        let why = format!(
            "Intervals and verdicts take at least {MIN_SEEDS} seeds: run without --quick, or with --seeds {MIN_SEEDS}."
        );
        out.push_str(&look.paragraph("", &why));
    }
    out.push_str(&look.paragraph("", &format!("{}.", experiment.effort())));
    out.push_str(&format!("\nReport  {}\n", dir.join(folder::REPORT).display()));
    out.push_str(&format!("Data    {}, one directory per scenario\n", dir.display()));
    if let Some(page) = page {
        out.push_str(&format!("Page    {}\n", page.display()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen_by(names: &[&str]) -> Vec<String> {
        chosen(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_may_be_prefixes_and_count_once() {
        assert_eq!(chosen_by(&["atl/fig06", "atl/fig06"]), ["atl/fig06"]);
        let figures = chosen_by(&["atl/fig", "atl/fig02"]);
        assert!(figures.len() >= 4 && figures.iter().all(|n| n.starts_with("atl/fig")));
        assert_eq!(chosen_by(&["nothing"]), ["nothing"]);
        assert_eq!(chosen_by(&["fig16"]), ["atl/fig16"]);
        assert_eq!(chosen_by(&["table1"]), ["atl/table1", "aalt/table1"]);
    }

    #[test]
    fn the_default_is_all_papers_without_the_showcase() {
        let all = chosen_by(&[]);
        assert!(all.contains(&"atl/table1".to_owned()));
        assert!(all.iter().all(|n| !n.starts_with(NO_PAPER)));
    }
}
