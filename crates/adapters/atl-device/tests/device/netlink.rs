//! nl80211 against recorded messages. The recordings are those of a little-endian machine.
#![cfg(target_endian = "little")]

use atl_core::time::Time;
use atl_core::units::Rate;
use atl_device::nl80211::{
    Address, Dump, NetlinkError, NetlinkSocket, Nl80211Config, Nl80211Source, Progress, Station,
    family_id, get_family, get_station,
};
use atl_device::{LinkInfo, LinkSource, PacketCount, SourceError};
use proptest::prelude::*;

use crate::recorded::{Recorded, fixture};

const FAMILY: u16 = 0x23;

fn dump(name: &str) -> Result<(Progress, Vec<Station>, u64), NetlinkError> {
    let mut dump = Dump::new(FAMILY, 2);
    let progress = dump.feed(&fixture(name))?;
    Ok((progress, dump.stations().to_vec(), dump.foreign()))
}

fn source(answers: &[&[&str]]) -> Nl80211Source<Recorded> {
    Nl80211Source::new(Recorded::new(answers), 3, "wlan0", Nl80211Config::default())
}

fn seconds(s: u64) -> Time {
    Time::from_millis(1000 * s)
}

#[test]
fn a_station_with_all_attributes() {
    let (progress, stations, foreign) = dump("station_all").unwrap();
    assert_eq!((progress, foreign), (Progress::Done, 0));
    assert_eq!(
        stations,
        [Station {
            address: Address([2, 0, 0x5e, 0x10, 0, 1]),
            interface: Some(3),
            tx_packets: Some(100_000),
            tx_retries: Some(9000),
            tx_failed: Some(150),
            tx_bytes: Some(0x1234_5678),
            tx_bytes64: Some(0x2_1234_5678),
            bitrate: Some(Rate::from_mbps(286.8)),
            aggregates: true,
            expected_throughput: Some(Rate::from_bps(168_457e3)),
            tx_duration: None,
            connected: Some(600),
            associated: Some(true),
        }]
    );
    assert_eq!(stations[0].address.to_string(), "02:00:5e:10:00:01");
}

#[test]
fn an_old_kernel_leaves_out_what_it_does_not_know() {
    let (_, stations, _) = dump("station_old").unwrap();
    let [station] = stations[..] else { panic!("{stations:?}") };
    assert_eq!((station.tx_packets, station.tx_bytes), (Some(500), Some(600_000)));
    assert_eq!((station.tx_failed, station.tx_retries), (None, None));
    assert_eq!((station.tx_bytes64, station.connected), (None, None));
    assert_eq!(station.bitrate, Some(Rate::from_mbps(54.0)));
    assert!(!station.aggregates);
}

#[test]
fn several_stations_messages_of_others_and_none() {
    let (progress, stations, _) = dump("stations").unwrap();
    assert_eq!((progress, stations.len()), (Progress::Done, 3));
    assert_eq!(stations[2].tx_failed, Some(0xffff_fffe));
    let (_, stations, foreign) = dump("foreign").unwrap();
    assert_eq!((stations.len(), foreign), (1, 2));
    assert_eq!(stations[0].tx_packets, Some(100_000));
    assert_eq!(dump("empty").unwrap(), (Progress::Done, vec![], 0));
}

#[test]
fn refusals_and_broken_messages_are_errors() {
    assert_eq!(dump("interrupted"), Err(NetlinkError::Interrupted));
    assert_eq!(dump("no_device"), Err(NetlinkError::Refused { errno: 19 }));
    assert_eq!(dump("done_error"), Err(NetlinkError::Refused { errno: 95 }));
    assert_eq!(dump("truncated"), Err(NetlinkError::Truncated { at: 0 }));
    let wrong = NetlinkError::Length { attribute: 10, found: 2, expected: 4 };
    assert_eq!(dump("wrong_length"), Err(wrong));
}

