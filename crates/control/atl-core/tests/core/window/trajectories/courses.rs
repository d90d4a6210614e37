//! The paths of the trajectories: slow and fast, short and long, with everything that happens to
//! packets there and everything that a sender may be told.

use atl_core::path::End::{Own as Sender, Peer as Receiver};

use crate::support::course::Course;
use crate::support::course::Losses::{Each, Runs};
use crate::support::course::News::{Moves, Own, Peer, Quench};

const PLAIN: Course = Course::PLAIN;

/// A queue that nobody else uses, on links that lose nothing.
pub(super) const CLEAN: &[Course] = &[
    PLAIN,
    Course {
        name: "slow",
        lasts_ms: 30_000,
        rates: &[(0, 500)],
        rtts: &[(0, 200_000)],
        queue: 20,
        ..PLAIN
    },
    Course {
        name: "slow and far",
        lasts_ms: 60_000,
        rates: &[(0, 500)],
        rtts: &[(0, 600_000)],
        queue: 150,
        ..PLAIN
    },
    Course {
        name: "fast",
        lasts_ms: 1500,
        rates: &[(0, 100_000)],
        rtts: &[(0, 20_000)],
        queue: 100,
        ..PLAIN
    },
    Course {
        name: "fastest",
        lasts_ms: 300,
        rates: &[(0, 500_000)],
        rtts: &[(0, 5000)],
        queue: 1250,
        ..PLAIN
    },
    Course {
        name: "satellite",
        lasts_ms: 20_000,
        rates: &[(0, 6000)],
        rtts: &[(0, 600_000)],
        queue: 450,
        ..PLAIN
    },
    Course {
        name: "slowest",
        lasts_ms: 300_000,
        rates: &[(0, 6)],
        rtts: &[(0, 3_000_000)],
        queue: 12,
        ..PLAIN
    },
    Course { name: "late start", begins_ms: 12_345, lasts_ms: 22_345, ..PLAIN },
    Course { name: "two packets", queue: 2, lasts_ms: 20_000, ..PLAIN },
    Course { name: "long queue", queue: 120, ..PLAIN },
    Course { name: "delayed ACKs", ack_every: 2, ..PLAIN },
    Course { name: "stretch ACKs", ack_every: 9, ..PLAIN },
    Course { name: "application", app: Some((1300, 700, 20)), ..PLAIN },
    Course { name: "idle", app: Some((900, 2100, 60_000)), queue: 60, ..PLAIN },
    Course { name: "trickle", app: Some((10, 4000, 10)), ..PLAIN },
    Course { name: "probed", probed: Some((20, 25)), ..PLAIN },
    Course { name: "access", access: Some(4000), queue: 60, ..PLAIN },
];

/// Losses of the links, and delays that vary.
pub(super) const AIR: &[Course] = &[
    Course { name: "few losses", losses: Each(1000), lasts_ms: 15_000, ..PLAIN },
    Course { name: "losses", losses: Each(15_000), ..PLAIN },
    Course { name: "many losses", losses: Each(80_000), ..PLAIN },
    Course { name: "marked losses", losses: Each(30_000), mac_tells: true, ..PLAIN },
    Course { name: "runs", losses: Runs(4000, 200_000), lasts_ms: 15_000, ..PLAIN },
    Course { name: "marked runs", losses: Runs(4000, 300_000), mac_tells: true, ..PLAIN },
    Course { name: "dead", dead: (4000, 5500), ..PLAIN },
    Course {
        name: "dead start",
        dead: (250, 900),
        rival: Some((0, 5000)),
        queue: 60,
        twice: 9,
        lasts_ms: 5000,
        ..PLAIN
    },
    Course { name: "dead again", dead: (3000, 4000), twice: 5, losses: Each(3000), ..PLAIN },
    Course {
        name: "hidden losses",
        jitter_us: 30_000,
        losses: Each(12_000),
        queue: 6,
        lasts_ms: 25_000,
        ..PLAIN
    },
    Course { name: "hidden queue", jitter_us: 30_000, queue: 8, lasts_ms: 40_000, ..PLAIN },
    Course {
        name: "swing",
        rtts: &[(0, 10_000)],
        sway: (700, 80_000),
        queue: 20,
        lasts_ms: 20_000,
        ..PLAIN
    },
    Course { name: "jitter", jitter_us: 20_000, losses: Each(5000), lasts_ms: 15_000, ..PLAIN },
    Course { name: "wild jitter", jitter_us: 200_000, lasts_ms: 15_000, queue: 60, ..PLAIN },
    Course { name: "late packets", late: Some((90, 15_000)), ..PLAIN },
    Course { name: "very late", late: Some((400, 400_000)), losses: Each(1000), ..PLAIN },
    Course { name: "sway", sway: (15_000, 50_000), lasts_ms: 30_000, ..PLAIN },
    Course {
        name: "rate falls",
        rates: &[(0, 10_000), (3000, 2000), (9000, 8000)],
        queue: 60,
        lasts_ms: 15_000,
        ..PLAIN
    },
    Course { name: "delay rises", rtts: &[(0, 40_000), (5000, 90_000), (12_000, 30_000)], ..AGES },
];

