//! Making a case small: fewer parts and rounder numbers, as long as the lie pays nearly as much.

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_engine::setup::{AckTiming, Claims};

use super::case::Case;
use super::judge::{Failure, Gain};
use super::network::{Medium, Network};

/// Share of the excess that a simpler case must keep.
const KEEPS: f64 = 0.95;

/// The simplest case that still pays nearly as much. `judge` runs a case.
///
/// # Errors
/// If a case cannot be run.
pub fn shrunk(
    case: Case,
    gain: Gain,
    judge: &mut dyn FnMut(&Case) -> Result<Gain, Failure>,
) -> Result<(Case, Gain), Failure> {
    let least = KEEPS * gain.excess;
    let (mut case, mut gain) = (case, gain);
    for simpler in STEPS {
        let next = simpler(&case);
        if next == case {
            continue;
        }
        let found = judge(&next)?;
        if found.excess >= least {
            (case, gain) = (next, found);
        }
    }
    Ok((case, gain))
}

/// Each makes a case simpler in one respect.
const STEPS: &[fn(&Case) -> Case] = &[
    |case| lie(case, |lie| Claims { ahead: 0, ..lie }),
    |case| lie(case, |lie| Claims { acks: AckTiming::Prompt, ..lie }),
    |case| lie(case, |lie| Claims { handoffs: None, ..lie }),
    |case| lie(case, |lie| Claims { flap: None, ..lie }),
    |case| lie(case, |lie| link(lie, lie.link.loss, Span::ZERO)),
    |case| lie(case, |lie| link(lie, Probability::ZERO, lie.link.delay)),
    |case| lie(case, |lie| link(lie, Probability::ONE, lie.link.delay)),
    |case| {
        lie(case, |lie| match lie.link.delay {
            Span::ZERO => lie,
            _ => link(lie, lie.link.loss, Span::from_secs(10)),
        })
    },
    |case| network(case, |net| Network { neighbours: 1, ..net }),
    |case| network(case, |net| Network { kbps: digit(net.kbps), ..net }),
    |case| {
        network(case, |net| Network {
            rtt: Span::from_micros(digit(net.rtt.nanos() / 1000)),
            ..net
        })
    },
    |case| network(case, |net| Network { queue: digit(net.queue.into()) as u32, ..net }),
    |case| {
        network(case, |net| match net.medium {
            Medium::Wire => net,
            Medium::Radio { loss, .. } => {
                Network { medium: Medium::Radio { loss, share: 0.5 }, ..net }
            }
        })
    },
];

fn lie(case: &Case, change: impl Fn(Claims) -> Claims) -> Case {
    Case { lie: change(case.lie), ..case.clone() }
}

fn network(case: &Case, change: impl Fn(Network) -> Network) -> Case {
    Case { network: change(case.network), ..case.clone() }
}

fn link(lie: Claims, loss: Probability, delay: Span) -> Claims {
    Claims { link: LinkReport { loss, delay }, ..lie }
}

/// The number with one digit, the rest zeros.
pub(super) fn digit(x: u64) -> u64 {
    let unit = 10u64.pow(x.max(1).ilog10());
    (x + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_link::random::Stream;

    fn gain(excess: f64) -> Gain {
        Gain { over_neighbours: 1.0, honest_over_neighbours: 1.0, over_honest: 1.0, excess }
    }

    #[test]
    fn what_does_not_matter_goes_and_what_pays_stays() {
        let mut case = Case::draw("tcp-atl", true, &mut Stream::new(7, "shrink"));
        case.network = Network { kbps: 2_345, queue: 12, neighbours: 3, ..case.network };
        case.lie = Claims {
            flap: Some(Span::from_secs(1)),
            handoffs: Some(Span::from_secs(2)),
            acks: AckTiming::Together(Span::from_millis(3)),
            ahead: 2,
            ..LinkReport { loss: Probability::clamped(0.3), delay: Span::from_millis(7) }.into()
        };
        // Only held ACKs and the queue of 12 pay.
        let mut pays = |case: &Case| {
            let all = case.lie.acks != AckTiming::Prompt && case.network.queue == 12;
            Ok(gain(if all { 3.0 } else { 1.0 }))
        };
        let (small, found) = shrunk(case, gain(3.0), &mut pays).expect("runs");
        assert!((found.excess - 3.0).abs() < 1e-12);
        assert_eq!((small.network.kbps, small.network.queue), (2_000, 12));
        assert_eq!(small.network.neighbours, 1);
        assert_eq!((small.lie.flap, small.lie.handoffs, small.lie.ahead), (None, None, 0));
        assert_eq!(small.lie.acks, AckTiming::Together(Span::from_millis(3)));
    }

    #[test]
    fn one_digit_is_left() {
        assert_eq!([2_345, 25, 9, 96, 0].map(digit), [2_000, 30, 9, 100, 0]);
    }
}
