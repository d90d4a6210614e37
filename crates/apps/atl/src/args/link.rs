//! Arguments of `atl link`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use atl_core::time::Span;
use atl_core::units::Probability;
use atl_scenario::KeyOption;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum, ValueHint};

use super::values;

const AFTER: &str = "\
Examples:
  atl link --rate 2Mb/s --delay 50ms --loss 1% --listen 127.0.0.1:5000 --to 127.0.0.1:6000
  atl link --rate 10Mb/s --back-rate 1Mb/s --queue 64kB ...   slower in reverse
  atl link --trace lte.up --back-trace lte.down --delay 20ms ...
  atl link showcase/roaming --listen 127.0.0.1:5000 --to 127.0.0.1:6000
  atl link showcase/train --between server,phone --duration 60s --json ...
  atl link --rate 2Mb/s --delay 50ms --server 'iperf3 -s' -- iperf3 -c server
  atl link showcase/roaming --uplink host -- curl -O http://server:8000/file
  atl link --rate 2Mb/s --set 'link.0.blackout=[{ at = \"5s\", lasts = \"2s\" }]' ...

Point your client at the address of --listen instead of at the server. What it
sends crosses the links to the address of --to, and the answers cross the links
in the reverse direction. Any UDP program will do (QUIC, RTP, WireGuard, a game,
iperf3 -u with its TCP connection elsewhere); several clients share the links.
Root is not needed. Each datagram counts with its headers: 28 bytes more over
IPv4, 48 over IPv6.

With COMMAND, hosts are network namespaces (needs Linux and root) and any
program will do, TCP too. COMMAND runs on the first host, and finds the others
under their names: `client` and `server`, or those of the scenario. --server and
--at start programs there; with --uplink host the other host is this machine.
Namespaces, devices and programs are gone when COMMAND or atl ends, `kill -9`
included. The exit status is COMMAND's; so is standard output, so that the
summary and --json go to standard error. Packets count as IP packets, without a
MAC's framing; those marked LE (RFC 8622) have low priority.

Values are written as in scenario files, and `--set` reaches every key: see
docs/scenarios.md. The link that the options describe is called link.0, its
reverse direction link.0.reverse.

Ctrl-C ends it. A summary follows: it tells how late packets left, and whether
you can trust the run. See docs/real-links.md.";

/// Arguments of `atl link`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Link {
    /// Scenario whose links are used: a file, the name of a built-in one (see `atl list`), or `-`
    /// for standard input. The name of a network (`wifi`, `lte`, `starlink`) is one link, from its
    /// user to a server, which the options below change.
    #[arg(value_name = "FILE|NAME", value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    pub scenario: Option<String>,
    #[command(flatten)]
    pub one: OneLink,
    /// The two hosts of the scenario to connect: what clients send goes from the first to the
    /// second [default: the ends of the first flow].
    #[arg(long, help_heading = "A scenario", value_name = "HOST,HOST", requires = "scenario", value_parser = values::two_names)]
    pub between: Option<(String, String)>,
    /// Set a variable or any other value of the scenario; may be repeated. See `atl run --help`.
    #[arg(long, help_heading = "A scenario", value_name = "KEY=VALUE", value_parser = values::key_value)]
    pub set: Vec<(String, String)>,
    #[command(flatten)]
    pub proxy: ProxyOptions,
    #[command(flatten)]
    pub running: LinkRunning,
    #[command(flatten)]
    pub program: ProgramOptions,
    /// Program to run behind the links, with its arguments, instead of a proxy (needs Linux and
    /// root).
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments, conflicts_with_all = ["listen", "to"])]
    pub command: Vec<OsString>,
}

