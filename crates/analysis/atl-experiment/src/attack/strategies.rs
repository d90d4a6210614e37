//! Strategies of a receiver that lies: each draws claims for a network.

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_engine::setup::{AckTiming, Claims};
use atl_link::random::Stream;

use super::network::{Medium, Network, PACKET_BYTES, logarithmic};

/// A kind of lie.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// Name in results, such as `delay`.
    pub name: &'static str,
    /// The receiver's claims, for a reader.
    pub about: &'static str,
    /// Draws claims of this kind for a network.
    pub draw: fn(&Network, &mut Stream) -> Claims,
}

/// All kinds that the search tries.
pub const STRATEGIES: &[Strategy] = &[
    Strategy { name: "all", about: "every loss and all of the delay are its link's", draw: all },
    Strategy { name: "loss", about: "only losses: some p_w, no d_w", draw: loss },
    Strategy { name: "delay", about: "only delay: some d_w, no p_w", draw: delay },
    Strategy { name: "moderate", about: "some p_w and some d_w", draw: moderate },
    Strategy {
        name: "below",
        about: "just below a threshold of some law: d_w of half the round trip, classes of beta, p_w of 10 %",
        draw: below,
    },
    Strategy { name: "flap", about: "a lie and silence by turns", draw: flap },
    Strategy { name: "handoffs", about: "claims of handoffs without end", draw: handoffs },
    Strategy { name: "hold", about: "ACKs held back and let go together", draw: hold },
    Strategy {
        name: "level",
        about: "ACKs held back until all round trips look alike",
        draw: level,
    },
    Strategy { name: "late", about: "ACKs that all leave some time later", draw: late },
    Strategy { name: "thin", about: "one ACK for many packets", draw: thin },
    Strategy { name: "ahead", about: "ACKs of what has not arrived yet", draw: ahead },
];

const EVERYTHING: LinkReport = LinkReport { loss: Probability::ONE, delay: Span::from_secs(10) };

fn all(_: &Network, _: &mut Stream) -> Claims {
    EVERYTHING.into()
}

fn some_loss(stream: &mut Stream) -> Probability {
    Probability::clamped(logarithmic(stream, 1e-4, 1.0))
}

fn some_delay(network: &Network, stream: &mut Stream) -> Span {
    micros(network.rtt.mul_f64(0.5 * logarithmic(stream, 0.02, 1.0)))
}

fn loss(_: &Network, stream: &mut Stream) -> Claims {
    LinkReport { loss: some_loss(stream), delay: Span::ZERO }.into()
}

fn delay(network: &Network, stream: &mut Stream) -> Claims {
    LinkReport { loss: Probability::ZERO, delay: some_delay(network, stream) }.into()
}

fn moderate(network: &Network, stream: &mut Stream) -> Claims {
    LinkReport { loss: some_loss(stream), delay: some_delay(network, stream) }.into()
}

fn below(network: &Network, stream: &mut Stream) -> Claims {
    let half = network.rtt.mul_f64(0.495);
    let delays = [half, Span::from_millis(49), Span::from_millis(149), network.rtt.mul_f64(0.25)];
    let losses = [0.099, 0.019, 0.0049, 0.19, 0.49];
    let loss = Probability::clamped(losses[stream.below(5) as usize]);
    let delay = micros(delays[stream.below(4) as usize].min(half));
    LinkReport { loss, delay }.into()
}

/// Any claim, to be combined with something else.
fn any(network: &Network, stream: &mut Stream) -> Claims {
    match stream.below(4) {
        0 => loss(network, stream),
        1 => moderate(network, stream),
        _ => EVERYTHING.into(),
    }
}

fn some_period(network: &Network, stream: &mut Stream) -> Span {
    micros(network.rtt.mul_f64(logarithmic(stream, 1.0, 200.0)))
}

fn flap(network: &Network, stream: &mut Stream) -> Claims {
    Claims { flap: Some(some_period(network, stream)), ..any(network, stream) }
}

fn handoffs(network: &Network, stream: &mut Stream) -> Claims {
    Claims { handoffs: Some(some_period(network, stream)), ..any(network, stream) }
}

/// Time in which the bottleneck's full queue drains.
fn drain(network: &Network) -> Span {
    let packet = PACKET_BYTES * 8.0 / (network.kbps as f64 * 1e3);
    Span::from_secs_f64(packet * f64::from(network.queue))
}

fn hold(network: &Network, stream: &mut Stream) -> Claims {
    let every = drain(network).mul_f64(logarithmic(stream, 0.2, 2.0));
    Claims { acks: AckTiming::Together(micros(every)), ..any(network, stream) }
}

fn level(network: &Network, stream: &mut Stream) -> Claims {
    // The ACK's own way takes time too, which does not count: the level is that of the way from the
    // sender to the receiver.
    let after = network.rtt / 2 + drain(network).mul_f64(logarithmic(stream, 0.5, 1.5));
    Claims { acks: AckTiming::Level(micros(after)), ..any(network, stream) }
}

fn late(network: &Network, stream: &mut Stream) -> Claims {
    let by = (network.rtt + drain(network)).mul_f64(logarithmic(stream, 0.05, 2.0));
    Claims { acks: AckTiming::Late(micros(by)), ..any(network, stream) }
}

fn thin(network: &Network, stream: &mut Stream) -> Claims {
    Claims { acks: AckTiming::Thin(logarithmic(stream, 2.0, 100.0) as u32), ..any(network, stream) }
}

fn ahead(network: &Network, stream: &mut Stream) -> Claims {
    Claims { ahead: 1 + stream.below(5) as u32, ..any(network, stream) }
}

/// Whole microseconds, at least one.
fn micros(span: Span) -> Span {
    Span::from_micros((span.nanos() / 1000).max(1))
}

/// True if a strategy has an effect: a link without losses of its own cannot be blamed for fewer.
pub(super) fn is_lie(network: &Network, claims: &Claims) -> bool {
    match network.medium {
        Medium::Wire => true,
        Medium::Radio { loss, .. } => {
            claims.changes_acks() || claims.link.loss.get() >= loss || !claims.link.delay.is_zero()
        }
    }
}
