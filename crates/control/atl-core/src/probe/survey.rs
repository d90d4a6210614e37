//! The survey of a path by a window-based sender, before it moves there.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. IV-B: the
//! sender sends rwnd dummies over the new path during [t0, t1], each answered by a dummy ACK, and
//! its window becomes the number of dummy ACKs that have come by t1 + RTT.
//!
//! Left open by the source, and chosen:
//! - The dummies are paced over one RTT (t1 = t0 + RTT): a burst overflows the queue before the
//!   path that it is to measure.
//! - The RTT is that of the new path, which a challenge (a dummy of headers only) measures first.
//!   Its answer also shows that the peer is reachable there (RFC 9000, sec. 8.2). Without a
//!   challenge the caller's RTT serves, as in the paper.
//! - ACKs count for one RTT from the first of them, so that the window is what the path carries in
//!   an RTT, whatever the path's delay turned out to be. Then the rest of the dummies stays unsent.
//! - A challenge is repeated after two RTTs, then at twice the interval each time; without an RTT
//!   after 1 s.
//! - If no dummy is acknowledged within two RTTs after the last one, the path is taken as full: the
//!   window is as small as the caller lets it be.

use super::pacer::Pacer;
use crate::time::{Span, Time};

/// Time until a challenge is repeated while no RTT is known (RFC 9002, sec. 6.2.2, has 1 s for its
/// first).
const FIRST_WAIT: Span = Span::from_secs(1);
/// Lower bound of that time.
const LEAST_WAIT: Span = Span::from_millis(50);
/// Upper bound of that time.
const LONGEST_WAIT: Span = Span::from_secs(60);
/// Least window after a survey, in packets: a full cell passes almost no dummies.
pub(crate) const LEAST_WINDOW: f64 = 2.0;

/// Settings of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Limit on the dummies to send.
    pub dummies: u32,
    /// Time to spread them over; `None` for one RTT.
    pub over: Option<Span>,
    /// Round-trip time to start from, if any is known: the new path's, or that of the old one.
    pub rtt: Option<Span>,
    /// Sends a challenge first, and no dummy before its answer.
    pub challenge: bool,
}

/// A packet of the survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A dummy of headers only, which asks for an answer.
    Challenge,
    /// A dummy of a full data packet's size.
    Dummy,
}

/// The result of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// n_ACK: dummies acknowledged within one RTT of the first.
    pub acks: u32,
    /// Number of dummies sent.
    pub dummies: u32,
    /// Round-trip time of the path, as its first answer measured it.
    pub rtt: Option<Span>,
    /// Time for which ACKs have counted: `rtt`, unless the survey was cut short.
    pub counted: Span,
}

impl Found {
    /// The path's apparent capacity in a round trip, in packets: n_ACK, scaled up if the survey was
    /// cut short. `None` with fewer than three ACKs, which say too little.
    pub fn carried(&self) -> Option<f64> {
        let rtt = self.rtt?;
        if self.acks < 3 || self.counted.is_zero() {
            return None;
        }
        // The time counts from the first ACK.
        let rate = f64::from(self.acks - 1) / self.counted.secs();
        Some(f64::from(self.acks).max(1.0 + rate * rtt.secs()).min(f64::from(self.dummies)))
    }

    /// cwnd and ssthresh in packets to begin with: cwnd = n_ACK and ssthresh = cwnd - 1, so that
    /// congestion avoidance follows. After a survey that was cut short slow start leads from n_ACK
    /// to what the path seems to carry. From a path that passed hardly any dummies: the least
    /// window and slow start.
    pub fn window(&self) -> (f64, f64) {
        let cwnd = f64::from(self.acks).max(LEAST_WINDOW);
        let ssthresh = match self.carried() {
            Some(carried) if carried > cwnd => carried,
            Some(_) => cwnd - 1.0,
            None => f64::INFINITY,
        };
        (cwnd, ssthresh)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The challenge is due at this time, and again after `wait`.
    Challenging { due: Time, wait: Span },
    /// Dummies are being sent, and none is acknowledged yet.
    Sending,
    /// All dummies are sent. Without any ACK the survey ends at this time.
    Waiting { until: Time },
    /// The first dummy ACK came at this time. They count for a round trip, its last instant
    /// included.
    Counting { began: Time },
    /// The survey has ended.
    Over,
}

/// The survey of one path. It sends nothing itself: the sender asks for the packet that is
/// [`due`](Self::due), sends it and reports that.
#[derive(Clone, Debug)]
pub struct Survey {
    plan: Plan,
    stage: Stage,
    pacer: Pacer,
    found: Found,
    /// The challenge was due and could not be sent.
    held: bool,
}

impl Survey {
    /// A survey that starts now.
    pub fn new(now: Time, plan: Plan) -> Self {
        let found = Found { acks: 0, dummies: 0, rtt: None, counted: Span::ZERO };
        let mut survey =
            Survey { plan, stage: Stage::Over, pacer: Pacer::default(), found, held: false };
        if plan.challenge {
            let wait = plan.rtt.map_or(FIRST_WAIT, |rtt| (rtt * 2).max(LEAST_WAIT));
            survey.stage = Stage::Challenging { due: now, wait };
        } else {
            survey.begin(now);
        }
        survey
    }

