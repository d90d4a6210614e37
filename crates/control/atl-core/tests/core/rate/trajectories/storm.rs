//! Storms: a transport that tells each sender things which are rare, or wrong, or come at once.
//!
//! All times are multiples of ten milliseconds, and a sender is often woken at the very instant of
//! its timer. Two times that a controller compares are then often equal; on a path only by chance.

use atl_core::path::{End, Handoff, LinkReport};
use atl_core::rate::{Feedback, Lost, ProbeAck, RateController, RateStart, Report, Sent};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use super::cases::Case;
use super::digest::Digest;
use crate::support::draws::Draws;

/// Lives of a controller that a digest covers, and events of each.
const LIVES: u64 = 24;
const EVENTS: u64 = 320;
/// Delays and shares that links tell of, in milliseconds.
const DELAYS: [u64; 6] = [0, 0, 10, 20, 60, 150];
const SHARES: [f64; 6] = [0.0, 0.0, 0.01, 0.05, 0.5, 1.0];
/// Round-trip times in milliseconds.
const RTTS: [u64; 6] = [10, 50, 100, 100, 200, 1000];

pub(super) fn pick<T: Copy>(draws: &mut Draws, from: &[T]) -> T {
    from[draws.below(from.len() as u64) as usize]
}

pub(super) fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

/// The habits of a transport and its path, which a life keeps.
struct Habits {
    rtt: u64,
    /// One in this number of feedback messages tells of losses.
    losses: u64,
    /// The MAC tells of some losses, and queues mark.
    told: bool,
    marks: bool,
    /// Feedback is a report, and it has the numbers of a TFRC receiver.
    reports: bool,
    tfrc: bool,
    /// The application has little to send.
    idle: bool,
    /// One in this number of events is rare or wrong.
    odd: u64,
    /// One in this number of events is feedback.
    heard: u64,
}

impl Habits {
    fn draw(draws: &mut Draws) -> Self {
        Habits {
            rtt: pick(draws, &RTTS),
            losses: pick(draws, &[2, 6, 20, 1000]),
            told: draws.below(3) == 0,
            marks: draws.below(3) == 0,
            reports: draws.below(3) == 0,
            tfrc: draws.below(3) > 0,
            idle: draws.below(4) == 0,
            odd: pick(draws, &[4, 20, 20, 1000]),
            heard: pick(draws, &[2, 2, 2, 6, 40]),
        }
    }
}

fn start(draws: &mut Draws) -> RateStart {
    RateStart::default()
        .packet_bytes(pick(draws, &[1000, 1000, 1500, 300, 0]))
        .target(pick(draws, &[100.0, 100.0, 1000.0, 0.0, 4.0, 0.01]))
        .minimum(pick(draws, &[0.0, 0.0, 0.0, 1.0, 12.0, 0.001]))
        .initial(pick(draws, &[None, None, Some(20.0), Some(0.0), Some(4000.0)]))
        .seed(draws.next())
}

/// A sender in a storm.
struct Storm<'a> {
    draws: &'a mut Draws,
    habits: Habits,
    now: Time,
    sender: Box<dyn RateController>,
    sent: u64,
    probes: u64,
    /// Packets below this number have been told of.
    told: u64,
}

