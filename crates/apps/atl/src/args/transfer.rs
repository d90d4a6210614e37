//! Arguments of `atl send` and `atl recv`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use atl_core::time::Span;
use atl_transfer::sender::Pattern;
use atl_transfer::ticket::Fingerprint;
use clap::{Args, ValueEnum, ValueHint};

use super::values;

const AFTER_SEND: &str = "\
Examples:
  atl send holiday.mp4 atlaecq...              the ticket that `atl recv` shows
  atl send photos/ notes.txt atlaecq...        folders, with all that is in them
  atl send src/ atlaecq... --exclude '*.o' --exclude target --dry-run
  atl send notes.txt @ticket                   the ticket is in a file, or with `-`
                                               comes from standard input
  atl send big.iso atlaecq... --cc noq-cubic   with another congestion controller
  atl send big.iso host:5000 --fingerprint 3a5f...     (with atl recv --anyone)
  tar c src | atl send - atlaecq... --name src.tar
                                               standard input, read whole first
  atl send --for 10s atlaecq...                measure the speed; the receiver keeps nothing
  atl send big.iso atlaecq... --link-info socket:/tmp/links

When this host gets another address towards the receiver the connection moves
there, over a second QUIC path. With --also that path is ready before it is
needed: if the networks overlap, the file goes on without a stall.

To resume an interrupted file, send it again. The receiver says what it has, and
hashes decide whether it is the same file. A connection that breaks is replaced
automatically.

Other users of this machine can read the arguments of programs. On Unix a ticket
among them is taken out at once, by starting the program anew in its own place;
it stays in the shell's history. They cannot read standard input, nor the
environment variable ATL_TICKET, nor a file that only you can read.

The controllers of `atl list` that have a window run over QUIC; those called noq-
belong to the QUIC library. If --link-info knows p_w and d_w of this machine's
wireless link, or the receiver reports its own, residual and TCP-ATL use them.

The exit status is 0 if everything has arrived, 1 otherwise. Names are any octets.
Those that the receiver's file system cannot hold are all listed before anything
is sent, and left out; --strict then sends nothing at all.";

/// Arguments of `atl send`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_SEND, override_usage = "atl send [OPTIONS] [FILE]... [TO]")]
pub(crate) struct SendFiles {
    /// Files and folders, then the receiver: a ticket, or an address such as 192.0.2.7:5000; `-`
    /// reads the ticket from standard input, `@PATH` from a file. Without it ATL_TICKET is taken
    /// from the environment. `-` among the files is standard input, sent as a file.
    #[arg(value_name = "FILE... TO", value_hint = ValueHint::AnyPath)]
    pub places: Vec<PathBuf>,
    /// Congestion controller: any window controller that `atl list` shows.
    #[arg(long, value_name = "NAME", default_value = "residual")]
    pub cc: String,
    #[command(flatten)]
    pub common: TransferOptions,
    /// SHA-256 of the receiver's certificate, which it shows: needed with an address.
    #[arg(long, value_name = "HEX")]
    pub fingerprint: Option<Fingerprint>,
    /// Send to an address without checking who answers there.
    #[arg(long, conflicts_with = "fingerprint")]
    pub insecure: bool,
    /// Send this much generated load (`100MB`) instead of files.
    #[arg(long, value_name = "SIZE", value_parser = values::size, conflicts_with = "lasting")]
    pub generate: Option<u64>,
    /// Send generated load for this long (`10s`) instead of files.
    #[arg(long = "for", id = "lasting", value_name = "TIME", value_parser = values::any_time)]
    pub lasting: Option<Span>,
    /// Leave out what matches in folders: a pattern such as `*.tmp` or `target` for names, or
    /// `build/*` for paths below a folder that is sent; may be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<Pattern>,
    /// Send nothing if the receiver's file system cannot hold a name, instead of leaving it out.
    #[arg(long)]
    pub strict: bool,
    /// Name under which standard input arrives.
    #[arg(long, value_name = "NAME", default_value = "stdin")]
    pub name: String,
    /// List the files that would be sent, and send nothing.
    #[arg(long, conflicts_with_all = ["json", "quiet", "generate", "lasting"])]
    pub dry_run: bool,
    /// Local address to send from, such as 192.0.2.9:0 [default: any].
    #[arg(long, value_name = "ADDRESS", value_parser = values::address)]
    pub bind: Option<SocketAddr>,
    /// The start on a path when this host moves to another network: `resume` from what it carried
    /// before, `probe` it with padded PINGs first, `reset` to know nothing of it; `off` leaves the
    /// move to QUIC's migration.
    #[arg(long, value_name = "HOW", default_value = "resume")]
    pub roam: RoamHow,
    /// Local address from which to keep a second path ready, as soon as this host has it; may be
    /// repeated.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "bind")]
    pub also: Vec<IpAddr>,
    /// Keep trying this long to reach a receiver that is not up yet or takes no more connections,
    /// or that is lost; `0s` tries once.
    #[arg(long, value_name = "TIME", default_value = "1min", value_parser = values::time_or_none)]
    pub retry_for: Span,
    /// Print one JSON document on standard output at the end instead of text.
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors and warnings.
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

/// Start on a new path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoamHow {
    /// From its state when it was left, up to five minutes ago (Careful Resume).
    Resume,
    /// From the result of probes.
    Probe,
    /// From the controller's initial values.
    Reset,
    /// No roaming: a single path.
    Off,
}

