//! Links: rates, delays, losses, queues, agents, changes.

use atl_scenario::keys;
use toml::{Table, Value};

use super::dice::{Dice, kbps, millis, put, table};

/// Between what links may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Duration of the run in ms.
    pub ms: f64,
    /// Highest rate in kb/s.
    pub kbps: f64,
    /// The scenario is for the engine that has neither agents nor cells.
    pub quic: bool,
}

/// Rate, delay and loss, as a network and a link have them.
pub(super) fn conditions(dice: &mut Dice, scale: Scale) -> Table {
    let mut out = table([("rate", dice.rate((scale.kbps / 50.0).max(64.0), scale.kbps))]);
    if dice.chance(0.9) {
        put(&mut out, "delay", dice.time(0.1, 200.0));
    }
    if dice.chance(0.5) {
        put(&mut out, "loss", loss(dice));
    }
    if dice.chance(0.06) {
        put(&mut out, "duplicate", dice.number(1e-3, 0.3));
    }
    if dice.chance(0.06) {
        put(&mut out, "ingress-loss", dice.number(1e-3, 0.2));
    }
    radio(dice, &mut out, scale);
    out
}

/// Now and then a station of Wi-Fi, a blocked line of sight, or a scheduler's grants.
fn radio(dice: &mut Dice, conditions: &mut Table, scale: Scale) {
    match dice.below(20) {
        0 => {
            conditions.remove("rate");
            let mut wifi = table([
                ("rate", dice.rate(scale.kbps, 10.0 * scale.kbps)),
                ("standard", dice.word(&keys::WIFI, "standard").into()),
                ("stations", dice.whole(1, 20).into()),
            ]);
            if dice.chance(0.5) {
                put(&mut wifi, "errors", dice.number(1e-3, 0.5));
                put(&mut wifi, "aggregate", dice.whole(1, 64));
                put(&mut wifi, "retries", dice.whole(1, 8) - 1);
            }
            put(conditions, "wifi", wifi);
        }
        1 => {
            // Not above the lowest rate that a link may have while its line of sight is clear.
            let slowest = (scale.kbps / 50.0).max(64.0);
            let blockage = table([
                ("rate", dice.rate(slowest / 50.0, slowest)),
                ("clear-for", dice.time(5.0, 2000.0)),
                ("blocked-for", dice.time(5.0, 500.0)),
            ]);
            put(conditions, "blockage", blockage);
        }
        2 => put(conditions, "grants", dice.time(1.0, 80.0)),
        _ => {}
    }
}

fn loss(dice: &mut Dice) -> Value {
    let chain = |dice: &mut Dice| {
        let (bad, good) = (dice.number(1e-3, 0.1), dice.number(0.05, 0.9));
        table([("good-to-bad", bad.into()), ("bad-to-good", good.into())])
    };
    match dice.below(8) {
        0..=2 => dice.number(1e-4, 0.3).into(),
        3 => {
            let mut loss = chain(dice);
            put(&mut loss, "loss-bad", dice.number(0.1, 1.0));
            loss.into()
        }
        4 => table([("wireless", chain(dice).into()), ("congestion", chain(dice).into())]).into(),
        5 => table([("bit-errors", dice.number(1e-7, 1e-4).into())]).into(),
        6 => table([("cell-errors", dice.number(1e-4, 0.1).into())]).into(),
        _ => {
            let mut fading = table([
                ("doppler", dice.number(0.1, 1000.0).into()),
                ("modulation", dice.word(&keys::FADING, "modulation").into()),
                ("model", dice.word(&keys::FADING, "model").into()),
            ]);
            let (key, value) = match dice.chance(0.5) {
                true => ("snr", (10.0 + dice.number(1.0, 40.0)).into()),
                false => ("cell-errors", Value::from(dice.number(1e-4, 0.1))),
            };
            put(&mut fading, key, value);
            table([("fading", fading.into())]).into()
        }
    }
}

/// A queue of any discipline that is declared.
fn queue(dice: &mut Dice, scale: Scale) -> Value {
    if dice.chance(0.35) {
        return dice.whole(1, 300).into();
    }
    if dice.chance(0.1) {
        return Value::String(format!("{}B", dice.whole(1600, 200_000)));
    }
    let name = dice.word(&keys::DISCIPLINE, "name");
    let packets = dice.whole(1, 300);
    let mut queue = table([("packets", packets.into()), ("discipline", name.into())]);
    match name {
        "policer" => {
            let rate = dice.rate((scale.kbps / 50.0).max(64.0), scale.kbps);
            let burst = Value::String(format!("{}B", dice.whole(3_000, 100_000)));
            let policer = table([("name", name.into()), ("rate", rate), ("burst", burst)]);
            put(&mut queue, "discipline", policer);
        }
        "red" | "wred" => put(&mut queue, "packets", packets + 9),
        _ => {}
    }
    if dice.chance(0.1) {
        queue.remove("discipline");
        put(&mut queue, "mark", 1 + dice.below(packets as usize) as i64);
        put(&mut queue, "packets", packets + 1);
    }
    queue.into()
}