#[test]
fn a_datagram_cut_off_anywhere_is_an_error_or_not_done() {
    let whole = fixture("station_all");
    for length in 0..whole.len() {
        let mut dump = Dump::new(FAMILY, 2);
        match dump.feed(&whole[..length]) {
            Ok(progress) => assert_eq!(progress, Progress::More, "at {length}"),
            Err(error) => assert!(matches!(error, NetlinkError::Truncated { .. }), "{error}"),
        }
    }
}

#[test]
fn the_family_has_a_number_or_is_absent() {
    assert_eq!(family_id(&fixture("family"), 1), Ok(Some(FAMILY)));
    assert_eq!(family_id(&fixture("family"), 9), Ok(None));
    assert_eq!(family_id(&fixture("no_family"), 1), Err(NetlinkError::Refused { errno: 2 }));
}

#[test]
fn requests_byte_by_byte() {
    let expected = [
        &[0x20, 0, 0, 0, 0x10, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0][..],
        &[3, 1, 0, 0, 12, 0, 2, 0],
        b"nl80211\0",
    ];
    assert_eq!(get_family(7), expected.concat());
    let expected = [
        &[0x1c, 0, 0, 0, 0x23, 0, 1, 3, 8, 0, 0, 0, 0, 0, 0, 0][..],
        &[17, 1, 0, 0, 8, 0, 3, 0, 3, 0, 0, 0],
    ];
    assert_eq!(get_station(FAMILY, 3, 8), expected.concat());
}

#[test]
fn two_dumps_give_loss_delay_and_rate() {
    let mut source = source(&[&["family"], &["station_all"], &["station_all_later"]]);
    let first = source.read(seconds(0)).unwrap();
    assert_eq!((first.loss, first.delay), (None, None));
    assert_eq!(first.rate, Some(Rate::from_bps(168_457e3)));
    let info = source.read(seconds(1)).unwrap();
    // 20 of 2000 packets, which mac80211 counts whether they fail or not.
    let loss = info.loss.unwrap();
    assert_eq!(loss.packets, Some(2000));
    assert!((loss.value.get() - 0.01).abs() < 1e-12);
    // Wilson's interval, computed independently.
    assert!((loss.low.get() - 0.006_483).abs() < 1e-6, "{loss:?}");
    assert!((loss.high.get() - 0.015_396).abs() < 1e-6, "{loss:?}");
    // 0.15 retries and 1200 bytes per packet: 33.47 us on the air for each of 1.15 attempts.
    let delay = info.delay.unwrap();
    assert!((delay.low.secs() * 1e6 - 1.15 * 9600.0 / 286.8).abs() < 0.01, "{delay:?}");
    assert!(delay.low < delay.value && delay.value < delay.high);
    assert_eq!(info.report().unwrap().loss, loss.value);
    assert_eq!(info.epoch, 0);
}

#[test]
fn a_driver_that_counts_delivered_packets() {
    let config = Nl80211Config { count: PacketCount::Delivered, ..Nl80211Config::default() };
    let recorded = Recorded::new(&[&["family"], &["station_all"], &["station_all_later"]]);
    let mut source = Nl80211Source::new(recorded, 3, "wlan0", config);
    source.read(seconds(0)).unwrap();
    let loss = source.read(seconds(1)).unwrap().loss.unwrap();
    assert_eq!(loss.packets, Some(2020));
    assert!((loss.value.get() - 20.0 / 2020.0).abs() < 1e-12);
}

#[test]
fn an_old_kernel_gives_neither_loss_nor_delay() {
    let mut source = source(&[&["family"], &["station_old"], &["station_old"]]);
    source.read(seconds(0)).unwrap();
    let info = source.read(seconds(1)).unwrap();
    assert_eq!((info.loss, info.delay, info.report()), (None, None, None));
    assert_eq!(info.bitrate, Some(Rate::from_mbps(54.0)));
}

