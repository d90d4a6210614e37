//! The command `atl send`.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_engine::Cancel;
use atl_transfer::name;
use atl_transfer::observer::{Event, Observer as _};
use atl_transfer::sender::{self, Entry, Fate, Kind, Listing, Load, Options, Summary, Work};
use atl_transfer::ticket::{Fingerprint, Ticket};
use atl_transfer::{Error, Transport};

use atl_transfer::roam::{Networks, Roam};

use super::congestion::{self, Congestion};
use super::destination::{self, To};
use super::show::{Shown, bytes, folders, rate};
use super::{cancelled, failure, link_info, pipe, record, run};
use crate::args::{RoamHow, SendFiles};
use crate::document::Format;
use crate::failure::Failure;
use crate::format::{counted, duration};
use crate::interrupt;
use crate::output;
use crate::status::Status;

/// Sends files, or generated load.
///
/// # Errors
/// If the arguments do not fit together, or not everything arrives.
pub(crate) fn send(args: &SendFiles) -> Result<Status, Failure> {
    interrupt::completed(|cancel| transfer(args, cancel))
}

fn transfer(args: &SendFiles, cancel: &Cancel) -> Result<Status, Failure> {
    let (files, to) = destination::split(args)?;
    let to = Target::of(&to, args)?;
    let source = &link_info::chosen(&args.common.link_info);
    let told = link_info::tells_losses(source);
    let Congestion { label, factory, own, reports, marks } = congestion::named(&args.cc, told)?;
    let piped = files.iter().filter(|file| pipe::is_pipe(file)).count();
    let files: Vec<PathBuf> = files.iter().filter(|file| !pipe::is_pipe(file)).cloned().collect();
    let Listing { mut entries, left_out } =
        Listing::of(&files, &args.exclude).map_err(|error| failure(&error))?;
    // Kept until it is sent.
    let _input = match piped {
        0 => None,
        _ => {
            let (input, entry) = pipe::input(&args.name)?;
            if entries.iter().any(|other| other.path == entry.path) {
                return Err(Failure::Usage(format!(
                    "two files would be called {} at the receiver: give standard input another --name",
                    name::shown(&entry.path)
                )));
            }
            entries.push(entry);
            Some(input)
        }
    };
    let shown = Arc::new(Shown::new("Sending", "receiver", args.quiet, args.json));
    for (path, why) in &left_out {
        let path = path.display().to_string();
        shown.on_event(&Event::LeftOut { path, why: why.to_string() });
    }
    let lost = left_out.iter().filter(|(_, why)| why.is_a_loss()).count();
    if args.strict && lost > 0 {
        shown.end();
        return Err(Failure::Runtime(format!(
            "nothing was sent: {} cannot be sent; rename what is listed above, or leave out --strict",
            counted(lost, "name")
        )));
    }
    if args.dry_run {
        shown.end();
        output::text(&preview(&entries))?;
        return Ok(if lost > 0 { Status::Failure } else { Status::Success });
    }
    super::qlog(args.common.qlog.as_deref())?;
    let roam = roam(args, own, &to.addresses)?;
    let link = link_info::watch(source, &to.addresses, shown.clone())?;
    let marks = marks.and_then(|marks| link_info::watch_losses(source, marks, shown.clone()));
    let transport = Transport {
        controller: Some(factory),
        #[cfg(feature = "qlog")]
        qlog: args.common.qlog.clone(),
        roam: roam.as_ref().map(|roam| roam.new_path),
        ..Transport::default()
    };
    let options = Options {
        to: to.addresses,
        fingerprint: to.fingerprint,
        secret: to.secret,
        bind: args.bind,
        transport,
        link,
        marks,
        reports,
        roam,
        patience: Duration::from(args.retry_for),
        strict: args.strict,
    };
    let work = load(args).map_or_else(|| Work::Files(entries.clone()), Work::Load);
    let summary = run(sender::send(work, &options, shown.clone(), cancelled(cancel)))?;
    shown.end();
    let status = tell(args, &entries, &summary, &label)?;
    Ok(if lost > 0 { Status::Failure } else { status })
}

/// Options for roaming. A socket bound to an address does not roam.
fn roam(args: &SendFiles, own: bool, towards: &[SocketAddr]) -> Result<Option<Roam>, Failure> {
    let new_path = match args.roam {
        RoamHow::Resume => NewPath::RESUME,
        RoamHow::Probe if !own => {
            return Err(Failure::Usage(format!(
                "--roam probe: the controller {} would take lost probes for congestion; use --roam reset, or a \
                 controller whose name does not begin with noq-",
                args.cc
            )));
        }
        // The old path may be gone at any time, and noq fills its window first: data stays there
        // until the host moves.
        RoamHow::Probe => NewPath::Probe(Probe { meanwhile: Meanwhile::Old, ..Probe::DEFAULT }),
        RoamHow::Reset => NewPath::Reset,
        RoamHow::Off if !args.also.is_empty() => {
            return Err(Failure::Usage(
                "--also keeps a second path ready: leave out --roam off".to_owned(),
            ));
        }
        RoamHow::Off => return Ok(None),
    };
    let bound = args.bind.is_some_and(|bind| !bind.ip().is_unspecified());
    let towards = towards.first().filter(|_| !bound);
    let roam = |towards: &SocketAddr| Roam {
        new_path,
        also: args.also.clone(),
        networks: Networks::start(*towards),
    };
    Ok(towards.map(roam))
}

