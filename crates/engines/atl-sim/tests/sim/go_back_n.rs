//! The cost of go-back-N, against eq. 3 of the AAL-T paper (Akyildiz, Joe, sec. 4): with a window
//! of N packets and a probability of success P, a packet takes E[N] = (P + (1 - P) N) / P
//! transmissions.

use crate::support::{lossy, single};
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_core::window::{ControllerConfig, fixed};
use atl_engine::setup::Setup;
use atl_link::Config;
use atl_sim::Simulation;

/// A constant window over a link with independent losses, 2 ms per packet, with this delay in each
/// direction.
fn path(window: u32, delay: Span, loss: f64, secs: f64) -> Setup {
    let link = Config::constant(Rate::from_bps(1040.0 * 8.0 * 500.0), delay, 1000);
    let mut setup = single("fixed-window", lossy(link, loss), secs);
    let tcp = setup.flows[0].protocol.tcp_mut().expect("a TCP");
    tcp.controller = ControllerConfig::from(fixed::Config { window });
    setup
}

#[test]
fn a_packet_takes_as_many_transmissions_as_eq_3_says() {
    for (window, delay, loss) in [
        // 10 and 50 packets take 20 and 100 ms to transmit: the round trip is longer, the window
        // always in flight.
        (10, Span::from_millis(50), 1e-2),
        (10, Span::from_millis(50), 2.6e-2),
        (10, Span::from_millis(50), 0.2),
        (50, Span::from_millis(100), 1e-2),
        (1, Span::from_millis(5), 0.1),
        // A window that mostly waits in the sender's own queue is also sent again as a whole.
        (50, Span::from_millis(5), 2e-2),
    ] {
        let result = Simulation::new(&path(window, delay, loss, 4000.0), 1).run();
        let flow = &result.flows[0];
        let (sent, delivered) = (flow.sent as f64, flow.delivered.expect("counted") as f64);
        let measured = sent / delivered;
        let (n, p) = (f64::from(window), 1.0 - loss);
        let expected = (p + loss * n) / p;
        // Each packet's number of failed attempts is geometric, with variance (1 - P) / P^2, and
        // each costs N. Four standard errors, and a window that is not delivered at the end.
        let error = 4.0 * n * (loss / (p * p) / delivered).sqrt() + n / delivered;
        assert!(
            (measured - expected).abs() < error,
            "window {n}, loss {loss}: {measured:.4} transmissions a packet, eq. 3 {expected:.4}, {error:.4}"
        );
        assert!(error < 0.06 * expected, "{error} of {expected} tells nothing");
        // Windows in which no packet arrives after the hole are left to the timer.
        assert!(
            window == 1 || flow.timeouts.expect("counted") * 50 < flow.recoveries.expect("counted"),
            "{flow:?}"
        );
    }
}

#[test]
fn lost_acks_cost_nothing_and_late_ones_little() {
    // Each ACK says all that those before it did: losing a tenth of them changes no retransmission,
    // except that if the last ACK of a window is lost, the timer sends that window again.
    let mut setup = path(10, Span::from_millis(50), 0.0, 1000.0);
    setup.links[1].config = lossy((*setup.links[1].config).clone(), 0.1).into();
    let result = Simulation::new(&setup, 1).run();
    let flow = &result.flows[0];
    let per_packet = flow.sent as f64 / flow.delivered.expect("counted") as f64;
    assert!(per_packet < 1.001, "{per_packet}");
}
