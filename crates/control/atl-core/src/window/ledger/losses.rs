//! Losses, timeouts, and packets that leave the flight without being lost.

use super::space::Entry;
use super::{Ledger, NumberSpace, PacketId};
use crate::time::{Span, Time};
use crate::window::{Detection, Loss, Timeout, WindowController};

/// Probe timeouts after which losses in a row are persistent congestion (RFC 9002, sec. 7.6.1).
const PERSISTENT_TIMEOUTS: u64 = 3;

impl<C: WindowController> Ledger<C> {
    /// The sender found these packets lost by acknowledgments. Packets that are not in flight
    /// change nothing.
    pub fn on_lost<I>(&mut self, now: Time, packets: I)
    where
        I: IntoIterator<Item: Into<PacketId>>,
    {
        let lost = self.take_lost(packets);
        let persistent = self.is_persistent(&lost);
        self.give_up(now, lost, persistent);
    }

    /// The same for a sender that judges persistent congestion itself (RFC 9002, sec. 7.6):
    /// `persistent` is its verdict.
    pub fn on_lost_judged<I>(&mut self, now: Time, packets: I, persistent: bool)
    where
        I: IntoIterator<Item: Into<PacketId>>,
    {
        let lost = self.take_lost(packets);
        self.give_up(now, lost, persistent);
    }

    /// Takes packets out of their spaces, in the order of their sending.
    fn take_lost<I>(&mut self, packets: I) -> Vec<Entry>
    where
        I: IntoIterator<Item: Into<PacketId>>,
    {
        let mut lost = core::mem::take(&mut self.resolved);
        lost.clear();
        for id in packets {
            let PacketId { space, number } = id.into();
            lost.extend(self.spaces[space as usize].remove(number));
        }
        lost.sort_unstable_by_key(|entry| entry.tx);
        lost
    }

    fn give_up(&mut self, now: Time, lost: Vec<Entry>, persistent: bool) {
        let before = self.in_flight;
        self.lose(now, &lost, if persistent { Detection::Timeout } else { Detection::Acks });
        if persistent {
            self.collapse(now, before);
        }
        for space in &mut self.spaces {
            if persistent {
                space.end_run();
            }
            space.trim();
        }
        self.resolved = lost;
    }

    /// A retransmission timer in the style of RFC 6298 expired: every packet in flight is lost.
    /// Returns them in the order of their sending. The timeout of [`rtt`](Self::rtt) doubles.
    ///
    /// A sender with QUIC's probe timeouts, which reduce nothing, has no such timer: see
    /// [`on_timeout`](Self::on_timeout).
    pub fn on_retransmission_timeout(&mut self, now: Time) -> &[PacketId] {
        self.lost.clear();
        if self.in_flight == 0 {
            return &self.lost;
        }
        let mut lost = core::mem::take(&mut self.resolved);
        lost.clear();
        for id in NumberSpace::ALL {
            let space = &mut self.spaces[id as usize];
            space.remove_all(|entry| lost.push(entry));
            space.end_run();
            space.trim();
        }
        lost.sort_unstable_by_key(|entry| entry.tx);
        let before = self.in_flight;
        self.lose(now, &lost, Detection::Timeout);
        self.collapse(now, before);
        self.rtt.back_off();
        self.lost.extend(lost.iter().map(|entry| PacketId::new(entry.space, entry.number)));
        self.resolved = lost;
        &self.lost
    }

    /// The sender's own link gave a packet up (its MAC ran out of retries). If the packet is found
    /// lost, its loss is reported as a link failure and not as possible congestion.
    pub fn on_link_failure(&mut self, packet: impl Into<PacketId>) {
        let PacketId { space, number } = packet.into();
        self.spaces[space as usize].mark(number);
    }

    /// A packet will never be acknowledged, and shows nothing about the path. It leaves the flight.
    pub fn on_discarded(&mut self, packet: impl Into<PacketId>) {
        let PacketId { space, number } = packet.into();
        let space = &mut self.spaces[space as usize];
        if let Some(entry) = space.remove(number) {
            space.trim();
            self.forget(&entry);
        }
    }

    /// The keys of a packet-number space were discarded (RFC 9001, sec. 4.9): all its packets leave
    /// the flight.
    pub fn on_space_discarded(&mut self, space: NumberSpace) {
        let space = &mut self.spaces[space as usize];
        let (in_flight, bytes_in_flight) = (&mut self.in_flight, &mut self.bytes_in_flight);
        space.remove_all(|entry| {
            *in_flight -= 1;
            *bytes_in_flight -= u64::from(entry.bytes);
        });
        space.trim();
    }

    /// Reports losses in the order of their sending. Lost MTU probes leave the flight unreported.
    fn lose(&mut self, now: Time, lost: &[Entry], detection: Detection) {
        for entry in lost {
            let in_flight = self.in_flight;
            self.forget(entry);
            if entry.mtu_probe {
                continue;
            }
            let new_episode = detection == Detection::Acks && entry.tx >= self.recovery_tx;
            if new_episode {
                self.recover(now);
            }
            self.controller.on_loss(
                &Loss::new(now, entry.tx, entry.bytes, in_flight)
                    .link_failures(u32::from(entry.link_failure))
                    .new_episode(new_episode)
                    .detection(detection),
            );
        }
    }

    pub(super) fn recover(&mut self, now: Time) {
        self.recovery_at = now;
        self.recovery_tx = self.next_tx;
        self.in_recovery = true;
    }

    /// Lets the window fall to its minimum.
    fn collapse(&mut self, now: Time, in_flight: u32) {
        self.timeouts = self.timeouts.saturating_add(1);
        self.recover(now);
        self.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(self.timeouts));
    }

    /// True if these losses and those before them establish persistent congestion (RFC 9002, sec.
    /// 7.6).
    fn is_persistent(&mut self, lost: &[Entry]) -> bool {
        // Packets from before the first RTT sample do not count: the timeout was a guess then.
        let Some(first_sample) = self.first_sample else { return false };
        let mut longest = Span::ZERO;
        for entry in lost.iter().filter(|entry| !entry.mtu_probe && entry.sent_at > first_sample) {
            longest = longest.max(self.spaces[entry.space as usize].extend_run(entry));
        }
        longest > self.probe_span(self.config.max_ack_delay) * PERSISTENT_TIMEOUTS
    }
}
