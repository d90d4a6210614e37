//! People's names for networks.

use atl_scenario::{NamedNetwork, named_networks, network_named};

use crate::path::network::{Network, named};

/// Words that people say of a network and that have no numbers here.
pub(super) struct Other {
    words: &'static [&'static str],
    kind: Kind,
}

enum Kind {
    /// One of several named networks, each of which says which.
    OneOf(&'static [&'static [&'static str]], &'static str),
    /// A network, whose numbers have to be said.
    Unmeasured(&'static str),
    /// A judgement, which no number follows from, and the numbers that say it.
    Judgement(&'static [Said], &'static str),
}

/// Meanings of a network's numbers, where there is a word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Loss,
    Rate,
    RoundTrip,
    Jitter,
    /// Neighbours, stations, a queue.
    Others,
}

/// Networks that a phone has where it has no Wi-Fi.
const MOBILE: &[&str] = &[
    "3g",
    "lte",
    "5g",
    "starlink",
    "geo",
    "mmwave",
    "train",
    "lte-uplink-grants",
    "quicly-lte",
    "quicly-5g",
];
const WIFI: &[&str] = &["wlan", "hotel-wifi", "wifi-6", "crowded-wifi"];

const OTHERS: &[Other] = &[
    Other {
        words: &["satellite", "sat", "satcom"],
        kind: Kind::OneOf(
            &[&["starlink", "geo", "quicly-leo", "quicly-geo"]],
            "has two readings: `leo` (low orbit, such as Starlink: RTT 50 ms) or `geo` (geostationary: RTT 600 ms)",
        ),
    },
    Other {
        words: &["mobile", "cellular", "cell"],
        kind: Kind::OneOf(&[MOBILE], "has several readings: `3g`, `4g` (LTE) or `5g`"),
    },
    Other {
        words: &["phone", "smartphone"],
        kind: Kind::OneOf(
            &[MOBILE, WIFI],
            "has several readings: `3g`, `4g` (LTE), `5g` or `wifi`",
        ),
    },
    Other {
        words: OTHER_GENERATIONS,
        kind: Kind::Unmeasured(
            "is no network with numbers here: the mobile ones are 3g, 4g and 5g; give the numbers of another, as in `200kbit 500ms`",
        ),
    },
    Other {
        words: &[
            "edge",
            "gprs",
            "gsm",
            "fiber",
            "fibre",
            "ftth",
            "fttp",
            "fttc",
            "fttb",
            "fttx",
            "gpon",
            "pon",
            "gigabit",
            "datacenter",
            "datacentre",
            "data-center",
            "vpn",
            "transatlantic",
            "intercontinental",
            "zigbee",
            "microwave",
            "broadband",
            "ethernet",
            "lan",
            "wan",
            "bluetooth",
            "hotel",
            "plane",
            "airplane",
            "inflight",
            "airport",
            "conference",
            "car",
            "home-router",
            "lora",
            "dialup",
            "dial-up",
            "aircraft",
            "ship",
            "boat",
            "ferry",
            "yacht",
            "cruise",
            "van",
            "truck",
            "hotspot",
            "tethering",
            "modem",
            "isdn",
            "wimax",
        ],
        kind: Kind::Unmeasured(
            "is no network with numbers here: give its rate and round-trip time, as in `50/10Mb/s 20ms 0.1% loss`, or start from a named one, as in `wifi 5% loss` or `hotel wifi` (`atl path --help` lists them)",
        ),
    },
    Other {
        words: &["adsl"],
        kind: Kind::OneOf(
            &[&["dsl"]],
            "is no network with numbers here: start from `dsl` and give its rates, as in `dsl 8/1Mb/s`, or give all, as in `50/10Mb/s 20ms 0.1% loss`",
        ),
    },
    Other {
        words: &[
            "vsat",
            "oneweb",
            "kuiper",
            "iridium",
            "inmarsat",
            "intelsat",
            "globalstar",
            "o3b",
        ],
        kind: Kind::OneOf(
            &[&["starlink", "geo"]],
            "is a satellite network without numbers here: give its rate and round-trip time, as in `50/10Mb/s 70ms`, or start from `leo` (low orbit, such as Starlink) or `geo` (geostationary), as in `leo 70ms`",
        ),
    },
    Other {
        words: &["subway", "metro", "underground", "tube", "tram", "bus"],
        kind: Kind::OneOf(
            &[&["train", "lte", "5g", "3g"]],
            "is no network with numbers here: start from `train` (LTE with two seconds without a signal about every 40 s), or say which network it has, as in `4g 20Mb/s 60ms`",
        ),
    },
    Other {
        words: &["lossy"],
        kind: Kind::Judgement(&[Said::Loss], "names no number: say how much, as in `wifi 5% loss`"),
    },
    Other {
        words: &["congested", "busy", "crowded", "overloaded", "loaded", "packed"],
        kind: Kind::Judgement(
            &[Said::Others],
            "names no number: a Wi-Fi that many share is `crowded-wifi`, also `crowded wifi with 20 stations`; other flows in the queue are `wifi 5 neighbours`, a rate is `wifi 2Mb/s`",
        ),
    },
    Other {
        words: &["slow", "fast"],
        kind: Kind::Judgement(
            &[Said::Rate, Said::RoundTrip],
            "names no number: say how much, as in `wifi 2Mb/s` or `wifi 200ms`",
        ),
    },
    Other {
        words: &[
            "bad",
            "poor",
            "good",
            "weak",
            "flaky",
            "unstable",
            "terrible",
            "excellent",
            "spotty",
            "great",
            "awful",
            "high",
            "unreliable",
        ],
        kind: Kind::Judgement(
            &[Said::Loss, Said::Rate, Said::RoundTrip, Said::Jitter],
            "names no number: say how much, as in `wifi 5% loss`, `wifi 2Mb/s`, `wifi 200ms` or `wifi 30ms jitter`",
        ),
    },
];

/// Mobile networks without numbers. They begin with a digit and are words all the same.
const OTHER_GENERATIONS: &[&str] = &["1g", "2g", "6g"];

impl Other {
    /// True if the name of a network beside it says which is meant, as in `geo satellite`.
    pub(super) fn is_said_by(&self, name: &str) -> bool {
        matches!(self.kind, Kind::OneOf(lists, _) if lists.iter().any(|names| names.contains(&name)))
    }

