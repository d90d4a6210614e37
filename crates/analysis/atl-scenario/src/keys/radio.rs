//! Keys of radio links: stations of Wi-Fi, grants of a scheduler, blocked lines of sight.

use super::bounds::Words;
use super::declaration::{Key, Section, Shape, key};
use super::words;

pub(super) const fn wifi(inherited: &'static str) -> Key {
    key(
        "wifi",
        Shape::Table(&WIFI),
        "A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.",
    )
    .otherwise(inherited)
}
pub(super) const fn blockage(inherited: &'static str) -> Key {
    key(
        "blockage",
        Shape::Table(&BLOCKAGE),
        "Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.",
    )
    .otherwise(inherited)
}
pub(super) const fn grants(inherited: &'static str) -> Key {
    key(
        "grants",
        Shape::TIME,
        "A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.",
    )
    .otherwise(inherited)
}

/// Keys of a station of Wi-Fi.
pub static WIFI: Section = Section::new(
    "wifi",
    "A station of Wi-Fi in a cell of busy ones.",
    &[
        key("rate", Shape::Rate, "Rate of the PHY: that of its modulation, width and streams, such as `\"65Mb/s\"`.").required(),
        key(
            "standard",
            Shape::Word(Words { what: "", list: || words::of(words::WIFI_STANDARDS) }),
            "Decides preamble and symbols: 802.11n, 802.11ac, 802.11ax.",
        )
        .default("\"ax\""),
        key(
            "stations",
            Shape::up_to(256),
            "Stations that contend, this one included; the others always have full aggregates of packets of 1500 bytes to send, at the same rate.",
        )
        .default("1"),
        key("errors", Shape::BELOW_ONE, "Probability that an MPDU is wrong, each time that it is sent.").default("0"),
        key("aggregate", Shape::up_to(256), "MPDUs in an aggregate at most.").default("64"),
        key("octets", Shape::Size(1), "Octets in an aggregate at most.").default("\"65535B\""),
        key("retries", Shape::Whole { from: 0, to: 255 }, "Times that an MPDU is sent again before it is lost.").default("7"),
    ],
);

/// Keys of a blocked line of sight.
pub static BLOCKAGE: Section = Section::new(
    "blockage",
    "A line of sight that is blocked at times.",
    &[
        key("rate", Shape::Rate, "Rate while it is blocked; not above that of the link.")
            .required(),
        key("clear-for", Shape::PERIOD, "Mean time without a blockage, exponentially distributed.")
            .required(),
        key("blocked-for", Shape::PERIOD, "Mean time of a blockage, exponentially distributed.")
            .required(),
    ],
);
