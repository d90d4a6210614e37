//! A digest of all that a ledger answers and tells its controller in a long run of calls of all
//! kinds, at ten instants. Times are multiples of five milliseconds, so that comparisons often
//! meet equal ones.

use std::fmt::Write;
use std::num::NonZeroU32;

use atl_core::path::Handoff;
use atl_core::time::{Span, Time};
use atl_core::window::ledger::{Checkpoint, PacketId, SentPacket};
use atl_core::window::{
    Ack, ControllerConfig, Loss, Marked, Sent, Start, Timeout, WindowController, fixed,
};

use super::{Call, Host, SPACES};
use crate::support::digest::Digest;
use crate::support::draws::Draws;

/// A controller that takes in all that it is told.
#[derive(Clone, Debug)]
struct Listener {
    heard: Digest,
    window: f64,
    limit: Option<NonZeroU32>,
    /// It takes back reductions by itself.
    undoes: bool,
    /// Multiples of this are when it wants to be called, in nanoseconds.
    ticks: Option<u64>,
    tick_at: Time,
}

impl Listener {
    fn new(limit: Option<u32>, undoes: bool, ticks: Option<u64>) -> Self {
        Listener {
            heard: Digest::new(),
            window: 20.0,
            limit: limit.and_then(NonZeroU32::new),
            undoes,
            ticks,
            tick_at: Time::ZERO,
        }
    }
}

impl WindowController for Listener {
    fn on_sent(&mut self, sent: &Sent) {
        self.heard.note(sent);
    }
    fn on_ack(&mut self, ack: &Ack) {
        self.heard.note(ack);
        self.window += if ack.in_recovery { 0.0 } else { 0.25 };
    }
    fn on_loss(&mut self, loss: &Loss) {
        self.heard.note(loss);
        if loss.new_episode {
            self.window = (0.5 * self.window).max(2.0);
        }
    }
    fn on_marked(&mut self, marked: &Marked) {
        self.heard.note(marked);
    }
    fn on_timeout(&mut self, timeout: &Timeout) {
        self.heard.note(timeout);
        self.window = 1.0;
    }
    fn on_recovered(&mut self, now: Time) {
        self.heard.note(now);
    }
    fn on_spurious(&mut self, now: Time) -> bool {
        self.heard.note(now);
        if self.undoes {
            self.window *= if now.nanos().is_multiple_of(10_000_000) { 2.0 } else { 1.0 };
        }
        self.undoes
    }
    fn on_handoff(&mut self, handoff: &Handoff) {
        self.heard.note(handoff);
    }
    fn on_tick(&mut self, now: Time) {
        self.heard.note(now);
        self.tick_at = now.saturating_add(Span::from_nanos(self.ticks.unwrap_or(0)));
    }
    fn next_timeout(&self) -> Option<Time> {
        self.ticks.map(|_| self.tick_at)
    }
    fn window(&self) -> f64 {
        self.window
    }
    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.limit
    }
}

fn call(draws: &mut Draws) -> Call {
    let mut space = || [2, 2, 2, 2, 2, 2, 0, 1][draws.below(8) as usize];
    let space: u8 = space();
    let mut byte = |n: u64| draws.below(n) as u8;
    match byte(35) {
        0..=13 => Call::Send {
            space,
            skip: [0, 0, 0, 0, 1, 40][usize::from(byte(6))],
            bytes: 1000 + u16::from(byte(3)) * 250,
            app_limited: byte(4) == 0,
            mtu_probe: byte(12) == 0,
        },
        14 => Call::Again { space, back: byte(9) },
        15..=19 => {
            let ranges = (0..1 + byte(3)).map(|_| (byte(14), byte(5))).collect();
            let delay_us = 5000 * u32::from(byte(8));
            Call::Ack { space, ranges, delay_us, forged: byte(16) == 0 }
        }
        20 | 21 => Call::Lose { packets: (0..byte(4)).map(|_| (space, byte(20))).collect() },
        22 => Call::Mark { space, back: byte(12) },
        23 => Call::Discard { space, back: byte(12) },
        24 if byte(6) == 0 => Call::DiscardSpace { space },
        24 if byte(3) == 0 => Call::Expire,
        24..=26 => Call::Detect,
        27 | 28 => Call::Tick,
        29 if byte(4) == 0 => Call::Handoff {
            old_ms: 10 * u16::from(byte(9)),
            new_ms: 10 * u16::from(byte(9)),
            peer: byte(2) == 0,
        },
        30 => Call::Wait { us: 100_000 * u32::from(byte(9)) },
        _ => Call::Wait { us: 5000 * u32::from(byte(5)) },
    }
}

