//! Arguments of `atl path`.

use std::ffi::OsString;
use std::path::PathBuf;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_experiment::path::{
    Description, Direction, MOST_NEIGHBOURS, Network, Queue, Words, is_played, networks,
};
use atl_scenario::{NamedNetwork, units};
use clap::error::ErrorKind;
use clap::{Args, Command, Parser, ValueEnum, ValueHint};

use super::{PlotWhen, values};

/// Has `atl path` list the named networks once somebody asks for its help: reading them takes more
/// instructions than all of `atl list`.
pub(super) fn with_networks(command: Command) -> Command {
    match command.get_name() {
        "path" => command.defer(|path| path.after_help(after_help())),
        _ => command,
    }
}

/// The part of `--help` after the options, which lists the named networks.
fn after_help() -> String {
    let mut out = String::from(
        "\
Examples:
  atl path wifi                                    a network with a name
  atl path wifi 5% loss                            words in any order
  atl path hotel wifi then train at 30s            jitter, bursts and outages come along
  atl path 50/10mbit ping 40 then starlink at 30s
  atl path 10mbit 40ms, 5ms jitter, 200ms queue, 5 neighbours
  atl path wifi drops to 3g at 8s                  roam, in other words
  atl path crowded wifi with 10 stations           which share the air
  atl path --rtt 60ms --down 30Mb/s --up 10Mb/s --loss 1%
  atl path wifi --loss 2% --then leo@20s           roam to a satellite after 20 s
  atl path 4g --send up --protocols cubic,bbr3     what you send, and with what
  atl path geo --save mine.toml && atl run mine.toml --set queue=400

One flow sends without end, with each transport in turn over the same losses, alone
and beside CUBIC flows in the same queue (neighbours; one by default). The link loses
packets both ways. Residual runs again with less and less knowledge of the link's own
loss, delay and rate: the differences are what link knowledge is worth.

For bulk data: the largest goodput. For calls: the least queueing (95th percentile)
among those with at least half of that goodput, if half of the round trip and the
queueing are at most 400 ms together, the most that ITU-T G.114 accepts for a call one
way (up to 150 ms is good). For both: the same among those with at least 0.9 of the
goodput. Several are named where they are level: chance may explain their difference,
or it is below 1 % of goodput or 1 ms.

In words, a time alone is the round trip (so are ping and latency; `40ms each way` is
80), a rate alone is that of both directions, and 50/10Mb/s are down and up. A comma
between networks is `then`; without `at 30s`, each lasts 20 s. Stations share the
airtime of a Wi-Fi, neighbours the queue. One line on standard error says what was
understood, and how long the queue of each network is in bandwidth-delay products (BDP):
one product of its own, unless one queue is stated for all. Words with two readings (10mb,
delay 50ms, satellite) are refused.

Networks, those of scenarios and of `atl link`: Mb/s down and up, RTT, loss each way, and
what else the link does. The options and `no jitter` change them; docs/networks.md has
the sources of the numbers.
",
    );
    for (known, network) in networks().filter(|(known, _)| !is_played(known)) {
        out.push_str(&line(known, network));
    }
    let played: Vec<&str> =
        networks().filter(|(known, _)| is_played(known)).map(|(known, _)| known.name).collect();
    out.push_str(&format!(
        "  and those of quicly's simulator, without losses:\n    {}\n",
        played.join(", ")
    ));
    out
}

/// A network of the list, with its other names.
fn line(known: &NamedNetwork, network: &Network) -> String {
    let Network { name, down, up, rtt, loss, effects } = network;
    let tidy = |value: f64| (value * 1e2).round() / 1e2;
    let effects: String = effects.words().iter().map(|effect| format!(", {effect}")).collect();
    let others: Vec<&str> = known.names().skip(1).collect();
    let also = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    format!(
        "  {name}: {}/{}, {} ms, {} %{effects}\n    {}{also}\n",
        tidy(down.mbps()),
        tidy(up.mbps()),
        rtt.secs() * 1e3,
        tidy(loss.get() * 1e2),
        known.title()
    )
}

