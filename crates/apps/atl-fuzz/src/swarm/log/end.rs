//! Properties of a flow from end to end: links hand over, every packet that leaves is accounted
//! for, data is delivered in order and once, and acknowledgments say what has arrived.

use std::collections::{BTreeMap, BTreeSet};

use atl_core::time::Time;
use atl_endpoint::tcp::{EcnMode, Recovery};
use atl_engine::protocol::Transport;
use atl_engine::setup::{AckTiming, FlowSetup, ReceiverAwareness, Setup};
use atl_link::Ecn;
use atl_sim::{Happening, PacketKind, What};

use super::record::{Bag, Key, Log, goes_forward, key};
use crate::swarm::laws::hold;

/// Holds a flow's part of the log against what the flow is and what was measured of it. `late`:
/// the links whose queues drop what they have taken.
///
/// # Errors
/// What does not hold.
pub(super) fn flow((setup, at): (&Setup, usize), late: &[bool], log: &Log) -> Result<(), String> {
    let plan = &setup.flows[at];
    let agents = plan.paths.iter().flat_map(|path| path.forward.iter().chain(&path.back));
    let mut agents = agents.map(|link| &setup.links[*link]);
    let repaired = agents.any(|link| link.agent.is_some());
    if !repaired {
        hands_over((plan, at), late, log)?;
    }
    counts(setup, at, log, repaired)?;
    match &plan.protocol.transport {
        Transport::Tcp(tcp) => Tcp::new(plan, tcp.recovery).follow((plan, at), log, repaired),
        Transport::Paced(_) => paced(plan, at, log),
        Transport::Quic(_) => Ok(()),
    }
}

/// True at the first link of a packet's path: where it leaves its host.
fn leaves_host(plan: &FlowSetup, happening: &Happening) -> bool {
    let first = plan.paths.iter().map(|path| match goes_forward(happening.kind) {
        true => path.forward.first(),
        false => path.back.first(),
    });
    matches!(happening.what, What::Queued | What::Dropped)
        && first.flatten().any(|first| Some(*first) == happening.link)
}

/// A packet that comes out of a link goes into the next one of its path, at once.
fn hands_over((plan, at): (&FlowSetup, usize), late: &[bool], log: &Log) -> Result<(), String> {
    let mut between: Bag<Key> = Bag::default();
    let mut inside: Bag<(usize, Key)> = Bag::default();
    for (index, happening) in of_flow(at, log) {
        let Some(link) = happening.link else { continue };
        let place = (link, key(happening));
        match happening.what {
            What::Passed => between.put(place.1, index),
            What::Queued | What::Dropped => {
                let from = between.take(&place.1).map(|from| log.happenings[from]);
                let late = happening.what == What::Dropped && late[link];
                let comes = match from {
                    Some(from) => from.at == happening.at && follows(plan, &from, link),
                    // A queue may drop later what it has taken.
                    None if late && inside.take(&place).is_some() => continue,
                    None => leaves_host(plan, happening),
                };
                hold(comes, || {
                    format!("it enters a link without having left the one before: {happening:?}")
                })?;
                if happening.what == What::Queued {
                    inside.put(place, index);
                }
            }
            What::Copied | What::Lost(_) | What::Arrived => {}
        }
        if matches!(happening.what, What::Passed | What::Lost(_) | What::Arrived) {
            inside.take(&place);
        }
    }
    hold(between.is_empty(), || format!("lost between two links: {:?}", between.any()))
}

/// True if a packet that came out of a link may go on over this one.
fn follows(plan: &FlowSetup, from: &Happening, link: usize) -> bool {
    plan.paths.iter().any(|path| {
        let links = if goes_forward(from.kind) { &path.forward } else { &path.back };
        links.windows(2).any(|pair| Some(pair[0]) == from.link && pair[1] == link)
    })
}

fn of_flow(at: usize, log: &Log) -> impl Iterator<Item = (usize, &Happening)> {
    log.happenings.iter().enumerate().filter(move |(_, happening)| happening.flow == at)
}

