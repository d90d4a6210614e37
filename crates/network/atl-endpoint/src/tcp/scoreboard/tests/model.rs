//! The scoreboard beside a list of segments without counters, shortcuts and halves of numbers:
//! what is asked of both is the same after any calls.

use proptest::prelude::*;

use super::super::{LostTx, Newly, Scoreboard};
use crate::options::{SackBlock, SackBlocks};
use atl_core::time::Time;

/// A segment, and what became of it.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    tx: u64,
    at: u64,
    bytes: u16,
    arrived: bool,
    lost: bool,
    resent: bool,
    failed: bool,
    repeated: bool,
    elsewhere: bool,
}

impl Sent {
    fn in_flight(&self) -> bool {
        !self.arrived && (!self.lost || self.resent)
    }

    fn waits(&self) -> bool {
        self.lost && !self.resent
    }
}

/// All segments ever, the arrived ones too.
#[derive(Debug, Default)]
struct Model {
    sent: Vec<Sent>,
    una: usize,
    revived: u32,
    resent_end: usize,
    sacked_end: usize,
}

impl Model {
    fn count(&self, which: impl Fn(&Sent) -> bool) -> u32 {
        self.sent[self.una..].iter().filter(|sent| which(sent)).count() as u32
    }

    fn told(&self, at: usize) -> LostTx {
        let Sent { tx, bytes, failed, .. } = self.sent[at];
        LostTx { tx, seq: at as u64, bytes, link_failed: failed }
    }

    fn newly(&self, at: usize) -> Newly {
        let Sent { tx, at: sent, repeated, .. } = self.sent[at];
        Newly { seq: at as u64, tx, sent_at: Time::from_millis(sent), repeated }
    }

    fn arrive(&mut self, at: usize) {
        let sent = &mut self.sent[at];
        self.revived += u32::from(sent.waits());
        *sent = Sent { arrived: true, bytes: sent.bytes, ..Sent::default() };
    }

    fn lose(&mut self, at: usize) -> Option<(LostTx, bool)> {
        let sent = *self.sent.get(at).filter(|sent| at >= self.una && sent.in_flight())?;
        self.sent[at] = Sent { lost: true, resent: false, elsewhere: false, ..sent };
        Some((self.told(at), sent.lost))
    }

    fn resend(&mut self, at: usize, now: u64, tx: u64, elsewhere: bool) {
        let sent = &mut self.sent[at];
        sent.resent |= sent.lost;
        *sent = Sent { tx, at: now, failed: false, repeated: true, elsewhere, ..*sent };
        self.resent_end = self.resent_end.max(at + 1);
    }

    fn out(&self) -> std::ops::Range<usize> {
        self.una..self.sent.len()
    }

    fn first(&self, which: impl Fn(usize, &Sent) -> bool) -> Option<u64> {
        self.out().find(|at| which(*at, &self.sent[*at])).map(|at| at as u64)
    }
}

#[derive(Clone, Debug)]
enum Call {
    Push { count: u64, bytes: u16, elsewhere: bool },
    Select(Vec<(u32, u32)>),
    Acknowledge(u64),
    FindLost,
    Resend { count: u32, elsewhere: bool },
    ResendUnproven,
    ResendLast,
    Lose(u64),
    Expire(u64),
    Episode,
    LinkFailed { ahead: u64, right: bool },
    Turn(u64),
    LoseElsewhere(u64),
    LoseEach(u64),
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = prop_oneof![
        4 => (1..12_u64, 40..1500_u16, prop::bool::weighted(0.2))
            .prop_map(|(count, bytes, elsewhere)| Call::Push { count, bytes, elsewhere }),
        6 => prop::collection::vec((0..50_u32, 0..12_u32), 1..=3).prop_map(Call::Select),
        2 => (0..9_u64).prop_map(Call::Acknowledge),
        4 => Just(Call::FindLost),
        4 => (0..6_u32, prop::bool::weighted(0.2))
            .prop_map(|(count, elsewhere)| Call::Resend { count, elsewhere }),
        1 => Just(Call::ResendUnproven),
        1 => Just(Call::ResendLast),
        3 => (0..60_u64).prop_map(Call::Lose),
        1 => (0..20_u64).prop_map(Call::Expire),
        1 => Just(Call::Episode),
        2 => (0..30_u64, prop::bool::weighted(0.8))
            .prop_map(|(ahead, right)| Call::LinkFailed { ahead, right }),
        1 => (0..3_u64).prop_map(Call::Turn),
        1 => (0..3_u64).prop_map(Call::LoseElsewhere),
        1 => (0..3_u64).prop_map(Call::LoseEach),
    ];
    prop::collection::vec(call, 1..100)
}

