//! The state and summary of links as JSON.

use atl_core::time::{Span, Time};
use atl_net::emulator::Summary;
use atl_net::lateness::Lateness;
use atl_net::priority::Scheduling;
use atl_net::proxy::Counts;
use atl_net::snapshot::{LinkState, Snapshot};
use serde_json::{Value, json};

use super::network::Network;
use super::trust::{Level, Trust};

/// The first line of output.
pub(super) fn start(network: &Network, place: &Value) -> Value {
    json!({
        "type": "start",
        "scenario": network.scenario,
        "hosts": network.hosts,
        "up": network.names(&network.up).collect::<Vec<_>>(),
        "down": network.names(&network.down).collect::<Vec<_>>(),
        "seed": network.seed,
        "ports": place,
    })
}

/// State at a time. Rates are since the previous snapshot.
pub(super) fn snapshot(
    network: &Network,
    now: &Snapshot,
    before: Option<&Snapshot>,
    ports: &Value,
) -> Value {
    json!({
        "type": "snapshot",
        "at_s": now.at.secs(),
        "links": links(network, now, before),
        "lateness": lateness(&now.lateness),
        "ports": ports,
    })
}

/// The last line of output.
pub(super) fn summary(
    network: &Network,
    run: &Summary,
    begun: Time,
    trust: Trust,
    ports: &Value,
    capture_left_out: u64,
) -> Value {
    let now = &run.last;
    json!({
        "type": "summary",
        "lasted_s": now.at.since(begun).secs(),
        "links": links(network, now, None),
        "lateness": lateness(&now.lateness),
        "scheduling": match run.scheduling {
            Scheduling::RealTime => "fifo",
            Scheduling::Ordinary => "ordinary",
        },
        "trusted": trust.level != Level::Distrust,
        "trust": {
            "level": trust.level.word(),
            "delay_error": trust.delay,
            "loss_error": trust.loss,
        },
        "ports": ports,
        "capture_left_out": capture_left_out,
    })
}

/// Counts of datagrams lost outside the links.
pub(super) fn proxy(counts: &Counts) -> Value {
    json!({
        "received": counts.received,
        "sent": counts.sent,
        "refused": counts.refused,
        "no_room": counts.no_room,
        "unsendable": counts.unsendable,
        "stray": counts.stray,
        "clients": counts.clients,
        "refused_clients": counts.refused_clients,
        "forgotten_clients": counts.forgotten,
        "overflowed": counts.overflowed,
    })
}

fn links(network: &Network, now: &Snapshot, before: Option<&Snapshot>) -> Vec<Value> {
    let since = before.map_or(now.at.since(Time::ZERO), |before| now.at.since(before.at));
    let old = |index: usize| before.and_then(|before| before.links.get(index));
    let links = network.links.iter().zip(&now.links).enumerate();
    links.map(|(index, (link, state))| one_link(&link.name, state, old(index), since)).collect()
}

fn one_link(name: &str, now: &LinkState, before: Option<&LinkState>, since: Span) -> Value {
    let counters = &now.counters;
    json!({
        "name": name,
        "network": now.network,
        "rate_bps": rate_bps(now, before, since),
        "queue_packets": now.queue,
        "p_w": now.report.loss.get(),
        "d_w_s": now.report.delay.secs(),
        "offered": counters.offered,
        "delivered": counters.delivered,
        "delivered_bytes": counters.delivered_bytes,
        "dropped": counters.dropped,
        "lost": counters.lost,
        "held": counters.held(),
    })
}

/// Bits per second delivered since an earlier state, or since the start.
pub(super) fn rate_bps(now: &LinkState, before: Option<&LinkState>, since: Span) -> f64 {
    let bytes =
        now.counters.delivered_bytes - before.map_or(0, |before| before.counters.delivered_bytes);
    if since.is_zero() { 0.0 } else { 8.0 * bytes as f64 / since.secs() }
}

fn lateness(lateness: &Lateness) -> Value {
    json!({
        "packets": lateness.frames(),
        "p50_s": lateness.quantile(0.5).secs(),
        "p90_s": lateness.quantile(0.9).secs(),
        "p99_s": lateness.quantile(0.99).secs(),
        "worst_s": lateness.worst().secs(),
        "late_share": lateness.late_share(),
    })
}
