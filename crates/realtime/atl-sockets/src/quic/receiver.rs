//! The receiving end of a flow.

use std::sync::{Arc, PoisonError};

use crate::live::{Plug, Readings};
use atl_core::time::Time;
use atl_net::clock::Clock;
use bytes::Bytes;
use noq::{Connection, Endpoint, EndpointConfig, ServerConfig};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::quic::failure::Failure;
use crate::quic::mac::SharedFeedback;
use crate::quic::meter::Meter;
use crate::quic::socket::{Crossing, Socket};
use crate::quic::timer::{Observed, TimerLateness};
use atl_quic::connection::Field;

/// The receiving end of a flow before the run.
pub(crate) struct ReceiverEnd {
    pub flow: usize,
    /// Its socket, and the ECN field of its datagrams, `None` without ECN.
    pub plug: (Plug, Option<Field>),
    pub meter: Meter,
    pub endpoint: EndpointConfig,
    pub config: ServerConfig,
    pub reporter: Option<Reporter>,
    pub lateness: TimerLateness,
}

/// Reports a receiver's wireless link.
#[derive(Clone)]
pub(crate) struct Reporter {
    pub feedback: SharedFeedback,
    /// Tells of each datagram that arrives: reports are sent when something does.
    pub arrived: Arc<Notify>,
    pub link: Option<usize>,
    pub readings: Arc<Readings>,
}

/// Shared with others while it runs, and read when it has ended.
#[derive(Debug)]
pub(crate) struct ReceiverLeft {
    pub flow: usize,
    pub crossing: Arc<Crossing>,
}

impl ReceiverEnd {
    /// Starts it within a runtime of tokio. Its tasks end with `tasks`.
    ///
    /// # Errors
    /// If its socket cannot be waited for.
    pub(crate) fn begin(
        self,
        clock: Clock,
        end: Time,
        tasks: &mut JoinSet<Result<(), Failure>>,
    ) -> std::io::Result<ReceiverLeft> {
        let crossing = Crossing::new(self.plug, self.meter, clock, end)?;
        let socket = Box::new(Socket(Arc::clone(&crossing)));
        let runtime = Arc::new(Observed(self.lateness));
        let config = Some(self.config);
        let endpoint = Endpoint::new_with_abstract_socket(self.endpoint, config, socket, runtime)?;
        let flow = self.flow;
        let reading = Arc::clone(&crossing);
        tasks.spawn(async move {
            let failed = |error: Failure| Failure::of(flow, error);
            work(endpoint, &reading, self.reporter, clock).await.map_err(failed)
        });
        Ok(ReceiverLeft { flow, crossing })
    }
}

/// All that it does.
async fn work(
    endpoint: Endpoint,
    crossing: &Crossing,
    reporter: Option<Reporter>,
    clock: Clock,
) -> Result<(), Failure> {
    let Some(incoming) = endpoint.accept().await else { return Ok(()) };
    let connection = incoming.await?;
    let reporting = async {
        match reporter {
            Some(reporter) => reporter.report(&connection, clock).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = read(&connection, crossing, clock) => ended,
        ended = reporting => ended,
    }
}

/// Reads whatever is there.
async fn read(connection: &Connection, crossing: &Crossing, clock: Clock) -> Result<(), Failure> {
    let mut stream = connection.accept_uni().await?;
    while let Some(chunk) = stream.read_chunk(usize::MAX).await? {
        let now = clock.now();
        crossing.meter(now, |meter| meter.on_read(now, chunk.len()));
    }
    Err(connection.closed().await.into())
}

impl Reporter {
    async fn report(self, connection: &Connection, clock: Clock) -> Result<(), Failure> {
        loop {
            self.arrived.notified().await;
            let Some(message) = self.message(clock.now()) else { continue };
            if connection.max_datagram_size().is_some() {
                connection.send_datagram(message)?;
            }
        }
    }

    /// The report that is due now, if there is one.
    fn message(&self, now: Time) -> Option<Bytes> {
        let mut feedback = self.feedback.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = self.link.filter(|_| feedback.wants_reading(now));
        let info = feedback.peer_info(now, wanted.map(|link| self.readings.of(link)));
        info.link_report.as_ref()?;
        Some(Bytes::copy_from_slice(atl_wire::encode(&info).as_ref()))
    }
}
