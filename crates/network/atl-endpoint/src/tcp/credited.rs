//! A sender whose receiver announces its window anew in each ACK.

use atl_core::time::Time;

use super::credit::Credit;
use super::persist::Persist;
use super::sender::{Outgoing, Sender};

impl Sender {
    /// The same, whose receiver announces its window in each ACK: see
    /// [`on_window`](Self::on_window). At the start it is that of the parameters.
    #[must_use]
    pub fn with_announced_windows(mut self) -> Self {
        let credit = Credit { edge: self.receive_window, persist: Persist::STOPPED };
        self.credit = Some(Box::new(credit));
        self
    }

    /// An ACK of everything below segment `ack` announced room for this many segments from there
    /// on. Tell it after the ACK itself, and ask for packets afterwards.
    pub fn on_window(&mut self, ack: u64, window: u32) {
        let (una, next) = (self.conn.board.una(), self.conn.board.next());
        let Some(credit) = &mut self.credit else { return };
        credit.edge = credit.edge.max(ack.saturating_add(u64::from(window)));
        if credit.edge > next {
            credit.persist.stop();
        }
        self.receive_window = credit.edge.saturating_sub(una);
    }

    /// The next packet of a sender whose receiver announces its window, where no data can be sent.
    #[inline(never)]
    pub(super) fn poll_without_room(&mut self, now: Time) -> Option<Outgoing> {
        let (empty, next) = (self.conn.board.is_empty(), self.conn.board.next());
        if let Some(credit) = &mut self.credit {
            if credit.persist.ask() {
                return Some(Outgoing::WindowProbe);
            }
            if empty && !self.idle && credit.edge <= next {
                credit.persist.start(now, self.conn.path.rtt.rto());
            }
        }
        self.poll_probe(now)
    }

    /// Bytes of the application that the receiver is known to have, at least: segments that are not
    /// acknowledged count as full ones.
    pub fn acknowledged_at_least(&self) -> u64 {
        let outstanding = u64::from(self.conn.board.outstanding());
        self.data.taken().saturating_sub(outstanding * u64::from(self.data.segment()))
    }

    /// Bytes of its application in all, once that has ended.
    pub fn end(&self) -> Option<u64> {
        self.data.end()
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use crate::options::SackBlocks;
    use crate::tcp::testing::{self, send};
    use crate::tcp::{AckInfo, Recovery};

    use super::*;

    fn ack(sender: &mut Sender, ms: u64, ack: u64, window: u32) {
        let info = AckInfo {
            ack,
            echo_tx: ack.saturating_sub(1) as u32,
            echo_sent_at: Time::ZERO,
            ecn_flags: 0,
            sack: SackBlocks::default(),
        };
        sender.on_ack(Time::from_millis(ms), &info);
        sender.on_window(ack, window);
    }

    #[test]
    fn a_closed_window_is_asked_for_until_it_opens() {
        let mut sender = testing::sender(&testing::reno(), Recovery::Sack, 10.0, &Source::Greedy);
        sender.receive_window = 12;
        let mut sender = sender.with_announced_windows();
        let ms = Time::from_millis;
        assert_eq!(send(&mut sender, ms(0)).len(), 10);
        // Room for two beyond the ten.
        ack(&mut sender, 100, 4, 8);
        assert_eq!(send(&mut sender, ms(100)), [10, 11]);
        // An old announcement takes no room away.
        ack(&mut sender, 110, 6, 1);
        ack(&mut sender, 120, 12, 0);
        assert_eq!(sender.poll_send(ms(120)), None);
        let due = sender.next_timer(ms(120));
        assert!(due > ms(120) && due < ms(2_000), "{due:?}");
        sender.on_timer(due);
        assert_eq!(sender.poll_send(due), Some(Outgoing::WindowProbe));
        assert_eq!(sender.poll_send(due), None, "once");
        let again = sender.next_timer(due);
        assert!(again.since(due) > due.since(ms(120)), "later each time");
        sender.on_window(12, 1);
        assert_eq!(send(&mut sender, again), [12]);
    }
}
