//! WetLinks' tables.

use super::{Request, Wanted, delays, made, named, numbers, refused};

/// As `iperf_cleaned_seconds_*.csv`: two runs, three minutes apart, of three and two seconds.
pub(super) const SECONDS: &str = "\
,site_name,timestamp_start,timestamp_end,server,ip_protocol,transport_protocol,download,upload
0,home,2023-09-14 15:12:22,2023-09-14 15:12:23,lab,IPv4,UDP,12000000.0,1200000.0
1,home,2023-09-14 15:12:23,2023-09-14 15:12:24,lab,IPv4,UDP,24000000.0,1200000.0
2,home,2023-09-14 15:12:24,2023-09-14 15:12:25,lab,IPv4,UDP,,2400000.0
3,home,2023-09-14 15:15:25.5,2023-09-14 15:15:26.500,lab,IPv4,UDP,1.2e7,1200000.0
4,home,2023-09-14 15:15:27,2023-09-14 15:15:28,lab,IPv4,UDP,36000000.0,nan
";

/// As `net_ping.csv`.
pub(super) const PINGS: &str = "\
site_name,timestamp_start,timestamp_end,target,ip_protocol,packet_loss,packets_send,ping_avg
home,2023-09-14T15:12:40,2023-09-14T15:12:40.02,lab,IPv4,0.0,250,48.5
home,2023-09-14T15:15:40,2023-09-14T15:15:40.01,lab,IPv4,0.4,250,60
";

#[test]
fn runs_are_joined_and_what_lies_between_them_is_told() {
    let trace = made(SECONDS, &named("iperf_cleaned_seconds_home.csv"));
    assert_eq!((trace.format, trace.key), ("wetlinks", "trace"));
    // 1 s each at 12 and 24 Mb/s; 1.5 s at 12, since half a second is iperf's; 1 s at 36.
    assert_eq!(numbers(&trace).len(), 1000 + 2000 + 1500 + 3000);
    assert_eq!(trace.summary.nanos, 4_500_000_000);
    // The second without a value, and the three minutes.
    assert_eq!((trace.summary.gaps.count, trace.summary.gaps.longest), (2, 180_500_000_000));
    let told = trace.summary.to_string();
    assert!(told.contains("2 pauses of the measurement left out, the longest 180.5 s"), "{told}");
    let wanted = Wanted { up: true, ..Wanted::default() };
    let up = made(SECONDS, &Request { wanted, ..Request::default() });
    assert_eq!((numbers(&up).len(), up.summary.nanos), (100 + 100 + 200 + 150, 4_500_000_000));
}

#[test]
fn pings_give_half_of_their_round_trips() {
    let trace = made(PINGS, &named("net_ping.csv"));
    assert_eq!((trace.format, trace.key), ("wetlinks", "delay-trace"));
    assert_eq!(numbers(&trace), ["24.25", "24.25", "30"]);
}

#[test]
fn what_comes_after_the_part_is_not_read() {
    let broken = SECONDS.replace("2023-09-14 15:15:27,", "tomorrow,");
    let told = refused(&broken, &Request::default());
    assert!(
        told.starts_with("line 6: `tomorrow` in column timestamp_start is not a date and time"),
        "{told}"
    );
    let part = Request { duration: Some(2_000_000_000), ..Request::default() };
    assert_eq!(made(&broken, &part).summary.nanos, 2_000_000_000);
}

#[test]
fn mistakes_have_their_place() {
    let told = refused(&SECONDS.replace("24000000.0", "fast"), &Request::default());
    assert!(told.starts_with("line 3: `fast` in column download is not a rate in bit/s"), "{told}");
    let told = refused(&SECONDS.replace("15:15:25.5", "15:12:22"), &Request::default());
    assert!(told.starts_with("line 5: its timestamp_start is before that of an earlier"), "{told}");
    let told = refused(SECONDS, &delays());
    assert!(told.contains("line 1: there is no column ping_avg; there are"), "{told}");
    let told = refused(&SECONDS.replace(",nan", ""), &{
        let wanted = Wanted { up: true, ..Wanted::default() };
        Request { wanted, ..Request::default() }
    });
    assert!(told.starts_with("line 6: the row ends before cell 9, which is upload"), "{told}");
}
