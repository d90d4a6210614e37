//! The command `atl figure`.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use atl_report::figure::{self, latex, svg::Size};
use atl_report::html::{Archive, Archived};
use atl_report::store;
use clap::ValueEnum as _;

use crate::args::{Figure, FigureFormat};
use crate::failure::Failure;
use crate::folder::REPORT;
use crate::output::{self, Look};
use crate::picture::{self, Unpainted};
use crate::plot;
use crate::status::Status;

/// Lists the figures of a report, or writes one of them.
///
/// # Errors
/// If there is no such report or figure, the figure has no such format, or the file cannot be
/// written.
pub(crate) fn figure(args: &Figure) -> Result<Status, Failure> {
    let path = report(&args.result);
    let page = fs::read_to_string(&path).map_err(|e| Failure::file("read", &path, &e))?;
    let archive =
        Archive::read(&page).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
    let Some(wanted) = &args.figure else {
        return output::text(&list(&archive));
    };
    let (name, found) = choose(&archive, wanted)?;
    let format = format(args)?;
    if format == FigureFormat::Png && args.out.is_none() && io::stdout().is_terminal() {
        let what = "a terminal cannot show a PNG: name a file with --out, or redirect it with >";
        return Err(Failure::Usage(what.to_owned()));
    }
    let file = written(name, found, format, args)?;
    match &args.out {
        Some(out) => {
            store::write_bytes(out, &file).map_err(|e| Failure::file("write", out, &e))?;
            Ok(Status::Success)
        }
        None => output::bytes(&file),
    }
}

/// The report in a folder, or the file itself.
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

/// The entry with this number, name, or last component of a name, or the only one whose name
/// contains the text.
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

/// The format asked for, otherwise that of the file's ending.
fn format(args: &Figure) -> Result<FigureFormat, Failure> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    let Some((out, ending)) = args.out.as_ref().and_then(|out| Some((out, out.extension()?)))
    else {
        return Ok(FigureFormat::Svg);
    };
    FigureFormat::from_str(&ending.to_string_lossy(), true).map_err(|_| {
        let names: Vec<String> = FigureFormat::value_variants()
            .iter()
            .filter_map(|format| Some(format!(".{}", format.to_possible_value()?.get_name())))
            .collect();
        Failure::Usage(format!(
            "--out {}: the ending names no format of figures ({}): use one of these, or name the format with --as",
            out.display(),
            names.join(", ")
        ))
    })
}

fn written(
    name: &str,
    found: &Archived,
    format: FigureFormat,
    args: &Figure,
) -> Result<Vec<u8>, Failure> {
    let size = Size { width: args.width, height: args.height };
    let text = match (found, format) {
        (Archived::Figure { chart, cite }, FigureFormat::Svg) => figure::svg(chart, cite, size),
        (Archived::Figure { chart, cite }, FigureFormat::Png) => {
            return png(&figure::svg(chart, cite, size), cite, args.scale);
        }
        (Archived::Figure { chart, .. }, FigureFormat::Txt) => {
            let file = Look { width: None, terminal: false, colour: false };
            let look = if args.out.is_some() { file } else { Look::of_stdout() };
            plot::chart(chart, look)
        }
        (Archived::Figure { chart, .. }, FigureFormat::Csv) => figure::csv(chart),
        (Archived::Figure { chart, cite }, FigureFormat::Pgf) => figure::pgf(chart, cite),
        (Archived::Figure { chart, cite }, FigureFormat::Tex) => {
            latex(chart, cite).ok_or_else(|| {
                Failure::Usage(format!(
                    "{name} has more than {} rows, too many for a table: write it as csv or pgf",
                    latex::MAX_ROWS
                ))
            })?
        }
        (Archived::Table { csv, .. }, FigureFormat::Csv) => csv.clone(),
        (Archived::Table { latex, .. }, FigureFormat::Tex) => latex.clone(),
        (
            Archived::Table { .. },
            FigureFormat::Svg | FigureFormat::Png | FigureFormat::Txt | FigureFormat::Pgf,
        ) => {
            return Err(Failure::Usage(format!("{name} is a table: write it as csv or tex")));
        }
    };
    Ok(text.into_bytes())
}

fn png(svg: &str, cite: &str, scale: u32) -> Result<Vec<u8>, Failure> {
    let picture = picture::png(svg, cite, scale).map_err(|e| match e {
        Unpainted::TooLarge { .. } => Failure::Usage(e.to_string()),
        Unpainted::Failed(_) => Failure::Runtime(format!("cannot make a PNG: {e}")),
    })?;
    if !picture.missing.is_empty() {
        output::error(&format!(
            "warning: the picture's font, DejaVu Sans, lacks {}; an SVG uses the fonts of the machine that shows it\n",
            picture.missing
        ));
    }
    Ok(picture.bytes)
}
