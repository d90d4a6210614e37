//! A path in a few words, as a command line or a program gives them.

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_scenario::repeat::quoted;

use crate::path::network::Network;
use crate::path::path::{Direction, Path, Stage};

/// How long data is sent over a path that does not roam.
const ALONE: Span = Span::from_secs(20);

/// What somebody says of a path; the rest follows from that.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Network that the path begins with; the numbers below replace its own.
    pub network: Option<Network>,
    /// Round-trip time to the server and back, without queues.
    pub rtt: Option<Span>,
    /// Rate towards the phone; otherwise that of the network, or of the other direction.
    pub down: Option<Rate>,
    /// Rate from the phone; otherwise that of the network, or of the other direction.
    pub up: Option<Rate>,
    /// Share of packets that the wireless link loses, each way.
    pub loss: Option<Probability>,
    /// The networks that the phone roams to, and when.
    pub then: Vec<(Network, Time)>,
    /// Which way data goes.
    pub send: Direction,
    /// Packets that the wireless link's queue holds.
    pub queue: Option<u32>,
    /// How long data is sent.
    pub duration: Option<Span>,
    /// Names of the protocols to compare; empty for the usual ones.
    pub protocols: Vec<String>,
    /// Number of seeds.
    pub seeds: u32,
}

impl Description {
    /// The path. Without a network, an RTT or a rate that nobody gave is zero, which no scenario may have.
    pub fn path(&self) -> Path {
        let base = self.network.as_ref();
        let given = self.down.or(self.up);
        let either = |own: Option<Rate>, base: Option<Rate>| own.or(base).or(given);
        let none = Rate::from_bps(0.0);
        let first = Network {
            name: base.map_or("path".into(), |known| known.name.clone()),
            down: either(self.down, base.map(|known| known.down)).unwrap_or(none),
            up: either(self.up, base.map(|known| known.up)).unwrap_or(none),
            rtt: self.rtt.or(base.map(|known| known.rtt)).unwrap_or(Span::ZERO),
            loss: self.loss.or(base.map(|known| known.loss)).unwrap_or(Probability::ZERO),
        };
        let mut stages = vec![Stage { from: Time::ZERO, network: first }];
        let then =
            self.then.iter().map(|(network, from)| Stage { from: *from, network: network.clone() });
        stages.extend(then);
        let usual = match &stages[..] {
            [_, second, ..] => {
                let last = stages[stages.len() - 1].from;
                last.since(Time::ZERO) + second.from.since(Time::ZERO)
            }
            _ => ALONE,
        };
        Path {
            send: self.send,
            stages,
            queue: self.queue,
            duration: self.duration.unwrap_or(usual),
            seeds: self.seeds,
            protocols: self.protocols.clone(),
        }
    }

    /// `atl path` with all options that change results: the numbers of the first network as they were used.
    pub fn command(&self) -> String {
        let path = self.path();
        let mut words = vec!["atl".to_owned(), "path".to_owned()];
        let mut add = |option: &str, value: String| {
            words.extend([option.to_owned(), quoted(&value)]);
        };
        for (i, stage) in path.stages.iter().enumerate() {
            let network = &stage.network;
            if i > 0 {
                add("--then", format!("{}@{}s", network.name, stage.from.secs()));
                continue;
            }
            add("--rtt", format!("{}ms", network.rtt.secs() * 1e3));
            add("--down", format!("{}Mb/s", network.down.mbps()));
            add("--up", format!("{}Mb/s", network.up.mbps()));
            add("--loss", network.loss.get().to_string());
        }
        if self.send == Direction::Up {
            add("--send", "up".to_owned());
        }
        if let Some(queue) = path.queue {
            add("--queue", queue.to_string());
        }
        add("--duration", format!("{}s", path.duration.secs()));
        if !path.protocols.is_empty() {
            add("--protocols", path.protocols.join(","));
        }
        add("--seeds", path.seeds.to_string());
        if let Some(known) = &self.network {
            words.insert(2, quoted(&known.name));
        }
        words.join(" ")
    }
}