fn one(board: &mut Scoreboard, model: &mut Model, call: &Call, now: u64, tx: &mut u64) {
    let una = model.una as u64;
    let mut next = || {
        *tx += 1;
        *tx
    };
    match call {
        Call::Push { count, bytes, elsewhere } => {
            for _ in 0..*count {
                let (tx, bytes, elsewhere) = (next(), *bytes, *elsewhere);
                if elsewhere {
                    board.push_elsewhere(Time::from_millis(now), tx, bytes);
                } else {
                    board.push(Time::from_millis(now), tx, bytes);
                }
                model.sent.push(Sent { tx, at: now, bytes, elsewhere, ..Sent::default() });
            }
        }
        Call::Select(list) => {
            let mut blocks = SackBlocks::default();
            for (block, (offset, len)) in blocks.iter_mut().zip(list) {
                *block = SackBlock { offset: *offset, len: *len };
            }
            let mut expected = Vec::new();
            for block in blocks {
                let start = model.una + block.offset as usize;
                let end = (start + block.len as usize).min(model.sent.len());
                for at in start..end {
                    if !model.sent[at].arrived {
                        expected.push(model.newly(at));
                        model.arrive(at);
                    }
                    model.sacked_end = model.sacked_end.max(end);
                }
            }
            let mut found = Vec::new();
            let news = board.select_each(una, &blocks, |newly| found.push(newly));
            assert_eq!((news as usize, found), (expected.len(), expected));
        }
        Call::Acknowledge(count) => {
            let to = (model.una + *count as usize).min(model.sent.len());
            let missing = (model.una..to).filter(|at| !model.sent[*at].arrived);
            let expected: Vec<Newly> = missing.map(|at| model.newly(at)).collect();
            let mut below = Vec::new();
            board.each_below(to as u64, |newly| below.push(newly));
            assert_eq!(below, expected);
            // An ACK for what was never sent ends with the last segment.
            let beyond = to as u64 + if to == model.sent.len() { 7 } else { 0 };
            assert_eq!(board.acknowledge(beyond) as usize, expected.len());
            for newly in expected {
                model.arrive(newly.seq as usize);
            }
            model.una = to;
        }
        Call::FindLost => {
            let above = |at: usize| model.sent[at + 1..].iter().filter(|sent| sent.arrived).count();
            let missing = |at: &usize| !model.sent[*at].arrived && !model.sent[*at].lost;
            let holes: Vec<usize> =
                model.out().filter(missing).filter(|at| above(*at) >= 3).collect();
            let expected: Vec<LostTx> =
                holes.into_iter().filter_map(|at| model.lose(at)).map(|(lost, _)| lost).collect();
            let mut found = Vec::new();
            board.find_lost(|lost| found.push(lost));
            assert_eq!(found, expected);
        }
        Call::Resend { count, elsewhere } => {
            for _ in 0..*count {
                let Some(seq) = board.next_lost() else { break };
                let tx = next();
                if *elsewhere {
                    board.resend_elsewhere(seq, Time::from_millis(now), tx);
                } else {
                    board.resend(seq, Time::from_millis(now), tx);
                }
                model.resend(seq as usize, now, tx, *elsewhere);
            }
        }
        Call::ResendUnproven | Call::ResendLast => {
            let last = matches!(call, Call::ResendLast);
            let seq = if last { board.last_missing() } else { board.next_unproven() };
            if let Some(seq) = seq {
                let tx = next();
                board.resend(seq, Time::from_millis(now), tx);
                model.resend(seq as usize, now, tx, false);
            }
        }
        Call::Lose(ahead) => {
            let seq = una + ahead;
            assert_eq!(board.lose(seq), model.lose(seq as usize));
            assert_eq!(board.lose(seq), None, "it waits, or has arrived");
        }
        Call::Expire(age) => {
            let before = now.saturating_sub(*age);
            let due = |at: &usize| {
                model.sent[*at].in_flight() && (*at == model.una || model.sent[*at].at <= before)
            };
            let due: Vec<usize> = model.out().filter(due).collect();
            let expected: Vec<LostTx> =
                due.into_iter().filter_map(|at| model.lose(at)).map(|(lost, _)| lost).collect();
            let mut found = Vec::new();
            board.expire(Time::from_millis(before), |lost| found.push(lost));
            assert_eq!(found, expected);
            model.resent_end = model.una;
        }
        Call::Episode => {
            board.begin_episode();
            model.resent_end = model.una;
        }
        Call::LinkFailed { ahead, right } => {
            // Acknowledged segments, and such as were never sent, cannot be marked.
            board.link_failed(una.wrapping_sub(1), 0);
            board.link_failed(model.sent.len() as u64, 0);
            let at = model.una + *ahead as usize;
            if let Some(sent) = model.sent.get_mut(at) {
                board.link_failed(at as u64, (sent.tx as u32).wrapping_add(u32::from(!right)));
                sent.failed |= *right && !sent.arrived;
            }
        }
        Call::Turn(rest) => {
            board.turn(|tx| tx % 3 == *rest);
            for sent in &mut model.sent[model.una..] {
                sent.elsewhere = sent.in_flight() && sent.tx % 3 != *rest;
            }
        }
        Call::LoseElsewhere(rest) => {
            board.lose_elsewhere(|tx| tx % 3 == *rest);
            for at in model.out() {
                if model.sent[at].elsewhere && model.sent[at].tx % 3 == *rest {
                    model.lose(at);
                }
            }
        }
        Call::LoseEach(rest) => {
            let gone = |at: &usize| model.sent[*at].in_flight() && model.sent[*at].tx % 3 == *rest;
            let gone: Vec<usize> = model.out().filter(gone).collect();
            let expected: Vec<LostTx> =
                gone.into_iter().filter_map(|at| model.lose(at)).map(|(lost, _)| lost).collect();
            let mut found = Vec::new();
            board.lose_each(|tx| tx % 3 == *rest, |lost| found.push(lost));
            assert_eq!(found, expected);
        }
    }
    let missing = |_: usize, sent: &Sent| !sent.arrived && !sent.lost;
    assert_eq!(board.next_lost(), model.first(|_, sent| sent.waits()));
    let unproven = |at: usize, sent: &Sent| {
        model.resent_end <= at && at < model.sacked_end && missing(at, sent)
    };
    assert_eq!(board.next_unproven(), model.first(unproven));
}

