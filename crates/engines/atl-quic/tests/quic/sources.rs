//! Applications, and how the receiver acknowledges.

use crate::support::{flow, parse, run, text};

#[test]
fn a_file_arrives_completely_and_its_time_is_that_of_the_link() {
    for bytes in [1, 1200, 1_000_000] {
        let source = format!("source = {{ bytes = \"{bytes}B\" }}\n");
        let setup =
            parse(&(text("\"noq-newreno\"", 0.0, 20).replace("warmup = \"2s\"\n", "") + &source));
        let result = run(&setup, 1);
        let flow = flow(&result);
        let took = flow.completion_s.expect("it ends");
        let delivered = flow.goodput_bps * flow.active_s / 8.0;
        assert!((delivered - f64::from(bytes)).abs() < 0.5, "{delivered} of {bytes}");
        // A round trip for the handshake, one for data and ACK; a megabyte takes 0.4 s more, and
        // slow start.
        let (least, most) = if bytes > 10_000 { (0.6, 1.2) } else { (0.2, 0.21) };
        assert!((least..most).contains(&took), "{bytes} bytes took {took} s");
    }
}

#[test]
fn a_steady_source_gets_its_rate_and_the_delay_of_the_path() {
    let source = "source = { rate = \"2Mb/s\" }\n";
    let setup = parse(&(text("\"reno\"", 0.0, 20) + source));
    let result = run(&setup, 1);
    let flow = flow(&result);
    assert!((flow.goodput_bps / 2e6 - 1.0).abs() < 0.01, "{}", flow.goodput_bps);
    assert!((flow.offered_bps.expect("offered") / 2e6 - 1.0).abs() < 0.01);
    let delay = flow.delay_s.expect("delays");
    assert!((0.05..0.06).contains(&delay), "{delay}");
}

#[test]
fn files_at_intervals_are_delivered_in_turn() {
    let source = "source = { bytes = \"100kB\", every = \"1s\" }\n";
    let setup = parse(&(text("\"tcp-atl\"", 1e-3, 20) + source));
    let result = run(&setup, 1);
    let flow = flow(&result);
    let offered = flow.offered_bps.expect("offered");
    assert!((offered / 8e5 - 1.0).abs() < 0.06, "{offered}");
    assert!((flow.goodput_bps / offered - 1.0).abs() < 0.06, "{}", flow.goodput_bps);
}

/// Without `delayed-ack` each packet is acknowledged, with it every second one.
#[test]
fn acknowledgments_come_as_often_as_the_setup_says() {
    let acks = |tcp: &str| {
        let setup = parse(&(text("\"noq-newreno\"", 0.0, 10) + tcp));
        let result = run(&setup, 1);
        result.links[1].offered as f64 / result.links[0].offered as f64
    };
    let (each, second) = (acks(""), acks("tcp = { delayed-ack = \"25ms\" }\n"));
    assert!((0.95..1.01).contains(&each), "{each}");
    assert!((0.48..0.55).contains(&second), "{second}");
}

#[test]
fn a_full_packet_is_as_long_as_the_scenarios() {
    let setup =
        parse(&(text("\"noq-newreno\"", 0.0, 5) + "tcp = { segment = 1348, header = 52 }\n"));
    let result = run(&setup, 1);
    let flow = flow(&result);
    let mean = flow.throughput_bps * flow.active_s / 8.0 / flow.arrived.expect("it counts") as f64;
    assert!((mean - 1400.0).abs() < 2.0, "{mean}");
}

#[test]
fn the_receive_window_limits_the_rate() {
    let setup = parse(&(text("\"noq-newreno\"", 0.0, 10) + "tcp = { receive-window = 20 }\n"));
    let rate = flow(&run(&setup, 1)).goodput_bps / 1e6;
    // 20 packets of 1472 bytes per 100 ms are 2.36 Mb/s; credit comes in steps of an eighth of the
    // window.
    assert!((1.8..2.4).contains(&rate), "{rate}");
}