/// A link without a scenario.
#[derive(Args, Debug)]
#[command(next_help_heading = "One link, without a scenario")]
#[group(id = "one_link", multiple = true)]
pub(crate) struct OneLink {
    /// Rate (`2Mb/s`) [default: unlimited].
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    /// Recorded link instead of a rate: a file in mahimahi's format.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    trace: Option<String>,
    /// One-way delay (`50ms`) [default: none].
    #[arg(long, value_name = "TIME")]
    delay: Option<String>,
    /// Recorded delays instead of a delay: a file with a delay in ms for each 10 ms.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    delay_trace: Option<String>,
    /// Random part of the delay (`5ms`: up to as much less or more, in order), or a table with its
    /// shape and whether packets overtake [default: none].
    #[arg(long, value_name = "TIME")]
    jitter: Option<String>,
    /// Packets that come late, so that others overtake them: a table (`{ share = "1%", by = "10ms"
    /// }`) [default: none].
    #[arg(long, value_name = "TABLE")]
    reorder: Option<String>,
    /// Probability of loss (`1%`), or a loss process as a table (see docs/scenarios.md) [default:
    /// none].
    #[arg(long, value_name = "LOSS")]
    loss: Option<String>,
    /// Loss ahead of the queue, where nothing is transmitted (`1%`, or bursts as a table) [default:
    /// none].
    #[arg(long, value_name = "LOSS")]
    ingress_loss: Option<String>,
    /// Share of the packets that arrive which arrive twice (`1%`) [default: none].
    #[arg(long, value_name = "SHARE")]
    duplicate: Option<String>,
    /// Length of the queue in packets (`50`), bytes (`64kB`) or time at the link's rate (`200ms`),
    /// or a queue as a table [default: 50].
    #[arg(long, value_name = "LENGTH")]
    queue: Option<String>,
    /// Rate in the reverse direction [default: as forward].
    #[arg(long, value_name = "RATE")]
    back_rate: Option<String>,
    /// Recorded link in the reverse direction.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    back_trace: Option<String>,
    /// Delay in the reverse direction [default: as forward].
    #[arg(long, value_name = "TIME")]
    back_delay: Option<String>,
    /// Recorded delays in the reverse direction.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    back_delay_trace: Option<String>,
    /// Jitter in the reverse direction [default: as forward].
    #[arg(long, value_name = "TIME")]
    back_jitter: Option<String>,
    /// Reordering in the reverse direction [default: as forward].
    #[arg(long, value_name = "TABLE")]
    back_reorder: Option<String>,
    /// Loss in the reverse direction [default: as forward].
    #[arg(long, value_name = "LOSS")]
    back_loss: Option<String>,
    /// Loss ahead of the queue in the reverse direction [default: as forward].
    #[arg(long, value_name = "LOSS")]
    back_ingress_loss: Option<String>,
    /// Share that arrives twice in the reverse direction [default: as forward].
    #[arg(long, value_name = "SHARE")]
    back_duplicate: Option<String>,
    /// Queue in the reverse direction [default: as forward].
    #[arg(long, value_name = "LENGTH")]
    back_queue: Option<String>,
    /// Write the link to a scenario file, to run it in the simulator or to add to it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub save: Option<PathBuf>,
}

impl OneLink {
    /// The options given, with the keys of a scenario's link that they set.
    pub(crate) fn options(&self) -> Vec<KeyOption> {
        let forward = [
            ("rate", &self.rate),
            ("trace", &self.trace),
            ("delay", &self.delay),
            ("delay-trace", &self.delay_trace),
            ("jitter", &self.jitter),
            ("reorder", &self.reorder),
            ("loss", &self.loss),
            ("ingress-loss", &self.ingress_loss),
            ("duplicate", &self.duplicate),
            ("queue", &self.queue),
        ];
        let back = [
            ("rate", &self.back_rate),
            ("trace", &self.back_trace),
            ("delay", &self.back_delay),
            ("delay-trace", &self.back_delay_trace),
            ("jitter", &self.back_jitter),
            ("reorder", &self.back_reorder),
            ("loss", &self.back_loss),
            ("ingress-loss", &self.back_ingress_loss),
            ("duplicate", &self.back_duplicate),
            ("queue", &self.back_queue),
        ];
        let forward = forward
            .into_iter()
            .map(|(key, value)| (key.to_owned(), format!("link.0.{key}"), value));
        let back = back
            .into_iter()
            .map(|(key, value)| (format!("back-{key}"), format!("link.0.reverse.{key}"), value));
        let given = forward.chain(back).filter_map(|(option, key, value)| {
            value.clone().map(|value| KeyOption { option, key, value })
        });
        given.collect()
    }
}

