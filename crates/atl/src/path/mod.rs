//! `atl path`: which transport survives a path, without a scenario file of one's own.

mod shown;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path as File, PathBuf};

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_path::{Answer, Network, Path, Stage};
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use serde::Serialize;

use crate::args::{PathArguments, Running};
use crate::document::Format;
use crate::experiment::{self, Plan};
use crate::failure::Failure;
use crate::folder::Folder;
use crate::output::{self, Look};
use crate::status::Status;
use crate::{hosts, plot, repeat};

/// How long data is sent over a path that does not roam.
const ALONE: Span = Span::from_secs(20);

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    command: String,
    #[serde(flatten)]
    answer: Answer,
    /// The scenario file that was run.
    scenario: String,
    files: Vec<PathBuf>,
}

/// Answers which transport survives a path.
///
/// # Errors
/// If the description is wrong, a run fails, or a file cannot be written.
pub(crate) fn path(args: &PathArguments) -> Result<Status, Failure> {
    let path = described(args);
    path.check().map_err(|wrong| Failure::Usage(format!("this path cannot be: {wrong}")))?;
    let text = path.file();
    let scenario = read(&text, args.json)?;
    let mut files = Vec::new();
    if let Some(save) = &args.save {
        write_new(save, &text)?;
        files.push(save.clone());
    }
    let folder =
        args.out.as_ref().map(|dir| Folder::prepare(dir, &[PathBuf::new()])).transpose()?;
    let running = Running {
        on: vec![hosts::DEFAULT.to_owned()],
        jobs: args.jobs,
        json: args.json,
        csv: false,
        quiet: false,
    };
    let command = repeat::path(args, &path);
    let plan = Plan::of(hosts::choose(&running.on)?, vec![scenario], &running)?;
    let spill = folder.as_ref().map_or_else(std::env::temp_dir, |f| f.staging().to_path_buf());
    let experiment = plan.run(std::slice::from_ref(&command), &running, &spill)?;
    if let Some(folder) = folder {
        experiment::write_data(folder.staging(), &experiment.outcomes, running.csv)?;
        experiment.write_page(folder.staging())?;
        files.extend(folder.commit()?);
    }
    let Some(outcome) = experiment.outcomes.first() else {
        return Err(Failure::Runtime("no run has a result".to_owned()));
    };
    let answer = Answer::of(&path, outcome);
    if args.json {
        let version = experiment::VERSION;
        return output::json(
            Format::Path,
            &Document { version, command, answer, scenario: text, files },
        );
    }
    let look = Look::of_stdout();
    let plot = plot::wanted(args.plot, look).then(|| plot::over_time(outcome, look)).flatten();
    let shown = shown::answer(&answer, &experiment.effort(), &files, look);
    output::text(&plot.map_or(shown.clone(), |plot| format!("{plot}\n{shown}")))
}

/// The path that the arguments describe.
fn described(args: &PathArguments) -> Path {
    let base = args.network.as_ref();
    // Without a name clap has made sure that a rate and the RTT are there.
    let given = args.down.or(args.up);
    let either = |own: Option<Rate>, base: Option<Rate>| own.or(base).or(given);
    let none = Rate::from_bps(0.0);
    let first = Network {
        name: base.map_or("path".into(), |known| known.name.clone()),
        down: either(args.down, base.map(|known| known.down)).unwrap_or(none),
        up: either(args.up, base.map(|known| known.up)).unwrap_or(none),
        rtt: args.rtt.or(base.map(|known| known.rtt)).unwrap_or(Span::ZERO),
        loss: args.loss.or(base.map(|known| known.loss)).unwrap_or(Probability::ZERO),
    };
    let mut stages = vec![Stage { from: Time::ZERO, network: first }];
    let then =
        args.then.iter().map(|(network, from)| Stage { from: *from, network: network.clone() });
    stages.extend(then);
    let usual = match &stages[..] {
        [_, second, ..] => {
            let last = stages[stages.len() - 1].from;
            last.since(Time::ZERO) + second.from.since(Time::ZERO)
        }
        _ => ALONE,
    };
    Path {
        send: args.send.into(),
        stages,
        queue: args.queue,
        duration: args.duration.unwrap_or(usual),
        seeds: args.seeds,
        protocols: args.protocols.clone(),
    }
}

/// Reads the scenario that was made.
fn read(text: &str, json: bool) -> Result<Scenario, Failure> {
    let none = |_: &File| Err(ErrorKind::NotFound.into());
    let origin = File::new("the path's scenario");
    atl_scenario::parse("path", text, origin, &none, &Overrides::default())
        .map_err(|errors| Failure::Scenarios { errors: vec![errors], json })
}

/// Writes a file that does not exist yet.
fn write_new(path: &File, text: &str) -> Result<(), Failure> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!(
            "--save {}: the file exists; remove it first, or choose another name",
            path.display()
        )),
        _ => Failure::file("write", path, &error),
    })
}
