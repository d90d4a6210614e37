//! A mobile receiver's side: notices to the sender, repeated until they are sure to have got
//! through.

use std::collections::VecDeque;

use atl_core::path::{PathId, PathSignal};
use atl_core::time::{Span, Time};

use super::tag::Key;
use atl_wire::Notice;

/// Copies of a notice, the first included.
const COPIES: u32 = 6;
/// Time from the first copy to the second; it doubles from then on. The copies span 1.5 s: with a
/// tenth of all packets lost, one notice in a million does not arrive.
const FIRST_WAIT: Span = Span::from_millis(50);
/// News of a move after which nothing has come is repeated beyond that, as binding updates are: at
/// most after this time (MAX_BINDACK_TIMEOUT of RFC 6275, sec. 12). Otherwise a path that is dark
/// for a while after the move would stay unused forever.
const LONGEST_WAIT: Span = Span::from_secs(32);

/// A notice that may not have arrived.
#[derive(Clone, Copy, Debug)]
struct Pending {
    notice: Notice,
    path: PathId,
    copies_left: u32,
    due: Time,
    wait: Span,
}

/// Turns the signals of a mobile receiver into notices, and says over which path each copy goes:
/// [`Imminent`] and [`Done`] over the path that they are about, which shows that the host is
/// reachable there; [`Gone`] over the current one.
///
/// [`Imminent`]: PathSignal::Imminent
/// [`Done`]: PathSignal::Done
/// [`Gone`]: PathSignal::Gone
#[derive(Debug)]
pub struct Notifier {
    key: Option<Key>,
    sequence: u32,
    current: PathId,
    /// Other paths that can be used now, the latest last.
    others: Vec<PathId>,
    /// Data has come over the current path since the host moved there.
    heard: bool,
    /// The current path, if it is gone and no path was left to say so.
    stranded: Option<PathId>,
    pending: VecDeque<Pending>,
}

impl Notifier {
    /// A notifier that signs with this key, if the session has one.
    pub fn new(key: Option<Key>) -> Self {
        Notifier {
            key,
            sequence: 0,
            current: PathId::FIRST,
            others: Vec::new(),
            heard: true,
            stranded: None,
            pending: VecDeque::new(),
        }
    }

    /// The lower layers signal. Ask [`poll`](Self::poll) afterwards.
    pub fn signal(&mut self, now: Time, signal: PathSignal) {
        let about = signal.path();
        self.others.retain(|path| *path != about);
        let over = match signal {
            PathSignal::Imminent(path) => {
                if path != self.current {
                    self.others.push(path);
                }
                Some(path)
            }
            PathSignal::Done(path) => {
                if path != self.current && self.stranded != Some(self.current) {
                    self.others.push(self.current);
                }
                self.current = path;
                self.heard = false;
                Some(path)
            }
            PathSignal::Gone(path) if path == self.current => self.others.last().copied(),
            PathSignal::Gone(_) => Some(self.current),
        };
        // A later word on the same path, or of another move, makes an earlier one pointless.
        // Nothing goes over a path that is gone.
        let moves = matches!(signal, PathSignal::Done(_));
        let gone = matches!(signal, PathSignal::Gone(_));
        self.pending.retain(|pending| {
            let old = pending.notice.signal;
            old.path() != about
                && !(moves && matches!(old, PathSignal::Done(_)))
                && !(gone && pending.path == about)
        });
        let Some(path) = over else {
            self.stranded = Some(about);
            return;
        };
        self.push(now, path, signal);
        // Told late, the sender still need not wait for what was on that path.
        if moves && let Some(gone) = self.stranded.take().filter(|gone| *gone != about) {
            self.push(now, path, PathSignal::Gone(gone));
        }
    }

    fn push(&mut self, now: Time, path: PathId, signal: PathSignal) {
        self.sequence += 1;
        let tag = self.key.as_ref().map_or(0, |key| key.tag(self.sequence, signal));
        let notice = Notice { sequence: self.sequence, signal, tag };
        let wait = FIRST_WAIT;
        self.pending.push_back(Pending { notice, path, copies_left: COPIES, due: now, wait });
    }

    /// A packet that the sender sent because of a notice arrived over this path: the notices that
    /// asked for it have arrived.
    pub fn on_packet(&mut self, path: PathId) {
        if self.pending.is_empty() {
            return;
        }
        self.pending.retain(|pending| match pending.notice.signal {
            PathSignal::Imminent(about) => about != path,
            // Probes come over a path before the move. Only the current path's data shows that the
            // sender knows of it, and this the caller cannot tell from probes sent before: the
            // copies run out by themselves.
            PathSignal::Done(_) | PathSignal::Gone(_) => true,
        });
    }

    /// Data arrived over this path. If it is the current one, the sender uses it, and needs not be
    /// told for ever.
    pub fn on_data(&mut self, path: PathId) {
        if !self.heard && path == self.current {
            self.heard = true;
            self.pending.retain(|pending| pending.copies_left > 0);
        }
    }

