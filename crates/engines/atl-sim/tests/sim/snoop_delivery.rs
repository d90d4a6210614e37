//! Whatever the network does around Snoop (lose, repeat, reorder, delay, on each leg and in both
//! directions, requests and copies included), every segment is delivered once and in order, the
//! sender finishes, and the agent sends nothing that the sender had not sent and keeps no more than
//! its window.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::agent::{ack, data};
use crate::support::{papers_tcp, transfer_bytes};
use atl_core::time::{Span, Time};
use atl_endpoint::options::SackBlocks;
use atl_endpoint::tcp::{AckInfo, Arrival, Outgoing};
use atl_engine::setup::Snoop;
use atl_link::random::Stream;
use atl_sim::Packet;
use atl_sim::agent::snoop::{Mobile, Repairer, Verdict, Watcher};
use proptest::prelude::*;

/// Probabilities of a network that loses, repeats and delays packets.
#[derive(Clone, Copy, Debug)]
struct Hostile {
    loss: f64,
    repeat: f64,
    /// Largest extra delay of a leg, in ms: packets overtake each other.
    jitter: u64,
    /// Share of the packets that a queue drops before the wireless link.
    drop: f64,
    seed: u64,
}

/// A leg of the path: before or behind the access point, forward or reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    ToAccessPoint,
    ToReceiver,
    Home,
    ToSender,
}

enum Parcel {
    Data(Packet),
    Ack(Packet, SackBlocks),
    Request(u32),
}

enum Agent {
    Receiver(Repairer),
    Source(Watcher, Mobile),
}

struct World {
    network: Hostile,
    stream: Stream,
    parcels: BTreeMap<(Time, u64), (Leg, Parcel)>,
    serial: u64,
    now: Time,
    agent: Agent,
    /// Transmissions of the sender.
    sent: BTreeSet<(u32, u32, Time)>,
}

impl World {
    fn post(&mut self, leg: Leg, parcel: impl Fn() -> Parcel) {
        let copies = 1 + u32::from(self.stream.chance(self.network.repeat));
        for _ in 0..copies {
            if self.stream.chance(self.network.loss) {
                continue;
            }
            let delay = Span::from_millis(10 + self.stream.below(self.network.jitter + 1));
            self.serial += 1;
            self.parcels.insert((self.now + delay, self.serial), (leg, parcel()));
        }
    }

    /// Data goes onto the wireless link, unless its queue drops it.
    fn onto_air(&mut self, leg: Leg, packet: Packet) -> bool {
        if self.stream.chance(self.network.drop) {
            return false;
        }
        self.post(leg, || Parcel::Data(packet));
        true
    }

    /// The sender sends.
    fn send(&mut self, packet: Packet) {
        self.sent.insert((packet.seq, packet.tx, packet.sent_at));
        let now = self.now;
        match &self.agent {
            Agent::Receiver(_) => self.post(Leg::ToAccessPoint, || Parcel::Data(packet)),
            Agent::Source(..) => {
                if self.onto_air(Leg::ToAccessPoint, packet)
                    && let Agent::Source(_, mobile) = &mut self.agent
                {
                    mobile.on_data(now, &packet);
                }
            }
        }
    }

    /// Data arrives at the access point.
    fn pass_data(&mut self, packet: Packet) {
        let now = self.now;
        match &mut self.agent {
            Agent::Receiver(_) => {
                if self.onto_air(Leg::ToReceiver, packet)
                    && let Agent::Receiver(repairer) = &mut self.agent
                {
                    repairer.on_data(now, &packet);
                }
            }
            Agent::Source(watcher, _) => {
                let request = watcher.on_data(now, &packet);
                self.post(Leg::ToReceiver, || Parcel::Data(packet));
                if let Some(number) = request {
                    self.post(Leg::ToSender, || Parcel::Request(number));
                }
            }
        }
    }

    /// An ACK arrives at the access point.
    fn pass_ack(&mut self, packet: Packet, mut sack: SackBlocks) {
        let verdict = match &mut self.agent {
            Agent::Receiver(repairer) => repairer.on_ack(self.now, &packet, &mut sack),
            Agent::Source(watcher, _) => {
                watcher.on_ack(self.now, &packet);
                Verdict::Pass
            }
        };
        if verdict == Verdict::Pass {
            self.post(Leg::ToSender, || Parcel::Ack(packet, sack));
        }
    }

    fn timer(&self) -> Time {
        match &self.agent {
            Agent::Receiver(repairer) => repairer.next_timer(),
            Agent::Source(watcher, _) => watcher.next_timer(),
        }
    }

    fn on_timer(&mut self) {
        let request = match &mut self.agent {
            Agent::Receiver(repairer) => {
                repairer.on_timer(self.now);
                None
            }
            Agent::Source(watcher, _) => watcher.on_timer(self.now),
        };
        if let Some(number) = request {
            self.post(Leg::ToSender, || Parcel::Request(number));
        }
    }

