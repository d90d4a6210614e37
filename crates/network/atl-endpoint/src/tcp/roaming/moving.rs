//! The move to another path: a controller and an RTT of its own, and what is known of the path to
//! begin with.

use atl_core::measure::RttEstimator;
use atl_core::path::PathId;
use atl_core::roaming::Knowledge;
use atl_core::time::Time;
use atl_core::window::{Sent, WindowController};

use crate::tcp::connection::Phase;
use crate::tcp::path::Path;
use crate::tcp::paths::{Leg, Paths};
use crate::tcp::recovery::LossRecovery;
use crate::tcp::sender::Sender;

impl Sender {
    /// Data takes `path` from now on.
    pub(super) fn move_to(&mut self, paths: &mut Paths, now: Time, path: PathId, known: Knowledge) {
        self.note_return(paths, now, path);
        if paths.keeps() || self.conn.phase == Phase::Connecting {
            self.conn.path.id = path;
            return;
        }
        let back = paths.left.take();
        let begun = self.begin_on(paths, now, path, known, back);
        self.turn_to(paths, now, begun);
        if self.conn.in_flight() > 0 {
            self.conn.arm_timer(now);
        }
        self.conn.phase = Phase::Open;
        self.strategy.on_split();
        self.begin_drain(paths, now);
    }

    /// Begins on a path that is, or is about to be, in use beside or after the current one. What
    /// the survey has released there belongs to its window. `back` is the path that was left last.
    pub(super) fn begin_on(
        &mut self,
        paths: &mut Paths,
        now: Time,
        id: PathId,
        known: Knowledge,
        back: Option<(Path, Time)>,
    ) -> Path {
        let conn = &self.conn;
        // A sender that returns before the path it left has drained goes on where it was.
        let back = back.filter(|(back, until)| back.id == id && now < *until).map(|(back, _)| back);
        let before = back.as_ref().map(Path::window);
        let window = if known.sure { known.window } else { before.or(known.window) };
        paths.moves += 1;
        let start = paths.start.seed(paths.start.seed.wrapping_add(paths.moves));
        let start = Knowledge { window, ..known }.start(start);
        let left = (conn.path.id, &conn.path.controller);
        let controller = paths.controllers.change(now, left, (id, window.is_none()), &start);
        let rtt = match (known.rtt, back) {
            (None, Some(back)) => back.rtt,
            (rtt, _) => {
                let mut fresh = RttEstimator::new(paths.rtt);
                if let Some(rtt) = rtt {
                    fresh.on_sample(rtt);
                }
                fresh
            }
        };
        let mut path = Path::new(id, controller, rtt);
        if known.paced {
            path.fill(now, start.initial_window);
        }
        let count = paths.sent.count_ahead(|seq, tx| conn.board.out_since(seq, tx).is_some());
        for number in 0..count {
            let in_flight = number as u32 + 1;
            path.controller.on_sent(&Sent::new(now, number, conn.packet_bytes, in_flight));
        }
        path.base = conn.next_tx - count;
        path
    }

    /// The current path is `path` from now on, over which the transmissions ahead went. Everything
    /// else in flight is elsewhere.
    pub(super) fn turn_to(&mut self, paths: &mut Paths, now: Time, path: Path) {
        let conn = &mut self.conn;
        let mut left = std::mem::replace(&mut conn.path, path);
        left.rtt.end_back_off();
        paths.note_rtt(left.id, left.rtt.srtt(), now);
        // The old path's packets arrive within its timeout, or not at all.
        let until = now.saturating_add(left.rtt.rto());
        paths.left = Some((left, until));
        conn.board.turn(|tx| paths.sent.of(tx) == Leg::Ahead);
        paths.sent.turn();
        conn.arrived_above = 0;
        conn.duplicates = 0;
        self.first_probe = self.next_probe;
    }
}