/// Arguments of `atl path`.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Path {
    /// The path in words: names from the list below and numbers (`wifi 5% loss then lte at 20s`).
    /// The options replace the first network's numbers.
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Round-trip time to the server and back, without queues.
    #[arg(long, value_name = "TIME", value_parser = some_time, allow_hyphen_values = true)]
    pub rtt: Option<Span>,
    /// Delay one way, instead of --rtt: half of it.
    #[arg(long, value_name = "TIME", value_parser = some_time, allow_hyphen_values = true, conflicts_with = "rtt")]
    pub delay: Option<Span>,
    /// By how much the delay varies from packet to packet, each way, in order: as a network's own
    /// jitter does, or else evenly below and above; 0s for none [default: that of the network].
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub jitter: Option<Span>,
    /// Rate towards the phone [default: that of the network, or of the other direction].
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true, conflicts_with = "bandwidth")]
    pub down: Option<Rate>,
    /// Rate from the phone [default: that of the network, or of the other direction].
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true, conflicts_with = "bandwidth")]
    pub up: Option<Rate>,
    /// Rate in both directions, instead of --down and --up.
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true)]
    pub bandwidth: Option<Rate>,
    /// Share of packets that the wireless link loses, each way, after its own retransmissions
    /// [default: that of the network, or 0].
    #[arg(long, value_name = "P", value_parser = loss, allow_hyphen_values = true)]
    pub loss: Option<Probability>,
    /// Roam to this network at this time; may be repeated.
    #[arg(long, value_name = "NETWORK@TIME", value_parser = then)]
    pub then: Vec<(Network, Time)>,
    /// Direction in which data goes [default: down].
    #[arg(long, value_name = "WAY", value_enum)]
    pub send: Option<Send>,
    /// Length of the wireless link's queue, each way: packets, a time at the link's rate (200ms) or
    /// a size (64kB), the same in all networks: a time is at the first one's rate [default: the
    /// bandwidth-delay product of each network, at least 50 packets].
    #[arg(long, value_name = "LENGTH", value_parser = Words::queue, allow_hyphen_values = true)]
    pub queue: Option<Queue>,
    /// CUBIC flows in the same queue, beside which each transport runs once more; 0 for none
    /// [default: 1].
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_NEIGHBOURS)))]
    pub neighbours: Option<u32>,
    /// Time to send data for [default: 20s, or as long in the last network as in the first].
    #[arg(long, value_name = "TIME", value_parser = some_time, allow_hyphen_values = true)]
    pub duration: Option<Span>,
    /// Transports to compare, by name (see `atl list`) [default: residual, tcp-atl-robust, bbr3,
    /// cubic, reno, all on RACK]. Residual and CUBIC are always among them.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    pub protocols: Vec<String>,
    /// Number of seeds; intervals need five.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: u32,
    /// Write the scenario file that was run, to change it and run it again. An existing file is not
    /// replaced.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub save: Option<PathBuf>,
    /// Write a report and data files into this directory, as `atl run` does.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Number of parallel runs [default: number of processors]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Plot goodput over time: if standard output is a terminal, always, or never.
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", default_missing_value = "always",
        num_args = 0..=1, require_equals = true, conflicts_with = "json")]
    pub plot: PlotWhen,
    /// Print one JSON document on standard output instead of text.
    #[arg(long)]
    pub json: bool,
}