/// Calls that only some hosts make.
fn more(draws: &mut Draws, host: &mut Host<Listener>, kept: &mut Option<Checkpoint<Listener>>) {
    let (now, back) = (host.now, draws.below(12) as u8);
    let ledger = &mut host.ledger;
    match draws.below(8) {
        0 => ledger.on_window_limited(),
        1 => {
            let sent_at = now - Span::from_millis(5 * draws.below(40)).min(now.since(Time::ZERO));
            ledger.on_marked(now, sent_at, 1 + draws.below(3) as u32);
        }
        2 => {
            let lost: Vec<PacketId> = (0..1 + back % 3).map(|i| host.id(2, back + i)).collect();
            host.ledger.on_lost_judged(now, lost.iter().copied(), draws.below(3) == 0);
            lost.into_iter().for_each(|id| host.remove(id));
        }
        3 | 4 => *kept = Some(ledger.checkpoint()),
        _ => {
            if let Some(before) = kept.take() {
                let undone = ledger.on_spurious(now, before);
                ledger.controller_mut().heard.note(undone);
            }
        }
    }
}

fn note(seen: &mut Digest, host: &Host<Listener>, back: u8) {
    let ledger = &host.ledger;
    seen.note((ledger.in_recovery(), ledger.next_timeout(), ledger.window_bytes()));
    seen.note((ledger.pacing_rate(), ledger.rtt().rto(), ledger.rtt().srtt(), ledger.rtt().min()));
    seen.note((ledger.may_send(host.now, 1000), ledger.may_send(host.now, 30_000)));
    seen.note(SPACES.map(|space| ledger.last_number(space)));
    seen.note(ledger.outstanding(host.id(back % 3, back)));
    if back == 0 {
        seen.note(ledger.all_outstanding().collect::<Vec<_>>());
    }
}

fn run(seed: u64, controller: Listener) -> String {
    let mut draws = Draws(seed);
    let mut host = Host::new(controller);
    let mut seen = Digest::new();
    let (mut kept, mut text) = (None, String::new());
    for i in 1..=5000 {
        if draws.below(12) == 0 {
            more(&mut draws, &mut host, &mut kept);
        } else {
            host.apply(&call(&mut draws));
        }
        note(&mut seen, &host, draws.below(20) as u8);
        if i % 500 == 0 {
            let heard = host.ledger.controller().heard.0;
            write!(text, " {:08x}", (seen.0 ^ heard) >> 32).expect("a text");
        }
    }
    let Host { acked, removed, .. } = host;
    format!("{acked} acknowledged, {removed} gone:{text}\n")
}

#[test]
fn a_long_run_of_calls() {
    let kinds = [(None, false, None), (Some(2), true, None), (Some(3), false, Some(70_000_000))];
    let runs = (0..9u64).zip(kinds.into_iter().cycle());
    let text: String = runs
        .map(|(seed, (limit, undoes, ticks))| run(seed, Listener::new(limit, undoes, ticks)))
        .collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("ledger", text);
    });
}

/// By hand: the oldest of a space makes room once it keeps 2^20.
#[test]
fn a_space_keeps_a_million_packets() {
    let fixed = ControllerConfig::from(fixed::Config { window: 1 }).build(&Start::default());
    let mut ledger = Host::new(fixed).ledger;
    for number in 0..=1 << 20 {
        ledger.on_sent(&SentPacket::new(Time::ZERO, number, 1));
    }
    assert_eq!(ledger.in_flight(), 1 << 20);
    assert_eq!(ledger.bytes_in_flight(), 1 << 20);
    assert_eq!(ledger.outstanding(0), None);
    assert!(ledger.outstanding(1).is_some());
}
