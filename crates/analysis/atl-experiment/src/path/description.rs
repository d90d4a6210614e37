//! A path as the options of a command line or a program describe it.

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_scenario::repeat::quoted;

use crate::path::direction::Direction;
use crate::path::network::{Network, Stated};
use crate::path::queue::Queue;
use crate::path::stages::{Path, Stage};
use crate::path::written;

/// Duration by default where the path stays in one network.
const ALONE: Span = Span::from_secs(20);

/// Options that describe a path; the others follow from these.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// First network; the numbers below replace its own.
    pub network: Option<Network>,
    /// Round-trip time to the server without queueing.
    pub rtt: Option<Span>,
    /// Rate towards the phone. By default that of the network, otherwise that of the other
    /// direction.
    pub down: Option<Rate>,
    /// Rate from the phone. By default that of the network, otherwise that of the other direction.
    pub up: Option<Rate>,
    /// Share of packets that the wireless link loses, in each direction.
    pub loss: Option<Probability>,
    /// Size of the variation of the delay, in each direction; zero for none. By default that of the
    /// network.
    pub jitter: Option<Span>,
    /// Networks that the phone moves to, each with the time of the handoff.
    pub then: Vec<(Network, Time)>,
    /// Direction of the data.
    pub send: Direction,
    /// Capacity of the wireless link's queue.
    pub queue: Option<Queue>,
    /// CUBIC flows in the same queue beside which each transport runs again; 1 by default.
    pub neighbours: Option<u32>,
    /// Time over which data is sent.
    pub duration: Option<Span>,
    /// Names of protocols to compare; empty for the default ones.
    pub protocols: Vec<String>,
    /// Number of seeds: runs of each protocol.
    pub seeds: u32,
}

impl Description {
    /// The path. An RTT or a rate that neither an option nor a network gives becomes zero, which
    /// the scenario's reader refuses.
    pub fn path(&self) -> Path {
        let stated = Stated {
            rtt: self.rtt,
            down: self.down,
            up: self.up,
            loss: self.loss,
            jitter: self.jitter,
            ..Stated::default()
        };
        let first = stated.over(self.network.as_ref());
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
            neighbours: self.neighbours.unwrap_or(1),
            duration: self.duration.unwrap_or(usual),
            seeds: self.seeds,
            protocols: self.protocols.clone(),
        }
    }

    /// The `atl path` command with all options that affect results. A network without a name has
    /// all its numbers; one with a name those that are not its own.
    pub fn command(&self) -> String {
        let path = self.path();
        let mut words = vec!["atl".to_owned(), "path".to_owned()];
        let mut add = |option: &str, value: String| {
            words.extend([option.to_owned(), quoted(&value)]);
        };
        for (i, stage) in path.stages.iter().enumerate() {
            let network = &stage.network;
            if i > 0 {
                add("--then", format!("{}@{}s", network.words(), stage.from.secs()));
                continue;
            }
            let stated = |own: bool| own || self.network.is_none();
            if stated(self.rtt.is_some()) {
                add("--rtt", format!("{}ms", network.rtt.secs() * 1e3));
            }
            if stated(self.down.is_some()) {
                add("--down", format!("{}Mb/s", network.down.mbps()));
            }
            if stated(self.up.is_some()) {
                add("--up", format!("{}Mb/s", network.up.mbps()));
            }
            if stated(self.loss.is_some()) {
                add("--loss", network.loss.get().to_string());
            }
            if let Some(jitter) = self.jitter {
                add("--jitter", written::time(jitter));
            }
        }
        if self.send == Direction::Up {
            add("--send", "up".to_owned());
        }
        if let Some(queue) = path.queue {
            add("--queue", queue.option());
        }
        if path.neighbours != 1 {
            add("--neighbours", path.neighbours.to_string());
        }
        add("--duration", format!("{}s", path.duration.secs()));
        if !path.protocols.is_empty() {
            add("--protocols", path.protocols.join(","));
        }
        add("--seeds", path.seeds.to_string());
        if let Some(known) = &self.network {
            words.insert(2, quoted(&known.words()));
        }
        words.join(" ")
    }
}
