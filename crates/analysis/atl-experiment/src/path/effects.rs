//! The effects of a network besides its rate, delay and independent losses: keys of its link.

use std::fmt::Write as _;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::WIFI_SPREADS;
use atl_scenario::{NetworkKey, NetworkValue, units};

use crate::path::direction::Direction;
use crate::path::written;

/// The keys that a [`Network`](crate::path::Network) has numbers for.
const NUMBERS: [&str; 2] = ["rate", "delay"];
/// The value that takes a key of the other direction away.
const NOTHING: &str = "\"0s\"";

/// Keys of a link with their values in each direction, such as `jitter`; one under `loss` stands
/// for losses that are not independent, and one under `wifi` for a rate that airtime gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects(Vec<NetworkKey>);

impl Effects {
    /// Those among a network's keys.
    pub(crate) fn of(keys: Vec<NetworkKey>) -> Effects {
        let one = |value: &Option<NetworkValue>| matches!(value, None | Some(NetworkValue::One(_)));
        let number = |key: &NetworkKey| {
            NUMBERS.contains(&key.key.as_str())
                || key.key == "loss" && one(&key.down) && one(&key.up)
        };
        Effects(keys.into_iter().filter(|key| !number(key)).collect())
    }

    /// The value of a key in a direction.
    pub(crate) fn get(&self, key: &str, way: Direction) -> Option<&NetworkValue> {
        let found = self.0.iter().find(|own| own.key == key)?;
        match way {
            Direction::Down => found.down.as_ref(),
            Direction::Up => found.up.as_ref(),
        }
    }