#[test]
fn a_list_that_changes_is_read_again_and_not_forever() {
    let mut once = source(&[&["family"], &["interrupted"], &["station_all"]]);
    assert!(once.read(seconds(0)).is_ok());
    let interrupted: &[&str] = &["interrupted"];
    let mut always = source(&[
        &["family"],
        interrupted,
        interrupted,
        interrupted,
        interrupted,
        &["station_all"],
    ]);
    let error = always.read(seconds(0)).unwrap_err();
    assert!(matches!(error, SourceError::Netlink(NetlinkError::Interrupted)), "{error}");
}

#[test]
fn an_access_point_must_name_the_station() {
    let mut unnamed = source(&[&["family"], &["stations"]]);
    let message = unnamed.read(seconds(0)).unwrap_err().to_string();
    assert_eq!(message, "wlan0 has 3 stations: name one of them, such as 02:00:5e:10:00:11");
    let peer = Some(Address([2, 0, 0x5e, 0x10, 0, 0x12]));
    let config = Nl80211Config { peer, ..Nl80211Config::default() };
    let recorded = Recorded::new(&[&["family"], &["stations"]]);
    let mut named = Nl80211Source::new(recorded, 3, "wlan0", config);
    named.read(seconds(0)).unwrap();
    assert_eq!(named.station().unwrap().tx_packets, Some(77));
}

#[test]
fn without_a_station_nothing_is_known_and_the_next_association_begins_anew() {
    let mut source = source(&[
        &["family"],
        &["station_all"],
        &["empty"],
        &["station_all_later"],
        &["station_all_later"],
    ]);
    source.read(seconds(0)).unwrap();
    assert_eq!(source.read(seconds(1)).unwrap(), LinkInfo::UNKNOWN);
    assert_eq!(source.read(seconds(2)).unwrap().loss, None);
    // A third dump with the same counters.
    assert_eq!(source.read(seconds(3)).unwrap().loss, None);
}

#[test]
fn silence_and_absence_are_told() {
    let mut silent = source(&[&[]]);
    let error = silent.read(seconds(0)).unwrap_err();
    assert_eq!(error.to_string(), "nl80211 gave no answer within 200 ms");
    let mut absent = source(&[&["no_family"]]);
    let error = absent.read(seconds(0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this system has no nl80211: no driver of a wireless device is loaded"
    );
    let mut gone = source(&[&["family"], &["no_device"]]);
    let error = gone.read(seconds(0)).unwrap_err();
    assert!(error.to_string().contains("No such device"), "{error}");
}

#[test]
fn a_real_kernel_answers_or_says_that_it_has_no_nl80211() {
    // The loopback interface exists on every Linux and is never wireless.
    let mut source = match Nl80211Source::<NetlinkSocket>::open("lo", Nl80211Config::default()) {
        Ok(source) => source,
        // A sandbox may forbid netlink sockets.
        Err(error) => return assert!(matches!(error, SourceError::Io { .. }), "{error}"),
    };
    let error = source.read(Time::ZERO).expect_err("the loopback interface has no stations");
    let unfit = matches!(error, SourceError::Unfit { .. });
    let refused = matches!(error, SourceError::Netlink(NetlinkError::Refused { .. }));
    assert!(unfit || refused, "{error}");
    let error = Nl80211Source::<NetlinkSocket>::open("no-such-if", Nl80211Config::default());
    assert!(error.unwrap_err().to_string().starts_with("interface no-such-if: "));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), sequence in 0..3_u32) {
        let mut dump = Dump::new(FAMILY, sequence);
        let _ = dump.feed(&bytes);
        let _ = family_id(&bytes, sequence);
    }

    #[test]
    fn changed_recordings_do_not_panic(
        which in prop::sample::select(vec!["station_all", "stations", "station_old", "foreign", "family"]),
        changes in prop::collection::vec((any::<u16>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = fixture(which);
        for (at, value) in changes {
            let at = usize::from(at) % bytes.len();
            bytes[at] = value;
        }
        let mut dump = Dump::new(FAMILY, 2);
        let _ = dump.feed(&bytes);
        prop_assert!(dump.stations().len() <= 3);
        let _ = family_id(&bytes, 1);
    }
}
