//! Controllers behind the trait of s2n-quic: its own, and one of ours, sound and with a mistake.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use atl_lab::{Case, metric, scenario_text, suite};
use s2n_quic_core::random::Generator;
use s2n_quic_core::recovery::congestion_controller::{Endpoint, PathInfo, Publisher};
use s2n_quic_core::recovery::{
    CongestionController, CubicCongestionController, RttEstimator, bbr, cubic,
};
use s2n_quic_core::time::Timestamp;

use crate::cases::PATH;

/// In s2n-quic 0.91 a controller is not told when a lost packet was sent.
const LATE: &str = "s2n-quic 0.91 takes a packet that was sent before a recovery for a new loss once that recovery is over";

#[test]
fn cubic_of_s2n_passes_but_for_losses_found_after_their_recovery() {
    for name in ["rfc9002", "rfc9743"] {
        let endpoint = cubic::builder::Builder::default().build();
        suite(name).with_s2n(endpoint).known("repeated-reduction", LATE).run();
    }
}

#[test]
fn the_same_seeds_give_the_same_numbers() {
    let report = || {
        let case = scenario_text("path", PATH).with_s2n(bbr::Endpoint::default()).on("new");
        let expected = metric("goodput").of("new").at_least("100Mb/s");
        case.expect(expected).check().expect_err("the link has less").to_string()
    };
    assert_eq!(report(), report());
}

/// The reports to a controller, in bytes.
#[derive(Debug, Default)]
struct Ledger {
    sent: AtomicU64,
    acked: AtomicU64,
    lost: AtomicU64,
    discarded: AtomicU64,
}

impl Ledger {
    fn add(to: &AtomicU64, bytes: usize) {
        to.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// CUBIC of s2n-quic, with a ledger; a deaf one ignores losses.
#[derive(Clone, Debug)]
struct Own {
    cubic: CubicCongestionController,
    deaf: bool,
    ledger: Arc<Ledger>,
    newest: Option<Timestamp>,
}

#[derive(Debug)]
struct OwnEndpoint {
    deaf: bool,
    ledger: Arc<Ledger>,
}

impl Endpoint for OwnEndpoint {
    type CongestionController = Own;

    fn new_congestion_controller(&mut self, path: PathInfo<'_>) -> Own {
        let cubic = cubic::builder::Builder::default().build().new_congestion_controller(path);
        Own { cubic, deaf: self.deaf, ledger: Arc::clone(&self.ledger), newest: None }
    }
}

impl CongestionController for Own {
    /// The size of the packet, in bytes.
    type PacketInfo = usize;

    fn congestion_window(&self) -> u32 {
        self.cubic.congestion_window()
    }

    fn bytes_in_flight(&self) -> u32 {
        self.cubic.bytes_in_flight()
    }

    fn is_congestion_limited(&self) -> bool {
        self.cubic.is_congestion_limited()
    }

    fn requires_fast_retransmission(&self) -> bool {
        self.cubic.requires_fast_retransmission()
    }

    fn on_packet_sent<Pub: Publisher>(
        &mut self,
        time_sent: Timestamp,
        sent_bytes: usize,
        app_limited: Option<bool>,
        rtt: &RttEstimator,
        publisher: &mut Pub,
    ) -> usize {
        Ledger::add(&self.ledger.sent, sent_bytes);
        self.cubic.on_packet_sent(time_sent, sent_bytes, app_limited, rtt, publisher);
        sent_bytes
    }

    fn on_rtt_update<Pub: Publisher>(
        &mut self,
        time_sent: Timestamp,
        now: Timestamp,
        rtt: &RttEstimator,
        publisher: &mut Pub,
    ) {
        assert!(rtt.latest_rtt() <= now - time_sent + std::time::Duration::from_micros(1));
        self.cubic.on_rtt_update(time_sent, now, rtt, publisher);
    }

    fn on_ack<Pub: Publisher>(
        &mut self,
        newest_acked_time_sent: Timestamp,
        bytes_acknowledged: usize,
        info: usize,
        rtt: &RttEstimator,
        random: &mut dyn Generator,
        now: Timestamp,
        publisher: &mut Pub,
    ) {
        // The note that comes back belongs to one of the packets that arrived.
        assert!(bytes_acknowledged >= info && newest_acked_time_sent <= now);
        assert!(self.newest <= Some(now), "time runs backwards");
        self.newest = Some(now);
        Ledger::add(&self.ledger.acked, bytes_acknowledged);
        self.cubic.on_ack(
            newest_acked_time_sent,
            bytes_acknowledged,
            (),
            rtt,
            random,
            now,
            publisher,
        );
    }

    fn on_packet_lost<Pub: Publisher>(
        &mut self,
        lost_bytes: u32,
        info: usize,
        persistent: bool,
        new_burst: bool,
        random: &mut dyn Generator,
        now: Timestamp,
        publisher: &mut Pub,
    ) {
        assert_eq!(lost_bytes as usize, info, "these are another packet's notes");
        Ledger::add(&self.ledger.lost, info);
        if self.deaf {
            return self.cubic.on_packet_discarded(info, publisher);
        }
        self.cubic.on_packet_lost(lost_bytes, (), persistent, new_burst, random, now, publisher);
    }

    fn on_explicit_congestion<Pub: Publisher>(
        &mut self,
        ce_count: u64,
        now: Timestamp,
        publisher: &mut Pub,
    ) {
        self.cubic.on_explicit_congestion(ce_count, now, publisher);
    }

    fn on_mtu_update<Pub: Publisher>(&mut self, size: u16, publisher: &mut Pub) {
        self.cubic.on_mtu_update(size, publisher);
    }

    fn on_packet_discarded<Pub: Publisher>(&mut self, bytes: usize, publisher: &mut Pub) {
        Ledger::add(&self.ledger.discarded, bytes);
        self.cubic.on_packet_discarded(bytes, publisher);
    }

    fn earliest_departure_time(&self) -> Option<Timestamp> {
        self.cubic.earliest_departure_time()
    }
}

fn own(deaf: bool) -> (OwnEndpoint, Arc<Ledger>) {
    let ledger = Arc::new(Ledger::default());
    (OwnEndpoint { deaf, ledger: Arc::clone(&ledger) }, ledger)
}

fn lossy() -> Case {
    scenario_text("path", PATH).on("new").set("loss", "1e-2").seeds(1)
}

/// Every byte leaves the flight once, and the rest is at most a window.
#[test]
fn what_is_sent_is_acknowledged_lost_or_discarded() {
    let (endpoint, ledger) = own(false);
    let found = lossy().with_s2n(endpoint).check();
    assert!(found.is_ok(), "{found:?}");
    let [sent, acked, lost, discarded] =
        [&ledger.sent, &ledger.acked, &ledger.lost, &ledger.discarded]
            .map(|bytes| bytes.load(Ordering::Relaxed));
    assert!(sent > 1_000_000 && lost > 10_000, "{ledger:?}");
    let left = sent.checked_sub(acked + lost + discarded).expect("no byte counts twice");
    assert!(left < 300_000 && discarded < 20_000, "{left} bytes are left: {ledger:?}");
}

#[test]
fn a_controller_that_is_deaf_to_losses_is_found() {
    let report = suite("rfc9002").with_s2n(own(true).0).only("heavy-loss").check();
    let text = report.expect("it runs").to_string();
    assert!(text.contains("no-reaction"), "{text}");
}