    /// Schedules the dummies from now on.
    fn begin(&mut self, now: Time) {
        let over = self.plan.over.or(self.found.rtt).or(self.plan.rtt).unwrap_or(FIRST_WAIT);
        self.pacer.start(now, self.plan.dummies, over);
        self.stage = Stage::Sending;
        if self.plan.dummies == 0 {
            self.stage = Stage::Over;
        }
    }

    /// The packet to send now, if any.
    pub fn due(&self, now: Time) -> Option<Item> {
        match self.stage {
            Stage::Challenging { due, .. } => (now >= due).then_some(Item::Challenge),
            Stage::Sending | Stage::Counting { .. } => {
                self.pacer.is_due(now).then_some(Item::Dummy)
            }
            Stage::Waiting { .. } | Stage::Over => None,
        }
    }

    /// Notes that the packet that was due has been sent.
    pub fn on_sent(&mut self, now: Time) {
        self.held = false;
        match self.stage {
            Stage::Challenging { wait, .. } => {
                let wait_next = (wait * 2).min(LONGEST_WAIT);
                self.stage = Stage::Challenging { due: now.saturating_add(wait), wait: wait_next };
            }
            Stage::Sending | Stage::Counting { .. } if self.pacer.poll(now) => {
                self.found.dummies += 1;
                if self.stage == Stage::Sending && self.pacer.is_done() {
                    let rtt = self.found.rtt.or(self.plan.rtt).unwrap_or(FIRST_WAIT);
                    let wait = (rtt * 2).max(LEAST_WAIT);
                    self.stage = Stage::Waiting { until: now.saturating_add(wait) };
                }
            }
            _ => {}
        }
    }

    /// Notes that the packet that was due could not be sent, because too few bytes came from the
    /// path to allow it: it is tried again as if it were lost.
    pub fn hold(&mut self, now: Time) {
        if let Stage::Challenging { wait, .. } = self.stage {
            self.stage = Stage::Challenging { due: now.saturating_add(wait), wait };
            self.held = true;
        }
    }

    /// More bytes came from the path: a held packet may be sent.
    pub fn retry(&mut self, now: Time) {
        if let Stage::Challenging { due, .. } = &mut self.stage
            && self.held
        {
            *due = (*due).min(now);
        }
    }

    /// The challenge was answered after `rtt`.
    pub fn on_challenge_ack(&mut self, now: Time, rtt: Span) {
        if let Stage::Challenging { .. } = self.stage {
            self.found.rtt = Some(rtt);
            self.begin(now);
        }
    }

    /// A dummy was acknowledged after `rtt`. True if the ACK counts, and releases a data packet.
    pub fn on_dummy_ack(&mut self, now: Time, rtt: Span) -> bool {
        self.on_timer(now);
        let counts = match self.stage {
            Stage::Sending | Stage::Waiting { .. } => {
                self.found.rtt.get_or_insert(rtt);
                self.stage = Stage::Counting { began: now };
                true
            }
            Stage::Counting { .. } => true,
            Stage::Challenging { .. } | Stage::Over => false,
        };
        self.found.acks += u32::from(counts);
        counts
    }

    /// The time at which [`on_timer`](Self::on_timer) or a packet is due; [`Time::MAX`] if neither
    /// is.
    pub fn next_timer(&self) -> Time {
        let dummy = self.pacer.next().unwrap_or(Time::MAX);
        match self.stage {
            Stage::Challenging { due, .. } => due,
            Stage::Sending => dummy,
            Stage::Waiting { until } => until,
            Stage::Counting { began } => {
                let rtt = self.found.rtt.unwrap_or_default();
                dummy.min(began.saturating_add(rtt).saturating_add(Span::from_nanos(1)))
            }
            Stage::Over => Time::MAX,
        }
    }

    /// Lets time pass up to `now`.
    pub fn on_timer(&mut self, now: Time) {
        self.pacer.tick(now);
        let over = match self.stage {
            Stage::Waiting { until } => now >= until,
            Stage::Counting { began } => now.since(began) > self.found.rtt.unwrap_or_default(),
            _ => false,
        };
        if over {
            self.stage = Stage::Over;
            self.pacer.stop();
        }
    }

