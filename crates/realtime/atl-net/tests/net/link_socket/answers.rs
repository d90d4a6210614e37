//! Answers to clients that ask or subscribe.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_device::{EmulatedSource, LinkSource, SourceError};
use atl_link::Change;
use atl_net::link_socket::{Board, LinkSocket};

use super::support::{AMPLE, Emulated, link, name, until};

const DELAY: Span = Span::from_millis(20);

#[test]
fn a_client_behind_a_lossy_link_learns_its_loss_and_delay() {
    let links = [link("wire", false, Span::from_millis(5), 0.0), link("air", true, DELAY, 0.2)];
    let mut emulated = Emulated::new(&links);
    let mut source = EmulatedSource::new(emulated.path(), name(""), AMPLE, AMPLE);
    let mut info = None;
    until("no packets", || {
        // Before the first snapshot the answer is an error.
        info = source.read(Time::ZERO).ok();
        let packets = info.and_then(|info| info.loss).and_then(|loss| loss.packets);
        packets.is_some_and(|packets| packets >= 600)
    });
    let info = info.unwrap();
    let loss = info.loss.unwrap();
    let packets = loss.packets.unwrap() as f64;
    assert!(loss.low < loss.value && loss.value < loss.high, "{loss:?}");
    // Six standard deviations: a false alarm in 10^9.
    let six = 6.0 * (0.2 * 0.8 / packets).sqrt();
    assert!((loss.value.get() - 0.2).abs() < six, "{loss:?}");
    // Losses are drawn from the link's stream in order, so only their number depends on the
    // machine's speed.
    let p = Probability::clamped(0.2);
    assert!(loss.low <= p && p <= loss.high, "{loss:?}");
    assert_eq!(info.delay.unwrap().value, DELAY);
    assert!((info.rate.unwrap().bps() - 8e6).abs() < 1.0, "{info:?}");
    assert_eq!(info.epoch, 0);
    assert_eq!(info.report().unwrap().delay, DELAY);

    // The answer agrees with the emulator's own counters.
    let last = emulated.finish().last;
    let mut client = emulated.client();
    let told = client.ask(&name("air")).unwrap();
    let air = &last.links[1].counters;
    assert!(told.passed <= air.mac_passed() && told.lost <= air.mac_lost(), "{told:?} {air:?}");
    assert!(told.passed + told.lost >= 600);
    // The other link answers to its name, and loses nothing.
    let wire = client.ask(&name("wire")).unwrap();
    assert_eq!((wire.lost, wire.report.link.delay), (0, Span::from_millis(5)));
    let counts = emulated.socket.as_ref().unwrap().counts();
    assert_eq!((counts.clients, counts.malformed, counts.replayed), (2, 0, 0));
    // An answer is counted just after it is sent.
    until("answers are missing", || {
        let counts = emulated.socket.as_ref().unwrap().counts();
        counts.requests == counts.answers
    });
}

#[test]
fn a_link_that_is_not_there_is_refused_by_name() {
    let emulated = Emulated::new(&[link("air", true, DELAY, 0.0)]);
    let error = emulated.client().ask(&name("aire")).unwrap_err().to_string();
    assert!(error.ends_with("has no link \"aire\""), "{error}");
    let mut subscription = emulated.client().subscribe(&name("aire"), AMPLE).unwrap();
    let error = subscription.next(AMPLE).unwrap_err().to_string();
    assert!(error.ends_with("has no link \"aire\""), "{error}");
}

#[test]
fn before_the_first_measurement_nothing_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let board = Board::new(&[link("air", true, DELAY, 0.0)]);
    let _socket = LinkSocket::open(&path, board).unwrap();
    let mut source = EmulatedSource::new(&path, name("air"), AMPLE, AMPLE);
    let error = source.read(Time::ZERO).unwrap_err();
    assert!(matches!(error, SourceError::Unfit { .. }), "{error}");
    assert!(error.to_string().ends_with("has not measured anything yet"), "{error}");
}

#[test]
fn a_subscriber_is_told_again_and_again() {
    let emulated = Emulated::new(&[link("air", true, DELAY, 0.1)]);
    let mut subscription = None;
    until("nothing is measured", || {
        let mut new = emulated.client().subscribe(&name("air"), Span::from_millis(100)).unwrap();
        let told = new.next(AMPLE).is_ok();
        subscription = Some(new);
        told
    });
    let mut subscription = subscription.unwrap();
    let mut last = subscription.next(AMPLE).unwrap();
    for _ in 0..4 {
        let next = subscription.next(AMPLE).unwrap();
        assert!(next.at >= last.at && next.passed >= last.passed);
        last = next;
    }
    assert!(last.passed > 0);
    assert_eq!(subscription.counts(), Default::default());
}

#[test]
fn a_handoff_is_told_at_once() {
    let mut air = link("air", true, DELAY, 0.0);
    let mut config = (*air.config).clone();
    let mut to = config.initial.clone();
    to.delay = atl_link::Delay::Constant(Span::from_millis(70));
    config.schedule.push(Change { at: Time::from_millis(700), to });
    air.config = Arc::new(config);
    let emulated = Emulated::new(&[air]);
    // At this interval no report would come during the test: only the change causes one.
    let mut subscription = None;
    until("nothing is measured", || {
        let mut new = emulated.client().subscribe(&name("air"), Span::from_secs(60)).unwrap();
        let told = new.next(AMPLE).is_ok_and(|first| first.report.epoch == 0);
        subscription = Some(new);
        told
    });
    let changed = subscription.unwrap().next(AMPLE).unwrap();
    assert_eq!(changed.report.epoch, 1);
    assert_eq!(changed.report.link.delay, Span::from_millis(70));
    // The snapshot is taken at the change, not up to 100 ms later.
    assert!(changed.at >= Time::from_millis(700), "{changed:?}");
    assert!(changed.rate.is_some_and(|rate| rate > Rate::ZERO));
}
