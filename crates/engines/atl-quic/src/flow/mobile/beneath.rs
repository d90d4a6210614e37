//! Paths that a connection does not see: a layer beneath QUIC keeps the mobile's address while it
//! changes networks, as Mobile IP does, and window, RTT and loss detection go on as if the path
//! were the same.
//!
//! The other end learns of the new path by binding updates if the mobile receives, and otherwise by
//! what comes from it.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Time;
use atl_endpoint::handoff::{Guard, Key, Notice, Notifier};
use atl_endpoint::interruptions::Side;
use atl_engine::flow::Mobile;

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Beneath {
    /// The mobile's packets take the path on which something came last, while that is there.
    answers_over: Option<usize>,
    /// The other end's packets take this path.
    peer_over: usize,
    /// Tells the other end; `None` if the mobile sends.
    notifier: Option<Notifier>,
    guard: Guard,
    handoffs: u64,
}

impl Beneath {
    pub(super) fn new(mobile: Side, key: Option<Key>) -> Self {
        Beneath {
            answers_over: None,
            peer_over: 0,
            notifier: (mobile == Side::Receiver).then(|| Notifier::new(key.clone())),
            guard: Guard::new(key),
            handoffs: 0,
        }
    }

    pub(super) fn next(&self) -> Time {
        self.notifier.as_ref().map_or(Time::MAX, Notifier::next_timer)
    }

    pub(super) fn handoffs(&self) -> u64 {
        self.handoffs
    }

    pub(super) fn signal(&mut self, now: Time, signal: PathSignal, begun: bool) {
        let done = match signal {
            PathSignal::Done(path) => Some(path.index()),
            _ => None,
        };
        if !begun {
            // Nobody has to be told: it begins there.
            self.peer_over = done.unwrap_or(self.peer_over);
            return;
        }
        match &mut self.notifier {
            Some(notifier) => notifier.signal(now, signal),
            None => self.handoffs += u64::from(done.is_some()),
        }
    }

    /// The path of what the mobile sends.
    pub(super) fn of_mobile(&self, host: &Mobile) -> usize {
        // A mobile that sends takes nobody's word for where it is.
        let present = |path: &usize| self.notifier.is_some() && host.is_present(path_id(*path));
        self.answers_over.filter(present).unwrap_or(host.current().index())
    }

    /// The path of what the other end sends.
    pub(super) fn of_peer(&self) -> usize {
        self.peer_over
    }

    /// Something arrived at the mobile, or at the other end.
    pub(super) fn on_arrival(&mut self, at_mobile: bool, path: usize) {
        match (&mut self.notifier, at_mobile) {
            (Some(notifier), true) => {
                self.answers_over = Some(path);
                notifier.on_packet(path_id(path));
                notifier.on_data(path_id(path));
            }
            (None, false) => self.peer_over = path,
            _ => {}
        }
    }

    /// The next binding update that the mobile sends now, and its path.
    pub(crate) fn poll_notice(&mut self, now: Time) -> Option<(usize, Notice)> {
        let (path, notice) = self.notifier.as_mut()?.poll(now)?;
        Some((path.index(), notice))
    }

    /// A binding update of this many bytes arrived over a path.
    pub(crate) fn on_notice(&mut self, notice: &Notice, over: usize, bytes: u32) {
        let over: PathId = path_id(over);
        if self.guard.admit(notice, over, bytes).is_ok()
            && let PathSignal::Done(path) = notice.signal
        {
            self.peer_over = path.index();
            self.handoffs += 1;
        }
    }
}

/// The path with this index. A flow has at most 256.
pub(super) fn path_id(index: usize) -> PathId {
    PathId::new(index as u8)
}

#[cfg(test)]
mod tests {
    use atl_core::time::Time;

    use super::*;

    fn done(path: usize) -> PathSignal {
        PathSignal::Done(path_id(path))
    }

    #[test]
    fn the_sender_follows_a_mobile_receiver_once_it_has_heard_of_the_move() {
        let mut beneath = Beneath::new(Side::Receiver, None);
        let now = Time::from_millis(10);
        beneath.signal(now, done(1), true);
        assert_eq!(beneath.of_peer(), 0);
        let (over, notice) = beneath.poll_notice(now).expect("an update");
        assert_eq!(over, 1);
        beneath.on_notice(&notice, over, 1500);
        assert_eq!((beneath.of_peer(), beneath.handoffs()), (1, 1));
        // A copy changes nothing, and one that speaks for another path than its own is not
        // believed.
        beneath.on_notice(&notice, over, 1500);
        beneath.on_notice(&Notice { sequence: 9, signal: done(0), tag: 0 }, 1, 1500);
        assert_eq!((beneath.of_peer(), beneath.handoffs()), (1, 1));
    }

    #[test]
    fn the_receiver_answers_a_mobile_sender_where_that_was_heard_last() {
        let mut beneath = Beneath::new(Side::Sender, None);
        beneath.signal(Time::ZERO, done(1), true);
        assert!(beneath.poll_notice(Time::ZERO).is_none());
        assert_eq!((beneath.of_peer(), beneath.handoffs()), (0, 1));
        beneath.on_arrival(false, 1);
        assert_eq!(beneath.of_peer(), 1);
    }

    #[test]
    fn before_its_start_a_flow_has_nobody_to_tell() {
        let mut beneath = Beneath::new(Side::Receiver, None);
        beneath.signal(Time::ZERO, done(2), false);
        assert_eq!((beneath.of_peer(), beneath.handoffs()), (2, 0));
        assert!(beneath.poll_notice(Time::ZERO).is_none());
    }
}
