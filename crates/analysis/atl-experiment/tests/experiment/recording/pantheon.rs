//! Pantheon's logs.

use super::{Request, delays, format_named, made, named, numbers, refused};

/// As `bbr_datalink_run1.log` over the Internet: packets of one flow, with their delays.
pub(super) const REAL: &str = "\
# init timestamp: 1500000000123.000
2.000 + 1500 1
3.500 + 1500 1
4.000 + 600 1
12.250 - 1500 10.250 1
13.000 - 1500 9.500 1
20.000 + 900 1
25.900 - 600 21.900 1
31.000 - 900 11.000 1
";

/// As that of an emulated link, with its opportunities.
pub(super) const EMULATED: &str = "\
# init timestamp: 7.000
1.000 # 1500
2.000 + 1500 1
6.000 # 1500
6.000 - 1500 4.000 1
11.000 # 1500
";

#[test]
fn what_arrived_is_what_the_link_carried() {
    let trace = made(REAL, &named("bbr_datalink_run1.log"));
    assert_eq!((trace.format, trace.key), ("pantheon", "trace"));
    // Two packets after 10.25 and 11 ms, and 1500 bytes of two after 29 ms.
    assert_eq!(numbers(&trace), ["11", "11", "29"]);
}

#[test]
fn an_emulated_link_had_opportunities_used_or_not() {
    assert_eq!(numbers(&made(EMULATED, &named("x.log"))), ["0", "5", "10"]);
}

#[test]
fn a_delay_counts_from_when_its_packet_was_sent() {
    let request = Request { format: format_named("pantheon"), ..delays() };
    let trace = made(REAL, &request);
    assert_eq!(trace.key, "delay-trace");
    // 10.25 ms from 2 ms on, 9.5 from 3.5, 21.9 from 4, 11 from 20, for 16 ms, until 36.
    // (1.5 x 10.25 + .5 x 9.5 + 8 x 21.9) / 10, (8 x 21.9 + 2 x 11) / 10, and 11.
    assert_eq!(numbers(&trace), ["19.533", "19.72", "11", "11"]);
}

#[test]
fn mistakes_have_their_place() {
    let request = Request { format: format_named("pantheon"), ..Request::default() };
    let told = refused(&REAL.replace("- 600 21.900 1", "- 600"), &request);
    assert!(told.starts_with("line 8: `25.900 - 600` is not an event of a link"), "{told}");
    let told = refused(&REAL.replace("20.000 +", "2.000 +"), &request);
    assert!(told.starts_with("line 7: its time is 11 ms before"), "{told}");
    let told = refused("# init timestamp: 1\n1.000 + 1500 1\n", &request);
    assert!(told.contains("no packet of the log arrived"), "{told}");
    let told = refused("# init timestamp: 1\n", &request);
    assert!(told.contains("no event"), "{told}");
}