    /// True if numbers say all that the word leaves open: `has` tells which are said.
    pub(super) fn is_left_to(&self, has: impl Fn(Said) -> bool) -> bool {
        match self.kind {
            Kind::Judgement(numbers, _) => numbers.iter().any(|number| has(*number)),
            Kind::OneOf(..) | Kind::Unmeasured(_) => has(Said::Rate) && has(Said::RoundTrip),
        }
    }

    /// True for a word that no number follows from, and that is no judgement either: beside a
    /// network it says where the user is.
    pub(super) fn is_unmeasured(&self) -> bool {
        matches!(self.kind, Kind::Unmeasured(_))
    }

    /// The rest of a message that begins with the word: what to write instead.
    pub(super) fn instead(&self) -> &'static str {
        match self.kind {
            Kind::OneOf(_, text) | Kind::Unmeasured(text) | Kind::Judgement(_, text) => text,
        }
    }
}

/// A named network under the name that was said. One of several words has that of a word which is
/// its name by itself (`4g` of `4g lte`), or else its own.
pub(super) fn said(known: &NamedNetwork, text: &str) -> Option<Network> {
    let one = text.split(' ').find(|word| known.is_called(word));
    named(one.unwrap_or(known.name)).ok()
}

/// A name without numbers.
pub(super) fn other(word: &str) -> Option<&'static Other> {
    OTHERS.iter().find(|other| other.words.contains(&word))
}

/// True if the word is somebody's name for a network, although it may begin with a digit.
pub(super) fn is_name(word: &str) -> bool {
    network_named(word).is_some() || OTHER_GENERATIONS.contains(&word)
}

/// The known name or word most like an unknown one. Names that differ in a digit are others.
pub(super) fn near(word: &str, words: &[&'static str]) -> Option<String> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let names = named_networks().iter().flat_map(NamedNetwork::names);
    names
        .chain(words.iter().copied())
        .filter(|name| name.chars().count() > 2 && digits(name) == digits(word))
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|(distance, name)| *distance <= if name.len() > 5 { 2 } else { 1 })
        .min()
        .map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_without_numbers_names_no_network() {
        for other in OTHERS {
            assert!(other.words.iter().all(|word| named(word).is_err()), "{:?}", other.words);
        }
    }
}