    /// Sends the agent's copies, and checks what it holds.
    fn check_agent(&mut self, window: u32) -> Result<(), TestCaseError> {
        loop {
            let (copy, leg) = match &mut self.agent {
                Agent::Receiver(repairer) => (repairer.poll_copy(), Leg::ToReceiver),
                Agent::Source(_, mobile) => (mobile.poll_copy(), Leg::ToAccessPoint),
            };
            let Some(copy) = copy else { break };
            prop_assert!(self.sent.contains(&(copy.seq, copy.tx, copy.sent_at)), "invented");
            if !self.onto_air(leg, copy) {
                match &mut self.agent {
                    Agent::Receiver(repairer) => repairer.on_refused(&copy),
                    Agent::Source(_, mobile) => mobile.on_refused(&copy),
                }
            }
        }
        let (kept, missing) = match &self.agent {
            Agent::Receiver(repairer) => (repairer.kept(), 0),
            Agent::Source(watcher, mobile) => (mobile.kept(), watcher.missing()),
        };
        prop_assert!(kept <= window as usize && missing <= window as usize);
        Ok(())
    }
}

/// Carries a transfer past the agent over a hostile network.
fn transfer(
    name: &str,
    segments: u64,
    network: Hostile,
    delayed: bool,
    from_mobile: bool,
    window: u32,
) -> Result<(), TestCaseError> {
    let (mut sender, mut receiver) =
        crate::support::transfer_ends(&crate::support::tcp(name), segments, delayed);
    let snoop = Snoop { window, ..Snoop::default() };
    let mut world = World {
        network,
        stream: Stream::new(network.seed, "network"),
        parcels: BTreeMap::new(),
        serial: 0,
        now: Time::ZERO,
        agent: if from_mobile {
            Agent::Source(Watcher::new(&snoop), Mobile::new(&snoop))
        } else {
            Agent::Receiver(Repairer::new(&snoop))
        },
        sent: BTreeSet::new(),
    };
    let mut handed_over = 0;
    // Far more steps than any of these transfers needs: an endless exchange must not hang the test.
    for _ in 0..2_000_000 {
        while let Some(out) = sender.poll_send(world.now) {
            let Outgoing::Data { seq, tx, bytes, .. } = out else { continue };
            prop_assert!(seq < segments, "sent what was never written");
            world.send(Packet { bytes: bytes as u16, ..data(seq, tx, world.now) });
        }
        if sender.finished().is_some() {
            prop_assert_eq!(receiver.next(), segments);
            prop_assert_eq!(receiver.delivered_bytes(), transfer_bytes(segments));
            prop_assert!(receiver.held_back().is_empty());
            return Ok(());
        }
        let delayed_ack = receiver.ack_due().unwrap_or(Time::MAX);
        let timer = sender.next_timer(world.now).min(delayed_ack).min(world.timer());
        let next = world.parcels.first_key_value().map_or(Time::MAX, |(k, _)| k.0);
        prop_assert!(timer.min(next) < Time::MAX, "nothing more will ever happen");
        world.now = world.now.max(timer.min(next));
        let now = world.now;
        let mut answer = None;
        if next <= timer {
            let (_, (leg, parcel)) = world.parcels.pop_first().expect("there is one");
            match (leg, parcel) {
                (Leg::ToAccessPoint, Parcel::Data(packet)) => world.pass_data(packet),
                (_, Parcel::Data(packet)) => {
                    let (seq, tx) = (u64::from(packet.seq), packet.tx);
                    let (sent_at, payload) =
                        (packet.sent_at, u32::from(packet.bytes) - papers_tcp().header);
                    answer = receiver.on_segment(now, Arrival { seq, tx, sent_at, payload });
                }
                (Leg::Home, Parcel::Ack(packet, sack)) => world.pass_ack(packet, sack),
                (_, Parcel::Ack(packet, mut sack)) => {
                    let verdict = match &mut world.agent {
                        Agent::Receiver(_) => Verdict::Pass,
                        Agent::Source(_, mobile) => mobile.on_ack(&packet, &mut sack),
                    };
                    if verdict == Verdict::Pass {
                        let (ack, echo_tx) = (u64::from(packet.seq), packet.tx);
                        let echo_sent_at = packet.sent_at;
                        sender.on_ack(
                            now,
                            &AckInfo { ack, echo_tx, echo_sent_at, ecn_flags: 0, sack },
                        );
                    }
                }
                (_, Parcel::Request(number)) => {
                    if let Agent::Source(watcher, mobile) = &mut world.agent
                        && let Some(request) = watcher.take_request(number)
                    {
                        mobile.on_request(now, &request);
                    }
                }
            }
        } else {
            answer = receiver.on_timer(now);
            world.on_timer();
            sender.on_timer(now);
        }
        world.check_agent(window)?;
        // In order, without a gap, never twice: the count only grows, one segment after the other.
        prop_assert!(receiver.next() >= handed_over);
        handed_over = receiver.next();
        if let Some(answer) = answer {
            let mut packet = ack(answer.ack, u64::from(answer.echo_tx));
            packet.sent_at = answer.echo_sent_at;
            world.post(Leg::Home, || Parcel::Ack(packet, answer.sack));
        }
    }
    Err(TestCaseError::fail("the transfer does not end"))
}

fn hostile() -> impl Strategy<Value = Hostile> {
    (0.0..0.3, 0.0..0.3, 0u64..60, 0.0..0.2, any::<u64>())
        .prop_map(|(loss, repeat, jitter, drop, seed)| Hostile { loss, repeat, jitter, drop, seed })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_segment_is_handed_over_once_and_in_order(
        network in hostile(),
        segments in 1u64..200,
        delayed in any::<bool>(),
        from_mobile in any::<bool>(),
        window in prop::sample::select(vec![1u32, 5, 100]),
        name in prop::sample::select(vec!["reno", "newreno", "sack", "westwood", "tcp-atl"]),
    ) {
        transfer(name, segments, network, delayed, from_mobile, window)?;
    }
}
