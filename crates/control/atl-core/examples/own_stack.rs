//! TCP-ATL in a transport of one's own: a complete transfer over a lossy radio link, in virtual
//! time.
//!
//! `cargo run -p atl-core --example own_stack`
//!
//! The transport is [`transfer`], some 40 lines. Its packets have numbers of their own, the
//! receiver acknowledges each, and the data of a lost packet goes into a new one. The [`Ledger`]
//! does everything else. In a real program, replace [`Radio`] by a socket and the virtual time by
//! `Epoch::time(Instant::now())`.

#![allow(clippy::print_stdout)]
#![allow(unreachable_pub, reason = "also a module of the tests, which run it")]

use std::collections::{BTreeSet, VecDeque};

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::ledger::{Ledger, LedgerConfig, NumberSpace, SentPacket};
use atl_core::window::{ControllerConfig, Start, WindowController, atl, reno};

/// Bytes of a packet on the wire.
const BYTES: u32 = 1200;

fn main() {
    for (name, config) in [
        ("TCP-ATL", ControllerConfig::from(atl::robust::Config::default())),
        ("Reno", ControllerConfig::from(reno::Config::default())),
    ] {
        let mut radio = Radio::new(Rate::from_mbps(20.0), Span::from_millis(50), 0.01);
        let took = transfer(&config, 20_000, &mut radio);
        let goodput = 8.0 * f64::from(BYTES) * 20_000.0 / took.secs() / 1e6;
        println!("{name:8} {goodput:5.1} of 20 Mb/s, {} packets lost on the radio", radio.lost);
    }
}

/// Delivers this many blocks of data reliably; returns when the last one arrived.
pub fn transfer(config: &ControllerConfig, blocks: usize, radio: &mut Radio) -> Time {
    let controller = config.build(&Start::default().packet_bytes(BYTES));
    let mut ledger = Ledger::new(controller, LedgerConfig::default().packet_bytes(BYTES));
    // The driver of the wireless interface reports p_w and d_w; here they do not change.
    ledger.controller_mut().on_link_report(Time::ZERO, &radio.report());

    let mut now = Time::ZERO;
    let mut to_send: VecDeque<usize> = (0..blocks).collect();
    let mut arrived = BTreeSet::new();
    // The block in each packet: packet numbers are never used twice.
    let mut content = Vec::new();
    let mut probe = false;
    while arrived.len() < blocks {
        while probe || ledger.may_send(now, BYTES) {
            // A probe repeats the newest block if there is nothing else to send.
            let Some(block) = to_send.pop_front().or(content.last().copied().filter(|_| probe))
            else {
                break;
            };
            let number = content.len() as u64;
            content.push(block);
            ledger.on_sent(&SentPacket::new(now, number, BYTES).app_limited(to_send.is_empty()));
            if !radio.send(now, number) {
                ledger.on_link_failure(number);
            }
            probe = false;
        }
        // The next event: the controller's time for a packet, an ACK, or the timeout.
        let acked = radio.next_ack().map(|(at, _)| at);
        let fits = ledger.bytes_in_flight() + u64::from(BYTES) <= ledger.window_bytes();
        let paced = ledger.controller().release_at().filter(|_| fits && !to_send.is_empty());
        if let Some(release) = paced
            && release > now
            && acked.is_none_or(|at| release < at)
            && ledger.next_timeout().is_none_or(|timeout| release < timeout)
        {
            now = release;
            continue;
        }
        match (radio.next_ack(), ledger.next_timeout()) {
            (Some((at, number)), timeout) if timeout.is_none_or(|timeout| at <= timeout) => {
                now = at;
                radio.acks.pop_front();
                ledger.on_ack_ranges(now, NumberSpace::Data, [number..=number], Span::ZERO);
                arrived.insert(content[number as usize]);
            }
            (_, timeout) => {
                now = timeout.expect("something is in flight");
                probe = ledger.on_timeout(now);
            }
        }
        for lost in ledger.detect_losses(now) {
            to_send.push_front(content[lost.number as usize]);
        }
    }
    now
}

/// A radio link with a queue and random loss, whose MAC reports its losses. ACKs are never lost.
#[derive(Clone, Debug)]
pub struct Radio {
    rate: Rate,
    delay: Span,
    loss: f64,
    free_at: Time,
    random: u64,
    /// Packets that the MAC gave up.
    pub lost: u64,
    acks: VecDeque<(Time, u64)>,
}

impl Radio {
    /// A link of this rate and one-way delay that loses this share of its packets.
    pub fn new(rate: Rate, delay: Span, loss: f64) -> Self {
        let (free_at, acks) = (Time::ZERO, VecDeque::new());
        Radio { rate, delay, loss, free_at, random: 1, lost: 0, acks }
    }

    fn report(&self) -> LinkReport {
        LinkReport { loss: Probability::clamped(self.loss), delay: self.delay }
    }

    /// Sends a packet. False if the MAC gave it up. A packet behind 50 ms of others is dropped
    /// without a report.
    fn send(&mut self, now: Time, number: u64) -> bool {
        if self.free_at.since(now) > Span::from_millis(50) {
            return true;
        }
        self.free_at = self.free_at.max(now) + self.rate.time_for(u64::from(BYTES));
        // Knuth's MMIX generator: the same draws in every run.
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let fails = ((self.random >> 11) as f64) < self.loss * (1u64 << 53) as f64;
        if fails {
            self.lost += 1;
        } else {
            self.acks.push_back((self.free_at + self.delay * 2, number));
        }
        !fails
    }

    fn next_ack(&self) -> Option<(Time, u64)> {
        self.acks.front().copied()
    }
}
