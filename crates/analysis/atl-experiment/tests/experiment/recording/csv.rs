//! Tables of anyone.

use super::{columns, made, named, numbers, refused};

pub(super) const RATES: &str = "\
# a drive
t_s;capacity_mbps;note
0;12;\"start; go\"
0.002;;lost sight
0.004;24;
0.006;0;
";

/// As LENS: a time in seconds since 1970, and a round-trip time in ms; 0 and -1 are lost packets.
pub(super) const PINGS: &str = "\
timestamp,rtt
1705744800.500,-1
1705744800.510,100
1705744800.520,0
1705744800.530,60.5
1705744800.535,80.5
1705744800.540,91.8
";

#[test]
fn a_rate_holds_until_the_next_row() {
    let trace = made(RATES, &columns(&["time=t_s", "rate=capacity_mbps"]));
    assert_eq!((trace.format, trace.key), ("csv", "trace"));
    // 12 Mb/s for 4 ms, 24 for 2, silence for 2, whose end needs one.
    assert_eq!(numbers(&trace), ["1", "2", "3", "4", "5", "5", "6", "6", "8"]);
    assert_eq!(trace.summary.blanks, 1);
    let told = trace.summary.to_string();
    assert!(told.ends_with("; 1 row without a value, where the one before holds on"), "{told}");
}

#[test]
fn half_of_a_round_trip_is_a_delay_and_lost_packets_have_none() {
    let trace = made(PINGS, &columns(&["time=timestamp:s", "rtt=rtt:ms"]));
    assert_eq!((trace.format, trace.key), ("csv", "delay-trace"));
    // From the first that came back; the last 5 ms are of the last.
    assert_eq!(numbers(&trace), ["50", "50", "35.25", "45.9"]);
    assert_eq!(trace.summary.blanks, 2);
}

#[test]
fn tables_need_no_names_and_times_may_be_dates() {
    let text = "2024-01-01T00:00:00.000Z 1.5\n2024-01-01T00:00:00.002Z 3\n";
    let request = columns(&["time=1", "rate=2:MB/s"]);
    assert_eq!(numbers(&made(text, &request)), ["1", "2", "3", "3", "4", "4"]);
}

#[test]
fn a_value_holds_no_longer_than_the_gap() {
    let mut request = columns(&["time=t:s", "rate=r:Mb/s"]);
    request.wanted.gap = Some(2_000_000);
    let trace = made("t,r\n0,12\n0.002,12\n9,12\n", &request);
    assert_eq!(numbers(&trace), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!((trace.summary.gaps.count, trace.summary.gaps.longest), (1, 8_996_000_000));
}

#[test]
fn mistakes_have_their_place_and_say_what_is_allowed() {
    let told = refused("t,rate\n0,1\n", &named("x.csv"));
    assert_eq!(told, "line 1: --column time=NAME:UNIT is missing; the columns are `t`, `rate`");
    let told = refused(RATES, &columns(&["time=t_s"]));
    assert!(told.contains("--column rate=NAME:UNIT, delay=NAME:UNIT or rtt=NAME:UNIT"), "{told}");
    let told = refused(RATES, &columns(&["time=t_s", "rate=speed"]));
    assert!(told.contains("--column rate=speed: there is no such column or unit"), "{told}");
    assert!(told.contains("`capacity_mbps`") && told.contains("Mb/s"), "{told}");
    let told = refused("t,rate\n0,1\n1,2\n", &columns(&["time=t:s", "rate=rate"]));
    assert!(told.contains("--column rate=rate has no unit") && told.contains("Mb/s"), "{told}");
    let told = refused("t,rate\n0,1\n1,2\n", &columns(&["time=t", "rate=rate:Mb/s"]));
    assert!(told.contains("--column time=t has no unit") && told.contains("=t:s"), "{told}");
    let of = |text: &str| refused(text, &columns(&["time=t:s", "rate=r:Mb/s"]));
    assert_eq!(
        of("t,r\n0,1\n1,-2\n"),
        "line 3: `-2` in column r is not a rate, 0 or more, or empty"
    );
    assert_eq!(of("t,r\n0,1\nx,2\n").split(" is not ").next(), Some("line 3: `x` in column t"));
    assert!(of("t,r\n2,1\n1,2\n").starts_with("line 3: its time is 1 s before"));
    assert!(of("t,r\n0,1\n1\n").starts_with("line 3: the row ends before cell 2"));
    assert!(of("t,r\n0,0\n1,0\n").contains("the rate is 0 from beginning to end"));
    assert!(of("t,r\n0,\n1,\n").contains("no row holds a value"));
    assert!(of("t,r\n0,9\n").contains("two are needed"));
    let told = refused("t,d\n0,1\n1,2000000\n", &columns(&["time=t:s", "delay=d:ms"]));
    assert!(told.starts_with("line 3: `2000000` in column d is not a delay of at most"), "{told}");
    let twice = columns(&["time=t:s", "rate=r:Mb/s", "rate=r:kb/s"]);
    assert!(refused("t,r\n0,1\n", &twice).contains("have one role"));
}
