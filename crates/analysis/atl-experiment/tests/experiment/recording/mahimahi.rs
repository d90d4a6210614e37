//! mahimahi's traces and logs.

use super::{made, named, numbers, refused};

/// As `.down` and `.up`, a time in ms for each packet.
pub(super) const TRACE: &str = "0\n3\n3\n\n9\r\n12\n";

/// As `mm-link --uplink-log`: its trace has packets at 5 and 8 ms, and repeats.
pub(super) const LOG: &str = "\
# mahimahi mm-link (uplink) [commute.up] > up.log
# command line: mm-link commute.up commute.down
# queue: droptail [packets=100]
# init timestamp: 1000
# base timestamp: 1010
1012 + 1500
1015 # 1504
1015 - 1500 3
1018 # 1504
1020 d 1 1500
1023 # 1504
1026 # 1504
";

#[test]
fn a_trace_stays_what_it_is() {
    let trace = made(TRACE, &named("verizon-lte-short.down"));
    assert_eq!((trace.format, trace.key), ("mahimahi", "trace"));
    assert_eq!(trace.text, "0\n3\n3\n9\n12\n");
}

#[test]
fn a_log_gives_the_opportunities_that_the_link_had() {
    let trace = made(LOG, &named("up.log"));
    assert_eq!((trace.format, numbers(&trace)), ("mahimahi", vec!["5", "8", "13", "16"]));
}

#[test]
fn mistakes_have_their_place() {
    let mahimahi =
        super::Request { format: super::format_named("mahimahi"), ..super::Request::default() };
    let told = refused("5\n3\n", &mahimahi);
    assert!(told.starts_with("line 2: timestamp 3 is smaller"), "{told}");
    let told = refused("1\n2.5\n", &mahimahi);
    assert!(told.starts_with("line 2: `2.5` is not a whole number of milliseconds"), "{told}");
    let told = refused(&LOG.replace("# base timestamp: 1010\n", ""), &mahimahi);
    assert!(told.contains("`# base timestamp: MILLISECONDS`"), "{told}");
    let told = refused(&LOG.replace("1018 # 1504", "1018 ? 1504"), &mahimahi);
    assert!(told.starts_with("line 9: `1018 ? 1504` is not an event of a link"), "{told}");
    let told = refused(&LOG.replace("1018 # 1504", "1009 # 1504"), &mahimahi);
    assert!(told.starts_with("line 9: its time is 6 ms before"), "{told}");
    let told = refused("# mahimahi mm-link\n# base timestamp: 7\n9 + 1500\n", &mahimahi);
    assert!(told.contains("no line of the log is an opportunity"), "{told}");
}
