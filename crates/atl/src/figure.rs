//! `atl figure`.

use std::fs;
use std::path::{Path, PathBuf};

use atl_report::figure::{self, latex, svg::Size};
use atl_report::html::{Archive, Archived};
use atl_report::store;

use crate::args::{Figure, FigureFormat};
use crate::failure::Failure;
use crate::folder::REPORT;
use crate::output;
use crate::status::Status;

/// Lists the figures of a report, or writes one of them.
///
/// # Errors
/// If there is no such report or figure, the figure has no such form, or the file cannot be written.
pub(crate) fn figure(args: &Figure) -> Result<Status, Failure> {
    let path = report(&args.result);
    let page = fs::read_to_string(&path).map_err(|e| Failure::file("read", &path, &e))?;
    let archive =
        Archive::read(&page).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
    let Some(wanted) = &args.figure else {
        return output::text(&list(&archive));
    };
    let (name, found) = choose(&archive, wanted)?;
    let text = written(name, found, args)?;
    match &args.out {
        Some(out) => {
            store::write_text(out, &text).map_err(|e| Failure::file("write", out, &e))?;
            Ok(Status::Success)
        }
        None => output::text(&text),
    }
}

/// The report of a folder, or the file itself.
fn report(result: &Path) -> PathBuf {
    if result.is_dir() { result.join(REPORT) } else { result.to_path_buf() }
}

fn list(archive: &Archive) -> String {
    let line = |(i, (name, what)): (usize, &(String, Archived))| {
        let what = match what {
            Archived::Figure { chart, .. } => chart.title.as_str(),
            Archived::Table { .. } => "(table)",
        };
        format!("{:>3}  {name}  {what}\n", i + 1)
    };
    archive.entries.iter().enumerate().map(line).collect()
}

/// The entry of a number or a name, of its last part, or the only one whose name holds these letters.
fn choose<'a>(archive: &'a Archive, wanted: &str) -> Result<(&'a str, &'a Archived), Failure> {
    let entries = &archive.entries;
    let number = wanted.parse::<usize>().ok().and_then(|n| entries.get(n.checked_sub(1)?));
    let named = |is: &dyn Fn(&str) -> bool| -> Vec<&'a (String, Archived)> {
        entries.iter().filter(|(name, _)| is(name)).collect()
    };
    let last = |name: &str| name.rsplit('/').next() == Some(wanted);
    let tries = [named(&|name| name == wanted), named(&last), named(&|name| name.contains(wanted))];
    let found = number.into_iter().collect::<Vec<_>>();
    let found = std::iter::once(found).chain(tries).find(|found| !found.is_empty());
    match found.as_deref() {
        Some([(name, what)]) => Ok((name, what)),
        Some(several) => {
            let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
            Err(Failure::Usage(format!(
                "`{wanted}` may be any of {}: write more of the name",
                names.join(", ")
            )))
        }
        None => Err(Failure::Usage(format!(
            "there is no figure `{wanted}`; there are\n{}",
            list(archive)
        ))),
    }
}

fn written(name: &str, found: &Archived, args: &Figure) -> Result<String, Failure> {
    let size = Size { width: args.width, height: args.height };
    match (found, args.format) {
        (Archived::Figure { chart, cite }, FigureFormat::Svg) => Ok(figure::svg(chart, cite, size)),
        (Archived::Figure { chart, .. }, FigureFormat::Csv) => Ok(figure::csv(chart)),
        (Archived::Figure { chart, cite }, FigureFormat::Pgf) => Ok(figure::pgf(chart, cite)),
        (Archived::Figure { chart, cite }, FigureFormat::Tex) => {
            latex(chart, cite).ok_or_else(|| {
                Failure::Usage(format!(
                    "{name} has more than {} rows, too many for a table: write it as csv or pgf",
                    latex::MAX_ROWS
                ))
            })
        }
        (Archived::Table { csv, .. }, FigureFormat::Csv) => Ok(csv.clone()),
        (Archived::Table { latex, .. }, FigureFormat::Tex) => Ok(latex.clone()),
        (Archived::Table { .. }, FigureFormat::Svg | FigureFormat::Pgf) => {
            Err(Failure::Usage(format!("{name} is a table: write it as csv or tex")))
        }
    }
}
