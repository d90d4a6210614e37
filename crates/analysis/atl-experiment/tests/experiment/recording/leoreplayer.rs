//! LeoReplayer's traces.

use super::{Request, delays, format_named, made, named, numbers, refused};

/// As `bw_N.txt`: 12 Mb/s for each packet of a millisecond.
pub(super) const RATES: &str = "1\n1\n1\n2\n4\n";

/// As `delay_N.txt`: ms, for 10 ms each.
pub(super) const DELAYS: &str = "24\n18\n18\n31\n";

#[test]
fn the_name_of_a_file_says_what_its_numbers_are() {
    let rates = made(RATES, &named("bw_12.txt"));
    assert_eq!((rates.format, rates.key, rates.text.as_str()), ("leoreplayer", "trace", RATES));
    for name in ["delay_12.txt", "starlink.delay"] {
        let delays = made(DELAYS, &named(name));
        assert_eq!((delays.format, delays.key), ("leoreplayer", "delay-trace"));
        assert_eq!(delays.text, DELAYS);
    }
    // The same numbers could be rates of another program.
    assert!(refused(DELAYS, &named("x.txt")).contains("--from"));
    let request = Request { format: format_named("leoreplayer"), ..delays() };
    assert_eq!(numbers(&made(RATES, &request)), ["1", "1", "1", "2", "4"]);
}

#[test]
fn both_are_cut_alike() {
    let part = |text, name| {
        let request = Request { begin: 10_000_000, duration: Some(20_000_000), ..named(name) };
        made(text, &request).text
    };
    assert_eq!(part(DELAYS, "delay_1.txt"), "18\n18\n");
    assert_eq!(part("3\n10\n11\n25\n40\n", "bw_1.txt"), "1\n15\n20\n");
}

#[test]
fn mistakes_have_their_place() {
    let request = Request { format: format_named("leoreplayer"), ..Request::default() };
    let told = refused(DELAYS, &request);
    assert!(
        told.starts_with("line 2: timestamp 18 is smaller") && told.contains("--delay"),
        "{told}"
    );
    let told = refused("24\n-1\n", &Request { format: request.format, ..named("delay_1.txt") });
    assert!(told.starts_with("line 2: `-1` is not a number of milliseconds from 0"), "{told}");
}