/// Long enough for what is forgotten after ten seconds.
const AGES: Course = Course { lasts_ms: 25_000, rates: &[(0, 3000)], ..PLAIN };

/// Another sender, and marks of the queue.
pub(super) const SHARED: &[Course] = &[
    Course { name: "rival", rival: Some((0, 30_000)), lasts_ms: 30_000, ..PLAIN },
    Course {
        name: "rival leaves",
        rival: Some((0, 8000)),
        queue: 60,
        losses: Each(4000),
        lasts_ms: 20_000,
        ..PLAIN
    },
    Course {
        name: "rival comes",
        rival: Some((7000, 30_000)),
        queue: 90,
        lasts_ms: 20_000,
        ..PLAIN
    },
    Course {
        name: "rival, told",
        rival: Some((2000, 18_000)),
        losses: Each(20_000),
        events: &[(0, Own(20_000, 10)), (4000, Own(18_000, 12)), (9000, Own(25_000, 15))],
        lasts_ms: 20_000,
        ..PLAIN
    },
    Course {
        name: "late beside",
        begins_ms: 6543,
        rival: Some((0, 20_000)),
        queue: 60,
        losses: Each(2000),
        mark_at: Some(40),
        lasts_ms: 26_543,
        ..PLAIN
    },
    Course {
        name: "rival, marked",
        rival: Some((1000, 25_000)),
        losses: Each(10_000),
        mac_tells: true,
        queue: 90,
        events: &[(0, Own(10_000, 10)), (14_000, Quench), (14_100, Quench), (20_000, Own(0, 1))],
        lasts_ms: 25_000,
        ..PLAIN
    },
    Course {
        name: "rival, claimed",
        rival: Some((500, 20_000)),
        losses: Each(12_000),
        queue: 60,
        mark_at: Some(50),
        events: &[(200, Peer(15_000, 10)), (10_000, Peer(8000, 12))],
        lasts_ms: 25_000,
        ..PLAIN
    },
    Course {
        name: "kin",
        rates: &[(0, 8000)],
        rival: Some((3000, 22_000)),
        kin: true,
        queue: 120,
        lasts_ms: 30_000,
        ..PLAIN
    },
    Course {
        name: "kin, lossy",
        rival: Some((0, 30_000)),
        kin: true,
        losses: Each(8000),
        jitter_us: 3000,
        lasts_ms: 20_000,
        ..PLAIN
    },
    Course { name: "marks", mark_at: Some(5), ..PLAIN },
    Course {
        name: "late marks",
        mark_at: Some(20),
        losses: Each(3000),
        rival: Some((3000, 20_000)),
        lasts_ms: 15_000,
        ..PLAIN
    },
    Course { name: "all marks", mark_at: Some(1), rtts: &[(0, 8000)], lasts_ms: 6000, ..PLAIN },
];

