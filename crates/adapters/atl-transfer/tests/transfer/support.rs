//! Receivers and senders in threads of their own, which can be killed, and a path between them that
//! can be cut.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use atl_transfer::Transport;
use atl_transfer::folder::Folder;
use atl_transfer::observer::{Event, Observer};
use atl_transfer::receiver::{self, Receiver};
use atl_transfer::sender::{self, Listing, Work};
use atl_transfer::ticket::Ticket;
use noq::crypto::rustls::QuicServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tokio::net::UdpSocket;
use tokio::runtime::{Builder, Runtime};

pub(crate) const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Pseudo-random bytes, which do not repeat.
pub(crate) fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

/// Settings with a short idle timeout.
pub(crate) fn transport() -> Transport {
    Transport { idle: Duration::from_millis(600), ..Transport::default() }
}

pub(crate) fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
}

/// A QUIC server that speaks `alpn`, with a certificate of its own.
pub(crate) fn quic_server(alpn: &[u8]) -> noq::ServerConfig {
    let key = rcgen::generate_simple_self_signed(vec!["x".to_owned()]).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_single_cert(
            vec![key.cert.der().clone()],
            PrivatePkcs8KeyDer::from(key.signing_key.serialize_der()).into(),
        )
        .expect("a key");
    tls.alpn_protocols = vec![alpn.to_vec()];
    noq::ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls).expect("a suite")))
}

/// Records events, and signals when a number of bytes has arrived.
#[derive(Default)]
pub(crate) struct Watching {
    pub(crate) events: Mutex<Vec<Event>>,
    alarm: Mutex<Option<(u64, mpsc::Sender<()>)>>,
}

impl Watching {
    /// A channel that gets a message when `at` bytes have arrived.
    pub(crate) fn alarm(&self, at: u64) -> mpsc::Receiver<()> {
        let (sender, alarm) = mpsc::channel();
        *self.alarm.lock().expect("no panic") = Some((at, sender));
        alarm
    }

    pub(crate) fn saw(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.lock().expect("no panic").iter().any(wanted)
    }
}

impl Observer for Watching {
    fn on_event(&self, event: &Event) {
        self.events.lock().expect("no panic").push(event.clone());
    }

    fn on_progress(&self, arrived: u64, _total: u64) {
        let mut alarm = self.alarm.lock().expect("no panic");
        if let Some((_, sender)) = alarm.take_if(|(at, _)| arrived >= *at) {
            let _ = sender.send(());
        }
    }
}

pub(crate) fn options() -> receiver::Options {
    receiver::Options { transport: transport(), ..receiver::Options::at(LOOPBACK) }
}

/// A receiver in a runtime of its own.
pub(crate) struct Receiving {
    runtime: Runtime,
    pub(crate) ticket: Ticket,
    pub(crate) continues: bool,
    pub(crate) watching: Arc<Watching>,
    done: mpsc::Receiver<receiver::Summary>,
}

impl Receiving {
    pub(crate) fn start(into: &Path, force: bool, options: receiver::Options) -> Self {
        let runtime = runtime();
        // A receiver that was just killed may still hold the folder's lock.
        let folder = (0..500).find_map(|_| {
            let folder = Folder::open(into, force).ok();
            if folder.is_none() {
                thread::sleep(Duration::from_millis(10));
            }
            folder
        });
        let folder = folder.expect("a folder");
        let watching = Arc::new(Watching::default());
        let observer: Arc<dyn Observer> = watching.clone();
        let receiver = runtime.block_on(async { Receiver::bind(folder, options, observer) });
        let receiver = receiver.expect("it listens");
        let (ticket, continues) = (receiver.ticket().clone(), receiver.continues());
        let (sender, done) = mpsc::channel();
        runtime.spawn(async move {
            let _ = sender.send(receiver.run(std::future::pending()).await);
        });
        Receiving { runtime, ticket, continues, watching, done }
    }

    /// Kills it, without a message to the sender. Returns its summary if it had received everything
    /// before.
    pub(crate) fn kill(self) -> Option<receiver::Summary> {
        // Returns once the socket is free again.
        self.runtime.shutdown_timeout(Duration::from_secs(5));
        self.done.try_recv().ok()
    }

    /// Waits until it has received everything.
    pub(crate) fn summary(self) -> receiver::Summary {
        self.summary_within(Duration::from_secs(60)).expect("it ends")
    }

    /// The same, for at most this time.
    pub(crate) fn summary_within(&self, most: Duration) -> Option<receiver::Summary> {
        self.done.recv_timeout(most).ok()
    }

    /// Its summary once it has received everything.
    pub(crate) fn is_done(&self) -> Option<receiver::Summary> {
        self.done.try_recv().ok()
    }
}

pub(crate) fn sending(ticket: &Ticket, to: SocketAddr) -> sender::Options {
    let options = sender::Options::with_ticket(ticket);
    sender::Options { to: vec![to], transport: transport(), ..options }
}

