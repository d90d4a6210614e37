//! `docs/wireless-effects.md`: the models of wireless effects beside their references.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{
    Blockage, Config, Grants, Jitter, JitterShape, Link, Reconfiguration, Service, Wifi,
    WifiStandard,
};

use crate::jitter::exits_of;
use crate::support::{EIGHT, arrivals, config, network};
use crate::wifi::{goodput, station};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// A point of ns-3's record: sum of goodputs of its seeds, of shares that failed, and seeds.
#[derive(Debug, Default)]
struct Point {
    goodput: f64,
    failed: f64,
    seeds: f64,
}

/// Standard, mode, rate of the PHY in kb/s, distance in m, stations.
type Key = (String, String, u64, u64, u32);

fn recorded() -> BTreeMap<Key, Point> {
    let file = fs::read_to_string(root().join("peers/ns3/wifi.csv")).expect("peers/ns3/wifi.csv");
    let mut points: BTreeMap<Key, Point> = BTreeMap::new();
    for line in file.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |n: usize| fields[n].parse::<f64>().expect("a number");
        let key = (
            fields[0].to_owned(),
            fields[1].to_owned(),
            (1000.0 * number(2)) as u64,
            number(3) as u64,
            number(4) as u32,
        );
        let point = points.entry(key).or_default();
        point.goodput += number(6);
        point.failed += number(7);
        point.seeds += 1.0;
    }
    points
}

fn ours(key: &Key, errors: f64) -> f64 {
    let standard = match key.0.as_str() {
        "n" => WifiStandard::N,
        "ac" => WifiStandard::Ac,
        _ => WifiStandard::Ax,
    };
    let wifi = Wifi {
        stations: key.4,
        errors: Probability::clamped(errors),
        ..Wifi::new(Rate::from_bps(key.2 as f64 * 1e3), standard)
    };
    of_cell(wifi, 12)
}

/// Goodput of all stations of a cell, from that of one with four seeds. Where many collide its
/// share varies by chance for a long time: the wait of one that has failed often is long.
fn of_cell(wifi: Wifi, seconds: u64) -> f64 {
    let longer = match wifi.stations {
        0..5 => 1,
        5..10 => 2,
        10..20 => 6,
        _ => 10,
    };
    let seconds = seconds * u64::from(wifi.stations) * longer;
    let sum: f64 = (1..=4).map(|seed| goodput(wifi, seconds, seed)).sum();
    f64::from(wifi.stations) * sum / 4.0
}

fn wifi_table() -> String {
    let points = recorded();
    assert_eq!(points.len(), 24, "the points of peers/ns3/run");
    let mut out =
        "| standard | PHY | distance | stations | MPDUs that fail | ns-3 | here | here : ns-3 |\n\
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
            .to_owned();
    let mut worst: f64 = 0.0;
    for (key, point) in &points {
        // Only failures without a collision count: ns-3 tells it of a station alone.
        let alone = &points[&(key.0.clone(), key.1.clone(), key.2, key.3, 1)];
        let failed = alone.failed / alone.seeds;
        let theirs = point.goodput / point.seeds;
        let ours = ours(key, failed);
        let ratio = ours / theirs;
        let allowed = if key.4 == 20 { 0.17 } else { 0.10 };
        worst = worst.max((ratio - 1.0).abs() / allowed);
        writeln!(
            out,
            "| 802.11{} | {} Mb/s | {} m | {} | {:.1} % | {theirs:.1} | {ours:.1} | {ratio:.3} |",
            key.0,
            key.2 as f64 / 1e3,
            key.3,
            key.4,
            100.0 * failed,
        )
        .expect("a string grows");
    }
    assert!(worst <= 1.0, "{out}");
    out
}

fn bianchi_table() -> String {
    let mut out = "| stations | collisions | closed form | here | here : closed form |\n\
        | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for stations in [1, 2, 5, 10, 20, 50] {
        let wifi = station(stations);
        let (form, all) = (wifi.bianchi(), f64::from(stations));
        let expected = all * form.goodput().mbps();
        let found = of_cell(wifi, 20);
        let ratio = found / expected;
        assert!((ratio - 1.0).abs() < 0.06, "{stations}: {found} {expected}");
        let collides = 100.0 * form.collides;
        writeln!(out, "| {stations} | {collides:.1} % | {expected:.1} | {found:.1} | {ratio:.3} |")
            .expect("a string grows");
    }
    out
}