/// All that can be asked without a change.
fn compare(board: &Scoreboard, model: &Model, tx: u64) {
    let next = model.sent.len() as u64;
    assert_eq!((board.una(), board.next()), (model.una as u64, next));
    assert_eq!(board.is_empty(), model.una == model.sent.len());
    assert_eq!(board.outstanding(), model.count(|_| true));
    assert_eq!(board.sacked(), model.count(|sent| sent.arrived));
    assert_eq!(board.lost(), model.count(|sent| sent.lost));
    assert_eq!(board.waiting(), model.count(Sent::waits));
    assert_eq!(board.elsewhere(), model.count(|sent| sent.elsewhere));
    assert_eq!(board.pipe(), model.count(|sent| sent.in_flight() && !sent.elsewhere));
    assert_eq!(board.revived(), model.revived);
    let last = model.out().rfind(|at| !model.sent[*at].arrived);
    assert_eq!(board.last_missing(), last.map(|at| at as u64));
    for at in model.out() {
        let (seq, sent) = (at as u64, model.sent[at]);
        assert_eq!(board.bytes(seq), sent.bytes);
        assert_eq!((board.repeated(seq), board.is_lost(seq)), (sent.repeated, sent.lost));
        assert_eq!(board.has_arrived(seq), sent.arrived);
        if !sent.arrived {
            assert_eq!(board.latest(seq), Some(model.told(at)));
            let out = sent.in_flight().then(|| Time::from_millis(sent.at));
            assert_eq!((board.out_since(seq, sent.tx), board.out_since(seq, tx + 1)), (out, None));
        }
    }
    for beyond in [next, next + 5] {
        assert!(!board.repeated(beyond) && !board.is_lost(beyond) && !board.has_arrived(beyond));
        assert_eq!((board.latest(beyond), board.out_since(beyond, tx)), (None, None));
    }
    if let Some(before) = board.una().checked_sub(1) {
        assert!(board.has_arrived(before) && !board.repeated(before) && !board.is_lost(before));
        assert_eq!((board.latest(before), board.out_since(before, tx)), (None, None));
    }
    let mut found = Vec::new();
    board.each_in_flight(|tx| found.push(tx));
    let flying = model.out().map(|at| model.sent[at]).filter(Sent::in_flight);
    let expected: Vec<u64> = flying.map(|sent| sent.tx).collect();
    assert_eq!(found, expected);
    for before in [0, tx.saturating_sub(5), tx, tx + 1] {
        let older = |_: usize, sent: &Sent| sent.in_flight() && sent.tx < before;
        assert_eq!(board.oldest_out(before), model.first(older));
    }
    let first = model.sent.get(model.una).filter(|sent| sent.in_flight());
    assert_eq!(board.first_in_flight(), first.map(|_| model.told(model.una)));
}

proptest! {
    #[test]
    fn any_calls_leave_what_a_plain_list_of_segments_has(
        calls in calls(),
        first in prop::sample::select(vec![0_u64, (1 << 32) - 30, 3 << 32]),
    ) {
        let (mut board, mut model, mut tx) = (Scoreboard::default(), Model::default(), first);
        for (now, call) in calls.iter().enumerate() {
            one(&mut board, &mut model, call, now as u64, &mut tx);
            compare(&board, &model, tx);
        }
    }
}
