//! Paths, with what happens on them and when.

use atl_core::path::End;
use atl_core::rate::RateStart;

use super::flow::BYTES;

/// A change on the way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The bottleneck's rate, in packets per second.
    Rate(f64),
    /// The round trip without a queue, in ms.
    Rtt(f64),
    /// Share of packets that the air loses, and the mean length of a burst of losses.
    Loss(f64, f64),
    /// Nothing arrives in either direction, or everything does again.
    Dark(bool),
    /// Share of the feedback that is lost.
    LossBack(f64),
    /// Feedback that is sent up to this many ms from now arrives then.
    Hold(u64),
    /// An end moves: its link's one-way delay before and after, in ms.
    Handoff(End, u64, u64),
    /// The sender's link reports this loss and this delay in ms from now on.
    Link(f64, f64),
    /// The receiver claims the same of its link.
    Claim(f64, f64),
    /// Nobody reports any more.
    Silent,
    /// Packets per second that the application has to send.
    Application(f64),
    /// Packets per second of somebody else.
    Others(f64),
    /// The receiver begins anew.
    Restart,
    /// Some of the feedback is not true.
    Forge(bool),
}

/// A path at the start.
#[derive(Clone, Debug)]
pub(super) struct Road {
    pub(super) name: &'static str,
    pub(super) secs: f64,
    /// Packets per second, and packets that the queue holds.
    pub(super) rate: f64,
    pub(super) queue: f64,
    /// Round-trip time of the empty path, in ms.
    pub(super) rtt: f64,
    /// The part of the round trip that differs from packet to packet, in ms.
    pub(super) jitter: f64,
    /// Packets overtake each other.
    pub(super) overtaking: bool,
    pub(super) loss: (f64, f64),
    /// The MAC tells which packets it has lost.
    pub(super) told: bool,
    /// Packets in the queue from which on it marks.
    pub(super) marks: f64,
    /// Share of packets that arrive twice.
    pub(super) twice: f64,
    /// Packets differ in length.
    pub(super) lengths: bool,
    pub(super) start: RateStart,
    pub(super) steps: Vec<(u64, Step)>,
}

fn road(name: &'static str, secs: f64, rate: f64, rtt: f64, queue: f64) -> Road {
    Road {
        name,
        secs,
        rate,
        queue,
        rtt,
        jitter: 0.0,
        overtaking: false,
        loss: (0.0, 1.0),
        told: false,
        marks: f64::INFINITY,
        twice: 0.0,
        lengths: false,
        start: RateStart::default().packet_bytes(BYTES).target(2.0 * rate).seed(7),
        steps: Vec::new(),
    }
}

/// Rates from 0.2 to 200 Mb/s, round trips from 50 us to 600 ms, queues from 2 packets on.
fn plain() -> Vec<Road> {
    vec![
        road("0.2 Mb/s, 20 ms", 60.0, 25.0, 20.0, 2.0),
        road("0.2 Mb/s, 600 ms", 100.0, 25.0, 600.0, 60.0),
        road("1 Mb/s, 40 ms", 20.0, 125.0, 40.0, 20.0),
        Road { loss: (0.01, 1.0), ..road("10 Mb/s, 15 ms, loss", 3.0, 1250.0, 15.0, 40.0) },
        road("200 Mb/s, 5 ms", 0.4, 25_000.0, 5.0, 30.0),
        road("20 Mb/s, 100 ms", 5.0, 2500.0, 100.0, 1000.0),
        road("8 Mb/s, 50 us", 0.5, 1000.0, 0.05, 8.0),
        Road { loss: (0.01, 1.0), ..road("2 Mb/s, 600 ms, loss", 40.0, 250.0, 600.0, 150.0) },
        Road { loss: (0.03, 6.0), ..road("bursts of losses", 20.0, 250.0, 100.0, 50.0) },
        Road { loss: (0.3, 1.0), ..road("30 % of loss", 40.0, 250.0, 80.0, 50.0) },
        Road { loss: (0.7, 3.0), ..road("70 % of loss", 100.0, 50.0, 80.0, 50.0) },
        Road { jitter: 30.0, ..road("jitter", 15.0, 250.0, 60.0, 30.0) },
        Road { jitter: 25.0, overtaking: true, ..road("overtaking", 15.0, 250.0, 60.0, 30.0) },
        Road { twice: 0.1, loss: (0.01, 1.0), ..road("twice", 15.0, 125.0, 60.0, 30.0) },
        Road { lengths: true, loss: (0.01, 1.0), ..road("lengths", 15.0, 125.0, 60.0, 30.0) },
        Road { marks: 5.0, ..road("marks", 15.0, 250.0, 60.0, 50.0) },
        Road { marks: 0.5, loss: (0.02, 2.0), ..road("marks, loss", 15.0, 250.0, 60.0, 20.0) },
    ]
}

/// The flow's own limits and first rates.
fn starts() -> Vec<Road> {
    let alike = road("known", 10.0, 200.0, 50.0, 20.0);
    let start = alike.start;
    let of = |name, start| Road { name, start, ..alike.clone() };
    vec![
        of("known exactly", start.initial(Some(200.0))),
        of("known too high", start.initial(Some(390.0))),
        Road { rtt: 400.0, ..of("known too low", start.initial(Some(15.0))) },
        of("a target below", start.target(50.0)),
        Road { loss: (0.2, 1.0), ..of("a least rate", start.minimum(60.0)) },
        Road { loss: (0.05, 1.0), ..of("a target of one", start.target(1.5)) },
    ]
}