/// The generated load to send instead of files, if there is one.
fn load(args: &SendFiles) -> Option<Load> {
    match (args.generate, args.lasting) {
        (Some(bytes), _) => Some(Load::Bytes(bytes)),
        (None, Some(time)) => Some(Load::For(Duration::from(time))),
        (None, None) => None,
    }
}

/// The entries that would be sent, one a line, and their sum.
fn preview(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let path = name::shown(&entry.path);
        text += &match entry.kind {
            Kind::File { size, .. } => format!("{path}  {}\n", bytes(size)),
            Kind::Folder => format!("{path}/\n"),
        };
    }
    let files = entries.iter().filter(|entry| is_file(entry)).count();
    let total = bytes(entries.iter().map(Entry::size).fold(0, u64::saturating_add));
    let folders = folders(entries.len() - files);
    text + &format!("Would send {}{folders}: {total}\n", counted(files, "file"))
}

fn is_file(entry: &Entry) -> bool {
    matches!(entry.kind, Kind::File { .. })
}

/// The receiver's addresses and identity.
struct Target {
    addresses: Vec<SocketAddr>,
    fingerprint: Option<Fingerprint>,
    secret: Option<[u8; 16]>,
}

impl Target {
    fn of(to: &To, args: &SendFiles) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::Usage(format!("{}: {why}", to.shown));
        let text = to.text.as_str();
        if !text.contains(':') {
            let ticket: Ticket = text.parse().map_err(|error| {
                wrong(&format!("{error}; or give an address and a port, such as 192.0.2.7:5000"))
            })?;
            if args.insecure || args.fingerprint.is_some_and(|other| other != ticket.fingerprint) {
                return Err(Failure::Usage(
                    "a ticket says who the receiver is: leave out --fingerprint and --insecure"
                        .to_owned(),
                ));
            }
            return Ok(Target {
                addresses: ticket.addresses,
                fingerprint: Some(ticket.fingerprint),
                secret: Some(ticket.secret),
            });
        }
        if args.fingerprint.is_none() && !args.insecure {
            return Err(Failure::Usage(format!(
                "who is at {text}? Give the --fingerprint that the receiver shows, or its ticket instead of the address; \
                 --insecure sends to whoever answers"
            )));
        }
        let addresses =
            text.to_socket_addrs().map_err(|error| wrong(&format!("no such address: {error}")))?;
        let addresses: Vec<SocketAddr> = addresses.take(16).collect();
        if addresses.is_empty() {
            return Err(wrong("no such address"));
        }
        Ok(Target { addresses, fingerprint: args.fingerprint, secret: None })
    }
}

/// Prints the summary, as text or JSON.
fn tell(
    args: &SendFiles,
    entries: &[Entry],
    summary: &Summary,
    label: &str,
) -> Result<Status, Failure> {
    if args.json {
        output::json(Format::Sent, &record::sent(entries, summary, &args.cc))?;
    } else if !args.quiet {
        output::text(&text(entries, summary, label))?;
    }
    match &summary.error {
        Some(Error::Interrupted) => {
            output::error("interrupted: send the same again to go on\n");
            Ok(Status::Failure)
        }
        Some(error) => Err(failure(error)),
        None if summary.is_complete() => Ok(Status::Success),
        None => Ok(Status::Failure),
    }
}

fn text(entries: &[Entry], summary: &Summary, label: &str) -> String {
    let traffic = &summary.traffic;
    let lost = match traffic.packets {
        0 => String::new(),
        packets => {
            let share = traffic.lost as f64 / packets as f64 * 100.0;
            let marked = match traffic.marks {
                Some(marks) => {
                    format!(", {} of them on the sender's own link", marks.sender.in_time)
                }
                None => String::new(),
            };
            format!("; {share:.2} % of {packets} packets lost{marked}")
        }
    };
    let again = match traffic.connections {
        0 | 1 => String::new(),
        connections => format!(", over {connections} connections"),
    };
    if let Some(loaded) = summary.loaded {
        let speed = rate(loaded.bytes, loaded.took).unwrap_or_else(|| "no rate".to_owned());
        let took = duration(loaded.took.as_secs_f64());
        return format!(
            "Arrived: {} in {took}, {speed}, {label}{again}{lost}\n",
            bytes(loaded.bytes)
        );
    }
    let done = |kind: fn(&Entry) -> bool| {
        let fates = entries.iter().zip(&summary.fates).filter(|(entry, _)| kind(entry));
        fates.filter(|(_, fate)| matches!(fate, Fate::Done { .. })).count()
    };
    let speed = rate(summary.arrived, summary.took).map(|rate| format!(", {rate}"));
    format!(
        "Sent {} of {}{}: {} in {}{}, {label}{again}{lost}\n",
        done(is_file),
        counted(entries.iter().filter(|entry| is_file(entry)).count(), "file"),
        folders(done(|entry| matches!(entry.kind, Kind::Folder))),
        bytes(summary.arrived),
        duration(summary.took.as_secs_f64()),
        speed.unwrap_or_default(),
    )
}
