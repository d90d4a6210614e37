//! The command `atl recv`.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use atl_engine::Cancel;
use atl_transfer::folder::Folder;
use atl_transfer::name::Limits;
use atl_transfer::receiver::{Options, Receiver, Summary};
use atl_transfer::{Error, Transport};
use serde_json::json;

use super::show::{Shown, bytes, folders, rate};
use super::{cancelled, failure, link_info, pipe, record, run};
use crate::args::Recv;
use crate::failure::Failure;
use crate::format::{counted, duration};
use crate::interrupt;
use crate::output;
use crate::status::Status;

/// Bytes of the file system that stay free unless the user names a limit.
const SPARED: u64 = 1_000_000_000;

/// Receives files.
///
/// # Errors
/// If the address or the folder is not available.
pub(crate) fn recv(args: &Recv) -> Result<Status, Failure> {
    interrupt::completed(|cancel| transfer(args, cancel))
}

fn transfer(args: &Recv, cancel: &Cancel) -> Result<Status, Failure> {
    super::qlog(args.common.qlog.as_deref())?;
    let to_pipe = pipe::is_pipe(&args.into);
    if to_pipe && (args.json || args.keep) {
        return Err(Failure::Usage(
            "--into - writes one file to standard output: leave out --json and --keep".to_owned(),
        ));
    }
    let room = |error| Failure::Runtime(format!("no room for a file to come: {error}"));
    let room = to_pipe.then(tempfile::tempdir).transpose().map_err(room)?;
    let into = room.as_ref().map_or(args.into.as_path(), tempfile::TempDir::path);
    let shown = Arc::new(Shown::new("Receiving", "sender", args.quiet, args.json));
    let link = link_info::watch(&args.common.link_info, &[], shown.clone())?;
    let folder = Folder::open(into, args.force).map_err(|error| failure(&error.into()))?;
    let limit = args.limit.or_else(|| folder.free().map(|free| free.saturating_sub(SPARED)));
    let options = Options {
        listen: args.listen.unwrap_or_else(everywhere),
        transport: Transport {
            #[cfg(feature = "qlog")]
            qlog: args.common.qlog.clone(),
            ..Transport::default()
        },
        limit,
        keep: args.keep,
        anyone: args.anyone,
        expires: args.expires.map(Duration::from),
        link,
        limits: if args.portable { Limits::WINDOWS } else { Limits::NONE },
    };
    let summary = run(async {
        let receiver = Receiver::bind(folder, options, shown.clone());
        let receiver = receiver.map_err(|error| failure(&error))?;
        announce(args, &receiver, limit)?;
        Ok::<_, Failure>(receiver.run(cancelled(cancel)).await)
    })?;
    shown.end();
    let summary = summary?;
    let status = tell(args, &summary)?;
    match &room {
        Some(room) if status == Status::Success => {
            pipe::output(room.path(), &summary).map(|()| status)
        }
        _ => Ok(status),
    }
}

/// The unspecified address: IPv6, which includes IPv4, or IPv4 if there is no IPv6.
fn everywhere() -> SocketAddr {
    let v6 = SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0));
    match UdpSocket::bind(v6) {
        Ok(_) => v6,
        Err(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
    }
}

/// Prints the address and the ticket for senders.
fn announce(args: &Recv, receiver: &Receiver, limit: Option<u64>) -> Result<(), Failure> {
    let ticket = receiver.ticket();
    let addresses: Vec<String> = ticket.addresses.iter().map(SocketAddr::to_string).collect();
    if args.json {
        let start = json!({
            "type": "start",
            "version": env!("CARGO_PKG_VERSION"),
            "listen": receiver.local_addr().to_string(),
            "addresses": addresses,
            "fingerprint": ticket.fingerprint.to_string(),
            "ticket": ticket.to_string(),
            "continues": receiver.continues(),
            "limit_bytes": limit,
        });
        return output::json_line(&start).map(drop);
    }
    if args.quiet {
        say(args, &format!("{ticket}\n"))?;
        return Ok(());
    }
    let mut text = format!(
        "Receiving into {} at {}\nFingerprint {}\n",
        args.into.display(),
        addresses.join(", "),
        ticket.fingerprint
    );
    if receiver.continues() {
        text.push_str("The last `atl recv` here was cut short; its ticket is still valid\n");
    }
    text.push_str(&format!("\n  atl send FILE... {ticket}\n\n"));
    say(args, &text)
}

/// Tells people something: on standard output, unless the file goes there.
fn say(args: &Recv, text: &str) -> Result<(), Failure> {
    if pipe::is_pipe(&args.into) {
        output::error(text);
        return Ok(());
    }
    output::text(text).map(drop)
}

/// Prints the summary, as text or JSON.
fn tell(args: &Recv, summary: &Summary) -> Result<Status, Failure> {
    if args.json {
        output::json_line(&record::received(summary))?;
    } else if !args.quiet {
        let speed = rate(summary.arrived, summary.took).map(|rate| format!(", {rate}"));
        say(
            args,
            &format!(
                "Received {}{}: {} in {}{}\n",
                counted(usize::try_from(summary.count).unwrap_or(usize::MAX), "file"),
                folders(usize::try_from(summary.folders).unwrap_or(usize::MAX)),
                bytes(summary.arrived),
                duration(summary.took.as_secs_f64()),
                speed.unwrap_or_default()
            ),
        )?;
    }
    if summary.unfinished > 0 {
        let files = counted(usize::try_from(summary.unfinished).unwrap_or(usize::MAX), "file");
        output::error(&format!(
            "{files} unfinished: run the same command again to go on, with the same ticket\n"
        ));
    }
    match &summary.error {
        Some(Error::Interrupted) => Ok(Status::Failure),
        Some(error) => Err(failure(error)),
        None if summary.refused > 0 => Ok(Status::Failure),
        None => Ok(Status::Success),
    }
}