/// Delays in ms after transmission of packets of 1000 bytes, one every 2 ms, over 8 Mb/s and 50 ms,
/// and how many were lost.
fn delays(packets: u64, change: impl Fn(&mut Config)) -> (Vec<f64>, u64) {
    let mut config = config(network(EIGHT, 50));
    change(&mut config);
    let mut link = Link::new(Arc::new(config), Stream::new(5, "effects"));
    let exits = exits_of(&mut link, packets, Span::from_millis(2), 1000);
    let delays = arrivals(&exits).into_iter().map(|(at, n)| 1e3 * at.secs() - (2 * n) as f64 - 1.0);
    let delays: Vec<f64> = delays.collect();
    let lost = packets - delays.len() as u64;
    (delays, lost)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Effect, quantity, reference, found, and by how much they may differ.
type Check = (&'static str, &'static str, f64, f64, f64);

fn checks() -> Vec<Check> {
    const PACKETS: u64 = 200_000;
    let shaped = |shape, spread| {
        let jitter = Jitter { spread, shape, in_order: false };
        let (delays, _) = delays(PACKETS, |config| config.initial.jitter = Some(jitter));
        (50.0 + 1e3 * jitter.mean().secs(), delays)
    };
    let share = |delays: &[f64], from: f64| {
        delays.iter().filter(|delay| **delay >= from).count() as f64 / delays.len() as f64
    };
    let (calm, calm_delays) = shaped(JitterShape::Wifi, Span::from_millis(1));
    let (bad, bad_delays) = shaped(JitterShape::Wifi, Span::from_micros(12_500));
    let (harq, harq_delays) = shaped(JitterShape::Harq, Span::from_millis(8));
    let (granted, _) = delays(PACKETS, |config| {
        config.initial.grants = Some(Grants { every: Span::from_micros(10_007) });
    });
    let every = Reconfiguration {
        every: Span::from_secs(15),
        step: Span::from_millis(8),
        outage: Span::from_millis(60),
        loss: Probability::clamped(0.7),
    };
    // 3000 s: 200 intervals.
    let (stepped, lost) = delays(1_500_000, |config| config.initial.reconfiguration = Some(every));
    let deviation = {
        let middle = mean(&stepped);
        (stepped.iter().map(|x| (x - middle).powi(2)).sum::<f64>() / stepped.len() as f64).sqrt()
    };
    let sight = Blockage {
        clear: Rate::from_mbps(8.0),
        blocked: Rate::from_mbps(0.8),
        clear_for: Span::from_secs(5),
        blocked_for: Span::from_millis(300),
    };
    let blocked = {
        let mut config = config(network(EIGHT, 0));
        config.initial.service = Service::Blocked(sight);
        let exits = crate::wifi::saturated(config, Time::from_millis(3_000_000), 1);
        arrivals(&exits).len() as f64 * 12_000.0 / 3000.0 / 1e6
    };
    vec![
        (
            "Wi-Fi jitter, 1 ms",
            "mean delay in ms: picoquic's formula",
            calm,
            mean(&calm_delays),
            0.01,
        ),
        (
            "Wi-Fi jitter, 12.5 ms",
            "mean delay in ms: picoquic's formula",
            bad,
            mean(&bad_delays),
            0.5,
        ),
        (
            "Wi-Fi jitter, 12.5 ms",
            "packets in a bad moment: (spread - 1 ms) / 84 ms",
            11.5 / 84.0,
            share(&bad_delays, 70.0),
            0.005,
        ),
        (
            "HARQ and RLC, 8 ms",
            "mean delay in ms: 8 (.1 + .01 + .001) + 40 * .0001",
            harq,
            mean(&harq_delays),
            0.02,
        ),
        ("HARQ and RLC, 8 ms", "packets sent again: .1", 0.1, share(&harq_delays, 57.999), 0.003),
        (
            "grants, 10.007 ms",
            "mean delay in ms: half an interval more",
            50.0 + 10.007 / 2.0,
            mean(&granted),
            0.05,
        ),
        (
            "blockage",
            "mean rate in Mb/s: by the times in both states",
            sight.mean().mbps(),
            blocked,
            0.15,
        ),
        (
            "reconfiguration",
            "standard deviation of the delay in ms: step / sqrt(3)",
            8.0 / 3_f64.sqrt(),
            deviation,
            0.5,
        ),
        (
            "reconfiguration",
            "lost: 60 ms of 15 s, of which .7",
            0.06 / 15.0 * 0.7,
            lost as f64 / 1.5e6,
            0.0002,
        ),
    ]
}

fn others_table() -> String {
    let mut out =
        "| effect | quantity and its reference | reference | here |\n| --- | --- | ---: | ---: |\n"
            .to_owned();
    for (effect, quantity, reference, found, margin) in checks() {
        assert!((found - reference).abs() <= margin, "{effect}, {quantity}: {found} {reference}");
        writeln!(out, "| {effect} | {quantity} | {reference:.4} | {found:.4} |")
            .expect("a string grows");
    }
    out
}

/// With `ATL_GENERATE` set it writes the page instead.
#[test]
fn the_page_of_wireless_effects_has_the_numbers_of_today() {
    let at = root().join("docs/wireless-effects.md");
    let page = fs::read_to_string(&at).expect("docs/wireless-effects.md");
    let parts = [
        ("beside Bianchi", bianchi_table()),
        ("beside ns-3", wifi_table()),
        ("other effects", others_table()),
        ("beside published figures", crate::published::table()),
    ];
    let fresh = parts.iter().fold(page.clone(), |page, (part, text)| {
        let open = format!("<!-- generated: {part} -->\n");
        let start = page.find(&open).unwrap_or_else(|| panic!("no {open}")) + open.len();
        let end = start + page[start..].find("<!-- end generated -->").expect("its end");
        format!("{}\n{text}\n{}", &page[..start], &page[end..])
    });
    if env::var_os("ATL_GENERATE").is_some() {
        fs::write(&at, &fresh).expect("it is written");
        return;
    }
    assert!(fresh == page, "stale: ATL_GENERATE=1 cargo test --test link wireless_effects");
}
