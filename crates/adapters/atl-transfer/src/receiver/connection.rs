//! One connection of a sender.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use atl_core::time::Time;
use noq::{Connection, Incoming, RecvStream, SendStream, VarInt};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout, timeout_at};

use super::batches::Turn;
use super::gate::Place;
use super::over::Over;
use super::shared::Shared;
use super::{file, load};
use crate::channel;
use crate::error::{Close, Error};
use crate::folder::Refusal;
use crate::hash;
use crate::observer::Event;
use crate::report::ReportWriter;
use crate::roam;
use crate::tasks::outcome;
use crate::transport::STREAMS;
use crate::wire::{
    FEATURE_LINK_REPORTS, Hello, MAX_HELLO, MAX_OFFER, Message, Name, Reason, Welcome,
};

/// Interval at which links are polled for reports to the sender.
const TICK: Duration = Duration::from_millis(100);
/// Ticks between two `PROGRESS` messages.
const PROGRESS_TICKS: u32 = 2;
/// A sender from which no data has come for this long is gone, although its QUIC still answers.
const STALL: Duration = Duration::from_secs(300);

/// Limit on the time in which a stranger must show its ticket, from its first packet.
const PROOF: Duration = Duration::from_secs(2);
/// Limit on the time in which a refused sender may read why.
const FAREWELL: Duration = Duration::from_secs(2);
/// Strangers that are told of one by one; then at each power of 2.
const TOLD: u64 = 16;

/// The outcome of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// The sender has said that everything is sent.
    Everything,
    /// The connection was lost before that.
    Broken,
    /// No ticket was shown.
    Nobody,
}

/// Serves one connection until it ends.
pub(super) async fn serve(incoming: Incoming, mut place: Place, shared: Arc<Shared>) -> Served {
    let peer = incoming.remote_address();
    let (connection, hello, out, back) = match greet(incoming, &mut place, &shared).await {
        Ok(greeted) => greeted,
        Err(error) => {
            let mut turned = 0;
            shared.note(|summary| {
                summary.turned += 1;
                turned = summary.turned;
            });
            if turned <= TOLD || turned.is_power_of_two() {
                shared.observer.on_event(&Event::Turned { peer, why: error.to_string() });
            }
            return Served::Nobody;
        }
    };
    let (sender, old) = shared.enter(hello.session, &connection);
    let again = old.is_some();
    if let Some(old) = old {
        old.close(Close::Replaced.code(), b"");
    }
    shared.note(|summary| summary.connections += 1);
    shared.observer.on_event(&Event::Connected { peer, again, restarted: false });
    shared.begins();
    let over = Arc::new(Over {
        shared: Arc::clone(&shared),
        sender,
        total: hello.bytes,
        turn: Turn::default(),
        arrived: AtomicU64::new(0),
    });
    let ended = receive(&connection, &hello, out, back, &over).await;
    shared.ends();
    shared.note(|summary| summary.arrived += over.arrived.load(Ordering::Relaxed));
    match ended {
        Ok(()) => {
            shared.leave(hello.session);
            connection.close(Close::Done.code(), b"");
            Served::Everything
        }
        Err(error) => {
            let why = if error.is_passing() { Close::Done } else { Close::Protocol };
            connection.close(why.code(), b"");
            shared.observer.on_event(&Event::Lost { why: error.to_string(), wait: None });
            Served::Broken
        }
    }
}

/// The first stream of a connection, and the greeting on it.
async fn hear(connection: &Connection) -> Result<(Hello, SendStream, RecvStream), Error> {
    let (out, mut back) = connection.accept_bi().await?;
    match channel::read_soon(&mut back, MAX_HELLO).await? {
        Message::Hello(hello) => Ok((hello, out, back)),
        _ => Err(Error::Peer("does not begin with a greeting")),
    }
}

/// The handshake, and the sender's first message. A sender without a ticket costs no more memory
/// than that.
async fn greet(
    incoming: Incoming,
    place: &mut Place,
    shared: &Shared,
) -> Result<(Connection, Hello, SendStream, RecvStream), Error> {
    let patience = if place.is_strangers() { PROOF } else { 2 * channel::ANSWER };
    let until = Instant::now() + patience;
    let connecting = timeout_at(until, incoming.accept()?).await;
    let connection = connecting.map_err(|_| Error::Peer("does not finish its handshake"))??;
    let (hello, mut out, back) = match timeout_at(until, hear(&connection)).await {
        Ok(Ok(heard)) => heard,
        Ok(Err(error)) => {
            connection.close(Close::Protocol.code(), b"");
            return Err(error);
        }
        Err(_) => {
            connection.close(Close::Slow.code(), b"");
            return Err(Error::Peer("does not send a greeting"));
        }
    };
    // Hashes are compared, so that the time taken reveals nothing about the secret.
    let right = hash::of(&hello.secret) == hash::of(&shared.identity.secret());
    if !right && !shared.options.anyone {
        turn(&connection, &mut out, Reason::Secret, "this receiver wants its ticket").await?;
        return Err(Error::Peer("has no ticket of this receiver"));
    }
    if shared.is_late(&hello.session) {
        turn(&connection, &mut out, Reason::Secret, "this ticket has expired").await?;
        return Err(Error::Peer("has a ticket that has expired"));
    }
    if !place.enter() {
        turn(&connection, &mut out, Reason::Busy, "too many senders at a time").await?;
        return Err(Error::Peer("is one sender too many"));
    }
    connection.set_max_concurrent_bi_streams(VarInt::from_u32(STREAMS + 1));
    Ok((connection, hello, out, back))
}