/// Words of the links and of routers.
pub(super) const TOLD: &[Course] = &[
    Course {
        name: "own report",
        losses: Each(20_000),
        events: &[(0, Own(20_000, 10)), (5000, Own(30_000, 25)), (8000, Own(5000, 5))],
        ..PLAIN
    },
    Course {
        name: "own, marked",
        losses: Each(20_000),
        mac_tells: true,
        access: Some(4500),
        events: &[(0, Own(20_000, 10)), (5000, Own(15_000, 20))],
        ..PLAIN
    },
    Course {
        name: "claims",
        losses: Each(20_000),
        events: &[(100, Peer(25_000, 20)), (3000, Peer(18_000, 25)), (14_000, Peer(20_000, 10))],
        lasts_ms: 20_000,
        ..PLAIN
    },
    Course {
        name: "lies",
        events: &[(0, Peer(300_000, 500)), (2000, Own(10_000, 5)), (6000, Peer(100_000, 900))],
        queue: 60,
        ..PLAIN
    },
    Course {
        name: "told delay",
        rtts: &[(0, 40_000), (4000, 70_000), (9000, 50_000)],
        events: &[(0, Own(0, 5)), (4000, Own(0, 20)), (9000, Peer(0, 6)), (11_000, Own(0, 5))],
        lasts_ms: 14_000,
        ..PLAIN
    },
    Course {
        name: "own handoff",
        rates: &[(0, 8000), (4000, 2000), (9000, 8000)],
        rtts: &[(0, 30_000), (4000, 150_000), (9000, 30_000)],
        events: &[(4000, Moves(Sender, 5, 65)), (4100, Own(0, 65)), (9000, Moves(Sender, 65, 5))],
        losses: Each(3000),
        lasts_ms: 15_000,
        ..PLAIN
    },
    Course {
        name: "marked moves",
        rtts: &[(0, 50_000), (3000, 90_000), (6000, 40_000)],
        mark_at: Some(8),
        losses: Each(5000),
        events: &[
            (1000, Peer(6000, 15)),
            (3000, Moves(Sender, 10, 30)),
            (3020, Own(8000, 30)),
            (6000, Moves(Receiver, 15, 5)),
            (6010, Peer(2000, 5)),
        ],
        ..PLAIN
    },
    Course {
        name: "its handoffs",
        rates: &[(0, 3000), (5000, 6000)],
        rtts: &[(0, 100_000), (5000, 40_000)],
        events: &[
            (1000, Peer(10_000, 40)),
            (5000, Moves(Receiver, 40, 10)),
            (6000, Moves(Receiver, 10, 40)),
            (12_000, Moves(Receiver, 40, 10)),
            (12_050, Moves(Receiver, 10, 12)),
        ],
        losses: Each(10_000),
        lasts_ms: 18_000,
        ..PLAIN
    },
    Course {
        name: "quenches",
        events: &[(150, Quench), (3000, Quench), (6000, Quench), (6900, Quench)],
        queue: 60,
        ..PLAIN
    },
];

/// Paths that become others now and then.
pub(super) fn storms() -> impl Iterator<Item = Course> {
    let gusts = (0..6).map(|seed| (seed, "gusts", 2000, 60_000));
    let spells = (6..9).map(|seed| (seed, "spells", 12_000, 150_000));
    gusts.chain(spells).map(|(seed, name, most, lasts_ms)| Course {
        name,
        lasts_ms,
        rates: &[(0, 8000)],
        rtts: &[(0, 50_000)],
        rival: (seed % 3 == 2).then_some((15_000, 40_000)),
        kin: seed % 2 == 0,
        storm: Some((seed, most)),
        ..PLAIN
    })
}

pub(super) fn all() -> impl Iterator<Item = Course> {
    [CLEAN, AIR, SHARED, TOLD].concat().into_iter()
}

/// Those with these names.
pub(super) fn named(names: &'static [&'static str]) -> impl Iterator<Item = Course> {
    for name in names {
        assert!(all().any(|course| course.name == *name), "no course has the name {name}");
    }
    all().filter(|course| names.contains(&course.name))
}
