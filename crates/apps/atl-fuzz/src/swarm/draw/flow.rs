//! Flows: protocols, recoveries, sources, parameters of TCP and of pacing, receivers.

use atl_scenario::keys;
use atl_scenario::protocol::{Listed, catalogue};
use toml::{Table, Value};

use super::dice::{Dice, millis, put, table};
use super::link::{Scale, adaptation};

/// Where a flow may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub from: &'a str,
    pub to: &'a str,
    /// Nodes at which a proxy may be.
    pub nodes: &'a [String],
    /// The mobile at one of its ends sends (true) or receives.
    pub mobile: Option<bool>,
}

/// A flow of any protocol that is in the catalogue.
pub(super) fn flow(dice: &mut Dice, name: &str, place: Place<'_>, scale: Scale) -> Table {
    let listed = loop {
        let listed = dice.pick(catalogue());
        let paced = listed.recovery().is_none() && !listed.is_quic();
        if listed.is_quic() <= scale.quic && !(scale.quic && paced) {
            break listed;
        }
    };
    let paced = listed.recovery().is_none() && !listed.is_quic();
    let mut out = table([
        ("name", name.into()),
        ("from", place.from.into()),
        ("to", place.to.into()),
        ("protocol", protocol(dice, &listed, place).into()),
    ]);
    if dice.chance(0.15) {
        put(&mut out, "count", 2);
    }
    if dice.chance(0.5) {
        put(&mut out, "start", millis(dice.moment(scale.ms, 0.0, 0.3)));
    }
    if dice.chance(0.3) {
        put(&mut out, "start-jitter", millis(dice.moment(scale.ms, 0.0, 0.1)));
    }
    if dice.chance(0.3) {
        let overhead = match dice.chance(0.5) {
            true => "auto".into(),
            false => dice.time(0.01, 5.0),
        };
        put(&mut out, "overhead", overhead);
    }
    if dice.chance(0.08) {
        put(&mut out, "stop", millis(dice.moment(scale.ms, 0.3, 1.0)));
    }
    if !paced && !scale.quic && place.mobile.is_none() && dice.chance(0.3) {
        put(&mut out, "pep", pep(dice, place));
    }
    if dice.chance(0.6)
        && let Some(source) = source(dice, paced, scale)
    {
        put(&mut out, "source", source);
    }
    if dice.chance(0.6) {
        put(&mut out, "tcp", tcp(dice, paced));
    }
    if paced {
        let mut pacing = table([("target", dice.rate(100.0, scale.kbps))]);
        if dice.chance(0.4) {
            put(&mut pacing, "feedback", dice.time(5.0, 2000.0));
        }
        if dice.chance(0.5) {
            put(&mut pacing, "ecn", true);
        }
        put(&mut out, "pacing", pacing);
    }
    if dice.chance(0.25) {
        put(&mut out, "receiver", receiver(dice, paced || scale.quic));
    }
    if place.mobile == Some(false) && dice.chance(0.4) {
        put(&mut out, "notices", notices(dice));
    }
    if !scale.quic && place.mobile.is_none() && dice.chance(0.08) {
        put(&mut out, "adaptation", adaptation(dice, false));
    }
    out
}

fn protocol(dice: &mut Dice, listed: &Listed, place: Place<'_>) -> Table {
    let mut out = table([("name", listed.name.into())]);
    let tcp = listed.recovery().is_some();
    if tcp && dice.chance(0.4) {
        put(&mut out, "recovery", dice.word(&keys::PROTOCOL, "recovery"));
    }
    if tcp && dice.chance(0.05) {
        put(&mut out, "freeze", dice.time(10.0, 300.0));
    }
    if place.mobile.is_some() && dice.chance(0.8) {
        let how = dice.word(&keys::NEW_PATH, "how");
        let mut new_path = table([("how", how.into())]);
        if how == "probe" {
            put(&mut new_path, "validate", dice.chance(0.7));
            if tcp {
                put(&mut new_path, "dummies", dice.whole(1, 200));
                put(&mut new_path, "meanwhile", dice.word(&keys::NEW_PATH, "meanwhile"));
            }
        }
        put(&mut out, "new-path", new_path);
    }
    out
}

