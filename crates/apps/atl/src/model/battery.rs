//! Battery charge that probing takes from a mobile.

use atl_core::model::{Card, milliampere_minutes};
use atl_core::time::Span;
use atl_report::quantity::number;
use serde_json::json;

use super::line::{Line, print};
use crate::args::Battery;
use crate::failure::Failure;
use crate::status::Status;

/// Size of an ACK in the paper, in bytes.
const ACK: u32 = 32;

/// Evaluates `atl model battery`.
///
/// # Errors
/// If less than one dummy arrives, or standard output cannot be written to.
pub(super) fn battery(args: &Battery) -> Result<Status, Failure> {
    let air = |bytes: u32| args.rate.time_for(u64::from(bytes));
    let stream = args.stream.zip(args.over);
    let dummies = match stream {
        Some((rate, over)) => {
            (rate.packets_per_sec(args.packet) * over.secs() * (1.0 + 1e-12)).floor() as u64
        }
        None => args.dummies.unwrap_or_default(),
    };
    if dummies == 0 {
        return Err(Failure::Usage(
            "no whole dummy comes in --over; give a longer time or a higher --stream".to_owned(),
        ));
    }
    let ack = args.ack.unwrap_or(if stream.is_some() { 0 } else { ACK });
    let (receiving, answering) = (air(args.packet), air(ack));
    let card = Card { receiving_amperes: args.receiving, transmitting_amperes: args.transmitting };
    let swapped =
        Card { receiving_amperes: args.transmitting, transmitting_amperes: args.receiving };
    let charge = |card: Card, dummies: u64| {
        // The arguments have been checked to be currents.
        card.charge(dummies, receiving, answering).unwrap_or_default()
    };
    let (each, all) = (charge(card, 1), charge(card, dummies));
    let equation = if ack > 0 { "eq. 4" } else { "eq. 6" };
    let mut lines = vec![
        Line::bare("dummies", "N: dummies", dummies as f64, from_count(stream.is_some())),
        Line::time("receiving", "t_r: a dummy in the air", receiving.secs(), "size / rate"),
        Line::time("answering", "t_t: its answer in the air", answering.secs(), "size / rate"),
        milliampere_minute("each", "charge of a dummy", each, equation),
        milliampere_minute("charge", "charge of the probe", all, equation),
        Line::bare("share", "share of the battery", all / args.battery, "charge / --battery"),
    ];
    if ack > 0 {
        let name = "the same with I_r and I_t swapped";
        let published = charge(swapped, dummies);
        lines.push(milliampere_minute("swapped", name, published, "eq. 5, as published"));
    }
    let inputs = json!({
        "dummies": args.dummies,
        "stream_bps": args.stream.map(|rate| rate.bps()),
        "over_s": args.over.map(Span::secs),
        "packet_bytes": args.packet,
        "ack_bytes": ack,
        "rate_bps": args.rate.bps(),
        "receiving_a": args.receiving,
        "transmitting_a": args.transmitting,
        "battery_as": args.battery,
    });
    print("battery", &inputs, &lines, &[], args.json)
}

fn from_count(streams: bool) -> &'static str {
    if streams { "--stream, --over" } else { "--dummies" }
}

/// A charge: in ampere seconds for JSON, in the paper's unit for display.
fn milliampere_minute(
    key: &'static str,
    name: &'static str,
    ampere_seconds: f64,
    equation: &str,
) -> Line {
    let shown = format!("{} mA min", number(milliampere_minutes(ampere_seconds)));
    Line::of(key, name, ampere_seconds, "A s", shown, equation)
}
