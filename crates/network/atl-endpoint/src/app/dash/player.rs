//! The player, and the server that it asks.

use atl_core::time::{Span, Time};

use super::chooser::Chooser;
use super::video::Dash;
use crate::app::contract::{Actions, Application, Player};

/// The viewer's end: it asks for segments, and shows them.
#[derive(Debug)]
pub(super) struct Client {
    video: Dash,
    chooser: Chooser,
    /// Its state, and the video that it has, at this time.
    player: Player,
    buffered: Span,
    at: Time,
    /// The segment that is loading: when it was asked for, its place in the ladder, and the bytes
    /// that are missing.
    loading: Option<(Time, usize, u64)>,
    /// Segments asked for.
    asked: u64,
}

impl Client {
    pub(super) fn new(video: Dash) -> Client {
        Client {
            video,
            chooser: Chooser::default(),
            player: Player::Waits,
            buffered: Span::ZERO,
            at: Time::ZERO,
            loading: None,
            asked: 0,
        }
    }

    /// True if all of the video is asked for.
    fn has_asked_for_all(&self) -> bool {
        self.video.segments == Some(self.asked)
    }

    /// Shows video up to now.
    fn advance(&mut self, now: Time) {
        if self.player == Player::Plays {
            let shown = now.since(self.at).min(self.buffered);
            self.buffered -= shown;
        }
        self.at = now;
    }

    fn turn(&mut self, player: Player, actions: &mut Actions) {
        self.player = player;
        actions.play(player);
    }

    /// Asks for the next segment if there is room, and for the next wake-up.
    fn go_on(&mut self, now: Time, actions: &mut Actions) {
        let room = self.video.buffer - self.video.segment;
        if self.loading.is_none() && !self.has_asked_for_all() && self.buffered <= room {
            let index = self.chooser.choose(&self.video, self.buffered);
            self.loading = Some((now, index, self.video.bytes(index)));
            self.asked += 1;
            actions.say(0, self.video.request, index as u64);
            if self.has_asked_for_all() {
                actions.finish();
            }
        }
        let waits = self.loading.is_none() && !self.has_asked_for_all();
        actions.wake_at(match self.player {
            // There is room later, and video until then.
            Player::Plays if waits => now.saturating_add(self.buffered - room),
            Player::Plays => now.saturating_add(self.buffered),
            Player::Waits | Player::Stalls | Player::Ended => Time::MAX,
        });
    }
}

impl Application for Client {
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        self.at = now;
        self.turn(Player::Waits, actions);
        self.go_on(now, actions);
    }

    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions) {
        let Some((asked, index, missing)) = &mut self.loading else { return };
        *missing = missing.saturating_sub(bytes);
        if *missing > 0 {
            return;
        }
        let (asked, index) = (*asked, *index);
        self.loading = None;
        self.advance(now);
        self.buffered += self.video.segment;
        self.chooser.on_segment(self.video.bytes(index), now.since(asked));
        actions.complete(asked);
        actions.segment(self.video.ladder[index]);
        let enough = self.buffered >= self.video.start_up || self.has_asked_for_all();
        if enough && matches!(self.player, Player::Waits | Player::Stalls) {
            self.turn(Player::Plays, actions);
        }
        self.go_on(now, actions);
    }

    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        self.advance(now);
        if self.player == Player::Plays && self.buffered.is_zero() {
            let all = self.has_asked_for_all() && self.loading.is_none();
            self.turn(if all { Player::Ended } else { Player::Stalls }, actions);
        }
        self.go_on(now, actions);
    }
}

/// The other end: it answers each request with a segment of the rate that the request names.
#[derive(Debug)]
pub(super) struct Server {
    video: Dash,
    sent: u64,
}

impl Server {
    pub(super) fn new(video: Dash) -> Server {
        Server { video, sent: 0 }
    }
}

impl Application for Server {
    fn on_delivered(&mut self, _now: Time, _bytes: u64, _actions: &mut Actions) {}

