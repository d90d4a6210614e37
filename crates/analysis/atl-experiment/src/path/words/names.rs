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
    OneOf(&'static [&'static str], &'static str),
    /// A network, whose numbers have to be said.
    Unmeasured(&'static str),
    /// A judgement, which no number follows from.
    Judgement,
}

const OTHERS: &[Other] = &[
    Other {
        words: &["satellite", "sat", "satcom"],
        kind: Kind::OneOf(
            &["starlink", "geo", "quicly-leo", "quicly-geo"],
            "has two readings: `leo` (low orbit, such as Starlink: RTT 50 ms) or `geo` (geostationary: RTT 600 ms)",
        ),
    },
    Other {
        words: &["mobile", "cellular", "phone", "cell"],
        kind: Kind::OneOf(
            &[
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
            ],
            "has several readings: `3g`, `4g` (LTE) or `5g`",
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
            "adsl",
            "fiber",
            "fibre",
            "ftth",
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
            "modem",
            "isdn",
            "wimax",
        ],
        kind: Kind::Unmeasured(
            "is no network with numbers here: give its rate and round-trip time, as in `50/10Mb/s 20ms 0.1% loss`, or start from a named one, as in `wifi 5% loss` or `hotel wifi` (`atl path --help` lists them)",
        ),
    },
    Other {
        words: &[
            "lossy",
            "bad",
            "poor",
            "slow",
            "fast",
            "good",
            "weak",
            "congested",
            "flaky",
            "busy",
            "crowded",
            "unstable",
            "terrible",
            "excellent",
            "spotty",
        ],
        kind: Kind::Judgement,
    },
];

/// Mobile networks without numbers. They begin with a digit and are words all the same.
const OTHER_GENERATIONS: &[&str] = &["1g", "2g", "6g"];

impl Other {
    /// True if the name of a network beside it says which is meant, as in `geo satellite`.
    pub(super) fn is_said_by(&self, name: &str) -> bool {
        matches!(self.kind, Kind::OneOf(names, _) if names.contains(&name))
    }

    /// True if numbers say all that the word leaves open.
    pub(super) fn may_be_numbers(&self) -> bool {
        !matches!(self.kind, Kind::Judgement)
    }

    /// The rest of a message that begins with the word: what to write instead.
    pub(super) fn instead(&self) -> &'static str {
        match self.kind {
            Kind::OneOf(_, text) | Kind::Unmeasured(text) => text,
            Kind::Judgement => {
                "names no number: say how much, as in `wifi 5% loss`, `wifi 2Mb/s` or `wifi 200ms`"
            }
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
