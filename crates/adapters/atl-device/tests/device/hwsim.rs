//! nl80211 of Linux 6.12 with simulated radios, and what `iw event` printed there. The recordings
//! are those of a little-endian machine.
#![cfg(target_endian = "little")]

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_device::nl80211::{
    Address, Dump, NetlinkError, Nl80211Config, Nl80211Source, Progress, Station, family_id,
};
use atl_device::{LinkInfo, LinkSource as _, SourceError};

use crate::recorded::{Recorded, fixture};

/// The device that was asked: the third radio's.
const INTERFACE: u32 = 4;
/// The kernel sends a dump's end in a datagram of its own.
const DONE: &str = "recorded_done";

fn source(dumps: &[&'static str]) -> Nl80211Source<Recorded> {
    let mut answers = vec![vec!["recorded_family"]];
    answers.extend(dumps.iter().map(|name| match *name {
        DONE => vec![DONE],
        name => vec![name, DONE],
    }));
    let answers: Vec<&[&str]> = answers.iter().map(|names| &names[..]).collect();
    Nl80211Source::new(Recorded::new(&answers), INTERFACE, "wlan2", Nl80211Config::default())
}

/// The only station of a recorded datagram.
fn station(name: &str) -> Station {
    let datagram = fixture(name);
    let sequence = u32::from_le_bytes(datagram[8..12].try_into().expect("four bytes"));
    let mut dump = Dump::new(0x23, sequence);
    assert_eq!(dump.feed(&datagram), Ok(Progress::More));
    assert_eq!(dump.foreign(), 0);
    let [station] = dump.stations()[..] else { panic!("{:?}", dump.stations()) };
    station
}

/// As `iw dev wlan2 station dump` printed them just before and just after.
#[test]
fn a_station_is_read_as_iw_shows_it() {
    let first = Station {
        address: Address([2, 0, 0, 0, 0, 0]),
        interface: Some(INTERFACE),
        tx_packets: Some(224),
        tx_retries: Some(734),
        tx_failed: Some(5),
        tx_bytes: Some(224_299),
        tx_bytes64: Some(224_299),
        bitrate: Some(Rate::from_mbps(1040.0)),
        aggregates: true,
        expected_throughput: Some(Rate::from_bps(73_031e3)),
        tx_duration: Some(0),
        connected: Some(5),
        associated: Some(true),
    };
    assert_eq!(station("recorded_station"), first);
    let later = Station {
        tx_packets: Some(376),
        tx_retries: Some(1543),
        tx_failed: Some(10),
        tx_bytes: Some(383_751),
        tx_bytes64: Some(383_751),
        bitrate: Some(Rate::from_mbps(200.0)),
        expected_throughput: Some(Rate::from_bps(42e6)),
        connected: Some(7),
        ..first
    };
    assert_eq!(station("recorded_station_later"), later);
}

/// HT and the rates of 802.11a, which know no aggregates.
#[test]
fn rates_of_other_generations() {
    let other = station("recorded_station_other");
    assert_eq!(other.address, Address([2, 0, 0, 0, 1, 0]));
    assert_eq!((other.bitrate, other.aggregates), (Some(Rate::from_mbps(13.0)), true));
    assert_eq!(
        (other.tx_packets, other.tx_retries, other.tx_failed),
        (Some(218), Some(605), Some(4))
    );
    let legacy = station("recorded_station_legacy");
    assert_eq!((legacy.bitrate, legacy.aggregates), (Some(Rate::from_mbps(54.0)), false));
    assert_eq!(
        (legacy.tx_packets, legacy.tx_retries, legacy.tx_failed),
        (Some(215), Some(601), Some(9))
    );
}

#[test]
fn two_moments_give_their_difference() {
    let mut source = source(&["recorded_station", "recorded_station_later"]);
    let first = source.read(Time::ZERO).expect("recorded");
    assert_eq!((first.loss, first.delay), (None, None));
    let info = source.read(Time::from_millis(2250)).expect("recorded");
    // 5 of 152 packets, with Wilson's interval computed apart from this crate.
    let loss = info.loss.expect("packets were sent");
    assert_eq!(loss.packets, Some(152));
    assert!((loss.value.get() - 5.0 / 152.0).abs() < 1e-12, "{loss:?}");
    assert!((loss.low.get() - 0.014_131).abs() < 1e-6, "{loss:?}");
    assert!((loss.high.get() - 0.074_687).abs() < 1e-6, "{loss:?}");
    // 809 retries and 159 452 bytes, at 200 Mb/s. The counter of time on the air stands at zero
    // with this driver, and is no time.
    let delay = info.delay.expect("packets were sent");
    let micros = |span: Span| span.secs() * 1e6;
    assert!((micros(delay.low) - 265.293).abs() < 0.01, "{delay:?}");
    assert!((micros(delay.value) - 10_067.252).abs() < 0.01, "{delay:?}");
    assert!((micros(delay.high) - 47_871.563).abs() < 0.01, "{delay:?}");
    assert_eq!(info.rate, Some(Rate::from_bps(42e6)));
    assert_eq!(info.epoch, 0);
}

#[test]
fn a_move_is_a_handoff_and_begins_anew() {
    let mut source = source(&["recorded_station", "recorded_station_other", "recorded_station"]);
    let read = |source: &mut Nl80211Source<Recorded>, s: u64| {
        let info = source.read(Time::from_millis(1000 * s)).expect("recorded");
        (info.epoch, info.loss)
    };
    assert_eq!(read(&mut source, 0), (0, None));
    assert_eq!(read(&mut source, 1), (1, None));
    assert_eq!(read(&mut source, 2), (2, None));
}

/// The kernel lists an access point as soon as the device authenticates there. If it then refuses,
/// the device has not moved.
#[test]
fn an_access_point_counts_from_the_association_on() {
    let joining = "recorded_station_joining";
    assert_eq!(station(joining).associated, Some(false));
    let mut refused = source(&["recorded_station", joining, DONE, "recorded_station_later"]);
    let mut epochs = Vec::new();
    for s in 0..4_u64 {
        let info = refused.read(Time::from_millis(1000 * s)).expect("recorded");
        epochs.push(info.epoch);
        assert_eq!(refused.station().is_some(), s == 0 || s == 3);
        assert_eq!(info == LinkInfo::UNKNOWN, s == 1 || s == 2);
    }
    assert_eq!(epochs, [0; 4]);
    let mut taken = source(&["recorded_station", joining, "recorded_station_other"]);
    let epochs =
        [0_u64, 1, 2].map(|s| taken.read(Time::from_millis(1000 * s)).expect("recorded").epoch);
    assert_eq!(epochs, [0, 0, 1]);
}

/// Linux ends a dump with the error, where older descriptions have `NLMSG_ERROR`.
#[test]
fn an_interface_that_does_not_exist_is_refused() {
    let answers = Recorded::new(&[&["recorded_family"], &["recorded_no_device"]]);
    let mut gone = Nl80211Source::new(answers, 999, "gone", Nl80211Config::default());
    let error = gone.read(Time::ZERO).expect_err("the interface is gone");
    let refused = NetlinkError::Refused { errno: 19 };
    assert!(matches!(error, SourceError::Netlink(error) if error == refused), "{error}");
}

/// As after `iw dev wlan3 del; iw phy phy3 interface add wlan3 type managed`: 5 became 7.
#[test]
fn an_interface_that_was_made_again_is_found_by_its_name() {
    let station: &[&str] = &["recorded_station", DONE];
    let gone: &[&str] = &["recorded_no_device"];
    for (index, found) in [(Some(7), true), (Some(5), false), (None, false)] {
        let family: &[&str] = &["recorded_family"];
        let mut recorded = Recorded::new(&[family, gone, family, station]);
        recorded.index = index;
        let mut source = Nl80211Source::new(recorded, 5, "wlan3", Nl80211Config::default());
        let read = source.read(Time::ZERO);
        assert_eq!(read.is_ok(), found, "{index:?}: {read:?}");
    }
}

#[test]
fn the_family_of_a_real_kernel_is_found() {
    assert_eq!(family_id(&fixture("recorded_family"), 1), Ok(Some(0x23)));
    let absent = family_id(&fixture("recorded_no_family"), 1);
    assert_eq!(absent, Err(NetlinkError::Refused { errno: 2 }));
}