const AFTER_RECV: &str = "\
Examples:
  atl recv                                 into the current folder
  atl recv --into inbox --keep             until Ctrl-C, from everyone with the ticket
  atl recv --listen 192.0.2.7:5000         at one address
  atl recv --into - | tar x                one file, to standard output
  atl recv --link-info auto                tell senders what this Wi-Fi loses

Shows a ticket: give it to the sender, over a channel that you trust. It says
where this receiver is and who it is, and permits sending to it. The command ends
when a sender has sent everything.

Files appear under their names when they are complete and their hashes are right,
never over another file without --force, and never outside the folder. Until then
they are in .atl-recv within it. A receiver that is killed and started again in
the same folder has the same ticket, and goes on with them.";

/// Arguments of `atl recv`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RECV)]
pub(crate) struct Recv {
    /// Address to listen at [default: all of this machine, any free port].
    #[arg(long, value_name = "ADDRESS", value_parser = values::address)]
    pub listen: Option<SocketAddr>,
    /// Folder to receive into; it is created if it does not exist. `-` writes one file to standard
    /// output once it is complete and right, and everything else to standard error.
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub into: PathBuf,
    /// Replace files of the same name.
    #[arg(long)]
    pub force: bool,
    /// Take only names that every system can hold, Windows and its disks among them.
    #[arg(long)]
    pub portable: bool,
    /// Accept at most this much (`10GB`) [default: the free space of the folder less 1 GB].
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub limit: Option<u64>,
    /// Keep receiving after a sender has sent everything, until Ctrl-C.
    #[arg(long)]
    pub keep: bool,
    /// Let the ticket expire this long after the start (`1h`): a sender that has not begun by then
    /// may not, and the command ends once nobody is sending.
    #[arg(long, value_name = "TIME", value_parser = values::any_time, conflicts_with = "anyone")]
    pub expires: Option<Span>,
    /// Receive from senders without a ticket, too.
    #[arg(long)]
    pub anyone: bool,
    #[command(flatten)]
    pub common: TransferOptions,
    /// Print JSON objects on standard output, one on each line: the ticket at the start, and the
    /// summary.
    #[arg(long)]
    pub json: bool,
    /// Print only the ticket, errors and warnings.
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

/// Options of both commands.
#[derive(Args, Debug)]
pub(crate) struct TransferOptions {
    /// Source of p_w and d_w of this machine's wireless link: `auto` (the Wi-Fi interface, if
    /// packets go over one; for a sender behind `atl link --link-socket` that socket), `none`,
    /// `interface:NAME`, `file:PATH`, `command:COMMAND` (run by `sh -c` once a second), or
    /// `socket:PATH` of `atl link --link-socket`, which also
    /// tells a sender which packets the link lost. See docs/link-information.md.
    #[arg(long, value_name = "SOURCE", default_value = "auto")]
    pub link_info: LinkInfoSource,
    /// Write a qlog of each connection into this folder, for qvis. Packages of atl can do this; a
    /// program built with `make build` cannot, as QUIC is slower with it.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub qlog: Option<PathBuf>,
}

/// Source of link information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkInfoSource {
    /// The interface that packets go over, if it is an 802.11 device.
    Auto,
    /// No link information.
    None,
    /// The 802.11 device with this name.
    Interface(String),
    /// A file that another program keeps rewriting.
    File(PathBuf),
    /// A command that prints it.
    Command(String),
    /// The socket of `atl link`.
    Socket(PathBuf),
}

impl FromStr for LinkInfoSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "auto" => Ok(LinkInfoSource::Auto),
            None if text == "none" => Ok(LinkInfoSource::None),
            Some(("interface", name)) if !name.is_empty() => {
                Ok(LinkInfoSource::Interface(name.to_owned()))
            }
            Some(("file", path)) if !path.is_empty() => Ok(LinkInfoSource::File(path.into())),
            Some(("command", command)) if !command.trim().is_empty() => {
                Ok(LinkInfoSource::Command(command.to_owned()))
            }
            Some(("socket", path)) if !path.is_empty() => Ok(LinkInfoSource::Socket(path.into())),
            _ => Err(
                "expected auto, none, interface:NAME, file:PATH, command:COMMAND or socket:PATH"
                    .to_owned(),
            ),
        }
    }
}
