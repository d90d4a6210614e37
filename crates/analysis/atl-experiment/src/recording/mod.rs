//! Recorded links of others as traces of ours: delivery opportunities (the key `trace`), and delays
//! (`delay-trace`).
//!
//! A [`Format`] reads the text of one source, one file below `formats/` each; [`FORMATS`] lists
//! them. [`import`] finds the format, cuts the part that is wanted, and writes the trace. The same
//! text and wishes give the same bytes.

mod column;
mod curve;
mod delays;
mod events;
mod format;
mod formats;
mod moment;
mod number;
mod opportunities;
mod problem;
mod span;
mod summary;
mod table;
mod unit;

use atl_link::trace::{DelayTrace, RateTrace};

pub use column::{Column, Role};
pub use curve::{Curve, Gaps, Step};
pub use format::{Choice, Format, Glance, Recorded, Wanted};
pub use formats::FORMATS;
pub use problem::Problem;
pub use summary::{Of, Summary};

/// A file's format, and the choices of the caller.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Its format; `None` to find out.
    pub format: Option<&'static dyn Format>,
    /// Choices that go to the format.
    pub wanted: Wanted,
    /// Nanoseconds from the start of the recording at which the trace begins.
    pub begin: u64,
    /// Nanoseconds that it lasts at most.
    pub duration: Option<u64>,
}

/// A trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Name of the format that the file had.
    pub format: &'static str,
    /// The key of a network that takes the file.
    pub key: &'static str,
    /// The file.
    pub text: String,
    /// The file in a few numbers.
    pub summary: Summary,
}

/// The format with this name.
pub fn format_named(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// Makes a trace of a file.
///
/// # Errors
/// If it is not text, of no known format or not of the one that was named, lacks what is wanted, or
/// does not fit into a trace.
pub fn import(bytes: &[u8], request: &Request) -> Result<Imported, Problem> {
    let text = text(bytes)?;
    let mut wanted = request.wanted.clone();
    let format = match request.format {
        Some(format) => format,
        None => recognised(&Glance { name: &wanted.name, text }, !wanted.columns.is_empty())?,
    };
    refuse_what_means_nothing(format, &wanted)?;
    wanted.until = request.duration.map(|duration| request.begin.saturating_add(duration));
    let recorded = format.read(text, &wanted)?;
    let (begin, duration) = (request.begin, request.duration);
    let (key, text, summary) = match recorded {
        Recorded::Opportunities(at) => {
            let at = opportunities::cut(&at, begin, duration)?;
            let (text, summary) = rates(&at)?;
            ("trace", text, summary)
        }
        Recorded::Rate(curve) => {
            let curve = curve.cut(begin, duration)?;
            let (text, summary) = rates(&opportunities::of(&curve)?)?;
            ("trace", text, Summary { gaps: curve.gaps, blanks: curve.blanks, ..summary })
        }
        Recorded::Delay(curve) => {
            let curve = curve.cut(begin, duration)?;
            let means = delays::of(&curve)?;
            let text = delays::text(&means)?;
            DelayTrace::parse(&text).map_err(|error| Problem::whole(error.to_string()))?;
            let summary = Summary::of_delays(&means);
            ("delay-trace", text, Summary { gaps: curve.gaps, blanks: curve.blanks, ..summary })
        }
    };
    Ok(Imported { format: format.name(), key, text, summary })
}

/// The trace as links read it.
fn rates(at: &[u32]) -> Result<(String, Summary), Problem> {
    let text = opportunities::text(at);
    let trace = RateTrace::parse(&text).map_err(|error| Problem::whole(error.to_string()))?;
    Ok((text, Summary::of_opportunities(&trace)))
}

/// The text of a file, without a byte order mark.
fn text(bytes: &[u8]) -> Result<&str, Problem> {
    const COMPRESSED: [(&[u8], &str); 5] = [
        (b"\x1f\x8b", "gunzip"),
        (b"\x28\xb5\x2f\xfd", "unzstd"),
        (b"\xfd7zXZ\0", "unxz"),
        (b"BZh", "bunzip2"),
        (b"PK\x03\x04", "unzip"),
    ];
    if let Some((_, tool)) = COMPRESSED.iter().find(|(begin, _)| bytes.starts_with(begin)) {
        return Err(Problem::whole(format!("it is compressed: unpack it first, with {tool}")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Problem::at(line, "it is not text in UTF-8; iconv converts other encodings")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The format of a file. Columns are only named of tables.
fn recognised(file: &Glance<'_>, has_columns: bool) -> Result<&'static dyn Format, Problem> {
    if file.first_line().is_empty() {
        return Err(Problem::whole("it is empty"));
    }
    let fits = |format: &&dyn Format| match has_columns {
        true => format.choices().contains(&Choice::Columns),
        false => format.recognises(file),
    };
    FORMATS.iter().copied().find(fits).ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name()).collect();
        Problem::whole(format!(
            "its format is not plain from its content: name it with --from, {}",
            names.join(", ")
        ))
    })
}

fn refuse_what_means_nothing(format: &dyn Format, wanted: &Wanted) -> Result<(), Problem> {
    let made = [
        (wanted.delay, Choice::Delay, "--delay"),
        (wanted.up, Choice::Direction, "--direction"),
        (!wanted.columns.is_empty(), Choice::Columns, "--column"),
        (wanted.gap.is_some(), Choice::Gap, "--gap"),
    ];
    for (made, choice, option) in made {
        if made && !format.choices().contains(&choice) {
            let takers: Vec<_> = FORMATS
                .iter()
                .filter(|format| format.choices().contains(&choice))
                .map(|format| format.name())
                .collect();
            return Err(Problem::whole(format!(
                "{option} means nothing for the format {}; it is for {}",
                format.name(),
                takers.join(", ")
            )));
        }
    }
    Ok(())
}