/// A sender in a runtime of its own.
pub(crate) struct Sending {
    runtime: Runtime,
    pub(crate) watching: Arc<Watching>,
    done: mpsc::Receiver<sender::Summary>,
}

impl Sending {
    pub(crate) fn start(files: &[PathBuf], options: sender::Options) -> Self {
        let listing = Listing::of(files, &[]).expect("files");
        let watching = Arc::new(Watching::default());
        Self::work(Work::Files(listing.entries), options, watching)
    }

    pub(crate) fn work(work: Work, options: sender::Options, watching: Arc<Watching>) -> Self {
        let runtime = runtime();
        let observer: Arc<dyn Observer> = watching.clone();
        let (sender, done) = mpsc::channel();
        runtime.spawn(async move {
            let sent = sender::send(work, &options, observer, std::future::pending()).await;
            let _ = sender.send(sent);
        });
        Sending { runtime, watching, done }
    }

    /// Kills it, without a message to the receiver.
    pub(crate) fn kill(self) {
        self.runtime.shutdown_background();
    }

    pub(crate) fn summary(self) -> sender::Summary {
        self.done.recv_timeout(Duration::from_secs(90)).expect("it ends")
    }
}

/// A slow path to a receiver, which the test can cut.
pub(crate) struct Road {
    _runtime: Runtime,
    pub(crate) address: SocketAddr,
    pub(crate) open: Arc<AtomicBool>,
    /// Set once: from then on packets come from another port, as after a NAT has lost its state.
    pub(crate) rebind: Arc<AtomicBool>,
    /// Networks, by their local addresses, whose packets are dropped.
    pub(crate) cut: Cut,
}

/// Local addresses of networks that are cut off.
pub(crate) type Cut = Arc<Mutex<BTreeSet<IpAddr>>>;

impl Road {
    /// A path to `to` over which some 4 MB pass in a second.
    pub(crate) fn to(to: SocketAddr) -> Self {
        let runtime = runtime();
        let open = Arc::new(AtomicBool::new(true));
        let socket = runtime.block_on(UdpSocket::bind(LOOPBACK)).expect("loopback");
        let address = socket.local_addr().expect("bound");
        let rebind = Arc::new(AtomicBool::new(false));
        let cut = Cut::default();
        let ends = (Arc::clone(&open), Arc::clone(&cut));
        runtime.spawn(forward(Arc::new(socket), to, ends, Arc::clone(&rebind)));
        Road { _runtime: runtime, address, open, rebind, cut }
    }
}

async fn forward(
    socket: Arc<UdpSocket>,
    to: SocketAddr,
    (open, cut): (Arc<AtomicBool>, Cut),
    rebind: Arc<AtomicBool>,
) {
    let mut clients: BTreeMap<SocketAddr, Arc<UdpSocket>> = BTreeMap::new();
    let mut buffer = vec![0; 65_536];
    let mut passed = 0_u64;
    while let Ok((length, from)) = socket.recv_from(&mut buffer).await {
        if rebind.swap(false, Ordering::Relaxed) {
            clients.clear();
        }
        if let Entry::Vacant(client) = clients.entry(from) {
            let up = Arc::new(UdpSocket::bind(LOOPBACK).await.expect("loopback"));
            let ends = (Arc::clone(&open), Arc::clone(&cut));
            tokio::spawn(back(Arc::clone(&up), Arc::clone(&socket), from, ends));
            client.insert(up);
        }
        passed += 1;
        if passed.is_multiple_of(4) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if open.load(Ordering::Relaxed) && !is_cut(&cut, from) {
            let _ = clients[&from].send_to(&buffer[..length], to).await;
        }
    }
}

fn is_cut(cut: &Cut, client: SocketAddr) -> bool {
    cut.lock().expect("no panic").contains(&client.ip())
}

async fn back(
    up: Arc<UdpSocket>,
    down: Arc<UdpSocket>,
    to: SocketAddr,
    (open, cut): (Arc<AtomicBool>, Cut),
) {
    let mut buffer = vec![0; 65_536];
    loop {
        // An ICMP error means that no receiver listens at the moment; the path stays.
        let Ok((length, _)) = up.recv_from(&mut buffer).await else { continue };
        if open.load(Ordering::Relaxed) && !is_cut(&cut, to) {
            let _ = down.send_to(&buffer[..length], to).await;
        }
    }
}

/// A file with noise in a new folder.
pub(crate) fn file(folder: &Path, name: &str, length: usize, seed: u64) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, noise(length, seed)).expect("written");
    path
}

/// Everything below a folder, with contents, by path; the state folder too.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("readable").path();
            let name = path.strip_prefix(folder).expect("below").display().to_string();
            if path.is_dir() && !path.is_symlink() {
                found.insert(name, None);
                folders.push(path);
            } else {
                found.insert(name, fs::read(&path).ok());
            }
        }
    }
    found
}
