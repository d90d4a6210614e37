//! Controllers hear of wireless links only where the setup lets them.

use atl_engine::setup::ReceiverAwareness;

use crate::support::{mbps, parse, path, run, text};

/// The largest alpha of a run: it exceeds 1 once a report has arrived.
fn largest_alpha(text: &str) -> f64 {
    let setup = parse(&(text.to_owned() + "[record]\nevery = \"100ms\"\n"));
    let result = run(&setup, 1);
    result.samples.iter().filter_map(|sample| sample.alpha).fold(0.0, f64::max)
}

#[test]
fn the_sender_hears_of_its_own_link_and_what_it_loses() {
    let own = text("\"tcp-atl\"", 1e-2, 20);
    assert!(largest_alpha(&own) > 2.0);
    let deaf = own.replace("wireless = true\n", "");
    assert!((largest_alpha(&deaf) - 1.0).abs() < 1e-9, "without reports it is NewReno");
    let (told, not) = (mbps(&parse(&own), 1), mbps(&parse(&deaf), 1));
    assert!(told > 5.0 * not, "{told} {not}");
}

/// The far one of two links is wireless: the receiver's own.
fn downlink(protocol: &str, receiver: &str) -> String {
    format!(
        r#"
title = "A path"
duration = "20s"
warmup = "2s"
[[link]]
name = "path"
from = "server"
to = "station"
rate = "100Mb/s"
delay = "10ms"
queue = 500
[[link]]
name = "air"
from = "station"
to = "phone"
wireless = true
rate = "20Mb/s"
delay = "40ms"
loss = 1e-2
queue = 170
reverse = {{ loss = 1e-2 }}
[[flow]]
name = "down"
from = "server"
to = "phone"
protocol = {protocol}
receiver = {receiver}
"#
    )
}

#[test]
fn the_receiver_reports_its_own_link_in_datagrams() {
    assert!(largest_alpha(&downlink("\"tcp-atl\"", "\"aware\"")) > 2.0);
    assert!((largest_alpha(&downlink("\"tcp-atl\"", "\"unaware\"")) - 1.0).abs() < 1e-9);
    let aware = parse(&downlink("\"tcp-atl\"", "\"aware\""));
    let mut unaware = aware.clone();
    unaware.flows[0].receiver = ReceiverAwareness::Unaware;
    let (told, not) = (mbps(&aware, 1), mbps(&unaware, 1));
    assert!(told > 2.0 * not, "{told} {not}");
}

#[test]
fn controllers_of_noq_hear_nothing() {
    let aware = parse(&downlink("\"noq-newreno\"", "\"aware\""));
    let mut unaware = aware.clone();
    unaware.flows[0].receiver = ReceiverAwareness::Unaware;
    assert_eq!(run(&aware, 1), run(&unaware, 1));
}

#[test]
fn a_roaming_host_goes_on_in_the_next_network() {
    let roaming = r#"
title = "Roaming"
duration = "30s"
[network.wifi]
rate = "20Mb/s"
delay = "5ms"
loss = 1e-3
[network.satellite]
rate = "8Mb/s"
delay = "150ms"
loss = 1e-2
[[link]]
name = "air"
from = "phone"
to = "server"
wireless = true
network = "wifi"
queue = 100
roam = [{ at = "10s", network = "satellite" }]
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "tcp-atl"
[record]
every = "1s"
"#;
    let result = run(&parse(roaming), 1);
    let in_network = |network| {
        let samples: Vec<_> = result.samples.iter().filter(|s| s.network == network).collect();
        samples.iter().map(|s| s.goodput_bps).sum::<f64>() / samples.len() as f64 / 1e6
    };
    let (wifi, satellite) = (in_network(0), in_network(1));
    assert!(wifi > 15.0, "{wifi}");
    assert!(satellite > 3.0 && satellite < 8.0, "{satellite}");
    let path_before = path("\"tcp-atl\"", 0.0, 3);
    assert!(run(&path_before, 1).samples.is_empty(), "samples only where they are asked for");
}