    /// The next copy to send now, and its path.
    pub fn poll(&mut self, now: Time) -> Option<(PathId, Notice)> {
        let at = self.pending.iter().position(|pending| pending.due <= now)?;
        let pending = &mut self.pending[at];
        pending.copies_left = pending.copies_left.saturating_sub(1);
        pending.due = now.saturating_add(pending.wait);
        pending.wait = (pending.wait * 2).min(LONGEST_WAIT);
        let out = (pending.path, pending.notice);
        let insists = !self.heard && pending.notice.signal == PathSignal::Done(self.current);
        if pending.copies_left == 0 && !insists {
            self.pending.remove(at);
        }
        Some(out)
    }

    /// When the next copy is due; [`Time::MAX`] if none is.
    pub fn next_timer(&self) -> Time {
        self.pending.iter().map(|pending| pending.due).min().unwrap_or(Time::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn all(notifier: &mut Notifier, now: Time) -> Vec<(PathId, u32, PathSignal)> {
        core::iter::from_fn(|| notifier.poll(now))
            .map(|(path, notice)| (path, notice.sequence, notice.signal))
            .collect()
    }

    #[test]
    fn a_notice_is_repeated_six_times_with_back_off() {
        let (mut notifier, b) = (Notifier::new(None), PathId::new(1));
        notifier.signal(ms(100), PathSignal::Imminent(b));
        let mut times = Vec::new();
        while notifier.next_timer() < Time::MAX {
            let now = notifier.next_timer();
            assert_eq!(all(&mut notifier, now), [(b, 1, PathSignal::Imminent(b))]);
            times.push(now);
        }
        assert_eq!(times, [100, 150, 250, 450, 850, 1650].map(ms));
    }

    #[test]
    fn news_of_a_move_is_repeated_until_data_comes_there() {
        let (mut notifier, b) = (Notifier::new(None), PathId::new(1));
        notifier.signal(ms(0), PathSignal::Done(b));
        let mut times = Vec::new();
        while times.len() < 12 {
            let now = notifier.next_timer();
            assert_eq!(all(&mut notifier, now), [(b, 1, PathSignal::Done(b))]);
            // A probe does not tell whether the sender knows of the move, nor does data on the old
            // path.
            notifier.on_packet(b);
            notifier.on_data(PathId::FIRST);
            times.push(now);
        }
        let six = [0, 50, 150, 350, 750, 1550];
        let more = [3150, 6350, 12_750, 25_550, 51_150, 83_150];
        assert_eq!(times, [six, more].concat().into_iter().map(ms).collect::<Vec<_>>());
        notifier.on_data(b);
        assert_eq!(notifier.next_timer(), Time::MAX);
    }

    #[test]
    fn data_on_the_new_path_ends_no_copy_of_the_first_six() {
        let (mut notifier, b) = (Notifier::new(None), PathId::new(1));
        notifier.signal(ms(0), PathSignal::Done(b));
        notifier.on_data(b);
        let mut copies = 0;
        while notifier.next_timer() < Time::MAX {
            let now = notifier.next_timer();
            copies += all(&mut notifier, now).len();
        }
        assert_eq!(copies, 6);
    }

    #[test]
    fn a_packet_over_the_new_path_confirms_that_the_sender_knows_of_it() {
        let (mut notifier, b) = (Notifier::new(None), PathId::new(1));
        notifier.signal(ms(0), PathSignal::Imminent(b));
        all(&mut notifier, ms(0));
        notifier.on_packet(PathId::FIRST);
        assert_eq!(notifier.next_timer(), ms(50));
        notifier.on_packet(b);
        assert_eq!(notifier.next_timer(), Time::MAX);
    }

    #[test]
    fn a_later_signal_replaces_what_it_makes_pointless() {
        let (a, b) = (PathId::FIRST, PathId::new(1));
        let mut notifier = Notifier::new(None);
        notifier.signal(ms(0), PathSignal::Imminent(b));
        notifier.signal(ms(1), PathSignal::Done(b));
        assert_eq!(all(&mut notifier, ms(1)), [(b, 2, PathSignal::Done(b))]);
        // The farewell to the old path goes over the new one, beside the repeated news of the move.
        notifier.signal(ms(2), PathSignal::Gone(a));
        assert_eq!(all(&mut notifier, ms(2)), [(b, 3, PathSignal::Gone(a))]);
        assert_eq!(all(&mut notifier, ms(51)), [(b, 2, PathSignal::Done(b))]);
        // The current path fails, and there is no other to say so before the next one.
        notifier.signal(ms(60), PathSignal::Gone(b));
        assert_eq!(all(&mut notifier, ms(90)), []);
        notifier.signal(ms(500), PathSignal::Done(a));
        let late = [(a, 4, PathSignal::Done(a)), (a, 5, PathSignal::Gone(b))];
        assert_eq!(all(&mut notifier, ms(500)), late);
    }

    #[test]
    fn a_path_that_fails_is_reported_over_another_that_is_in_reach() {
        let (a, b) = (PathId::FIRST, PathId::new(1));
        let mut notifier = Notifier::new(None);
        notifier.signal(ms(0), PathSignal::Imminent(b));
        notifier.signal(ms(1), PathSignal::Gone(a));
        assert!(all(&mut notifier, ms(1)).contains(&(b, 2, PathSignal::Gone(a))));
    }
}