/// The log adds up to what was counted.
fn counts(setup: &Setup, at: usize, log: &Log, repaired: bool) -> Result<(), String> {
    let (plan, result) = (&setup.flows[at], &log.result.flows[at]);
    let from = Time::ZERO + setup.warmup;
    let data = || {
        let of = of_flow(at, log).map(|(_, happening)| happening);
        of.filter(|happening| happening.kind.is_data() && happening.at >= from)
    };
    let of = |what: fn(&What) -> bool| data().filter(|h| what(&h.what)).count() as u64;
    let dropped = of(|what| *what == What::Dropped);
    let lost = of(|what| matches!(what, What::Lost(_)));
    let arrived = of(|what| *what == What::Arrived);
    let found = (Some(arrived), Some(lost), Some(dropped));
    hold(found == (result.arrived, result.lost, result.dropped), || {
        format!("arrived, lost, dropped: {found:?} in the log, {result:?}")
    })?;
    let arrivals = data().filter(|h| h.what == What::Arrived);
    let marked = arrivals.filter(|h| h.bits.ecn() == Ecn::Ce).count() as u64;
    hold(result.marked.is_none_or(|counted| counted == marked), || {
        format!("{marked} arrive marked in the log, {:?}", result.marked)
    })?;
    if !repaired && plan.overhead.is_zero() {
        let taken = data().filter(|h| h.what == What::Queued && leaves_host(plan, h));
        let taken = taken.count() as u64;
        // The first queue may have taken a packet before it drops it. A mobile may have no link.
        let gone = |h: &&Happening| h.link.is_none() || leaves_host(plan, h);
        let refused = data().filter(|h| h.what == What::Dropped && gone(h));
        let most = taken + refused.count() as u64;
        hold((taken..=most).contains(&result.sent), || {
            format!("{taken} to {most} packets leave in the log, {} are sent", result.sent)
        })?;
    }
    Ok(())
}

/// A TCP connection as its log tells it.
struct Tcp {
    window: u64,
    header: u32,
    ahead: u64,
    prompt: bool,
    /// Its feedback, where the file names one.
    ecn: Option<EcnMode>,
    /// The receiver throws away what comes out of order.
    discards: bool,
    /// Payload of the segments that have arrived and wait for others.
    waiting: BTreeMap<u32, u32>,
    /// Segments in order, and their bytes.
    next: u32,
    bytes: u64,
    /// Transmissions that have arrived.
    transmissions: BTreeSet<u32>,
    marked: u64,
    /// The highest number that an ACK has brought to the sender.
    acked: u32,
}

impl Tcp {
    fn new(plan: &FlowSetup, recovery: Recovery) -> Tcp {
        let (ahead, prompt) = match plan.receiver {
            ReceiverAwareness::Claims(claims) => {
                (claims.ahead.into(), claims.acks == AckTiming::Prompt)
            }
            _ => (0, true),
        };
        Tcp {
            window: plan.tcp.receive_window.into(),
            header: plan.tcp.header,
            ahead,
            prompt,
            ecn: plan.tcp.ecn,
            discards: recovery.receiver().discards,
            waiting: BTreeMap::new(),
            next: 0,
            bytes: 0,
            transmissions: BTreeSet::new(),
            marked: 0,
            acked: 0,
        }
    }