    /// A request is complete, which names the rate.
    fn on_word(&mut self, _now: Time, _connection: usize, index: u64, actions: &mut Actions) {
        actions.write(self.video.bytes(index as usize));
        self.sent += 1;
        if self.video.segments == Some(self.sent) {
            actions.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_core::units::Rate;
    use atl_link::random::Stream;

    use super::*;
    use crate::app::{ApplicationConfig, BuildApplication, Conversation, RateChoice};

    /// Segments of 1 s and 100 or 200 bytes.
    fn video(segments: Option<u64>) -> Dash {
        Dash {
            request: 10,
            segment: Span::from_secs(1),
            ladder: [800.0, 1600.0].map(Rate::from_bps).into(),
            buffer: Span::from_secs(4),
            start_up: Span::from_secs(2),
            choice: RateChoice::Throughput,
            segments,
        }
    }

    struct Run {
        talk: Conversation,
        back: u64,
        there: u64,
    }

    impl Run {
        fn new(video: Dash) -> Run {
            let streams = [Stream::new(1, "client"), Stream::new(1, "server")];
            let talk = Conversation::new(&ApplicationConfig::from(video), Time::ZERO, streams);
            let mut run = Run { talk, back: 0, there: 0 };
            run.at(0);
            run
        }

        /// Time goes on to `ms`.
        fn at(&mut self, ms: u64) {
            self.talk.advance(Time::from_millis(ms), [self.back, self.there]);
        }

        /// The request under way arrives, and the segment that it asks for at `ms`. Returns its
        /// size.
        fn segment(&mut self, ms: u64) -> u64 {
            self.there = self.talk.written()[0].0;
            self.at(ms);
            let size = self.talk.written()[1].0 - self.back;
            self.back += size;
            self.at(ms);
            size
        }

        fn asked(&self) -> u64 {
            self.talk.written()[0].0 / 10
        }
    }

    #[test]
    fn it_plays_stalls_and_ends() {
        let mut run = Run::new(video(Some(5)));
        assert_eq!(run.segment(100), 100, "the first is of the lowest rate");
        // 100 bytes in 0.1 s are 8 kb/s.
        assert_eq!(run.segment(200), 200);
        assert_eq!(run.talk.next_timer(), Time::from_millis(2200), "it plays with two of them");
        // Slow: it has nothing for 900 ms.
        run.at(2200);
        assert_eq!(run.talk.next_timer(), Time::MAX);
        assert_eq!(run.segment(3000), 200);
        assert_eq!(run.segment(3100), 100, "3 / (0.1 / 800 + 0.1 / 1600 + 2.8 / 1600) = 1548 b/s");
        assert_eq!(run.talk.next_timer(), Time::from_millis(5100));
        run.segment(3200);
        assert_eq!(run.asked(), 5);
        assert_eq!(run.talk.written(), [(50, true), (run.back, true)]);
        run.at(6100);
        assert_eq!(run.talk.next_timer(), Time::MAX);
        let [player, server] = run.talk.playback(Time::from_millis(9000));
        let player = player.expect("it plays");
        assert_eq!((player.start_up_s, player.played_s), (Some(0.2), 5.0));
        assert_eq!((player.stalls, player.segments, player.switches), (1, 5, 3));
        assert!((player.stalled_s - 0.9).abs() < 1e-12, "from 2.2 to 3.1 s: {player:?}");
        assert_eq!(server, None);
    }

    #[test]
    fn it_asks_for_no_more_than_there_is_room_for() {
        let mut run = Run::new(video(None));
        for ms in [10, 20, 30, 40] {
            run.segment(ms);
        }
        // It has played since 20 ms, and has 3.98 s: there is room for another at 1 s in all.
        assert_eq!((run.asked(), run.talk.next_timer()), (4, Time::from_millis(1020)));
        run.at(1020);
        assert_eq!((run.asked(), run.talk.next_timer()), (5, Time::from_millis(4020)));
    }

    #[test]
    fn both_ends_keep_the_contract() {
        for choice in [RateChoice::Throughput, RateChoice::Buffer, RateChoice::Bola] {
            for segments in [None, Some(1), Some(7)] {
                let segment = Span::from_millis(500);
                let (start_up, buffer) = (Span::from_secs(1), Span::from_secs(5));
                let video = Dash { choice, segments, segment, start_up, buffer, ..Dash::default() };
                crate::conformance::application(&video);
            }
        }
    }

    #[test]
    fn numbers_outside_their_ranges_are_refused() {
        assert_eq!(Dash::default().check(), Ok(()));
        let usual = Dash::default;
        for wrong in [
            Dash { request: 0, ..usual() },
            Dash { segment: Span::from_millis(99), ..usual() },
            Dash { segment: Span::from_secs(61), ..usual() },
            Dash { ladder: Vec::new(), ..usual() },
            Dash { ladder: vec![Rate::from_mbps(1.0); 2], ..usual() },
            Dash { start_up: Span::ZERO, ..usual() },
            Dash { buffer: Span::from_secs(7), ..usual() },
            Dash { segments: Some(0), ..usual() },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