/// Changes on the way.
fn changes() -> Vec<Road> {
    use Step::*;
    let with = |steps: &[(u64, Step)], road| Road { steps: steps.to_vec(), ..road };
    let cell = |name| road(name, 30.0, 150.0, 80.0, 25.0);
    let lossy = |name| Road { loss: (0.01, 1.0), ..cell(name) };
    vec![
        with(&[(8000, Rate(15.0)), (18_000, Rate(150.0))], cell("the rate falls")),
        with(&[(8000, Rtt(500.0)), (18_000, Rtt(20.0))], cell("the round trip grows")),
        with(&[(8000, Others(100.0)), (15_000, Others(0.0)), (20_000, Others(140.0))], {
            cell("others")
        }),
        with(&[(6000, Loss(0.1, 2.0)), (14_000, Loss(0.0, 1.0))], cell("losses for a while")),
        with(&[(5000, Application(5.0)), (15_000, Application(1e9))], lossy("idle for a while")),
        with(&[(5000, Application(60.0)), (25_000, Application(0.2))], cell("little to send")),
        with(&[(4000, LossBack(0.4)), (20_000, LossBack(0.9))], lossy("feedback is lost")),
        with(
            &[(5000, Hold(300)), (9000, Hold(3000)), (20_000, Hold(2500))],
            lossy("late feedback"),
        ),
        with(&[(6000, Dark(true)), (7000, Dark(false))], cell("dark for a second")),
        with(&[(6000, Dark(true)), (90_000, Dark(false))], {
            Road { secs: 140.0, ..road("dark for long", 1.0, 40.0, 80.0, 25.0) }
        }),
        with(&[(0, Dark(true)), (11_000, Dark(false))], cell("dark at first")),
        with(&[(0, LossBack(1.0)), (7000, LossBack(0.0))], cell("no answer at first")),
        with(&[(9000, Restart), (19_000, Restart)], lossy("another receiver")),
        with(&[(4000, Forge(true)), (20_000, Forge(false))], lossy("forged feedback")),
        with(&[(4000, Forge(true))], Road { marks: 3.0, ..cell("forged marks") }),
    ]
}

/// Wireless links, and moves between them.
fn wireless() -> Vec<Road> {
    use Step::*;
    let with = |steps: &[(u64, Step)], road| Road { steps: steps.to_vec(), ..road };
    let cell = |name| road(name, 30.0, 150.0, 80.0, 25.0);
    let lossy = |name| Road { loss: (0.02, 1.0), ..cell(name) };
    let told = |name| Road { told: true, ..lossy(name) };
    vec![
        with(&[(2000, Link(0.0, 10.0))], told("losses are told")),
        with(&[(2000, Link(0.02, 20.0)), (20_000, Silent)], lossy("a link reports")),
        with(&[(0, Link(0.02, 60.0)), (9000, Link(0.02, 5.0))], told("told and reported")),
        with(&[(0, Claim(0.02, 20.0)), (18_000, Silent)], lossy("a claim")),
        with(&[(0, Claim(0.3, 39.0))], cell("a false claim")),
        with(&[(0, Claim(0.3, 10.0)), (6000, Others(120.0))], lossy("a claim, others")),
        with(&[(3000, Claim(1.0, 1e4)), (9000, Claim(0.0, 0.0))], lossy("a wild claim")),
        with(&[(0, Link(0.02, 20.0)), (5000, Claim(0.05, 15.0))], lossy("both links")),
        with(&[(0, Claim(0.05, 160.0))], Road { loss: (0.05, 2.0), rtt: 400.0, ..cell("far") }),
        with(
            &[
                (0, Link(0.02, 10.0)),
                (7000, Handoff(End::Own, 10, 100)),
                (7010, Link(0.02, 100.0)),
                (15_000, Handoff(End::Own, 100, 5)),
                (15_010, Link(0.01, 5.0)),
                (20_000, Handoff(End::Peer, 10, 60)),
            ],
            told("moves"),
        ),
        with(
            &[(4000, Handoff(End::Own, 20, 120)), (4030, Handoff(End::Own, 120, 300))],
            cell("moves at once"),
        ),
        with(
            &[
                (1, Handoff(End::Own, 1, 9)),
                (6000, Handoff(End::Peer, 20, 90)),
                (12_000, Dark(true)),
            ],
            cell("moves at first"),
        ),
        with(
            &[
                (0, Claim(0.02, 20.0)),
                (5000, Dark(true)),
                (8000, Handoff(End::Own, 10, 40)),
                (8001, Dark(false)),
                (15_000, Handoff(End::Peer, 20, 250)),
                (15_001, Claim(0.1, 250.0)),
            ],
            lossy("a hard move"),
        ),
    ]
}

/// The paths, in the order of the snapshots.
pub(super) fn roads() -> Vec<Road> {
    [plain(), starts(), changes(), wireless()].concat()
}