    /// True if the key has a value in either direction.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|own| own.key == key)
    }

    /// Takes a key away, in both directions.
    pub(crate) fn take(&mut self, key: &str) {
        self.0.retain(|own| own.key != key);
    }

    /// The delay varies by this much in both directions, in the network's own way where it has one,
    /// and otherwise evenly below and above the delay; zero takes the jitter away.
    pub(crate) fn jitter(&mut self, spread: Span) {
        let own = self.0.iter().find(|own| own.key == "jitter").cloned();
        self.take("jitter");
        if spread.is_zero() {
            return;
        }
        let text = format!("\"{}\"", written::time(spread));
        let with = |own: Option<NetworkValue>| match own {
            Some(NetworkValue::Table(mut items)) => {
                let spreads = items.iter_mut().filter(|(item, _)| item == "spread");
                spreads.for_each(|(_, value)| value.clone_from(&text));
                NetworkValue::Table(items)
            }
            _ => NetworkValue::One(text.clone()),
        };
        let (down, up) = own.map_or((None, None), |own| (own.down, own.up));
        let (down, up) = (Some(with(down)), Some(with(up)));
        self.0.push(NetworkKey { key: "jitter".to_owned(), down, up });
    }

    /// The size of the jitter, where it has one; that of the larger direction.
    pub(crate) fn spread(&self) -> Option<Span> {
        let of = |way| match self.get("jitter", way)? {
            NetworkValue::One(text) => units::time(plain(text)).ok(),
            table => units::time(plain(table.get("spread")?)).ok(),
        };
        of(Direction::Down).max(of(Direction::Up))
    }

    /// Stations that share the airtime of a Wi-Fi on the way down, its own user's included.
    pub(crate) fn stations(&self) -> Option<u32> {
        [Direction::Down, Direction::Up].into_iter().find_map(|way| self.stations_of(way))
    }

    fn stations_of(&self, way: Direction) -> Option<u32> {
        let wifi = self.get("wifi", way)?;
        Some(wifi.get("stations").and_then(|text| text.parse().ok()).unwrap_or(1))
    }

    /// This many stations share the airtime, and as many more on the way up as before (the access
    /// point). Gives the rates that this leaves.
    pub(crate) fn share(&mut self, stations: u32) -> [Option<Rate>; 2] {
        let before = self.stations().unwrap_or(1);
        [Direction::Down, Direction::Up].map(|way| {
            let more = self.stations_of(way)?.saturating_sub(before);
            let key = self.0.iter_mut().find(|own| own.key == "wifi")?;
            let value = match way {
                Direction::Down => key.down.as_mut()?,
                Direction::Up => key.up.as_mut()?,
            };
            let NetworkValue::Table(items) = &mut *value else { return None };
            let number = (stations + more).to_string();
            match items.iter_mut().find(|(item, _)| item == "stations") {
                Some((_, value)) => *value = number,
                None => items.push(("stations".to_owned(), number)),
            }
            value.airtime()
        })
    }

    /// The rate in a direction is another: it is no longer that of airtime, and while the line of
    /// sight is blocked it has the same share as before.
    pub(crate) fn scale(&mut self, way: Direction, before: Rate, after: Rate) {
        for key in &mut self.0 {
            let value = match way {
                Direction::Down => &mut key.down,
                Direction::Up => &mut key.up,
            };
            match (key.key.as_str(), &mut *value) {
                ("wifi", _) => *value = None,
                ("blockage", Some(NetworkValue::Table(items))) => {
                    let rates = items.iter_mut().filter(|(item, _)| item == "rate");
                    for (_, text) in rates {
                        if let Ok(blocked) = units::rate(plain(text)) {
                            let share = blocked.bps() / before.bps();
                            *text = format!("\"{}Mb/s\"", share * after.mbps());
                        }
                    }
                }
                _ => {}
            }
        }
        self.0.retain(|key| key.down.is_some() || key.up.is_some());
    }

    /// Checks the size of a Wi-Fi channel's jitter.
    pub(crate) fn check(&self, network: &str) -> Result<(), String> {
        let wifi = |way| {
            let shape = self.get("jitter", way).and_then(|table| table.get("shape"));
            shape.map(plain) == Some("wifi")
        };
        let spread = self.spread().filter(|spread| !WIFI_SPREADS.contains(spread));
        match spread {
            Some(spread) if wifi(Direction::Down) || wifi(Direction::Up) => Err(format!(
                "the jitter of `{network}` is that of a Wi-Fi channel, from {} to {}, not {}: write another, or a rate and a round-trip time without a name, as in `50/20Mb/s 25ms {} jitter`",
                written::time(*WIFI_SPREADS.start()),
                written::time(*WIFI_SPREADS.end()),
                written::time(spread),
                written::time(spread),
            )),
            _ => Ok(()),
        }
    }

    /// By how much a delay may be shorter than the network's own: the spread of an even jitter
    /// below the mean, and a reconfiguration's step.
    pub(crate) fn below(&self) -> Span {
        let time = |text: Option<&str>| {
            text.and_then(|text| units::time(plain(text)).ok()).unwrap_or(Span::ZERO)
        };
        let jitter = |way| match self.get("jitter", way) {
            Some(NetworkValue::One(text)) => time(Some(text)),
            Some(table) if matches!(table.get("shape").map(plain), None | Some("uniform")) => {
                time(table.get("spread"))
            }
            _ => Span::ZERO,
        };
        let step = |way| time(self.get("reconfiguration", way).and_then(|table| table.get("step")));
        let most = |way| jitter(way) + step(way);
        most(Direction::Down).max(most(Direction::Up))
    }

    /// The mean rate of a link that has this one while its line of sight is clear.
    pub(crate) fn mean(&self, way: Direction, clear: Rate) -> Rate {
        let mean = || {
            let table = self.get("blockage", way)?;
            let time = |key| units::seconds(plain(table.get(key)?)).ok();
            let blocked = units::rate(plain(table.get("rate")?)).ok()?;
            let (clear_for, blocked_for) = (time("clear-for")?, time("blocked-for")?);
            let bits = clear.bps() * clear_for + blocked.bps() * blocked_for;
            Some(Rate::from_bps(bits / (clear_for + blocked_for)))
        };
        mean().unwrap_or(clear)
    }

    /// Lines of TOML for a link that has data go this way, and what its `reverse` says.
    pub(crate) fn written(&self, send: Direction) -> (String, Vec<String>) {
        let (mut there, mut back) = (String::new(), Vec::new());
        for NetworkKey { key, down, up } in &self.0 {
            let (own, other) = match send {
                Direction::Down => (down, up),
                Direction::Up => (up, down),
            };
            if let Some(value) = own {
                let _ = writeln!(there, "{key} = {value}");
            }
            match other {
                other if own == other => {}
                Some(value) => back.push(format!("{key} = {value}")),
                // A rate of the other direction replaces airtime; what else is on one way only is
                // a time.
                None if key == "wifi" => {}
                None => back.push(format!("{key} = {NOTHING}")),
            }
        }
        (there, back)
    }

    /// In words, such as `jitter 8 ms harq` or `up grants 10 ms`.
    pub fn words(&self) -> Vec<String> {
        let mut out = Vec::new();
        for NetworkKey { key, down, up } in &self.0 {
            if down == up {
                out.extend(down.as_ref().map(|value| told(key, value)));
                continue;
            }
            for (way, value) in [("down", down), ("up", up)] {
                out.extend(value.as_ref().map(|value| format!("{way} {}", told(key, value))));
            }
        }
        out
    }
}

/// A text without its quotes.
fn plain(toml: &str) -> &str {
    toml.trim_matches(['"', '\''])
}

/// A key with its value in words. A table's first key is what its name says.
fn told(key: &str, value: &NetworkValue) -> String {
    match value {
        NetworkValue::One(text) => format!("{key} {}", spaced(plain(text))),
        NetworkValue::Table(items) => {
            let items = items.iter().map(|(item, text)| match item.as_str() {
                "spread" | "shape" => spaced(plain(text)),
                item => format!("{item} {}", spaced(plain(text))),
            });
            format!("{key} {}", items.collect::<Vec<_>>().join(" "))
        }
    }
}

/// A number apart from its unit.
fn spaced(text: &str) -> String {
    let unit = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    match text.split_at(unit) {
        ("", _) | (_, "") => text.to_owned(),
        (number, unit) => format!("{number} {unit}"),
    }
}