/// Refuses a sender, and ends its connection.
async fn turn(
    connection: &Connection,
    out: &mut SendStream,
    reason: Reason,
    text: &str,
) -> Result<(), Error> {
    channel::write(out, &Message::Refused { reason, text: text.to_owned() }).await?;
    let _ = out.finish();
    // Lets the sender read the answer before the connection is closed.
    let _ = timeout(FAREWELL, out.stopped()).await;
    connection.close(Close::Refused.code(), b"");
    Ok(())
}

async fn receive(
    connection: &Connection,
    hello: &Hello,
    mut out: SendStream,
    mut back: RecvStream,
    over: &Arc<Over>,
) -> Result<(), Error> {
    let shared = &over.shared;
    let link = shared.options.link.as_ref();
    let link =
        link.filter(|_| hello.features & FEATURE_LINK_REPORTS != 0).map(|link| link.latest());
    let features = if link.is_some() { FEATURE_LINK_REPORTS } else { 0 };
    let (instance, limits) = (shared.instance, shared.folder.limits());
    channel::write(&mut out, &Message::Welcome(Welcome { instance, features, limits })).await?;

    let mut streams = JoinSet::new();
    let mut reports = ReportWriter::default();
    let begun = Instant::now();
    let mut ticks = interval(TICK);
    let (mut tick, mut told, mut moved) = (0_u32, 0, begun);
    let mut aside = JoinSet::new();
    aside.spawn(roam::fixed(connection.clone()));
    let bye = channel::read(&mut back, MAX_HELLO);
    tokio::pin!(bye);
    loop {
        tokio::select! {
            opened = connection.accept_bi() => {
                let (out, back) = opened?;
                moved = Instant::now();
                streams.spawn(stream(out, back, Arc::clone(over)));
            }
            Some(ended) = streams.join_next() => {
                moved = Instant::now();
                outcome(ended).await?;
            }
            said = &mut bye => return match said? {
                Message::Bye => Ok(()),
                _ => Err(Error::Peer("sends something other than BYE at the end")),
            },
            _ = ticks.tick() => {
                tick = tick.wrapping_add(1);
                if let Some(link) = &link {
                    let now = Time::from_secs_f64(begun.elapsed().as_secs_f64());
                    if let Some(datagram) = reports.due(now, &link.borrow())
                        && connection.send_datagram(datagram.into()).is_ok()
                    {
                        shared.note(|summary| summary.reports += 1);
                    }
                }
                let arrived = over.arrived.load(Ordering::Relaxed);
                if arrived != told && tick.is_multiple_of(PROGRESS_TICKS) {
                    (told, moved) = (arrived, Instant::now());
                    channel::write(&mut out, &Message::Progress(arrived)).await?;
                }
                if moved.elapsed() > STALL {
                    connection.close(Close::Slow.code(), b"");
                    return Err(Error::Peer("has not sent anything for five minutes"));
                }
            }
        }
    }
}

/// One stream: a file, a folder or a load. Only errors that end the connection are returned.
async fn stream(mut out: SendStream, mut back: RecvStream, over: Arc<Over>) -> Result<(), Error> {
    let answer = match channel::read_soon(&mut back, MAX_OFFER).await? {
        Message::Offer(offer) => match file::receive(&mut out, &mut back, &offer, &over).await {
            Ok(()) => Message::Done,
            Err(file::Failed::Connection(error)) => return Err(error),
            Err(file::Failed::GivenUp) => return Ok(()),
            Err(file::Failed::Refused(refusal)) => refused(&over.shared, offer.path, refusal),
        },
        Message::Folder { path } => match file::folder(&over.shared, &path).await {
            Ok(()) => {
                if over.sender.is_new(&path) {
                    over.shared.note(|summary| summary.folders += 1);
                }
                Message::Done
            }
            Err(refusal) => refused(&over.shared, path, refusal),
        },
        Message::Load { .. } => load::receive(&mut back, &over).await?,
        _ => return Err(Error::Peer("opens a stream with a message that cannot open one")),
    };
    let _ = back.stop(VarInt::from_u32(0));
    channel::write(&mut out, &answer).await?;
    let _ = out.finish();
    Ok(())
}

fn refused(shared: &Shared, path: Vec<Name>, refusal: Refusal) -> Message {
    shared.refused();
    shared.observer.on_event(&Event::Refused { path, refusal: refusal.clone() });
    let Refusal { reason, text } = refusal;
    Message::Refused { reason, text }
}
