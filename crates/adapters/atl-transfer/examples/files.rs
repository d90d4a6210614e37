//! Sends files to a receiver, or receives them: the crate alone, without `atl`.
//!
//! ```sh
//! cargo run -p atl-transfer --example files -- recv FOLDER          # prints a ticket
//! cargo run -p atl-transfer --example files -- send TICKET FILE...
//! ```

use std::env;
use std::error::Error;
use std::future::pending;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use atl_transfer::folder::Folder;
use atl_transfer::observer::{Event, Observer};
use atl_transfer::receiver::{self, Receiver};
use atl_transfer::sender::{self, Listing, Work};
use atl_transfer::ticket::Ticket;

/// Shows what happens on standard error.
#[derive(Debug)]
struct Told;

impl Observer for Told {
    #[expect(clippy::print_stderr, reason = "what happens")]
    fn on_event(&self, event: &Event) {
        eprintln!("{event:?}");
    }

    fn on_progress(&self, _: u64, _: u64) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["recv", folder] => runtime.block_on(receive(Path::new(folder))),
        ["send", ticket, files @ ..] => runtime.block_on(send(&ticket.parse()?, files)),
        _ => Err("usage: files recv FOLDER | files send TICKET FILE...".into()),
    }
}

#[expect(clippy::print_stdout, reason = "the ticket")]
async fn receive(folder: &Path) -> Result<(), Box<dyn Error>> {
    let options = receiver::Options::at(([127, 0, 0, 1], 0).into());
    let receiver = Receiver::bind(Folder::open(folder, false)?, options, Arc::new(Told))?;
    println!("{}", receiver.ticket());
    let summary = receiver.run(pending()).await;
    match summary.error {
        Some(error) => Err(error.into()),
        None if summary.refused > 0 => Err(format!("{} refused", summary.refused).into()),
        None => Ok(()),
    }
}

async fn send(ticket: &Ticket, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let options = sender::Options::with_ticket(ticket);
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let work = Work::Files(Listing::of(&files, &[])?.entries);
    let summary = sender::send(work, &options, Arc::new(Told), pending()).await;
    let complete = summary.is_complete();
    match summary.error {
        Some(error) => Err(error.into()),
        None if complete => Ok(()),
        None => Err("not everything arrived".into()),
    }
}