    fn follow(
        mut self,
        (plan, at): (&FlowSetup, usize),
        log: &Log,
        repaired: bool,
    ) -> Result<(), String> {
        let mut totals = log.delivered[at].iter().peekable();
        let mut total = (0, 0);
        let mut sent: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (index, happening) in of_flow(at, log) {
            match (happening.kind, happening.what) {
                (PacketKind::Data | PacketKind::Nil, What::Arrived) => {
                    self.on_data(happening);
                    let after = |total: &&(usize, u64, u64)| total.0 <= index + 1;
                    while let Some(new) = totals.next_if(after) {
                        total = (new.1, new.2);
                    }
                    // An event may deliver several packets: the log shows them together, with the
                    // totals after it.
                    let here = (u64::from(self.next), self.bytes);
                    let soon = totals.peek().map_or(total, |new| (new.1, new.2));
                    hold(total <= here && here <= soon, || {
                        format!("{here:?} segments and bytes are in order, {total:?} delivered")
                    })?;
                }
                (PacketKind::Data, What::Queued | What::Dropped) if !repaired => {
                    let new = sent.insert((happening.seq, happening.tx));
                    let most = u64::from(self.acked) + self.window;
                    hold(!new || u64::from(happening.seq) < most, || {
                        format!("beyond the receive window of {most}: {happening:?}")
                    })?;
                }
                (
                    PacketKind::Ack | PacketKind::ProbeAck | PacketKind::ChallengeAnswer,
                    What::Arrived,
                ) => self.acked = self.acked.max(happening.seq),
                (PacketKind::Ack, What::Queued) if !repaired && leaves_host(plan, happening) => {
                    self.on_ack(happening)?;
                }
                _ => {}
            }
        }
        let last = log.delivered[at].last().map_or((0, 0), |last| (last.1, last.2));
        hold((u64::from(self.next), self.bytes) == last, || {
            format!(
                "{} segments of {} bytes are in order, {last:?} delivered",
                self.next, self.bytes
            )
        })
    }

    fn on_data(&mut self, packet: &Happening) {
        let payload = u32::from(packet.bytes).saturating_sub(self.header);
        self.transmissions.insert(packet.tx);
        self.marked += u64::from(packet.bits.ecn() == Ecn::Ce);
        if packet.seq >= self.next && !(self.discards && packet.seq > self.next) {
            self.waiting.entry(packet.seq).or_insert(payload);
        }
        while let Some(payload) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.bytes += u64::from(payload);
        }
    }

    /// An ACK is on its way: it may be an older one, but not say what has not happened yet.
    fn on_ack(&self, ack: &Happening) -> Result<(), String> {
        let most = u64::from(self.next) + self.ahead;
        hold(u64::from(ack.seq) <= most, || format!("an ACK of more than {most}: {ack:?}"))?;
        let answers = ack.sent_at == Time::MAX || self.transmissions.contains(&ack.tx);
        hold(answers, || format!("an ACK of what has not arrived: {ack:?}"))?;
        let flags = ack.bits.flags();
        match self.ecn {
            None => Ok(()),
            Some(EcnMode::Off) => hold(flags == 0, || format!("flags without ECN: {ack:?}")),
            Some(EcnMode::Classic) => hold(flags == 0 || self.marked > 0, || {
                format!("ECE, and no mark has come: {ack:?}")
            }),
            // RFC 9768, section 3.2.1: the count begins at 5, and three bits are told.
            Some(EcnMode::Accurate) => {
                hold(!self.prompt || u64::from(flags) == (5 + self.marked) & 7, || {
                    format!("ACE after {} marks: {ack:?}", self.marked)
                })
            }
        }
    }
}

/// A paced flow: its acknowledgments say what has arrived.
fn paced(plan: &FlowSetup, at: usize, log: &Log) -> Result<(), String> {
    let mut there = BTreeSet::new();
    let mut packets = 0;
    for (_, happening) in of_flow(at, log) {
        match (happening.kind, happening.what) {
            (PacketKind::Paced, What::Arrived) => {
                // A copy counts as arrived, too; its bytes do not.
                there.insert(happening.seq);
                packets += 1;
            }
            (PacketKind::PacedAck, What::Queued) if leaves_host(plan, happening) => {
                let Happening { seq, tx: mask, .. } = *happening;
                let before = (0..32).filter(|bit| mask >> bit & 1 == 1).map(|bit| seq - 1 - bit);
                let missing = before.chain([seq]).find(|seq| !there.contains(seq));
                hold(missing.is_none(), || {
                    format!("{missing:?} has not arrived and is acknowledged: {happening:?}")
                })?;
            }
            _ => {}
        }
    }
    let last = log.delivered[at].last().map_or(0, |last| last.1);
    hold(packets == last, || format!("{packets} packets arrived, {last} are delivered"))
}