/// Where datagrams enter and leave.
#[derive(Args, Debug)]
#[command(next_help_heading = "UDP proxy")]
pub(crate) struct ProxyOptions {
    /// Address for clients (`127.0.0.1:5000`, `[::1]:5000`); port 0 is any free one.
    #[arg(long, value_name = "ADDRESS", value_parser = values::address)]
    pub listen: Option<SocketAddr>,
    /// Address of the server.
    #[arg(long, value_name = "ADDRESS", value_parser = values::address)]
    pub to: Option<SocketAddr>,
    /// Largest number of clients at a time.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub clients: u32,
}

/// Hosts in network namespaces.
#[derive(Args, Debug)]
#[command(next_help_heading = "With COMMAND")]
pub(crate) struct ProgramOptions {
    /// Program on the other host, run by `sh -c`. COMMAND starts once it waits for peers at a port,
    /// and it ends with COMMAND.
    #[arg(long, value_name = "COMMAND")]
    pub server: Option<String>,
    /// Program on this host of the scenario, as --server; may be repeated.
    #[arg(long, value_name = "HOST=COMMAND", value_parser = values::host_command)]
    pub at: Vec<(String, String)>,
    /// Time after which COMMAND starts even if no port is open on the hosts of these programs.
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = values::any_time)]
    pub server_wait: Span,
    /// Where the other host is: a namespace of its own, or this machine itself, whose servers
    /// COMMAND then reaches; `nat` goes on from there to wherever this machine can go.
    #[arg(long, value_enum, default_value_t = Uplink::None)]
    pub uplink: Uplink,
    /// Largest packet in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 1500, value_parser = clap::value_parser!(u16).range(1280..))]
    pub mtu: u16,
    /// Bytes that the links carry besides each IP packet, such as a MAC's framing.
    #[arg(long, value_name = "BYTES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub overhead: u32,
}

/// Where the other host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Uplink {
    /// In a namespace of its own.
    None,
    /// On this machine itself.
    Host,
    /// On this machine, with a way out behind it, and a resolver.
    Nat,
}

/// When the links are shown on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// If standard error is a terminal and COMMAND's standard output is not.
    Auto,
    /// Also below COMMAND's own output, which then appears line by line: for programs that need no
    /// input.
    Always,
    /// Not at all.
    Never,
}

/// Options for running links in real time.
#[derive(Args, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct LinkRunning {
    /// Seed of everything random about the links [default: the scenario's first, or 1].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// End after this time [default: at Ctrl-C].
    #[arg(long, value_name = "TIME", value_parser = values::any_time)]
    pub duration: Option<Span>,
    /// Print JSON objects on standard output, one on each line: the state at intervals, and the
    /// summary.
    #[arg(long)]
    pub json: bool,
    /// Time between two states.
    #[arg(long, value_name = "TIME", default_value = "250ms", value_parser = values::interval)]
    pub every: Span,
    /// Watch the clock instead of sleeping for this long before a packet is due: more punctual, but
    /// costs as much processor time per packet.
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = values::spin)]
    pub spin: Span,
    /// Show the links on the terminal while they run.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = View::Auto, conflicts_with = "json")]
    pub view: View,
    /// Write what passes the hosts to PREFIX-client.pcap and PREFIX-server.pcap (their names), for
    /// Wireshark.
    #[arg(long, value_name = "PREFIX", value_hint = ValueHint::FilePath)]
    pub pcap: Option<String>,
    /// Open a socket at this path, on which programs ask what the links lose and delay (p_w and
    /// d_w), and which datagrams they lost. COMMAND finds the path in ATL_LINK_SOCKET. See
    /// docs/link-information.md.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub link_socket: Option<PathBuf>,
    /// Distrust the run if the links' delays or losses are wrong by more than this share.
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = values::share)]
    pub max_error: Probability,
    /// Do not ask for real-time scheduling (SCHED_FIFO).
    #[arg(long)]
    pub no_fifo: bool,
}
