//! The sending end of a flow.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::live::Plug;
use atl_core::time::Time;
use atl_engine::flow::State;
use atl_engine::flow::record::{Mark, Marks};
use atl_net::clock::Clock;
use atl_noq::{Factory, PathHandle};
use atl_quic::connection::{OCTETS, PeerReports, SERVER_NAME, Tap, Writes};
use noq::{ClientConfig, Connection, Endpoint, EndpointConfig, PathId, SendStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::quic::failure::Failure;
use crate::quic::meter::Meter;
use crate::quic::socket::{Crossing, Socket};
use crate::quic::timer::{Observed, TimerLateness};
use atl_quic::connection::Field;

/// The sending end of a flow before the run.
pub(crate) struct SenderEnd {
    pub flow: usize,
    /// Its socket, and the ECN field of its datagrams, `None` without ECN.
    pub plug: (Plug, Option<Field>),
    pub meter: Meter,
    pub endpoint: EndpointConfig,
    pub config: ClientConfig,
    pub start: Time,
    pub writes: Writes,
    /// Its controller, if it is one of this workspace.
    pub factory: Option<Arc<Factory>>,
    pub tap: Tap,
    pub mtu: u16,
    pub marks: Marks,
    pub lateness: TimerLateness,
}

/// Shared with others while it runs, and read when it has ended.
#[derive(Debug)]
pub(crate) struct SenderLeft {
    pub flow: usize,
    pub crossing: Arc<Crossing>,
    pub written: Arc<Mutex<Written>>,
    pub lateness: TimerLateness,
}

/// The record of a sender's task.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub samples: Vec<State>,
    /// When everything was acknowledged.
    pub finished: Option<Time>,
}

impl SenderEnd {
    /// Starts it within a runtime of tokio. Its tasks end with `tasks`.
    ///
    /// # Errors
    /// If its socket cannot be waited for.
    pub(crate) fn begin(
        self,
        clock: Clock,
        end: Time,
        tasks: &mut JoinSet<Result<(), Failure>>,
    ) -> std::io::Result<SenderLeft> {
        self.tap.begin_run(clock.epoch());
        let crossing = Crossing::new(self.plug, self.meter, clock, end)?;
        let written = Arc::new(Mutex::new(Written::default()));
        let (lateness, flow) = (self.lateness.clone(), self.flow);
        let runtime = Arc::new(Observed(self.lateness));
        let socket = Box::new(Socket(Arc::clone(&crossing)));
        let endpoint = Endpoint::new_with_abstract_socket(self.endpoint, None, socket, runtime)?;
        let connecting = Connecting {
            endpoint,
            crossing: Arc::clone(&crossing),
            config: self.config,
            start: self.start,
            factory: self.factory,
            clock,
        };
        let sampler = Sampler {
            tap: self.tap,
            mtu: self.mtu,
            marks: self.marks,
            written: Arc::clone(&written),
            clock,
        };
        let end_of_writing = Arc::clone(&written);
        tasks.spawn(async move {
            let failed = |error: Failure| Failure::of(flow, error);
            work(connecting, sampler, self.writes, &end_of_writing).await.map_err(failed)
        });
        Ok(SenderLeft { flow, crossing, written, lateness })
    }
}

/// All that it does.
async fn work(
    connecting: Connecting,
    sampler: Sampler,
    writes: Writes,
    written: &Mutex<Written>,
) -> Result<(), Failure> {
    let (clock, factory) = (connecting.clock, connecting.factory.clone());
    let (known, seen) = watch::channel(None);
    let samples = sampler.run(seen, factory.clone());
    let transfer = async {
        let connection = connecting.connect().await?;
        let _ = known.send(Some(connection.clone()));
        let stream = connection.open_uni().await?;
        let hearing = async {
            let Some(factory) = &factory else { return std::future::pending().await };
            hear(&connection, factory, clock).await
        };
        let writing = async {
            write(stream, writes, clock).await?;
            written.lock().unwrap_or_else(PoisonError::into_inner).finished = Some(clock.now());
            Err(connection.closed().await.into())
        };
        tokio::select! {
            ended = writing => ended,
            ended = hearing => ended,
        }
    };
    // Samples end with the run; a transfer before that if the connection breaks.
    tokio::select! {
        ended = transfer => ended,
        () = samples => Ok(()),
    }
}

struct Connecting {
    endpoint: Endpoint,
    crossing: Arc<Crossing>,
    config: ClientConfig,
    start: Time,
    factory: Option<Arc<Factory>>,
    clock: Clock,
}

impl Connecting {
    async fn connect(self) -> Result<Connection, Failure> {
        until(self.clock, self.start).await;
        let peer = self.crossing.peer();
        Ok(self.endpoint.connect_with(self.config, peer, SERVER_NAME)?.await?)
    }
}

/// Waits until a time of the run; forever if it never comes.
pub(crate) async fn until(clock: Clock, at: Time) {
    if at == Time::MAX {
        return std::future::pending().await;
    }
    let wait = at.since(clock.now());
    if !wait.is_zero() {
        tokio::time::sleep(Duration::from(wait)).await;
    }
}

/// Writes what the application submits, and waits until all of it is acknowledged.
async fn write(mut stream: SendStream, mut writes: Writes, clock: Clock) -> Result<(), Failure> {
    loop {
        let now = clock.now();
        let waiting = writes.waiting(now);
        if waiting > 0 {
            let taken = stream.write(&OCTETS[..waiting]).await?;
            writes.on_written(taken);
        } else if writes.is_complete(now) {
            stream.finish()?;
            stream.stopped().await?;
            return Ok(());
        } else {
            until(clock, writes.next(now)).await;
        }
    }
}

/// Takes what the receiver reports of its wireless link.
async fn hear(connection: &Connection, factory: &Factory, clock: Clock) -> Result<(), Failure> {
    let mut reports = PeerReports::default();
    loop {
        let message = connection.read_datagram().await?;
        let path = factory.paths().into_iter().next();
        reports.on_datagram(clock.now(), &message, &factory.reports(), path.as_ref());
    }
}

/// Takes samples of the sender's state.
struct Sampler {
    tap: Tap,
    mtu: u16,
    marks: Marks,
    written: Arc<Mutex<Written>>,
    clock: Clock,
}

impl Sampler {
    async fn run(
        mut self,
        connection: watch::Receiver<Option<Connection>>,
        factory: Option<Arc<Factory>>,
    ) {
        loop {
            let (at, mark) = self.marks.next();
            until(self.clock, at).await;
            self.marks.advance();
            if mark == Mark::Sample {
                let connection = connection.borrow().clone();
                let path = factory.as_ref().and_then(|factory| factory.paths().into_iter().next());
                let state = self.state(connection.as_ref(), path.as_ref());
                let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
                written.samples.push(state);
            }
        }
    }

    fn state(&self, connection: Option<&Connection>, path: Option<&PathHandle>) -> State {
        let controller = connection.and_then(|c| c.congestion_state(PathId::ZERO));
        let srtt = connection.and_then(|c| c.rtt(PathId::ZERO)).map(Into::into);
        self.tap.state(controller.as_deref(), self.mtu, srtt, path)
    }
}
