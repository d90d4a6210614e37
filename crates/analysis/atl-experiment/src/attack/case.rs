//! A case: a law, a network and a lie.

use atl_core::time::Span;
use atl_core::units::Probability;
use atl_engine::setup::{AckTiming, Claims};
use atl_link::random::Stream;

use super::network::{Medium, Network, logarithmic, rounded};
use super::strategies::{STRATEGIES, is_lie};

/// A receiver that lies to a sender of one law, in one network.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Name of the sender's protocol.
    pub law: String,
    /// Where it happens.
    pub network: Network,
    /// Claims of the receiver, and the ACKs that go with them.
    pub lie: Claims,
}

impl Case {
    /// A case at random.
    pub fn draw(law: &str, wire: bool, stream: &mut Stream) -> Case {
        let network = Network::draw(wire, stream);
        loop {
            let strategy = &STRATEGIES[stream.below(STRATEGIES.len() as u64) as usize];
            let lie = (strategy.draw)(&network, stream);
            if is_lie(&network, &lie) {
                return Case { law: law.to_owned(), network, lie };
            }
        }
    }

    /// The same case with its network or its lie changed a little, or with another kind of lie.
    #[must_use]
    pub fn near(&self, stream: &mut Stream) -> Case {
        let mut case = self.clone();
        match stream.below(8) {
            0 => {
                let strategy = &STRATEGIES[stream.below(STRATEGIES.len() as u64) as usize];
                case.lie = (strategy.draw)(&case.network, stream);
            }
            1 | 2 => case.lie = nearby(case.lie, stream),
            _ => case.network = case.network.near(stream),
        }
        case
    }

    /// The network has a wire at its end.
    pub fn is_wired(&self) -> bool {
        self.network.medium == Medium::Wire
    }
}

fn nearby(mut lie: Claims, stream: &mut Stream) -> Claims {
    let factor = logarithmic(stream, 0.5, 2.0);
    let scaled =
        |span: Span| Span::from_micros(rounded(span.secs() * 1e6 * factor).max(1.0) as u64);
    match stream.below(4) {
        0 => lie.link.loss = Probability::clamped(rounded(lie.link.loss.get() * factor)),
        1 if !lie.link.delay.is_zero() => lie.link.delay = scaled(lie.link.delay),
        2 => {
            lie.flap = lie.flap.map(scaled);
            lie.handoffs = lie.handoffs.map(scaled);
        }
        _ => {
            lie.acks = match lie.acks {
                AckTiming::Prompt => AckTiming::Prompt,
                AckTiming::Together(every) => AckTiming::Together(scaled(every)),
                AckTiming::Level(after) => AckTiming::Level(scaled(after)),
                AckTiming::Late(by) => AckTiming::Late(scaled(by)),
                AckTiming::Thin(of) => {
                    AckTiming::Thin(((f64::from(of) * factor) as u32).clamp(2, 1000))
                }
            };
        }
    }
    lie
}
