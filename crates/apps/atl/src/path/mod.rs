//! `atl path`: the best transport for a path, without writing a scenario file.

mod shown;
mod worth;

use std::path::{Path as File, PathBuf};

use atl_experiment::path::Answer;
use atl_experiment::{VERSION, engines, write};
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use serde::Serialize;

use crate::args::{PathArguments, Running};
use crate::document::Format;
use crate::experiment::Plan;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;
use crate::written::Written;
use crate::{folder, new_file, plot};

/// The JSON document of `--json`.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    command: String,
    #[serde(flatten)]
    answer: Answer,
    /// Text of the scenario file that was run.
    scenario: String,
    #[serde(flatten)]
    written: Written,
}

/// Compares transports on a path and prints the answer.
///
/// # Errors
/// If the description is wrong, a run fails, or a file cannot be written.
pub(crate) fn path(args: &PathArguments) -> Result<Status, Failure> {
    let described = args.described().map_err(Failure::Usage)?;
    let path = described.path();
    path.check().map_err(Failure::Usage)?;
    output::error(&format!("Understood: {}.\n", path.told()));
    let text = path.file();
    let scenario = read(&text, args.json)?;
    let folder =
        args.out.as_ref().map(|dir| folder::prepare(dir, &[PathBuf::new()])).transpose()?;
    let mut files = Vec::new();
    if let Some(save) = &args.save {
        new_file::write("--save", save, &text)?;
        files.push(save.clone());
    }
    let mut replaced = false;
    let running = Running {
        on: vec![engines::DEFAULT.to_owned()],
        jobs: args.jobs,
        json: args.json,
        csv: false,
        quiet: false,
    };
    let command = described.command();
    let plan = Plan::of(engines::choose(&running.on)?, vec![scenario], &running)?;
    let spill = folder.as_ref().map_or_else(std::env::temp_dir, |f| f.staging().to_path_buf());
    let experiment = plan.run(std::slice::from_ref(&command), &running, &spill)?;
    if let Some(folder) = folder {
        write::data(folder.staging(), &experiment.outcomes, running.csv)?;
        experiment.write_page(folder.staging())?;
        replaced = folder.earlier().is_some();
        files.extend(folder.commit()?);
    }
    let Some(outcome) = experiment.outcomes.first() else {
        return Err(Failure::Runtime("no run has a result".to_owned()));
    };
    let answer = Answer::of(&path, outcome);
    let written = Written { files, replaced, of_another: None, packets: Vec::new() };
    if args.json {
        let version = VERSION;
        return output::json(
            Format::Path,
            &Document { version, command, answer, scenario: text, written },
        );
    }
    let look = Look::of_stdout();
    let plot = plot::wanted(args.plot, look).then(|| plot::over_time(outcome, look)).flatten();
    let shown = shown::answer(&answer, &experiment.effort(), &written, look);
    output::text(&plot.map_or(shown.clone(), |plot| format!("{plot}\n{shown}")))
}

/// Reads the generated scenario.
fn read(text: &str, json: bool) -> Result<Scenario, Failure> {
    let origin = File::new("the path's scenario");
    atl_scenario::parse("path", text, origin, &atl_scenario::no_files, &Overrides::default())
        .map_err(|errors| Failure::Scenarios { errors: vec![errors], json })
}
