//! The cell: stations that contend for the channel, slot by slot.

use atl_core::time::{Span, Time};

use super::bianchi::{DOUBLINGS, WINDOW};
use super::phy::{AFTER_COLLISION, AIFS, SLOT, exchange, full, ppdu};
use super::{OTHERS, Wifi};
use crate::random::Stream;

/// After an idle time as long as this, what the others did before does not matter.
const MEMORY: Span = Span::from_secs(1);

/// After more vain attempts in a row than this the window is the first again (dot11ShortRetryLimit,
/// IEEE 802.11-2020, 10.23.2.2).
const ATTEMPTS: u32 = 7;

/// A station's backoff.
#[derive(Clone, Copy, Debug, Default)]
struct Backoff {
    /// Slots left.
    slots: u32,
    /// Transmissions in a row that nobody heard, each of which doubles the window.
    failed: u32,
}

impl Backoff {
    fn draw(&mut self, stream: &mut Stream) {
        self.slots = stream.below(u64::from(WINDOW << self.failed.min(DOUBLINGS))) as u32;
    }

    fn after(&mut self, success: bool, stream: &mut Stream) {
        self.failed = if success { 0 } else { self.failed + 1 };
        if self.failed > ATTEMPTS {
            self.failed = 0;
        }
        self.draw(stream);
    }
}

/// A turn of the own station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// It begins to send.
    pub(super) at: Time,
    /// Others begin in the same slot.
    pub(super) collides: bool,
}

/// The stations of a cell and its channel.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    own: Backoff,
    others: Vec<Backoff>,
    /// The channel is free from then on.
    free: Time,
    /// Time of the others' aggregates on the air, and with their acknowledgment.
    on_air: Span,
    exchange: Span,
    stream: Stream,
}

impl Cell {
    /// A cell from `begins` on.
    pub(super) fn new(wifi: &Wifi, begins: Time, mut stream: Stream) -> Self {
        let mut others = vec![Backoff::default(); (wifi.stations.max(1) - 1) as usize];
        others.iter_mut().for_each(|other| other.draw(&mut stream));
        let (mpdus, octets) = full(wifi, OTHERS);
        let on_air = ppdu(wifi, octets);
        let exchange = exchange(on_air, mpdus as usize);
        Cell { own: Backoff::default(), others, free: begins, on_air, exchange, stream }
    }

    /// The first slot after the channel became free.
    fn base(&self) -> Time {
        self.free.saturating_add(AIFS)
    }

    /// The slots until the first of the others sends; `None` without others.
    fn first(&self) -> Option<u32> {
        self.others.iter().map(|other| other.slots).min()
    }

    /// Time of a slot after the channel became free.
    fn slot(&self, number: u32) -> Time {
        self.base().saturating_add(SLOT * u64::from(number))
    }

    /// Slots pass for everyone.
    fn pass(&mut self, slots: u32) {
        for other in &mut self.others {
            other.slots -= slots;
        }
        self.own.slots = self.own.slots.saturating_sub(slots);
    }

    /// Those of the others send that have no slots left; with one that is not among them if
    /// `joined`.
    fn others_send(&mut self, at: Time, joined: bool) {
        let alone = self.others.iter().filter(|other| other.slots == 0).count() == 1 && !joined;
        for other in self.others.iter_mut().filter(|other| other.slots == 0) {
            other.after(alone, &mut self.stream);
        }
        let busy = if alone { self.exchange } else { self.on_air + AFTER_COLLISION };
        self.free = self.free.max(at.saturating_add(busy));
    }

    /// The own station has something to send from `from` on: when it does.
    pub(super) fn contend(&mut self, from: Time) -> Turn {
        if from.since(self.free) > MEMORY && !self.others.is_empty() {
            self.free = Time::from_nanos(from.nanos() - MEMORY.nanos());
            self.own.slots = 0;
        }
        // Aggregates that the others have begun before.
        while let Some(first) = self.first()
            && self.slot(first) < from
        {
            let at = self.slot(first);
            self.pass(first);
            self.others_send(at, false);
        }
        // A station that finds the channel taken draws a backoff, unless one runs.
        if from < self.free && self.own.slots == 0 {
            self.own.draw(&mut self.stream);
        }
        loop {
            let at = self.slot(self.own.slots).max(from);
            let Some(first) = self.first() else { return Turn { at, collides: false } };
            let theirs = self.slot(first);
            if at <= theirs {
                let passed = at.since(self.base()).nanos() / SLOT.nanos();
                self.pass((passed as u32).min(first));
                return Turn { at, collides: at == theirs };
            }
            self.pass(first);
            self.others_send(theirs, false);
        }
    }

    /// The own station has sent since `turn` for `on_air`, and as long as `exchange` with the
    /// acknowledgment. `heard`: it got one. Returns when the channel is free.
    pub(super) fn sent(&mut self, turn: Turn, on_air: Span, exchange: Span, heard: bool) -> Time {
        let busy = if heard { exchange } else { on_air + AFTER_COLLISION };
        self.free = turn.at.saturating_add(busy);
        if turn.collides {
            self.others_send(turn.at, true);
        }
        self.own.after(heard, &mut self.stream);
        self.free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wifi::WifiStandard;
    use atl_core::units::Rate;

    fn cell(stations: u32) -> Cell {
        let wifi = Wifi { stations, ..Wifi::new(Rate::from_mbps(65.0), WifiStandard::N) };
        Cell::new(&wifi, Time::ZERO, Stream::new(1, "cell"))
    }

    #[test]
    fn a_station_that_finds_the_channel_free_sends_at_once() {
        let mut cell = cell(1);
        // AIFS after the beginning, and later without any wait.
        assert_eq!(cell.contend(Time::ZERO), Turn { at: Time::ZERO + AIFS, collides: false });
        let late = Time::from_millis(5);
        assert_eq!(cell.contend(late), Turn { at: late, collides: false });
        // After its own exchange it draws a backoff: 43 us and 0 to 15 slots.
        let turn = cell.contend(late);
        let free = cell.sent(turn, Span::from_millis(1), Span::from_millis(2), true);
        assert_eq!(free, Time::from_millis(7));
        let next = cell.contend(free).at.since(free + AIFS).nanos();
        assert!(next <= 15 * 9000 && next.is_multiple_of(9000), "{next}");
    }

    #[test]
    fn collisions_are_as_frequent_as_bianchi_says() {
        for stations in [2, 5, 20] {
            let mut cell = cell(stations);
            let (mut now, mut collisions) = (Time::ZERO, 0);
            let turns = 20_000;
            for _ in 0..turns {
                let turn = cell.contend(now);
                collisions += u32::from(turn.collides);
                let (on_air, exchange) = (cell.on_air, cell.exchange);
                now = cell.sent(turn, on_air, exchange, !turn.collides);
            }
            let found = f64::from(collisions) / f64::from(turns);
            let wifi = Wifi { stations, ..Wifi::new(Rate::from_mbps(65.0), WifiStandard::N) };
            let expected = wifi.bianchi().collides;
            // A station that has just sent may do so again before the others count a slot, which
            // the chain leaves out (Tinnirello, Bianchi and Xiao 2010): it has a few more.
            assert!((found / expected - 1.0).abs() < 0.1, "{stations}: {found} {expected}");
        }
    }
}