impl Storm<'_> {
    /// Time passes: often up to the sender's timer, and seldom beyond it.
    fn wait(&mut self) {
        let due = self.sender.next_timeout().filter(|due| due.since(self.now) < ms(70_000));
        let step = ms(pick(self.draws, &[0, 0, 10, 10, 20, 50, self.habits.rtt]));
        self.now = match (self.draws.below(8), due) {
            (0..=3, Some(due)) => self.now.max(due.min(self.now + ms(self.habits.rtt) * 4)),
            (4, Some(due)) => self.now.max(due),
            (5, _) if self.draws.below(20) == 0 => self.now + ms(2000),
            _ => self.now + step,
        };
    }

    fn event(&mut self) {
        if self.draws.below(self.habits.odd) == 0 {
            self.odd();
        } else if self.draws.below(self.habits.heard) == 0 {
            self.hear();
        } else {
            self.send(self.sent);
        }
        let due = self.sender.next_timeout().is_some_and(|due| due <= self.now);
        if due && self.draws.below(5) > 0 {
            self.sender.on_tick(self.now);
        }
        if self.draws.below(4) > 0 {
            while self.sender.poll_probe(self.now) {
                self.probes += 1;
            }
        }
    }

    fn send(&mut self, seq: u64) {
        let limited = self.habits.idle && self.draws.chance();
        self.sender.on_sent(&Sent::new(self.now, seq, 1000).app_limited(limited));
        self.sent = self.sent.max(seq.saturating_add(1));
    }

    fn hear(&mut self) {
        let rtt = ms(self.habits.rtt);
        let mut losses = Vec::new();
        let newest = self.told + self.draws.below(4);
        if self.draws.below(self.habits.losses) == 0 {
            for _ in 0..=self.draws.below(3) {
                let sent_at = self.now - ms(pick(self.draws, &[0, 10, 100, 100, 200, 400]));
                let lost = Lost::new(self.told + self.draws.below(3), sent_at);
                let failed = self.habits.told && self.draws.chance();
                let marked = self.habits.marks && !failed && self.draws.chance();
                losses.push(lost.link_failure(failed).marked(marked));
            }
            losses.sort_by_key(|lost| lost.seq);
        }
        self.told = newest + 1;
        let queue = ms(pick(self.draws, &[0, 0, 0, 10, 20, 50]));
        let report = self.report(newest);
        let feedback = Feedback::new(self.now)
            .delivered(pick(self.draws, &[1, 1, 1, 2, 9, 0]))
            .losses(&losses)
            .newest(Some((newest, self.now - rtt - queue)))
            .rtt(Some(rtt + queue))
            .srtt(rtt)
            .rtt_min(rtt)
            .in_flight(pick(self.draws, &[9, 9, 1, 0]))
            .rate_limited(!self.habits.idle || self.draws.chance())
            .report(self.habits.reports.then_some(&report));
        self.sender.on_feedback(&feedback);
    }

    fn report(&mut self, highest: u64) -> Report {
        let echo = self.now - ms(self.habits.rtt);
        let p = pick(self.draws, &[0.0, 0.001, 0.001, 0.01, 0.01, 0.2, 1.0]);
        let rate = pick(self.draws, &[0.0, 5.0, 20.0, 20.0, 80.0, 400.0]);
        let pair = pick(self.draws, &[None, None, Some(50_000.0), Some(200_000.0)]);
        Report::default()
            .highest(highest)
            .received(highest)
            .fraction_lost(pick(self.draws, &[0.0, 0.0, 0.0, 0.01, 0.04, 1.0]))
            .echo(echo)
            .loss_event_rate(self.habits.tfrc.then_some(p))
            .receive_rate(self.habits.tfrc.then_some(rate))
            .pair_rate(pair)
    }

    /// Feedback of a transport that knows little, or says too much.
    fn hear_anything(&mut self) {
        let wild = [f64::NAN, -1.0, 0.0, 0.5, 1.5, f64::INFINITY];
        let mut number = || Some(pick(self.draws, &wild)).filter(|_| self.draws.chance());
        let numbers = [number(), number(), number()];
        let echo = pick(self.draws, &[Time::ZERO, self.now, self.now + ms(10)]);
        let report = Report::default()
            .highest(self.draws.below(400))
            .received(self.draws.below(400))
            .fraction_lost(pick(self.draws, &wild))
            .echo(echo)
            .loss_event_rate(numbers[0])
            .receive_rate(numbers[1])
            .pair_rate(numbers[2]);
        let newest = pick(self.draws, &[None, None, Some(0), Some(self.told), Some(1 << 40)]);
        let spans = [Span::ZERO, Span::ZERO, ms(50), ms(100), ms(70_000)];
        let rtt = Some(pick(self.draws, &spans)).filter(|_| self.draws.chance());
        let at = pick(self.draws, &[Time::ZERO, self.now, self.now + ms(10)]);
        let losses = [Lost::new(self.draws.below(400), at), Lost::new(self.told, self.now)];
        let count = self.draws.below(3) as usize;
        let report = pick(self.draws, &[None, Some(&report)]);
        self.sender.on_feedback(
            &Feedback::new(self.now)
                .delivered(pick(self.draws, &[0, 0, 1, 9]))
                .losses(&losses[..count])
                .newest(newest.map(|seq| (seq, at)))
                .rtt(rtt)
                .srtt(pick(self.draws, &spans))
                .rtt_min(pick(self.draws, &spans))
                .in_flight(pick(self.draws, &[0, 1, 9]))
                .rate_limited(self.draws.chance())
                .report(report),
        );
    }

    /// Events that are rare on any path, that only some transports tell, or that none should.
    fn odd(&mut self) {
        let now = self.now;
        let share = Probability::clamped(pick(self.draws, &SHARES));
        let told = LinkReport { loss: share, delay: ms(pick(self.draws, &DELAYS)) };
        let (old, new) = (ms(pick(self.draws, &DELAYS)), ms(pick(self.draws, &DELAYS)));
        match self.draws.below(13) {
            0 | 1 => self.sender.on_link_report(now, &told),
            2 | 3 => self.sender.on_peer_report(now, &told),
            4 => self.sender.on_handoff(&Handoff::new(now, End::Own, old, new)),
            5 => self.sender.on_handoff(&Handoff::new(now, End::Peer, old, new)),
            6 => self.sender.on_tick(now),
            7 => {
                let probes = self.probes;
                let number = pick(self.draws, &[0, probes, probes.saturating_sub(1), 1 << 40]);
                let rtt = ms(pick(self.draws, &[0, 10, 100]));
                self.sender.on_probe_ack(&ProbeAck::new(now, number, rtt));
            }
            8 | 9 => {
                let first = self.probes.saturating_sub(9);
                for number in first..self.probes {
                    self.sender.on_probe_ack(&ProbeAck::new(now, number, ms(self.habits.rtt)));
                }
            }
            10 => self.habits.rtt = pick(self.draws, &RTTS),
            11 => {
                let seq = self.sent + self.draws.below(3);
                self.send(seq);
            }
            _ => self.hear_anything(),
        }
    }
}

