//! Ledgers and receivers to which packets, ACKs and reports come as they like: early, late, twice,
//! never sent. All times are multiples of ten milliseconds, as in [`storm`](super::storm).

use std::fmt::Write;

use atl_core::rate::{Arrived, FeedbackMode, Ledger, RateConfig, Report, ReportingReceiver};
use atl_core::rate::{lda, tfrc};
use atl_core::time::{Span, Time};

use super::digest::Digest;
use super::storm::{ms, pick};
use crate::support::draws::Draws;

/// Lives that a digest covers, and events of each.
const LIVES: u64 = 40;
const EVENTS: u64 = 300;

/// Packets arrive, and the receiver is woken and asked for reports.
fn receive(draws: &mut Draws, receiver: &mut dyn ReportingReceiver, digest: &mut Digest) {
    let (mut now, mut next) = (Time::from_millis(10 * draws.below(20)), draws.below(4));
    let mut rtt = pick(draws, &[0, 20, 50, 100]);
    let gaps = pick(draws, &[2, 6, 20, 100]);
    let (marks, lengths) = (draws.below(4) == 0, draws.below(3) == 0);
    for _ in 0..EVENTS {
        if draws.below(gaps) == 0 {
            next += draws.below(6);
        }
        let late = draws.below(gaps) == 0;
        let seq = if late { next.saturating_sub(draws.below(9)) } else { next };
        next = next.max(seq + 1);
        if draws.below(40) == 0 {
            rtt = pick(draws, &[0, 0, 10, 20, 50, 100, 200, 100_000]);
        }
        let sent_at = now - ms(pick(draws, &[50, 50, 50, 60, 0]));
        let arrived =
            Arrived::new(now, seq, sent_at, if lengths { seq as u32 % 4 * 100 } else { 500 })
                .rtt(ms(rtt))
                .marked(marks && draws.below(9) == 0)
                .clear(draws.below(9) == 0);
        let mut due = receiver.on_data(&arrived);
        digest.word(receiver.next_timeout().map_or(0, Time::nanos));
        if receiver.next_timeout().is_some_and(|at| at <= now) || draws.below(30) == 0 {
            due |= receiver.on_tick(now);
        }
        if due || draws.below(60) == 0 {
            digest.report(&receiver.report(now));
        }
        digest.word(receiver.next_timeout().map_or(0, Time::nanos));
        // On to the next packet, or to the timer if that comes first, or if none comes for long.
        let step = ms(pick(draws, &[10, 10, 10, 10, 0, 20, 50, 400]));
        if let Some(at) = receiver.next_timeout().filter(|at| *at > now && *at <= now + step)
            && draws.below(8) > 0
            && receiver.on_tick(at)
        {
            digest.report(&receiver.report(at));
        }
        now += step;
    }
}

fn any_report(draws: &mut Draws, now: Time, sent: u64, before: &mut Report) -> Report {
    let ahead = draws.below(6);
    let end = (before.highest + ahead).min(sent.saturating_sub(1));
    let got = before.received + (end - before.highest.min(end)).saturating_sub(draws.below(3));
    let marked = before.marked + pick(draws, &[0, 0, 1, 3]);
    let told = Report::default()
        .highest(end)
        .received(got.max(1))
        .marked(marked)
        .echo(now - ms(pick(draws, &[0, 50, 100, 100])))
        .held(ms(pick(draws, &[0, 0, 10, 50])));
    if draws.below(8) > 0 {
        *before = told;
    }
    match draws.below(30) {
        0 => told.highest(draws.below(sent + 3)),
        1 => told.received(draws.below(sent + 3)),
        2 => told.marked(draws.below(9)),
        3 => told.highest(sent.saturating_sub(1)),
        4 => told.received(0),
        _ => told,
    }
}

/// Packets leave, and ACKs and reports come back.
fn keep(draws: &mut Draws, digest: &mut Digest) {
    let mut ledger = Ledger::new();
    if draws.below(4) == 0 {
        ledger = ledger.with_rtt(ms(100));
    }
    let (mut now, mut sent, mut before) = (Time::from_millis(500), 0, Report::default());
    let reports = draws.chance();
    for _ in 0..EVENTS {
        now += ms(pick(draws, &[0, 10, 10, 50]));
        let (mut rtt, mut newest) = (None, None);
        match draws.below(if reports { 6 } else { 10 }) {
            0..=3 => sent = ledger.on_sent(now, draws.below(9) == 0) + 1,
            4 if reports => {
                let report = any_report(draws, now, sent, &mut before);
                rtt = ledger.on_report(now, &report);
            }
            4 => ledger.on_link_failure(sent.saturating_sub(draws.below(6))),
            5 => {
                let back = pick(draws, &[0, 1, 1, 2, 3, 4, 7, 40]);
                ledger.on_link_failure(sent.saturating_sub(back));
            }
            _ => {
                let back = pick(draws, &[0, 1, 1, 1, 2, 3, 4, 7, 33, 40]);
                let seq = sent.saturating_sub(back);
                let mask = draws.next() as u32 | pick(draws, &[0, u32::MAX, 7]);
                let marks = if draws.below(4) == 0 { draws.next() as u32 & 0x8000_0013 } else { 0 };
                ledger.on_marks(seq, marks);
                let sent_at = now - ms(pick(draws, &[0, 50, 100, 100, 200]));
                rtt = ledger.on_ack(now, seq, sent_at, mask);
                newest = Some((seq, sent_at));
            }
        }
        if draws.below(60) == 0 {
            ledger.shift_rtt(ms(10 * draws.below(8)), ms(10 * draws.below(8)));
        }
        digest.feedback(&ledger.feedback(now, newest, rtt, None));
        digest.word(ledger.rtt().rto().nanos());
        if draws.below(4) > 0 {
            ledger.clear_feedback();
        }
    }
}

fn line(text: &mut String, name: &str, life: impl Fn(&mut Draws, &mut Digest)) {
    let digests: Vec<_> = (1..5)
        .map(|seed| {
            let (mut draws, mut digest) = (Draws(seed), Digest::new());
            (0..LIVES).for_each(|_| life(&mut draws, &mut digest));
            format!("{:016x}", digest.value())
        })
        .collect();
    writeln!(text, "{name:16} {}", digests.join(" ")).expect("a text takes what it is given");
}

/// A line for each kind of end, with four digests.
pub(super) fn ends() -> String {
    let mut text = String::new();
    line(&mut text, "ledger", keep);
    let standard = tfrc::Config::default();
    let remembers = tfrc::Config { history_discounting: false, intervals: 3, ..standard };
    let every = Span::from_millis(70);
    for (name, config, mode) in [
        ("tfrc", RateConfig::from(standard), FeedbackMode::Own),
        ("tfrc, three", RateConfig::from(remembers), FeedbackMode::Own),
        (
            "lda",
            RateConfig::from(lda::Config { interval: 0.2, ..Default::default() }),
            FeedbackMode::Own,
        ),
        ("periodic", RateConfig::from(standard), FeedbackMode::Reports { every }),
    ] {
        line(&mut text, name, |draws, digest| {
            let mut receiver = config.build_receiver(mode).expect("it reports");
            receive(draws, &mut *receiver, digest);
        });
    }
    text
}
