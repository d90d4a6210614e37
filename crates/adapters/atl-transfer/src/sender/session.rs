//! A transfer from its beginning to its end, over as many connections as it takes.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use atl_core::path::Reports;
use noq::{Connection, ConnectionError, RecvStream, SendStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::connect::{Connected, connect};
use super::file::{self, Failed};
use super::meter::Meter;
use super::summary::{Fate, Summary, Traffic};
use super::{Entry, Options, Work, load, names, reports};
use crate::channel;
use crate::error::{Close, Error};
use crate::folder::Refusal;
use crate::identity;
use crate::marks::MarkWatch;
use crate::name::Limits;
use crate::observer::{Event, Observer};
use crate::report::ReportCounts;
use crate::roam;
use crate::tasks::outcome;
use crate::transport::STREAMS;
use crate::wire::{FEATURE_LINK_REPORTS, Hello, MAX_REFUSAL, Message, Reason, Welcome};

/// Wait before the second attempt; later ones are longer, up to the limit below.
const FIRST_WAIT: Duration = Duration::from_millis(300);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Limit on the time to say goodbye, and on the number of tries. A receiver that misses it waits
/// for more data.
const FAREWELL: Duration = Duration::from_secs(3);
const FAREWELLS: u32 = 3;
/// Time for a receiver to tell what has arrived before an interrupted transfer ends: it does so
/// five times a second.
const LAST_WORD: Duration = Duration::from_millis(300);

/// Sends everything, until `stop` completes.
///
/// A connection that breaks is replaced by another one, over which files go on where they stopped.
/// A generated load is not continued.
pub async fn send(
    work: Work,
    options: &Options,
    observer: Arc<dyn Observer>,
    stop: impl Future<Output = ()>,
) -> Summary {
    let (entries, load) = match work {
        Work::Files(entries) => (entries, None),
        Work::Load(load) => (Vec::new(), Some(load)),
    };
    let total = match load {
        None => entries.iter().map(Entry::size).fold(0, u64::saturating_add),
        Some(load::Load::Bytes(bytes)) => bytes,
        Some(load::Load::For(_)) => 0,
    };
    let mut session = Session {
        options,
        observer,
        id: [0; 16],
        fates: vec![Fate::Pending; entries.len()],
        entries,
        load,
        total,
        loaded: None,
        instance: None,
        begun: None,
        arrived: 0,
        traffic: Traffic::default(),
        connection: None,
        meter: None,
    };
    let ended = session.run_until(stop).await;
    session.end(ended).await
}

/// The error for a receiver that may not know that everything has arrived.
fn unheard() -> Error {
    Error::Lost("the receiver does not say goodbye".to_owned())
}

struct Session<'a> {
    options: &'a Options,
    observer: Arc<dyn Observer>,
    id: [u8; 16],
    entries: Vec<Entry>,
    fates: Vec<Fate>,
    load: Option<load::Load>,
    total: u64,
    loaded: Option<load::Loaded>,
    /// The receiver's run, to notice a restart.
    instance: Option<u64>,
    begun: Option<Instant>,
    /// Bytes that arrived over earlier connections.
    arrived: u64,
    traffic: Traffic,
    connection: Option<Connected>,
    /// Counts of the connection under way.
    meter: Option<Arc<Meter>>,
}