/// A link of this name from a node to another.
pub(super) fn link(dice: &mut Dice, name: &str, ends: [&str; 2], scale: Scale) -> Table {
    let mut out = conditions(dice, scale);
    put(&mut out, "name", name);
    put(&mut out, "from", ends[0]);
    put(&mut out, "to", ends[1]);
    put(&mut out, "queue", queue(dice, scale));
    let wireless = dice.chance(0.5);
    if wireless {
        put(&mut out, "wireless", true);
        if dice.chance(0.2) {
            put(&mut out, "report-window", dice.time(20.0, 2000.0));
        }
        if dice.chance(0.2) {
            put(&mut out, "report-error", report_error(dice));
        }
    }
    if dice.chance(0.1) {
        let rate = dice.rate((scale.kbps / 100.0).max(64.0), scale.kbps);
        let burst = Value::String(format!("{}B", dice.whole(1_500, 60_000)));
        put(&mut out, "shaper", table([("rate", rate), ("burst", burst)]));
    }
    if dice.chance(0.1) {
        put(&mut out, "ecn", dice.word(&keys::LINK, "ecn"));
    }
    if dice.chance(0.3) {
        let mut reverse = conditions(dice, scale);
        if dice.chance(0.5) {
            put(&mut reverse, "queue", queue(dice, scale));
        }
        put(&mut out, "reverse", reverse);
    }
    if !scale.quic {
        if wireless && dice.chance(0.25) {
            put(&mut out, "agent", agent(dice));
        } else if dice.chance(0.06) {
            put(&mut out, "adaptation", adaptation(dice, true));
        }
    }
    if dice.chance(0.2) {
        put(&mut out, "roam", roam(dice, scale));
        if dice.chance(0.5) {
            put(&mut out, "at-change", dice.word(&keys::LINK, "at-change"));
        }
    }
    if dice.chance(0.2) {
        put(&mut out, "blackout", Value::Array(vec![blackout(dice, scale).into()]));
    }
    out
}

pub(super) fn report_error(dice: &mut Dice) -> Table {
    table([
        ("loss", dice.number(0.1, 10.0).into()),
        ("delay", dice.number(0.1, 10.0).into()),
        ("age", dice.time(1.0, 3000.0)),
    ])
}

fn agent(dice: &mut Dice) -> Table {
    let name = dice.word(&keys::AGENT, "name");
    let mut agent = table([("name", name.into())]);
    if dice.chance(0.5) {
        put(&mut agent, "window", dice.whole(1, 200));
        put(&mut agent, "min-timeout", dice.time(1.0, 300.0));
        put(&mut agent, "delay", dice.time(0.001, 20.0));
    }
    agent
}

/// Cells, over a link or from end to end of a flow.
pub(super) fn adaptation(dice: &mut Dice, tunnel: bool) -> Table {
    let name = dice.word(&keys::ADAPTATION, "name");
    let mut out = table([("name", name.into())]);
    if dice.chance(0.5) {
        put(&mut out, "queue", dice.whole(1, 100));
    }
    if name == "aal-t" && dice.chance(0.5) {
        put(&mut out, "window", dice.whole(4, 2048));
        put(&mut out, "longest", dice.whole(1, 40));
    }
    if name == "aal-t" && dice.chance(0.2) {
        let share = dice.number(1e-3, 0.1);
        let scenario = 1 + dice.below(7) as i64;
        let faults = table([("scenario", scenario.into()), ("share", share.into())]);
        put(&mut out, "faults", faults);
    }
    if !tunnel && dice.chance(0.3) {
        put(&mut out, "quench", table([("every", dice.time(1.0, 300.0))]));
    }
    out
}

/// Changes in the first half of the run, so that half of the run has them, too.
fn roam(dice: &mut Dice, scale: Scale) -> Value {
    if dice.chance(0.2) {
        let every = millis(dice.moment(scale.ms, 0.02, 0.3).max(1.0));
        let networks = Value::Array(vec!["first".into(), "second".into()]);
        return table([("every", every), ("networks", networks)]).into();
    }
    let mut at = 0.0;
    let mut changes = Vec::new();
    for _ in 0..=dice.below(2) {
        at += dice.moment(scale.ms, 0.02, 0.2).max(1.0);
        let mut change = match dice.chance(0.6) {
            true => table([("network", dice.pick(&["first", "second"]).into())]),
            false => conditions(dice, scale),
        };
        put(&mut change, "at", millis(at));
        if dice.chance(0.4) {
            put(&mut change, "queue", queue(dice, scale));
        }
        changes.push(change.into());
    }
    Value::Array(changes)
}

/// One or several, in the first half of the run.
fn blackout(dice: &mut Dice, scale: Scale) -> Table {
    let lasts = dice.moment(scale.ms, 0.005, 0.1).max(1.0);
    let mut out = table([
        ("at", millis(dice.moment(scale.ms, 0.02, 0.2))),
        ("lasts", millis(lasts)),
        ("hold", dice.chance(0.5).into()),
    ]);
    if dice.chance(0.4) {
        put(&mut out, "every", millis(lasts + dice.moment(scale.ms, 0.01, 0.05).max(1.0)));
        put(&mut out, "times", 2);
    }
    out
}

/// The conditions of a named network that links refer to.
pub(super) fn network(dice: &mut Dice, scale: Scale) -> Table {
    let mut out = conditions(dice, scale);
    if dice.chance(0.3) {
        let mut reverse = table([("rate", kbps(dice.number(64.0, scale.kbps)))]);
        if dice.chance(0.3) {
            put(&mut reverse, "queue", queue(dice, scale));
        }
        put(&mut out, "reverse", reverse);
    }
    if dice.chance(0.3) {
        put(&mut out, "queue", queue(dice, scale));
    }
    out
}