fn source(dice: &mut Dice, paced: bool, scale: Scale) -> Option<Table> {
    let rate = |dice: &mut Dice| dice.rate(50.0, scale.kbps);
    let bytes = |dice: &mut Dice, to: u32| Value::String(format!("{}B", dice.whole(1, to)));
    let distribution = |dice: &mut Dice| dice.word(&keys::SOURCE, "distribution").into();
    Some(match dice.below(7) {
        0 | 1 => table([("bytes", bytes(dice, 1_000_000))]),
        2 => {
            let every = dice.time(5.0, 2000.0);
            let distribution = distribution(dice);
            table([
                ("bytes", bytes(dice, 20_000)),
                ("every", every),
                ("distribution", distribution),
            ])
        }
        3 => table([("rate", rate(dice))]),
        4 => table([
            ("on", dice.time(5.0, 2000.0)),
            ("off", dice.time(5.0, 2000.0)),
            ("rate", rate(dice)),
            ("distribution", distribution(dice)),
        ]),
        _ if paced => {
            let (min, max) = (dice.number(30.0, 300.0), dice.number(301.0, 3000.0));
            table([
                ("frames", dice.number(5.0, 60.0).into()),
                ("min", Value::String(format!("{min}kb/s"))),
                ("max", Value::String(format!("{max}kb/s"))),
            ])
        }
        _ => table([("application", application(dice))]),
    })
}

fn application(dice: &mut Dice) -> Value {
    let name = dice.word(&keys::APPLICATION, "name");
    if name != "web-page" || dice.chance(0.5) {
        return name.into();
    }
    table([
        ("name", name.into()),
        ("connections", dice.whole(1, 8).into()),
        ("objects", dice.whole(1, 30).into()),
        ("pause", dice.time(1.0, 2000.0)),
    ])
    .into()
}

/// A proxy half-way, where the reader finds one of the nodes there.
fn pep(dice: &mut Dice, place: Place<'_>) -> Table {
    let at = dice.pick(place.nodes);
    let mut out = table([("at", at.into())]);
    if dice.chance(0.5) {
        put(&mut out, "protocol", dice.pick(&["reno", "cubic", "sack", "bbr3"]));
    }
    if dice.chance(0.7) {
        put(&mut out, "buffer", Value::String(format!("{}B", dice.whole(3_000, 200_000))));
    }
    out
}

fn tcp(dice: &mut Dice, paced: bool) -> Table {
    let segment = dice.pick(&[1448, 1448, 1448, 1200, 536, 100, 4000]);
    let mut out = table([("segment", segment.into())]);
    if dice.chance(0.3) {
        put(&mut out, "header", dice.pick(&[40, 60]));
        put(&mut out, "ack", dice.pick(&[40, 64]));
    }
    if paced {
        return out;
    }
    if dice.chance(0.3) {
        put(&mut out, "initial-window", dice.whole(1, 50));
    }
    if dice.chance(0.4) {
        put(&mut out, "receive-window", dice.whole(1, 500));
    }
    if dice.chance(0.2) {
        put(&mut out, "min-rto", dice.time(1.0, 1500.0));
    }
    if dice.chance(0.3) {
        put(&mut out, "delayed-ack", dice.time(1.0, 300.0));
    }
    if dice.chance(0.3) {
        put(&mut out, "nagle", dice.word(&keys::TCP, "nagle"));
    }
    if dice.chance(0.2) {
        put(&mut out, "timestamps", false);
    }
    if dice.chance(0.4) {
        put(&mut out, "ecn", dice.word(&keys::TCP, "ecn"));
    }
    if dice.chance(0.4) {
        put(&mut out, "handshake", true);
    }
    out
}

fn receiver(dice: &mut Dice, prompt: bool) -> Value {
    if dice.chance(0.5) {
        return dice.word(&keys::FLOW, "receiver").into();
    }
    let mut out =
        table([("loss", dice.number(1e-3, 1.0).into()), ("delay", dice.time(0.1, 500.0))]);
    match dice.below(8) {
        0 => put(&mut out, "flap", dice.time(5.0, 2000.0)),
        1 => put(&mut out, "handoffs", dice.time(5.0, 2000.0)),
        2 if !prompt => put(&mut out, "hold", dice.time(1.0, 300.0)),
        3 if !prompt => put(&mut out, "level", dice.time(1.0, 300.0)),
        4 if !prompt => put(&mut out, "ahead", dice.whole(1, 10)),
        5 if !prompt => put(&mut out, "late", dice.time(1.0, 300.0)),
        6 if !prompt => put(&mut out, "thin", dice.whole(2, 40)),
        _ => {}
    }
    out.into()
}

fn notices(dice: &mut Dice) -> Table {
    let mut out = table([("signed", dice.chance(0.5).into())]);
    if dice.chance(0.6) {
        let says = dice.word(&keys::FORGED, "says");
        let mut forged = table([("says", says.into()), ("every", dice.time(20.0, 2000.0))]);
        if dice.chance(0.5) {
            put(&mut forged, "start", dice.time(1.0, 2000.0));
        }
        put(&mut out, "forged", forged);
    }
    out
}
