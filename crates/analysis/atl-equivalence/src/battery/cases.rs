//! The battery of UDP probes.
//!
//! Every discipline and process of a link has a case. Random ones run long enough to tell 1.3 times
//! their loss from their loss. Where a queue overflows, probes come at a rate that is no simple
//! fraction of the link's: otherwise arrivals and departures coincide, and nanoseconds decide which
//! packet is dropped.

use super::{Case, Kind};
use crate::pattern::Pattern::{Bursts, Constant, Poisson};

/// Values that most cases share.
const CASE: Case = Case {
    name: "",
    kind: Kind::Rate,
    title: "",
    link: "",
    pattern: Constant { per_second: 1000.0 },
    bytes: 1000,
    seconds: 6.0,
    low_every: None,
};

/// All cases, in the order of tables.
pub const CASES: &[Case] = &[
    Case {
        name: "rate-2",
        title: "2 Mb/s, 20 % too much traffic",
        link: "rate = \"2Mb/s\"\ndelay = \"10ms\"\nqueue = 20",
        pattern: Constant { per_second: 297.0 },
        ..CASE
    },
    Case {
        name: "rate-20",
        title: "20 Mb/s, 20 % too much traffic",
        link: "rate = \"20Mb/s\"\ndelay = \"10ms\"\nqueue = 50",
        pattern: Constant { per_second: 2970.0 },
        seconds: 4.0,
        ..CASE
    },
    Case {
        name: "rate-100",
        title: "100 Mb/s, 20 % too much traffic",
        link: "rate = \"100Mb/s\"\ndelay = \"10ms\"\nqueue = 200",
        pattern: Constant { per_second: 9970.0 },
        bytes: 1500,
        seconds: 4.0,
        ..CASE
    },
    Case {
        name: "delay-none",
        kind: Kind::Delay,
        title: "no rate limit, no delay",
        link: "rate = \"unlimited\"",
        pattern: Constant { per_second: 1000.0 },
        bytes: 200,
        seconds: 4.0,
        ..CASE
    },
    Case {
        name: "delay-150",
        kind: Kind::Delay,
        title: "150 ms, 20 Mb/s at a third of its load",
        link: "rate = \"20Mb/s\"\ndelay = \"150ms\"",
        pattern: Poisson { per_second: 800.0 },
        seconds: 5.0,
        ..CASE
    },
    Case {
        name: "delay-queueing",
        kind: Kind::Delay,
        title: "random arrivals at 60 % load: M/D/1",
        link: "rate = \"20Mb/s\"\ndelay = \"20ms\"\nqueue = 500",
        pattern: Poisson { per_second: 1500.0 },
        seconds: 8.0,
        ..CASE
    },
    Case {
        name: "loss-random",
        kind: Kind::Loss,
        title: "3 % at random",
        link: "rate = \"unlimited\"\ndelay = \"10ms\"\nloss = 0.03",
        pattern: Constant { per_second: 5000.0 },
        bytes: 100,
        seconds: 8.0,
        ..CASE
    },
    Case {
        name: "loss-heavy",
        kind: Kind::Loss,
        title: "25 % at random, behind a queue",
        link: "rate = \"20Mb/s\"\ndelay = \"10ms\"\nloss = 0.25",
        pattern: Constant { per_second: 2000.0 },
        seconds: 5.0,
        ..CASE
    },
    Case {
        name: "loss-bursts",
        kind: Kind::Loss,
        title: "Gilbert: bursts of 2.5 packets",
        link: "rate = \"unlimited\"\ndelay = \"10ms\"\nloss = { good-to-bad = 0.05, bad-to-good = 0.4 }",
        pattern: Constant { per_second: 5000.0 },
        bytes: 100,
        seconds: 10.0,
        ..CASE
    },
    Case {
        name: "loss-states",
        kind: Kind::Loss,
        title: "Gilbert-Elliott: 1 % and 50 % in two states",
        link: "rate = \"unlimited\"\ndelay = \"10ms\"\nloss = { good-to-bad = 0.05, bad-to-good = 0.2, loss-good = 0.01, loss-bad = 0.5 }",
        pattern: Constant { per_second: 5000.0 },
        bytes: 100,
        seconds: 10.0,
        ..CASE
    },
    Case {
        name: "loss-bits",
        kind: Kind::Loss,
        title: "bit errors: 1e-5, packets of 1000 bytes",
        link: "rate = \"50Mb/s\"\ndelay = \"10ms\"\nloss = { bit-errors = 1e-5 }",
        pattern: Constant { per_second: 3000.0 },
        seconds: 8.0,
        ..CASE
    },
    Case {
        name: "loss-fading",
        kind: Kind::Loss,
        title: "Rayleigh fading at 400 Hz, 20 dB",
        link: "rate = \"unlimited\"\ndelay = \"10ms\"\nloss = { fading = { doppler = \"400Hz\", modulation = \"dpsk\", snr = \"20dB\" } }",
        pattern: Constant { per_second: 3000.0 },
        bytes: 500,
        seconds: 10.0,
        ..CASE
    },
    Case {
        name: "queue-5",
        kind: Kind::Queue,
        title: "DropTail of 5 packets, bursts of 12",
        link: "rate = \"20Mb/s\"\ndelay = \"10ms\"\nqueue = 5",
        pattern: Bursts { packets: 12, per_second: 40.0 },
        seconds: 5.0,
        ..CASE
    },
    Case {
        name: "queue-50",
        kind: Kind::Queue,
        title: "DropTail of 50 packets, bursts of 80",
        link: "rate = \"20Mb/s\"\ndelay = \"10ms\"\nqueue = 50",
        pattern: Bursts { packets: 80, per_second: 20.0 },
        seconds: 5.0,
        ..CASE
    },
    Case {
        name: "queue-bytes",
        kind: Kind::Queue,
        title: "DropTail of 30 kB, random arrivals at 110 % load",
        link: "rate = \"10Mb/s\"\ndelay = \"10ms\"\nqueue = \"30kB\"",
        pattern: Poisson { per_second: 1375.0 },
        seconds: 10.0,
        ..CASE
    },
    Case {
        name: "queue-bands",
        kind: Kind::Queue,
        title: "two bands, 120 % load, every third packet low",
        link: "rate = \"10Mb/s\"\ndelay = \"10ms\"\nqueue = { packets = 20, priority = true }",
        pattern: Constant { per_second: 1490.0 },
        seconds: 5.0,
        low_every: Some(3),
        ..CASE
    },
    Case {
        name: "queue-red",
        kind: Kind::Queue,
        title: "RED with a quick average, 110 % load",
        link: "rate = \"20Mb/s\"\ndelay = \"10ms\"\nqueue = { discipline = \"red\", packets = 60, min = 5, max = 25, weight = 0.05 }",
        pattern: Constant { per_second: 2730.0 },
        seconds: 10.0,
        ..CASE
    },
    Case {
        name: "trace-commute",
        kind: Kind::Trace,
        title: "recorded rates, always full",
        link: "trace = \"commute.up\"\ntrace-offset = \"0s\"\ndelay = \"20ms\"\nqueue = 50",
        pattern: Constant { per_second: 800.0 },
        bytes: 1500,
        seconds: 8.0,
        ..CASE
    },
    Case {
        name: "trace-wifi",
        kind: Kind::Trace,
        title: "recorded rates, random arrivals",
        link: "trace = \"wifi.down\"\ntrace-offset = \"0s\"\ndelay = \"5ms\"\nqueue = 100",
        pattern: Poisson { per_second: 800.0 },
        seconds: 8.0,
        ..CASE
    },
    Case {
        name: "trace-delay",
        kind: Kind::Trace,
        title: "recorded delays",
        link: "rate = \"20Mb/s\"\ndelay-trace = \"waves.delay\"\ntrace-offset = \"0s\"",
        pattern: Constant { per_second: 1000.0 },
        bytes: 500,
        ..CASE
    },
    Case {
        name: "change-rate",
        kind: Kind::Schedule,
        title: "4, 12, 2 and 8 Mb/s, always full",
        link: "rate = \"4Mb/s\"\ndelay = \"10ms\"\nqueue = 30\nroam = [{ at = \"800ms\", rate = \"12Mb/s\" }, { at = \"1500ms\", rate = \"2Mb/s\" }, { at = \"3s\", rate = \"8Mb/s\" }]",
        pattern: Constant { per_second: 1590.0 },
        ..CASE
    },
    Case {
        name: "change-delay",
        kind: Kind::Schedule,
        title: "10, 80, 20 and 120 ms",
        link: "rate = \"20Mb/s\"\ndelay = \"10ms\"\nroam = [{ at = \"800ms\", delay = \"80ms\" }, { at = \"1500ms\", delay = \"20ms\" }, { at = \"3s\", delay = \"120ms\" }]",
        pattern: Constant { per_second: 1000.0 },
        bytes: 500,
        ..CASE
    },
    Case {
        name: "blackout",
        kind: Kind::Schedule,
        title: "dead for 300 ms of every 1.1 s",
        link: "rate = \"10Mb/s\"\ndelay = \"20ms\"\nblackout = [{ at = \"700ms\", lasts = \"300ms\", every = \"1100ms\" }]",
        pattern: Constant { per_second: 1000.0 },
        ..CASE
    },
    Case {
        name: "blackout-hold",
        kind: Kind::Schedule,
        title: "silent for 300 ms of every 1.1 s, packets wait",
        link: "rate = \"10Mb/s\"\ndelay = \"20ms\"\nqueue = 400\nblackout = [{ at = \"700ms\", lasts = \"300ms\", every = \"1100ms\", hold = true }]",
        pattern: Constant { per_second: 800.0 },
        ..CASE
    },
];
