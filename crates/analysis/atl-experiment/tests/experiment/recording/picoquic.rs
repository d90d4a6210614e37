//! picoquic's links.

use super::{Of, Request, Wanted, delays, format_named, made, named, numbers, refused};

/// As `sim_specs/*.txt`: 30 ms at 12 and 24 Mb/s, 10 ms suspended, 20 ms at 24 and 12 Mb/s.
pub(super) const SPEC: &str = "\
main_cc_algo: cubic
data_rate_in_gbps: 0.02
link_scenario: 30000:U0.012:D0.024:L5000:J0:Q15000:S0;10000:L7500;20000:U0.024:D0.012:L5000:B2:P18
latency: 40000
";

#[test]
fn a_link_has_a_rate_for_each_direction_and_a_delay() {
    let trace = |up| {
        let wanted = Wanted { up, ..Wanted::default() };
        made(SPEC, &Request { wanted, ..Request::default() })
    };
    let (down, up) = (trace(false), trace(true));
    assert_eq!((down.format, down.key), ("picoquic", "trace"));
    assert_eq!((numbers(&down).len(), numbers(&up).len()), (60 + 20, 30 + 40));
    assert_eq!((numbers(&down)[59], numbers(&down)[60]), ("30", "41"));
    let Of::Rate { pause, .. } = up.summary.of else { panic!("rates") };
    assert_eq!(pause, 11_000_000, "10 ms of silence, and the time of a packet");
    assert_eq!(numbers(&made(SPEC, &delays())), ["5", "5", "5", "7.5", "5", "5"]);
}

#[test]
fn what_stands_behind_the_colon_is_enough() {
    let bare = "1000:U0.012:D0.012:L0; 2000:D0.012";
    let request = Request { format: format_named("picoquic"), ..named("link.txt") };
    assert_eq!(numbers(&made(bare, &request)), ["1", "2", "3"]);
}

#[test]
fn mistakes_have_their_place() {
    let told = refused(&SPEC.replace("L7500", "X7500"), &Request::default());
    assert!(told.starts_with("line 3: `X7500` is not a value of a state: U, D"), "{told}");
    let told = refused(&SPEC.replace("D0.024", "Dfast"), &Request::default());
    assert!(told.starts_with("line 3: `Dfast` is not a letter with a rate in Gb/s"), "{told}");
    let told = refused(&SPEC.replace("30000:", "30ms:"), &Request::default());
    assert!(told.starts_with("line 3: `30ms` is not the duration of a state"), "{told}");
    let told = refused("link_scenario: wifi_fade\n", &Request::default());
    assert!(told.contains("line 1: `wifi_fade` is a name") && told.contains("atl show"), "{told}");
    let request = Request { format: format_named("picoquic"), ..Request::default() };
    assert!(refused("latency: 40000\n", &request).contains("no line is `link_scenario:"));
    // picoquic's word for a state without an end.
    let endless = "link_scenario: 2000000:D0.01;18446744073709551615:D0.02";
    assert!(refused(endless, &Request::default()).contains("--duration"));
    let part = Request { duration: Some(4_000_000_000), ..Request::default() };
    assert_eq!(made(endless, &part).summary.nanos, 4_000_000_000);
}