    /// True once no packet is sent or counted any more.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// True while the challenge waits for its answer.
    pub fn is_challenging(&self) -> bool {
        matches!(self.stage, Stage::Challenging { .. })
    }

    /// The result up to now.
    pub fn found(&self, now: Time) -> Found {
        let counted = match self.stage {
            Stage::Counting { began } => now.since(began).min(self.found.rtt.unwrap_or_default()),
            Stage::Over if self.found.acks > 0 => self.found.rtt.unwrap_or_default(),
            _ => Span::ZERO,
        };
        Found { counted, ..self.found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn span(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    fn plan(dummies: u32, rtt: Option<u64>, challenge: bool) -> Plan {
        Plan { dummies, over: None, rtt: rtt.map(span), challenge }
    }

    /// Runs a survey over a path that carries a dummy each `gap` ms at best, drops none, and has an
    /// RTT of `rtt` ms. Returns the result, the time of its end, and the times at which dummies
    /// left.
    fn run(plan: Plan, rtt: u64, gap: u64) -> (Found, Time, Vec<Time>) {
        let mut survey = Survey::new(ms(0), plan);
        let (mut acks, mut sent, mut free) = (std::collections::VecDeque::new(), vec![], ms(0));
        let mut now = ms(0);
        loop {
            while let Some(item) = survey.due(now) {
                survey.on_sent(now);
                match item {
                    Item::Challenge => acks.push_back((now + span(rtt), item, now)),
                    Item::Dummy => {
                        sent.push(now);
                        free = free.max(now) + span(gap);
                        acks.push_back((free + span(rtt) - span(gap), item, now));
                    }
                }
            }
            if survey.is_over() {
                return (survey.found(now), now, sent);
            }
            let ack = acks.front().map_or(Time::MAX, |ack| ack.0);
            now = survey.next_timer().min(ack);
            assert!(now < Time::MAX, "stalled");
            if ack == now {
                let (_, item, sent_at) = acks.pop_front().expect("due");
                match item {
                    Item::Challenge => survey.on_challenge_ack(now, now.since(sent_at)),
                    Item::Dummy => _ = survey.on_dummy_ack(now, now.since(sent_at)),
                }
            }
            survey.on_timer(now);
        }
    }

    /// Ten dummies over 100 ms leave at 10, 20, ... 100 ms. The first ACK comes at 110, so those up
    /// to 210 count; the path carries one each 20 ms: 110, 130, 150, 170, 190 and 210.
    #[test]
    fn the_acks_of_one_round_trip_count() {
        let (found, end, sent) = run(plan(10, Some(100), false), 100, 20);
        assert_eq!(sent, (1..=10).map(|k| ms(10 * k)).collect::<Vec<_>>());
        assert_eq!((found.acks, found.dummies, found.rtt), (6, 10, Some(span(100))));
        assert_eq!(end, ms(210) + Span::from_nanos(1));
    }

    /// A path faster than the dummies lets all of them through: 110, 120, ... 200.
    #[test]
    fn no_more_acks_than_dummies_count() {
        assert_eq!(run(plan(10, Some(100), false), 100, 1).0.acks, 10);
    }

    /// The old path's RTT of 300 ms misleads the spacing (30 ms between dummies), but not the
    /// count: one RTT of the new path passes from the first ACK, at 30 + 100 ms. The ACKs at 130,
    /// 160, 190 and 220 ms count, and the rest of the dummies stays unsent.
    #[test]
    fn the_window_is_that_of_the_new_paths_round_trip() {
        let (found, end, sent) = run(plan(10, Some(300), false), 100, 1);
        assert_eq!((found.acks, found.rtt), (4, Some(span(100))));
        assert_eq!(end, ms(230) + Span::from_nanos(1));
        assert_eq!(sent.last(), Some(&ms(210)));
    }

    /// The challenge leaves at 0 and is answered at 100, then ten dummies go over 100 ms.
    #[test]
    fn a_challenge_measures_the_round_trip_first() {
        let (found, _, sent) = run(plan(10, Some(300), true), 100, 20);
        assert_eq!(sent, (1..=10).map(|k| ms(100 + 10 * k)).collect::<Vec<_>>());
        assert_eq!((found.acks, found.rtt), (6, Some(span(100))));
        assert_eq!(run(plan(10, None, true), 100, 20).0, found, "no RTT is needed before");
    }

    #[test]
    fn a_time_to_spread_them_over_is_kept() {
        let plan = Plan { over: Some(span(500)), ..plan(10, Some(100), false) };
        assert_eq!(run(plan, 100, 1).2[..3], [ms(50), ms(100), ms(150)]);
    }

    #[test]
    fn a_path_that_answers_nothing_is_full() {
        let (found, end, sent) = run(plan(10, Some(100), false), 100_000, 1);
        assert_eq!((found.acks, found.dummies, found.rtt), (0, 10, None));
        assert_eq!((sent.len(), end), (10, ms(100 + 200)));
    }

    #[test]
    fn a_challenge_is_repeated_with_back_off_and_never_gives_way_to_dummies() {
        let mut survey = Survey::new(ms(0), plan(10, Some(100), true));
        let mut times = Vec::new();
        for _ in 0..5 {
            let now = survey.next_timer();
            survey.on_timer(now);
            assert_eq!(survey.due(now), Some(Item::Challenge));
            survey.on_sent(now);
            assert_eq!(survey.due(now), None);
            times.push(now);
        }
        assert_eq!(times, [0, 200, 600, 1400, 3000].map(ms));
        assert!(!survey.on_dummy_ack(ms(3100), span(100)), "none was sent");
        assert!(survey.is_challenging());
        // A challenge that was held goes when bytes come from the path.
        survey.hold(ms(3200));
        assert_eq!(survey.due(ms(3200)), None);
        survey.retry(ms(3210));
        assert_eq!(survey.due(ms(3210)), Some(Item::Challenge));
        survey.on_challenge_ack(ms(3300), span(100));
        assert_eq!(survey.next_timer(), ms(3310));
    }

    #[test]
    fn a_short_path_is_not_asked_more_than_each_50_ms() {
        let mut survey = Survey::new(ms(0), plan(1, Some(10), true));
        survey.on_sent(ms(0));
        assert_eq!(survey.next_timer(), ms(50));
        // One that was sent waits for its answer.
        survey.retry(ms(20));
        assert_eq!(survey.due(ms(20)), None);
        survey.on_challenge_ack(ms(30), span(10));
        survey.on_timer(ms(40));
        survey.on_sent(ms(40));
        assert_eq!(survey.next_timer(), ms(90), "nor given up sooner");
        survey.on_timer(ms(90));
        assert!(survey.is_over());
        // It knows the round trip, but nothing was counted in it.
        assert_eq!(survey.found(ms(90)).counted, Span::ZERO);
        assert_eq!((survey.found(ms(90)).acks, survey.found(ms(90)).rtt), (0, Some(span(10))));
    }

    #[test]
    fn late_acks_do_not_count() {
        let mut survey = Survey::new(ms(0), plan(4, Some(100), false));
        while survey.next_timer() <= ms(100) {
            let now = survey.next_timer();
            survey.on_timer(now);
            assert_eq!(survey.due(now), Some(Item::Dummy));
            survey.on_sent(now);
        }
        assert!(survey.on_dummy_ack(ms(150), span(125)));
        assert!(survey.on_dummy_ack(ms(275), span(225)), "exactly one round trip later");
        assert!(!survey.on_dummy_ack(ms(276), span(226)) && survey.is_over());
        assert_eq!((survey.found(ms(300)).acks, survey.next_timer()), (2, Time::MAX));
    }

    /// Half of the round trip shows half of the path's capacity: ACKs at 110, 120, ... 160 ms.
    #[test]
    fn a_survey_cut_short_is_scaled_up() {
        let mut survey = Survey::new(ms(0), plan(10, Some(100), false));
        for k in 1..=10 {
            survey.on_sent(ms(10 * k));
        }
        for k in 11..=16 {
            assert_eq!(survey.found(ms(10 * k)).carried().is_some(), k > 13);
            assert!(survey.on_dummy_ack(ms(10 * k), span(100)));
        }
        let found = survey.found(ms(160));
        assert_eq!((found.acks, found.counted), (6, span(50)));
        let carried = found.carried().expect("enough ACKs");
        assert!((carried - 10.0).abs() < 1e-9, "no more than there were dummies: {carried}");
        let carried = Found { dummies: 100, ..found }.carried().expect("enough ACKs");
        assert!((carried - 11.0).abs() < 1e-9, "{carried}");
        // Slow start leads from 6 to the 11.
        assert_eq!(Found { dummies: 100, ..found }.window(), (6.0, carried));
        assert_eq!(Found { acks: 6, counted: span(100), ..found }.window(), (6.0, 5.0));
        assert_eq!(Found { acks: 1, ..found }.window(), (2.0, f64::INFINITY));
    }

    #[test]
    fn without_dummies_there_is_nothing_to_find() {
        let survey = Survey::new(ms(0), plan(0, None, false));
        assert!(survey.is_over() && survey.due(ms(0)).is_none());
    }
}
