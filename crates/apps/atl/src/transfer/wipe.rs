//! Takes the ticket out of the arguments, which other users of the machine can read for as long as
//! the program runs.
//!
//! A program cannot change its own arguments without unsafe code, and what does is not portable. It
//! can start itself anew in its place, as the same process with other arguments. The ticket goes
//! through a pipe, which nobody else can read and which is empty from then on.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use atl_transfer::ticket::Ticket;
use nix::unistd::pipe;

use crate::args::SendFiles;
use crate::itself;

/// Starts the program anew without the ticket, if its arguments end with one. To be called before
/// there are threads and signal handlers. It does not return where that works.
///
/// # Errors
/// If the system does not permit it. All is as before then.
pub(crate) fn ticket(arguments: &[OsString], send: &SendFiles) -> io::Result<()> {
    let ticket = send.places.last().and_then(|last| last.to_str());
    let Some(ticket) = ticket.filter(|text| text.parse::<Ticket>().is_ok()) else { return Ok(()) };
    let name = arguments.first().map(OsString::as_os_str).unwrap_or_default();
    Err(anew(&mut itself::again(name)?, arguments, ticket)?)
}

/// Puts `command` in the place of this process, with the arguments behind the name and `@PATH` of a
/// pipe in place of the ticket. Returns the reason if that does not work.
fn anew(command: &mut Command, arguments: &[OsString], ticket: &str) -> io::Result<io::Error> {
    // It stays open in the program that takes this one's place.
    let (inherited, mut enter) = pipe().map(|(from, to)| (from, fs::File::from(to)))?;
    let place = place_of(&inherited)?;
    // It holds at least 4096 bytes, and nobody has to read them yet.
    enter.write_all(ticket.as_bytes())?;
    drop(enter);
    let mut place_in_words = OsString::from("@");
    place_in_words.push(&place);
    for argument in arguments.iter().skip(1) {
        let is_ticket = argument.as_os_str() == OsStr::new(ticket);
        command.arg(if is_ticket { &place_in_words } else { argument });
    }
    Ok(command.exec())
}

/// The path by which a program finds what it inherits.
fn place_of(pipe: &OwnedFd) -> io::Result<PathBuf> {
    let place = Path::new("/dev/fd").join(pipe.as_raw_fd().to_string());
    // Without /dev/fd the ticket would be lost.
    fs::metadata(&place).map_err(|error| {
        io::Error::new(error.kind(), format!("no {}: {error}", place.display()))
    })?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_start_leaves_all_as_it_was() {
        let arguments = ["atl", "send", "film", "ticket"].map(OsString::from);
        let error = anew(&mut Command::new("/nowhere/atl"), &arguments, "ticket");
        assert_eq!(error.expect("a pipe").kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn the_place_of_a_pipe_gives_what_was_written() {
        let (inherited, enter) = pipe().expect("a pipe");
        fs::File::from(enter).write_all(b"ticket").expect("room");
        let place = place_of(&inherited).expect("a system with /dev/fd");
        assert_eq!(fs::read_to_string(place).expect("readable"), "ticket");
    }
}
