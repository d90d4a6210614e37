//! The command `atl trace`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use atl_core::time::Span;
use atl_experiment::recording::{Imported, Request, Wanted, format_named, import};

use self::document::Document;
use crate::args::{Import, Trace, TraceWay, TraceWhat};
use crate::document::Format;
use crate::failure::Failure;
use crate::new_file;
use crate::output::{self, Look};
use crate::status::Status;

mod document;

/// Bytes of a recording at most: several times the largest of the sets in docs/traces.md.
const LONGEST: u64 = 512 << 20;

/// Carries out `atl trace`.
///
/// # Errors
/// As [`imported`].
pub(crate) fn trace(args: &Trace) -> Result<Status, Failure> {
    match &args.what {
        TraceWhat::Import(args) => imported(args),
    }
}

/// Turns a recorded file into a trace.
///
/// # Errors
/// If the file cannot be read, is not what the arguments say, or the trace cannot be written.
fn imported(args: &Import) -> Result<Status, Failure> {
    let path = Path::new(&args.file);
    let bytes = read(args)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let request = Request {
        format: args.from.as_deref().and_then(format_named),
        wanted: Wanted {
            name: if args.file == "-" { String::new() } else { name },
            delay: args.delay,
            up: args.direction == Some(TraceWay::Up),
            columns: args.column.clone(),
            gap: args.gap.map(Span::nanos),
            until: None,
        },
        begin: args.begin.map_or(0, Span::nanos),
        duration: args.duration.map(Span::nanos),
    };
    let made = import(&bytes, &request)
        .map_err(|problem| Failure::Usage(format!("{}: {problem}", args.file)))?;
    let status = match &args.out {
        Some(out) if is_same(path, out) => {
            let message =
                format!("--out {}: the recording itself; name another file", out.display());
            return Err(Failure::Usage(message));
        }
        Some(out) => {
            new_file::write("--out", out, &made.text)?;
            match args.json {
                true => output::json(Format::Trace, &Document::new(&args.file, &made, out))?,
                false => Status::Success,
            }
        }
        None => output::text(&made.text)?,
    };
    if !args.quiet {
        output::error(&told(args, &made, Look::of_stdout()));
    }
    Ok(status)
}

fn read(args: &Import) -> Result<Vec<u8>, Failure> {
    let path = Path::new(&args.file);
    let failed = |error: io::Error| Failure::file("read", path, &error);
    let mut bytes = Vec::new();
    let mut file: Box<dyn Read> = match args.file.as_str() {
        "-" => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(path).map_err(failed)?),
    };
    file.by_ref().take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST {
        let message = format!(
            "{}: it has more than {} MiB; take a part of it, such as the first lines with head",
            args.file,
            LONGEST >> 20
        );
        return Err(Failure::Usage(message));
    }
    Ok(bytes)
}

/// True if both are one file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The trace in a few numbers, and how to use it.
fn told(args: &Import, made: &Imported, look: Look) -> String {
    let mut out = look.paragraph("Read   ", &format!("{}, as {}", args.file, made.format));
    out += &look.paragraph("Trace  ", &format!("{}.", made.summary));
    if let Some(file) = &args.out {
        let (key, file) = (made.key, file.display());
        out +=
            &look.paragraph("Use    ", &format!("{key} = \"{file}\", or atl link --{key} {file}"));
    }
    out
}
