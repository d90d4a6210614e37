//! People's names for networks.

use crate::path::network::{NAMED, Network};

/// Other names of the named networks.
const ALIASES: &[(&str, &[&str])] = &[
    ("wifi", &["wi-fi", "wlan", "802.11", "802.11n", "802.11ac", "802.11ax", "wifi5", "wifi6"]),
    ("5g", &["nr", "5gnr", "5g-nr"]),
    ("4g", &["lte", "4g-lte", "lte-a"]),
    ("3g", &["umts", "hspa", "hspa+", "wcdma"]),
    ("leo", &["starlink", "low-orbit"]),
    ("geo", &["geostationary", "gso", "viasat", "hughesnet"]),
    ("train", &["railway", "trains"]),
];

/// Names that people say and that have no numbers here, with what to write instead.
const OTHERS: &[(&[&str], &str)] = &[
    (
        &["satellite", "sat", "satcom", "sattelite"],
        "has two readings: `leo` (low orbit, such as Starlink: RTT 50 ms) or `geo` (geostationary: RTT 600 ms)",
    ),
    (&["mobile", "cellular", "phone", "cell"], "has several readings: `3g`, `4g` (LTE) or `5g`"),
    (
        &["2g", "edge", "gprs", "gsm", "6g", "1g"],
        "is no network with numbers here: the mobile ones are 3g, 4g and 5g; give the numbers of another, as in `200kbit 500ms`",
    ),
    (
        &[
            "dsl",
            "adsl",
            "vdsl",
            "cable",
            "docsis",
            "fiber",
            "fibre",
            "ftth",
            "ethernet",
            "lan",
            "wan",
            "bluetooth",
            "hotel",
            "plane",
            "airplane",
            "inflight",
            "car",
            "home-router",
            "lora",
            "dialup",
            "modem",
            "isdn",
            "wimax",
            "mmwave",
            "airport",
            "conference",
        ],
        "is no network with numbers here: give its own, as in `50/10Mb/s 20ms 0.1% loss`, or start from one of wifi, 5g, 4g, train, leo, 3g, geo, as in `wifi 5% loss`",
    ),
    (
        &[
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
            "broadband",
            "excellent",
            "spotty",
            "shitty",
        ],
        "names no number: say how much, as in `wifi 5% loss`, `wifi 2Mb/s` or `wifi 200ms`",
    ),
];

/// The named network that a word stands for.
pub(super) fn known(word: &str) -> Option<Network> {
    let own = ALIASES.iter().find(|(_, others)| others.contains(&word)).map(|(own, _)| *own);
    let name = own.unwrap_or(word);
    NAMED.iter().find(|known| known.network.name == name).map(|known| known.network.clone())
}

/// What to write instead of a name without numbers.
pub(super) fn instead(word: &str) -> Option<&'static str> {
    OTHERS.iter().find(|(words, _)| words.contains(&word)).map(|(_, text)| *text)
}

/// True if the word is somebody's name for a network, although it may begin with a digit.
pub(super) fn is_name(word: &str) -> bool {
    known(word).is_some() || ["2g", "1g", "6g"].contains(&word)
}

/// The known name or word most like an unknown one. Names that differ in a digit are others.
pub(super) fn near(word: &str, words: &[&'static str]) -> Option<String> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let names = NAMED.iter().map(|known| known.network.name.to_string());
    let names =
        names.chain(ALIASES.iter().flat_map(|(_, others)| others.iter().map(|o| (*o).to_owned())));
    let names = names.chain(words.iter().map(|word| (*word).to_owned()));
    names
        .filter(|name| name.chars().count() > 2 && digits(name) == digits(word))
        .map(|name| (strsim::damerau_levenshtein(word, &name), name))
        .filter(|(distance, name)| *distance <= if name.len() > 5 { 2 } else { 1 })
        .min()
        .map(|(_, name)| name)
}
