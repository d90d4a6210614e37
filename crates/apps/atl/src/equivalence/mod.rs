//! `atl equivalence`: comparison of the emulator's links with the simulator's.

mod list;
mod shown;

use std::path::Path;

use atl_engine::Stopped;
use atl_equivalence::battery::{CASES, Case, TCP_CASES, TcpCase};
use atl_equivalence::emulated::Options;
use atl_equivalence::judge::Verdict;
use atl_equivalence::report::{Report, page};
use atl_equivalence::run::{Plan, Watched};
use atl_experiment::VERSION;
use atl_report::store;
use serde::Serialize;

use crate::args::Equivalence;
use crate::document::Format;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, Look};
use crate::progress::Bar;
use crate::status::Status;

/// Runs a battery and reports its verdicts.
///
/// # Errors
/// If there is no such case, a socket cannot be opened, or the page cannot be written.
pub(crate) fn equivalence(args: &Equivalence) -> Result<Status, Failure> {
    if args.list {
        return list::list(args.json);
    }
    let (cases, tcp) = chosen(&args.only)?;
    let plan = Plan {
        cases,
        tcp: if args.no_kernel { Vec::new() } else { tcp },
        quick: args.quick,
        seed: args.seed,
        attempts: args.attempts,
        options: Options { real_time: !args.no_fifo, spin: args.spin },
    };
    if plan.cases.is_empty() && plan.tcp.is_empty() {
        return Err(Failure::Usage(
            "nothing is left to run: --only names kernel TCP, --no-kernel leaves it out".to_owned(),
        ));
    }
    // Check first: the battery takes six minutes.
    if let Some(path) = &args.page {
        writable(path)?;
    }
    let bar = Bar::new("equivalence ", args.json);
    let (result, took) = interrupt::completed(|cancel| {
        let result = plan.run(Watched { cancel, progress: &|progress| bar.show(progress) });
        (result, bar.finish())
    });
    let report = result.map_err(|stopped| match stopped {
        Stopped::Cancelled => Failure::Runtime("interrupted".to_owned()),
        Stopped::Failed(error) => Failure::Runtime(error.to_string()),
    })?;
    if let Some(path) = &args.page {
        store::write_text(path, &page(&report, VERSION))
            .map_err(|e| Failure::file("write", path, &e))?;
    }
    if args.json {
        output::json(Format::Equivalence, &Document { version: VERSION, report: &report })?;
    } else {
        output::text(&shown::shown(&report, args.page.as_deref(), took, Look::of_stdout()))?;
    }
    let equivalent = report.count(Verdict::Equivalent) == report.cases.len();
    Ok(if args.strict && !equivalent { Status::Failure } else { Status::Success })
}

/// The JSON document of `--json`.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    #[serde(flatten)]
    report: &'a Report,
}

type Chosen = (Vec<&'static Case>, Vec<&'static TcpCase>);

/// Cases with these names in the battery's order; all cases if there are no names.
fn chosen(only: &[String]) -> Result<Chosen, Failure> {
    let names = || CASES.iter().map(|case| case.name).chain(TCP_CASES.iter().map(|case| case.name));
    if let Some(unknown) = only.iter().find(|name| !names().any(|known| known == name.as_str())) {
        let known: Vec<&str> = names().collect();
        return Err(Failure::Usage(format!(
            "there is no case `{unknown}` (cases: {})",
            known.join(", ")
        )));
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    Ok((
        CASES.iter().filter(|case| wanted(case.name)).collect(),
        TCP_CASES.iter().filter(|case| wanted(case.name)).collect(),
    ))
}

/// Checks that the page can be written: its directory exists or can be created, and it is no
/// directory itself.
fn writable(path: &Path) -> Result<(), Failure> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let made = parent.map_or(Ok(()), std::fs::create_dir_all);
    let free = made.and_then(|()| match path.is_dir() {
        true => Err(std::io::ErrorKind::IsADirectory.into()),
        false => tempfile::tempfile_in(parent.unwrap_or(Path::new("."))).map(drop),
    });
    free.map_err(|error| Failure::file("write", path, &error))
}