impl Session<'_> {
    /// Sends everything, until `stop` completes.
    async fn run_until(&mut self, stop: impl Future<Output = ()>) -> Result<(), Error> {
        let run = self.run();
        tokio::pin!(run);
        tokio::select! {
            ended = &mut run => return ended,
            () = stop => {}
        }
        match timeout(LAST_WORD, run).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Error::Interrupted),
        }
    }

    async fn run(&mut self) -> Result<(), Error> {
        self.id = identity::random()?;
        let (mut since, mut reached) = (Instant::now(), false);
        let mut wait = FIRST_WAIT;
        let mut farewells = 0;
        loop {
            let arrived = self.arrived;
            let attempt = match self.is_done() {
                true => timeout(FAREWELL, self.attempt()).await.unwrap_or_else(|_| Err(unheard())),
                false => self.attempt().await,
            };
            self.leave();
            let error = match attempt {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            if self.is_done() {
                farewells += 1;
                if farewells > FAREWELLS || !error.is_passing() {
                    return Ok(());
                }
                sleep(FIRST_WAIT).await;
                continue;
            }
            let first = self.instance.is_some() && !reached;
            reached = self.instance.is_some();
            if self.arrived > arrived || first {
                (since, wait) = (Instant::now(), FIRST_WAIT);
            }
            let hopeless = reached && self.load.is_some();
            if !error.is_passing() || hopeless || since.elapsed() + wait > self.options.patience {
                return Err(error);
            }
            let why = error.to_string();
            self.observer.on_event(&match reached {
                true => Event::Lost { why, wait: Some(wait) },
                false => Event::Unreached { why, wait },
            });
            sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Sends the rest over one connection.
    async fn attempt(&mut self) -> Result<(), Error> {
        let connected = self.connection.insert(connect(self.options).await?);
        let connection = connected.connection.clone();
        let (peer, found) = (connected.peer, connected.trust.found());
        let (mut out, mut back) = connection.open_bi().await?;
        let welcome = self.greet(&mut out, &mut back).await?;
        let again = self.begun.is_some();
        self.begun.get_or_insert_with(Instant::now);
        let before = self.instance.replace(welcome.instance);
        let restarted = before.is_some_and(|before| before != welcome.instance);
        self.traffic.connections += 1;
        self.observer.on_event(&Event::Connected { peer, again, restarted });
        if !again {
            self.judge(welcome.limits)?;
        }
        if self.options.fingerprint.is_none()
            && let Some(found) = found
        {
            self.observer.on_event(&Event::Unchecked { found });
        }

        let meter = Arc::new(Meter::new(self.done(), self.total, Arc::clone(&self.observer)));
        self.meter = Some(Arc::clone(&meter));
        let (counts, counted) = watch::channel(ReportCounts::default());
        // Aborts its tasks at the end of this attempt.
        let mut aside = JoinSet::new();
        let told = Arc::clone(&meter);
        aside.spawn(async move {
            while let Ok(Message::Progress(bytes)) = channel::read(&mut back, MAX_REFUSAL).await {
                told.arrived(bytes);
            }
        });
        if let Some(reports) = &self.options.reports {
            self.listen(&mut aside, &connection, reports, welcome, counts);
        }
        if let Some(roam) = self.options.roam.clone() {
            let (connection, observer) = (connection.clone(), Arc::clone(&self.observer));
            aside.spawn(async move { roam::mobile(connection, peer, &roam, &*observer).await });
        }
        let worked = match self.load.filter(|_| self.loaded.is_none()) {
            Some(load) => load::send(&connection, load).await.map(|loaded| {
                meter.arrived(loaded.bytes);
                self.loaded = Some(loaded);
            }),
            None => self.files(&connection, &meter).await,
        };
        self.count();
        self.traffic.add_reports(*counted.borrow());
        // The reason why a connection ended says more than the error of a stream.
        let worked = match (worked, channel::ended(&connection)) {
            (Err(Error::Peer(_) | Error::Abandoned(_)), Some(why)) => Err(why),
            (worked, _) => worked,
        };
        worked?;
        channel::write(&mut out, &Message::Bye).await?;
        let _ = out.finish();
        match timeout(FAREWELL, connection.closed()).await {
            // The receiver closes the connection when it has the goodbye.
            Ok(ConnectionError::ApplicationClosed(_)) => Ok(()),
            Ok(_) | Err(_) => Err(unheard()),
        }
    }

    /// True if nothing is left to send.
    fn is_done(&self) -> bool {
        match self.load {
            Some(_) => self.loaded.is_some(),
            None => self.begun.is_some() && !self.fates.contains(&Fate::Pending),
        }
    }

    async fn greet(&self, out: &mut SendStream, back: &mut RecvStream) -> Result<Welcome, Error> {
        let features = if self.options.reports.is_some() { FEATURE_LINK_REPORTS } else { 0 };
        let secret = self.options.secret.unwrap_or_default();
        let hello = Hello { session: self.id, secret, features, bytes: self.total };
        channel::write(out, &Message::Hello(hello)).await?;
        match channel::read_soon(back, MAX_REFUSAL).await? {
            Message::Welcome(welcome) => Ok(welcome),
            Message::Refused { reason: Reason::Secret, .. } => {
                let text = match self.options.secret {
                    Some(_) => {
                        "the ticket is not one of this receiver, or has expired: ask for a new one"
                    }
                    None => {
                        "it wants a ticket: give the one that it shows, or start it with --anyone"
                    }
                };
                let text = text.to_owned();
                Err(Error::Refused(Refusal { reason: Reason::Secret, text }))
            }
            Message::Refused { reason: Reason::Busy, .. } => Err(Error::Crowded),
            Message::Refused { reason, text } => Err(Error::Refused(Refusal { reason, text })),
            _ => Err(Error::Peer("does not answer the greeting")),
        }
    }

    /// Refuses all at once the names that the receiver's file system cannot hold.
    fn judge(&mut self, limits: Limits) -> Result<(), Error> {
        let refused = names::refused(&self.entries, limits);
        for (index, why) in &refused {
            let text = format!("the receiver's file system cannot hold this name: {why}");
            let refusal = Refusal { reason: Reason::Name, text };
            let path = self.entries[*index].path.clone();
            self.observer.on_event(&Event::Refused { path, refusal: refusal.clone() });
            self.fates[*index] = Fate::Refused(refusal);
        }
        match refused.len() {
            names @ 1.. if self.options.strict => Err(Error::Names { names }),
            _ => Ok(()),
        }
    }

    fn listen(
        &self,
        aside: &mut JoinSet<()>,
        connection: &Connection,
        reports: &Reports,
        welcome: Welcome,
        counts: watch::Sender<ReportCounts>,
    ) {
        if let Some(link) = &self.options.link {
            aside.spawn(reports::own(link.latest(), reports.clone()));
        }
        if welcome.features & FEATURE_LINK_REPORTS != 0 {
            aside.spawn(reports::peer(connection.clone(), reports.clone(), counts));
        }
    }

    /// Bytes of the files that are finished.
    fn done(&self) -> u64 {
        let fates = self.entries.iter().zip(&self.fates);
        let sizes =
            fates.filter(|(_, fate)| **fate != Fate::Pending).map(|(entry, _)| entry.size());
        sizes.fold(0, u64::saturating_add)
    }

    async fn files(&mut self, connection: &Connection, meter: &Arc<Meter>) -> Result<(), Error> {
        let pending = (0..self.entries.len()).filter(|&i| self.fates[i] == Fate::Pending);
        let mut pending = pending.collect::<Vec<_>>().into_iter();
        let mut under_way = JoinSet::new();
        loop {
            while under_way.len() < STREAMS as usize
                && let Some(index) = pending.next()
            {
                let (connection, entry) = (connection.clone(), self.entries[index].clone());
                let (meter, observer) = (Arc::clone(meter), Arc::clone(&self.observer));
                let priority = i32::try_from(index).map_or(i32::MIN, |index| -index);
                under_way.spawn(async move {
                    let sent = file::send(connection, entry, priority, &meter, &*observer).await;
                    (index, sent)
                });
            }
            let Some(ended) = under_way.join_next().await else { return Ok(()) };
            let (index, sent) = outcome(ended).await;
            let Entry { path, .. } = &self.entries[index];
            self.fates[index] = match sent {
                Ok(file::Sent { from, digest }) => {
                    let size = self.entries[index].size();
                    meter.delivered(size.saturating_sub(from));
                    self.observer.on_event(&Event::Finished { path: path.clone(), size });
                    Fate::Done { from, digest }
                }
                Err(Failed::Refused(refusal)) => {
                    let told = Event::Refused { path: path.clone(), refusal: refusal.clone() };
                    self.observer.on_event(&told);
                    Fate::Refused(refusal)
                }
                Err(Failed::Unreadable(why)) => {
                    let path = String::from_utf8_lossy(&path.join(&b'/')).into_owned();
                    self.observer.on_event(&Event::LeftOut { path, why: why.clone() });
                    Fate::Unreadable(why)
                }
                Err(Failed::Connection(error)) => return Err(error),
            };
        }
    }

    /// Adds what has arrived over the connection under way, once.
    fn count(&mut self) {
        if let Some(meter) = self.meter.take() {
            self.arrived = self.arrived.saturating_add(meter.over_this());
        }
    }

    /// Adds up the counts of the last connection.
    fn leave(&mut self) {
        if let Some(Connected { connection, .. }) = self.connection.take() {
            self.traffic.add(&connection);
            connection.close(Close::Done.code(), b"");
        }
    }

    async fn end(mut self, ended: Result<(), Error>) -> Summary {
        let took = self.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        if let Some(Connected { connection, endpoint, .. }) = self.connection.take() {
            // A connection is left here only if `stop` interrupted it.
            self.traffic.add(&connection);
            connection.close(Close::Interrupted.code(), b"");
            let _ = timeout(Duration::from_millis(200), endpoint.wait_idle()).await;
        }
        self.count();
        self.traffic.marks = self.options.marks.as_ref().map(MarkWatch::counts);
        Summary {
            fates: self.fates,
            loaded: self.loaded,
            arrived: self.arrived,
            took,
            traffic: self.traffic,
            error: ended.err(),
        }
    }
}