/// The digest of what a controller answers in some lives.
fn digest(case: &Case, seed: u64) -> u64 {
    let mut draws = Draws(seed);
    let mut digest = Digest::new();
    for _ in 0..LIVES {
        let start = start(&mut draws);
        let habits = Habits::draw(&mut draws);
        let sender = case.config.build(&start);
        let now = Time::from_millis(pick(&mut draws, &[0, 0, 500]));
        let draws = &mut draws;
        let mut storm = Storm { draws, habits, now, sender, sent: 0, probes: 0, told: 0 };
        for _ in 0..EVENTS {
            storm.event();
            digest.word(storm.now.nanos() ^ storm.probes.rotate_left(32));
            digest.controller(&*storm.sender);
            storm.wait();
        }
    }
    digest.value()
}

/// A line for each case, with four digests. The feedback that its receiver gives does not matter
/// here, and so the second case of the same parameters is left out.
pub(super) fn storms(cases: &[Case]) -> String {
    let is_new = |(at, case): &(usize, &Case)| {
        let mut earlier = cases[..*at].iter();
        earlier.all(|other| other.config != case.config)
    };
    let line = |(_, case): (usize, &Case)| {
        let digests: Vec<_> = (1..5).map(|seed| format!("{:016x}", digest(case, seed))).collect();
        format!("{:20} {}\n", case.name, digests.join(" "))
    };
    cases.iter().enumerate().filter(is_new).map(line).collect()
}
