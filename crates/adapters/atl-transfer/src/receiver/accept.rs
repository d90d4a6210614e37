//! Accepts connections until everything has been received.

use std::future::Future;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use noq::{Endpoint, Incoming};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::connection::{Served, serve};
use super::gate::Answer;
use super::shared::Shared;
use super::summary::Summary;
use crate::error::{Close, Error};
use crate::tasks::outcome;

/// Limit on the time to close all connections.
const FAREWELL: Duration = Duration::from_secs(1);
/// The same limit after an interruption by the user.
const HASTE: Duration = Duration::from_millis(100);

pub(super) async fn run(
    endpoint: Endpoint,
    shared: Arc<Shared>,
    stop: impl Future<Output = ()>,
) -> Summary {
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    let mut expired = false;
    let error = loop {
        tokio::select! {
            incoming = endpoint.accept() => match incoming {
                Some(incoming) => admit(incoming, &mut connections, &shared),
                None => break Some(Error::Lost("the socket is gone".to_owned())),
            },
            Some(served) = connections.join_next() => {
                match outcome(served).await {
                    Served::Everything if !shared.options.keep => break None,
                    Served::Everything | Served::Broken | Served::Nobody => {}
                }
            }
            () = end(shared.until()), if !expired => expired = true,
            () = &mut stop => break Some(Error::Interrupted),
        }
        if expired && shared.is_idle() {
            let count = shared.summary.lock().unwrap_or_else(PoisonError::into_inner).connections;
            break (count == 0).then_some(Error::Expired);
        }
    };
    let took = shared.took();
    let why = if error.is_some() { Close::Interrupted } else { Close::Done };
    endpoint.close(why.code(), b"");
    let farewell = if error.is_some() { HASTE } else { FAREWELL };
    let _ = timeout(farewell, endpoint.wait_idle()).await;
    // Waits for tasks that still write files.
    let _ = timeout(farewell, async { while connections.join_next().await.is_some() {} }).await;
    connections.shutdown().await;

    let unfinished = shared.folder.unfinished().len() as u64;
    let mut summary = {
        let mut summary = shared.summary.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *summary)
    };
    summary.unfinished = unfinished;
    summary.error = error;
    summary.took = took;
    if let Some(shared) = Arc::into_inner(shared) {
        shared.folder.close();
    }
    summary
}

/// Completes at this time; never without one.
async fn end(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}

fn admit(incoming: Incoming, connections: &mut JoinSet<Served>, shared: &Arc<Shared>) {
    let (from, id) = (incoming.remote_address().ip(), incoming.orig_dst_cid());
    match shared.gate.admit(from, &id, incoming.may_retry()) {
        Answer::Place(place) => {
            connections.spawn(serve(incoming, place, Arc::clone(shared)));
        }
        Answer::Validate => {
            let _ = incoming.retry();
        }
        Answer::Full => {
            shared.note(|summary| summary.turned += 1);
            incoming.refuse();
        }
    }
}