impl Path {
    /// The description of the path.
    ///
    /// # Errors
    /// If words have no reading or several, or neither they nor options give a rate and an RTT.
    pub(crate) fn described(&self) -> Result<Description, String> {
        let mut described = Description {
            network: None,
            rtt: self.rtt.or(self.delay.map(|delay| delay + delay)),
            down: self.down.or(self.bandwidth),
            up: self.up.or(self.bandwidth),
            loss: self.loss,
            jitter: self.jitter,
            then: Vec::new(),
            send: Direction::Down,
            queue: self.queue,
            neighbours: self.neighbours,
            duration: self.duration,
            protocols: self.protocols.clone(),
            seeds: self.seeds,
        };
        Words::read(&self.words.join(" "))?.complete(&mut described);
        described.then.extend(self.then.iter().cloned());
        if let Some(send) = self.send {
            described.send = send.into();
        }
        let named = described.network.is_some();
        if !named && described.rtt.is_none() {
            let taken = match described.queue {
                Some(queue @ Queue::Time(_)) => format!(" beside the {queue} of its queue"),
                _ => String::new(),
            };
            return Err(format!(
                "the path has no round-trip time{taken}: say it, as in `50ms`, name a network, or give --rtt <TIME>"
            ));
        }
        if !named && described.down.or(described.up).is_none() {
            return Err("the path has no rate: say it, as in `10Mb/s`, name a network, or give --down <RATE> or --up <RATE>".to_owned());
        }
        Ok(described)
    }
}

/// The arguments without the rest of the command line.
#[derive(Debug, Parser)]
#[command(name = "atl path", no_binary_name = true, disable_help_flag = true)]
struct Alone {
    #[command(flatten)]
    path: Path,
}

/// Parses the words after `atl path`.
///
/// # Errors
/// Clap's message, without `error:` in front and without the advice to look at the help.
pub(crate) fn described(words: impl IntoIterator<Item = OsString>) -> Result<Description, String> {
    match Alone::try_parse_from(without_arrows(words)) {
        Ok(alone) => alone.path.described(),
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err("a path needs a network's name, or else rtt and down or up".to_owned())
        }
        Err(error) => {
            let text = error.to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let told = text.split("\n\nUsage:").next().unwrap_or(text);
            Err(told.split("\n\nFor more information").next().unwrap_or(told).trim_end().to_owned())
        }
    }
}

/// Direction of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Send {
    /// From the server to the phone.
    Down,
    /// From the phone to the server.
    Up,
}

impl From<Send> for Direction {
    fn from(send: Send) -> Direction {
        match send {
            Send::Down => Direction::Down,
            Send::Up => Direction::Up,
        }
    }
}

/// The words of a command line with `then` for an arrow, which begins like an option.
pub(crate) fn without_arrows(
    words: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let arrow = |word: &OsString| word == "->" || word == "-->";
    words.into_iter().map(move |word| if arrow(&word) { "then".into() } else { word })
}

/// A rate in the units of options or of words.
fn rate(text: &str) -> Result<Rate, String> {
    values::rate(text).or_else(|wrong| or_words(text, wrong, Words::rate))
}

/// A time in the units of options or of words.
fn time(text: &str) -> Result<Span, String> {
    let said = |wrong| or_words(text, wrong, Words::time);
    let written = units::time(text).or_else(said)?;
    values::within(written)
}

/// The same, greater than zero.
fn some_time(text: &str) -> Result<Span, String> {
    time(text).and_then(values::more_than_nothing)
}

/// A loss as options or words have it.
fn loss(text: &str) -> Result<Probability, String> {
    let said = |wrong| or_words(text, wrong, Words::share).and_then(values::loss_of);
    values::loss(text).or_else(said)
}

/// The value that words read, or else what they say of two readings, or else the option's message.
fn or_words<T>(
    text: &str,
    wrong: String,
    words: impl Fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    words(text).map_err(|told| if told.contains("readings") { told } else { wrong })
}

/// Parses a handoff such as `leo@40s`.
fn then(text: &str) -> Result<(Network, Time), String> {
    let (name, at) =
        text.rsplit_once('@').ok_or("expected NETWORK@TIME, such as leo@40s".to_owned())?;
    Ok((Words::network(name)?, Time::ZERO + units::time(at)?))
}
