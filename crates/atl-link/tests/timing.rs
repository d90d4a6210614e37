//! Timing by hand-worked examples.

mod common;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::Config;
use common::{Numbered, arrivals, drain, link, ms, us};

#[test]
fn a_busy_period_spaces_packets_by_their_transmission_time() {
    // 1000 bytes at 8 Mb/s: 1 ms each; then 10 ms of delay.
    let mut link = link(Config::constant(
        Rate::from_mbps(8.0),
        Span::from_millis(10),
        2,
    ));
    assert!(link.offer(ms(0), Numbered(1, 1000)).is_ok());
    assert!(link.offer(ms(0), Numbered(2, 500)).is_ok());
    assert!(link.offer(us(500), Numbered(3, 1000)).is_ok());
    // Two wait, the one in transmission is not among them.
    assert_eq!(link.queue_len(), 2);
    assert_eq!(
        link.offer(us(900), Numbered(4, 1000)),
        Err(Numbered(4, 1000))
    );
    // At 1 ms the first is through, a place is free.
    assert!(link.offer(us(1000), Numbered(5, 1000)).is_ok());
    assert_eq!(link.next_event(), ms(11));
    assert_eq!(
        arrivals(&drain(&mut link)),
        [
            (ms(11), 1),
            (us(11_500), 2),
            (us(12_500), 3),
            (us(13_500), 5)
        ]
    );
    assert_eq!(link.next_event(), Time::MAX);
}
