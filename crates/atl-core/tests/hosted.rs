//! The hosted baselines on a bottleneck, against their library's own published simulation, and against
//! whatever a confused host may tell them.

mod bottleneck;

use atl_core::time::{Span, Time};
use atl_core::window::hosted::{bbr, cubic};
use atl_core::window::{Ack, ControllerConfig, Detection, Loss, Sent, Start, Timeout, WindowController};
use bottleneck::{Bottleneck, PACKET};
use proptest::prelude::*;

const START: Start = Start { initial_window: 2.0, packet_bytes: PACKET, access_rate: None, acked_per_ack: 1.0 };

/// 10 Mb/s and 80 ms: a bandwidth-delay product of 96 packets.
const PATH: Bottleneck = Bottleneck {
    rate: 1202.0,
    rtt: Span::from_millis(80),
    queue: 50,
    loss: 0.0,
    blackout: (Time::MAX, Time::MAX),
    seed: 1,
};

fn cubic() -> Box<dyn WindowController> {
    Box::new(ControllerConfig::Cubic(cubic::Config::default()).build(&START))
}

fn bbr(seed: u64) -> Box<dyn WindowController> {
    Box::new(ControllerConfig::Bbr(bbr::Config { seed }).build(&START))
}

#[test]
fn explore() {
    for (name, mut c) in [("cubic", cubic()), ("bbr", bbr(1))] {
        let o = PATH.run(&mut *c, 60);
        println!("{name} {o:?}");
        println!("{name} ssthresh {}", c.ssthresh());
    }
    for (name, mut c) in [("cubic", cubic()), ("bbr", bbr(1))] {
        let o = Bottleneck { loss: 0.01, ..PATH }.run(&mut *c, 60);
        println!("{name} 1% {o:?} {}", o.mean_window(10));
    }
    for (name, mut c) in [("cubic", cubic()), ("bbr", bbr(1))] {
        let o = Bottleneck { blackout: (Time::from_millis(10_000), Time::from_millis(13_000)), ..PATH }.run(&mut *c, 30);
        println!("{name} blackout {o:?}");
    }
}
