//! The effects of a network besides its rate, delay and independent losses: keys of its link.

use std::fmt::Write as _;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_scenario::{NetworkKey, NetworkValue, units};

use crate::path::direction::Direction;

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
