//! Roaming: a connection that continues when this host moves to another network.
//!
//! The sender opens paths (QUIC's multipath extension) and says which one is in use; the receiver
//! follows. [`atl_noq::roaming`] decides about paths; this module reports networks and paths to it,
//! and carries its decisions out.

mod networks;

use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Instant;

use atl_core::roaming::NewPath;
use atl_noq::roaming::{Config, Happened, Roaming, Role};
use futures_core::Stream as _;
use noq::{Connection, FourTuple, PathEvents, PathId};
use tokio::task::yield_now;
use tokio::time::sleep_until;

pub use networks::{Addresses, Networks};

use crate::observer::{Event, Observer};

/// Limit on the path numbers of a connection that are looked up. Few paths are open at a time, and
/// they are closed in order.
const NUMBERS: u32 = 64;
/// Limit on the probes that are sent at one time.
const TURNS: usize = 64;

/// Settings of a sender that roams.
#[derive(Clone, Debug)]
pub struct Roam {
    /// The start of the controller on a new path.
    pub new_path: NewPath,
    /// Local addresses from which a path is kept as backup while they exist.
    pub also: Vec<IpAddr>,
    /// The addresses of this host as they change.
    pub networks: Networks,
}

/// The paths of a connection that are open.
pub(crate) fn open_paths(connection: &Connection) -> impl Iterator<Item = PathId> + '_ {
    let ids = (0..NUMBERS).map(PathId::from);
    ids.filter(|id| connection.path(*id).is_some())
}

/// Lets a sender's connection roam, as long as it is polled.
pub(crate) async fn mobile(
    connection: Connection,
    peer: SocketAddr,
    roam: &Roam,
    observer: &dyn Observer,
) {
    if !connection.is_multipath_enabled() {
        return;
    }
    let mut networks = roam.networks.watch();
    let known = networks.borrow_and_update().clone();
    let mut at = known.preferred;
    let network = |ip| FourTuple::new(peer, Some(ip));
    let first = FourTuple::new(peer, at);
    let config = Config::new(Role::Mobile).new_path(roam.new_path);
    let mut link = Link::new(connection, config, first);
    let mut opened: Vec<IpAddr> = Vec::new();
    let mut fresh = Some(known);
    loop {
        if let Some(now_here) = fresh.take() {
            let now = Instant::now();
            for ip in roam.also.iter().filter(|ip| now_here.present.contains(ip)) {
                if Some(*ip) != at && !opened.contains(ip) {
                    opened.push(*ip);
                    link.roaming.on_imminent(now, network(*ip));
                }
            }
            if let Some(preferred) = now_here.preferred.filter(|ip| Some(*ip) != at) {
                link.roaming.on_done(now, network(preferred));
                if let Some(before) = at.replace(preferred) {
                    opened.push(before);
                }
            }
            let gone = |ip: &IpAddr| !now_here.present.contains(ip);
            for ip in opened.extract_if(.., |ip| gone(ip)) {
                link.roaming.on_gone(now, network(ip));
            }
            if let Some(ip) = at.filter(gone) {
                link.roaming.on_gone(now, network(ip));
            }
        }
        let due = link.poll_with(|happened, connection| tell(happened, connection, observer)).await;
        tokio::select! {
            changed = networks.changed() => {
                if changed.is_err() {
                    // The watcher has ended: the connection stays on its path.
                    return std::future::pending().await;
                }
                fresh = Some(networks.borrow_and_update().clone());
            }
            more = link.wait(due) => if !more { return },
        }
    }
}

/// Follows a sender's connection from path to path, for as long as it is polled.
pub(crate) async fn fixed(connection: Connection) {
    let Some(first) = connection.path(PathId::ZERO).and_then(|path| path.network_path().ok())
    else {
        return;
    };
    if !connection.is_multipath_enabled() {
        return;
    }
    let config = Config::new(Role::Fixed).new_path(NewPath::Reset);
    let mut link = Link::new(connection, config, first);
    loop {
        let due = link.poll_with(|_, _| {}).await;
        if !link.wait(due).await {
            return;
        }
    }
}

fn tell(happened: &Happened, connection: &Connection, observer: &dyn Observer) {
    let local = |path: PathId| {
        let network = connection.path(path)?.network_path().ok()?;
        network.local_ip()
    };
    match happened {
        Happened::Moved { to, found, .. } => observer.on_event(&Event::Moved {
            to: local(*to),
            window: found.as_ref().map(|found| found.window().0),
        }),
        Happened::Stayed { network, reason } => {
            let why = match reason {
                Some(reason) => reason.to_string(),
                None => "no answer over it".to_owned(),
            };
            observer.on_event(&Event::Stayed { network: network.local_ip(), why });
        }
        _ => {}
    }
}

/// A connection and the state of its roaming.
struct Link {
    connection: Connection,
    roaming: Roaming,
    events: PathEvents,
}

impl Link {
    fn new(connection: Connection, config: Config, first: FourTuple) -> Self {
        let roaming = Roaming::new(Instant::now(), config, first, &connection);
        let events = connection.path_events();
        Link { connection, roaming, events }
    }

    /// Does everything that is due. Returns the time of the next action.
    async fn poll_with(&mut self, mut each: impl FnMut(&Happened, &Connection)) -> Option<Instant> {
        loop {
            let now = Instant::now();
            let before = self.connection.stats().udp_tx.datagrams;
            let due = self.roaming.poll(now, &mut self.connection);
            for happened in self.roaming.take_happened() {
                each(&happened, &self.connection);
            }
            if due.is_none_or(|due| due > Instant::now()) {
                return due;
            }
            // Two probes that wait would leave as one: the first must be sent before the next is
            // due.
            for _ in 0..TURNS {
                yield_now().await;
                if self.connection.stats().udp_tx.datagrams > before {
                    break;
                }
            }
        }
    }

    /// Waits for an event of a path, and takes it, or until `due`. False once no events can come.
    async fn wait(&mut self, due: Option<Instant>) -> bool {
        let Link { connection, roaming, events } = self;
        let sleep = async {
            match due {
                Some(due) => sleep_until(due.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            event = poll_fn(|context| pin!(&mut *events).poll_next(context)) => match event {
                Some(Ok(event)) => {
                    roaming.on_path_event(Instant::now(), &event, connection);
                    true
                }
                // Some events were missed; the state that they led to is read instead.
                Some(Err(_)) => true,
                None => false,
            },
            () = sleep => true,
        }
    }
}
