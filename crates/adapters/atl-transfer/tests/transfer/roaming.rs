//! The sender moves to another network in the middle of a file. Its networks are addresses of
//! loopback: packets from 127.0.0.1 and from 127.0.0.2 take the same way to the receiver, and the
//! test can cut off either.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::window::{ControllerConfig, atl};
use atl_noq::Factory;
use atl_transfer::Transport;
use atl_transfer::observer::Event;
use atl_transfer::roam::{Addresses, Networks, Roam};
use atl_transfer::sender;
use tokio::sync::watch;

use crate::support::{Receiving, Road, Sending, file, noise, options, sending, transport};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 1));
const THERE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
const SIZE: usize = 6 << 20;

/// A sender whose networks the test controls.
struct Phone {
    road: Road,
    addresses: watch::Sender<Addresses>,
    sending: Sending,
}

impl Phone {
    fn start(dir: &Path, receiving: &Receiving, new_path: NewPath, also: Vec<IpAddr>) -> Self {
        let road = Road::to(receiving.ticket.addresses[0]);
        let first = Addresses { present: [HERE].into(), preferred: Some(HERE) };
        let (addresses, told) = watch::channel(first);
        let roam = Roam { new_path, also, networks: Networks::told(told) };
        let config = ControllerConfig::from(atl::Config::default());
        let transport = Transport {
            controller: Some(Arc::new(Factory::new(config).observing())),
            roam: Some(new_path),
            // Longer than the test: only the handoff saves the connection.
            idle: Duration::from_secs(20),
            ..transport()
        };
        let options = sender::Options {
            transport,
            roam: Some(roam),
            ..sending(&receiving.ticket, road.address)
        };
        let source = file(dir, "film", SIZE, 5);
        Phone { road, addresses, sending: Sending::start(&[source], options) }
    }

    fn has(&self, present: &[IpAddr], preferred: IpAddr) {
        let present = present.iter().copied().collect();
        self.addresses.send_replace(Addresses { present, preferred: Some(preferred) });
    }

    /// Waits until this many bytes have arrived.
    fn until(&self, bytes: u64) {
        let alarm = self.sending.watching.alarm(bytes);
        alarm.recv_timeout(Duration::from_secs(60)).expect("it goes on");
    }

    fn moved_to(&self, to: IpAddr) -> bool {
        let is_it = |event: &Event| matches!(event, Event::Moved { to: Some(at), .. } if *at == to);
        self.sending.watching.saw(is_it)
    }

    fn wait_for_move(&self, to: IpAddr) {
        let begun = Instant::now();
        while !self.moved_to(to) {
            assert!(begun.elapsed() < Duration::from_secs(30), "it does not move to {to}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn cut(&self, network: IpAddr) {
        self.road.cut.lock().expect("no panic").insert(network);
    }

    /// Asserts that the whole file arrives, over the first connection.
    fn arrives(self, dir: &Path, receiving: Receiving) {
        let lost = self.sending.watching.saw(|event| matches!(event, Event::Lost { .. }));
        let sent = self.sending.summary();
        assert!(sent.is_complete(), "{sent:?}");
        assert_eq!((sent.traffic.connections, lost), (1, false));
        receiving.summary();
        assert!(std::fs::read(dir.join("in/film")).expect("there") == noise(SIZE, 5));
    }
}

fn receiving(dir: &Path) -> Receiving {
    let transport = Transport { idle: Duration::from_secs(20), ..transport() };
    let options = atl_transfer::receiver::Options { transport, ..options() };
    Receiving::start(&dir.join("in"), false, options)
}

/// The second network is there before the first one goes: its path is opened, probed if that is
/// wanted, and taken.
#[test]
fn with_overlap_the_file_goes_on_over_the_second_path() {
    let probe = Probe { dummies: Some(100), meanwhile: Meanwhile::Old, ..Probe::DEFAULT };
    for new_path in [NewPath::Reset, NewPath::RESUME, NewPath::Probe(probe)] {
        let dir = tempfile::tempdir().expect("a folder");
        let receiving = receiving(dir.path());
        let phone = Phone::start(dir.path(), &receiving, new_path, vec![THERE]);
        phone.until(300_000);
        phone.has(&[HERE, THERE], HERE);
        phone.until(1_500_000);
        assert!(!phone.moved_to(THERE), "it waits for the host");
        phone.has(&[HERE, THERE], THERE);
        phone.wait_for_move(THERE);
        let probed = |event: &Event| matches!(event, Event::Moved { window: Some(_), .. });
        let wanted = matches!(new_path, NewPath::Probe(_));
        assert_eq!(phone.sending.watching.saw(probed), wanted, "{new_path:?}");
        phone.until(3_000_000);
        phone.cut(HERE);
        phone.has(&[THERE], THERE);
        phone.arrives(dir.path(), receiving);
    }
}

/// The first network goes before the second one exists.
#[test]
fn without_overlap_the_file_resumes() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let phone = Phone::start(dir.path(), &receiving, NewPath::RESUME, vec![]);
    phone.until(1_000_000);
    phone.cut(HERE);
    phone.addresses.send_replace(Addresses::default());
    thread::sleep(Duration::from_millis(300));
    phone.has(&[THERE], THERE);
    phone.wait_for_move(THERE);
    phone.arrives(dir.path(), receiving);
}

/// There and back: the sender still knows the first path's window.
#[test]
fn it_comes_back() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let phone = Phone::start(dir.path(), &receiving, NewPath::RESUME, vec![HERE, THERE]);
    phone.until(1_000_000);
    phone.has(&[HERE, THERE], THERE);
    phone.wait_for_move(THERE);
    phone.until(3_000_000);
    phone.has(&[HERE, THERE], HERE);
    phone.wait_for_move(HERE);
    phone.arrives(dir.path(), receiving);
}

/// The sender does not leave a working network for one that carries nothing.
#[test]
fn a_network_that_carries_nothing_is_not_used() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let phone = Phone::start(dir.path(), &receiving, NewPath::Reset, vec![THERE]);
    phone.cut(THERE);
    phone.until(300_000);
    phone.has(&[HERE, THERE], THERE);
    phone.until(4_000_000);
    assert!(!phone.moved_to(THERE));
    phone.arrives(dir.path(), receiving);
}
