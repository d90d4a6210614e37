//! The receiver that a sender is told of: by an argument, a file, standard input or the
//! environment.
//!
//! A ticket gives the right to send, and other users of the machine can read the arguments of all
//! programs.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::pipe;
use crate::args::SendFiles;
use crate::failure::Failure;

/// The environment variable with the ticket.
pub(super) const TICKET: &str = "ATL_TICKET";
/// Limit on the octets that are read in search of a ticket.
const LONGEST: u64 = 4096;

/// The receiver in words: a ticket, or an address.
pub(super) struct To {
    /// The ticket or address.
    pub(super) text: String,
    /// Where it comes from, for messages.
    pub(super) shown: String,
}

/// Splits the arguments into files and the receiver.
///
/// # Errors
/// If one of the two is missing, or the receiver cannot be read.
pub(super) fn split(args: &SendFiles) -> Result<(&[PathBuf], To), Failure> {
    let ticket = env::var_os(TICKET).map(|ticket| ticket.to_string_lossy().into_owned());
    let places = args.places.as_slice();
    if places.iter().filter(|place| pipe::is_pipe(place)).count() > 1 {
        return Err(Failure::Usage(
            "standard input is one file to send, and cannot be the ticket, too: take that from a file with @PATH"
                .to_owned(),
        ));
    }
    let alone = matches!(places, [place] if pipe::is_pipe(place));
    let (files, to) = match (ticket, places.split_last()) {
        (Some(text), last) if alone || last.is_none_or(|(last, _)| !is_receiver(last)) => {
            (places, To { text: text.trim().to_owned(), shown: TICKET.to_owned() })
        }
        (_, Some((last, _))) if !is_receiver(last) && last.exists() => {
            let what = if last.is_dir() { "folder" } else { "file" };
            return Err(Failure::Usage(format!(
                "there is no receiver: {} is a {what} to send; add the receiver's ticket or address at the end, or set {TICKET}",
                last.display()
            )));
        }
        (_, Some((to, files))) => (files, read(to)?),
        (_, None) => {
            return Err(Failure::Usage(format!(
                "to whom? Give a ticket or an address at the end, `-` to read the ticket from standard input, @FILE to \
                 read it from a file, or set {TICKET}"
            )));
        }
    };
    let generated = args.generate.is_some() || args.lasting.is_some();
    match (generated, files) {
        (true, []) | (false, [_, ..]) => Ok((files, to)),
        (true, _) => Err(Failure::Usage(
            "--generate and --for send generated load: give the receiver, and no files".to_owned(),
        )),
        (false, []) => Err(Failure::Usage(format!(
            "send what to {}? Give files before it, or --generate SIZE",
            to.shown
        ))),
    }
}

/// True for an argument that can only be a receiver: with a ticket in the environment, all others
/// are files.
fn is_receiver(place: &Path) -> bool {
    let Some(text) = place.to_str() else { return false };
    let named = text == "-" || text.starts_with('@');
    let ticket = text.parse::<atl_transfer::ticket::Ticket>().is_ok();
    named || ticket || (text.contains(':') && !place.exists())
}

fn read(place: &Path) -> Result<To, Failure> {
    let shown = place.display().to_string();
    let text = place
        .to_str()
        .ok_or_else(|| Failure::Usage(format!("{shown}: neither a ticket nor an address")))?;
    let (text, shown) = match text.strip_prefix('@') {
        Some(path) => {
            let path = Path::new(path);
            let failed = |error: io::Error| Failure::file("read", path, &error);
            (first_line(File::open(path).map_err(failed)?).map_err(failed)?, shown)
        }
        None if text == "-" => {
            let line = first_line(io::stdin().lock());
            let line = line.map_err(|error| Failure::file("read", Path::new("-"), &error))?;
            (line, "standard input".to_owned())
        }
        None => (text.to_owned(), shown),
    };
    Ok(To { text, shown })
}

/// The first line that is not empty, without the space around it.
fn first_line(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    source.take(LONGEST).read_to_string(&mut text)?;
    Ok(text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned())
}
