//! The retransmission timer expires where nothing else can find a loss, and not earlier.

use crate::support::{lossy, single};
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::Config;
use atl_sim::Simulation;

/// A link of 2 Mb/s with a queue of 50 packets and this one-way delay and loss, for 300 s.
fn wireless(protocol: &str, delay_ms: u64, loss: f64) -> atl_engine::setup::Setup {
    let config = Config::constant(Rate::from_mbps(2.0), Span::from_millis(delay_ms), 50);
    let mut setup = single(protocol, lossy(config, loss), 300.0);
    setup.links[0].wireless = true;
    setup.flows[0].overhead = Span::from_millis(4);
    setup.flows[0].tcp.access_rate = Some(Rate::from_mbps(2.0));
    setup
}

/// A timer that expires early makes a sender repeat what is not lost. On a path with one FIFO queue
/// each way nothing overtakes, so that with SACK every retransmission answers a loss.
#[test]
fn with_sack_each_retransmission_answers_a_loss() {
    for protocol in ["sack", "tcp-atl", "cubic", "sack/rack", "tcp-atl/rack", "cubic/rack"] {
        for delay in [20, 60, 160] {
            for loss in [1e-3, 1e-2, 5e-2] {
                for seed in 1..=2 {
                    let result = Simulation::new(&wireless(protocol, delay, loss), seed).run();
                    let flow = &result.flows[0];
                    let lost = flow.lost.expect("counted") + flow.dropped.expect("counted");
                    let again = flow.retransmissions.expect("counted");
                    assert!(
                        again <= lost,
                        "{protocol}, {delay} ms, {loss}: {again} retransmissions for {lost} losses"
                    );
                    assert!(again + 60 > lost, "{protocol}: losses left alone");
                }
            }
        }
    }
}

/// A window that grows by several packets an RTT lengthens the queue by as much: packets behind a
/// loss take longer than those whose times the timer is computed from. At one loss in 1000 hardly
/// any retransmission is lost in its turn, so hardly any timeout is due.
#[test]
fn a_growing_queue_does_not_expire_the_timer() {
    for delay in [60, 160] {
        let mut timeouts = 0;
        let mut recoveries = 0;
        for seed in 1..=4 {
            let result = Simulation::new(&wireless("tcp-atl", delay, 1e-3), seed).run();
            timeouts += result.flows[0].timeouts.expect("counted");
            recoveries += result.flows[0].recoveries.expect("counted");
        }
        assert!(recoveries > 200, "{recoveries}");
        // Slow start's overshoot costs one or two per run.
        assert!(timeouts <= 12, "{timeouts} timeouts for {recoveries} recoveries at {delay} ms");
    }
}

/// One packet in twenty is lost, and with it one retransmission in twenty. A sender that finds lost
/// retransmissions by time needs the timer only where nothing later is on its way.
#[test]
fn rack_needs_the_timer_far_less_than_sack() {
    for (controller, most) in [("sack", 0.6), ("tcp-atl", 0.4)] {
        for delay in [20, 160] {
            let timeouts = |protocol: &str| -> u64 {
                let run = |seed| Simulation::new(&wireless(protocol, delay, 5e-2), seed).run();
                (1..=4).map(|seed| run(seed).flows[0].timeouts.expect("counted")).sum()
            };
            let (sack, rack) = (timeouts(controller), timeouts(&format!("{controller}/rack")));
            assert!(sack > 100, "{sack}");
            assert!(
                rack as f64 <= most * sack as f64,
                "{controller}, {delay} ms: {rack} of {sack}"
            );
        }
    }
}
