//! Losses: one by one, in bursts of packets, in bursts of time. The share that is lost stays.

use atl_core::time::Span;
use atl_core::units::Probability;
use atl_link::Loss;

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_loss;

const PATTERN: Impairment = Impairment { name: "loss", with: "with losses" };

/// Mean length of a burst that replaces independent losses, in packets. Our choice.
const BURST: f64 = 5.0;

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "loss-independent",
        of: &PATTERN,
        words: "with independent losses",
        about: "Each packet is lost by itself, as often on average.",
        is_off: false,
        rewrite: |setup| each_loss(setup, |loss, _| independent(loss)),
    },
    Form {
        name: "loss-per-packet",
        of: &PATTERN,
        words: "with bursts counted in packets",
        about: "Losses in bursts, a chain with a step before each packet (Gilbert, Elliott). Independent losses become bursts of five on average; bursts in time get their length in packets at the link's rate.",
        is_off: false,
        rewrite: |setup| each_loss(setup, in_packets),
    },
    Form {
        name: "loss-per-second",
        of: &PATTERN,
        words: "with bursts in time",
        about: "The same bursts, but they last for times, whatever is sent meanwhile: as long as their packets take at the link's rate.",
        is_off: false,
        rewrite: |setup| {
            each_loss(setup, |loss, packet| {
                in_time(in_packets(loss, packet).unwrap_or(loss), packet)
            })
        },
    },
    Form {
        name: "no-loss",
        of: &PATTERN,
        words: "without losses of links",
        about: "No link loses a packet by itself; queues drop as before.",
        is_off: true,
        rewrite: |setup| each_loss(setup, |_, _| Some(Loss::None)),
    },
];

/// Mean loss of a chain of two states.
fn mean(bad: f64, loss_good: Probability, loss_bad: Probability) -> f64 {
    bad * loss_bad.get() + (1.0 - bad) * loss_good.get()
}

fn independent(loss: Loss) -> Option<Loss> {
    let p = match loss {
        Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad } => {
            let leaves = to_bad.get() + to_good.get();
            mean(if leaves > 0.0 { to_bad.get() / leaves } else { 0.0 }, loss_good, loss_bad)
        }
        Loss::Bursts { good, bad, loss_good, loss_bad } => {
            mean(bad.secs() / (good.secs() + bad.secs()), loss_good, loss_bad)
        }
        _ => return None,
    };
    Some(Loss::Bernoulli(Probability::new(p)?))
}

fn in_packets(loss: Loss, packet: Option<Span>) -> Option<Loss> {
    match loss {
        Loss::Bernoulli(p) if p.get() > 0.0 => {
            let to_good = 1.0 / BURST;
            let to_bad = to_good * p.get() / (1.0 - p.get());
            // More than four fifths of all packets: no such bursts.
            Some(Loss::GilbertElliott {
                to_bad: Probability::new(to_bad)?,
                to_good: Probability::new(to_good)?,
                loss_good: Probability::ZERO,
                loss_bad: Probability::ONE,
            })
        }
        Loss::Bursts { good, bad, loss_good, loss_bad } => {
            let per_packet =
                |lasts: Span| Probability::new((packet?.secs() / lasts.secs()).min(1.0));
            let (to_bad, to_good) = (per_packet(good)?, per_packet(bad)?);
            Some(Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad })
        }
        _ => None,
    }
}

fn in_time(loss: Loss, packet: Option<Span>) -> Option<Loss> {
    let Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad } = loss else { return None };
    if to_bad.get() <= 0.0 || to_good.get() <= 0.0 {
        return None;
    }
    let lasts = |leave: Probability| Some(Span::from_secs_f64(packet?.secs() / leave.get()));
    let (good, bad) = (lasts(to_bad)?, lasts(to_good)?);
    (good > Span::ZERO && bad > Span::ZERO).then_some(Loss::Bursts {
        good,
        bad,
        loss_good,
        loss_bad,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(value: f64) -> Probability {
        Probability::new(value).expect("from 0 to 1")
    }

    fn share(loss: Loss) -> f64 {
        match loss {
            Loss::Bernoulli(p) => p.get(),
            other => match independent(other) {
                Some(Loss::Bernoulli(p)) => p.get(),
                _ => f64::NAN,
            },
        }
    }

    /// 12 Mb/s: a packet takes 1 ms.
    const PACKET: Option<Span> = Some(Span::from_millis(1));

    #[test]
    fn every_pattern_loses_the_same_share() {
        let chain = Loss::GilbertElliott {
            to_bad: p(0.01),
            to_good: p(0.25),
            loss_good: p(0.001),
            loss_bad: p(0.8),
        };
        let time = Loss::Bursts {
            good: Span::from_millis(100),
            bad: Span::from_millis(4),
            loss_good: p(0.001),
            loss_bad: p(0.8),
        };
        // 1 / 26 of the time bad.
        let by_hand = 0.8 / 26.0 + 0.001 * 25.0 / 26.0;
        assert!((share(chain) - by_hand).abs() < 1e-12 && (share(time) - by_hand).abs() < 1e-12);
        assert_eq!(in_time(chain, PACKET), Some(time), "four packets of 1 ms");
        assert_eq!(in_packets(time, PACKET), Some(chain));
        let bursts = in_packets(Loss::Bernoulli(p(0.02)), PACKET).expect("it has bursts");
        assert!((share(bursts) - 0.02).abs() < 1e-12);
        let bursts = in_time(bursts, PACKET).expect("they have times");
        assert!((share(bursts) - 0.02).abs() < 1e-9, "whole nanoseconds");
    }

    #[test]
    fn what_has_no_other_pattern_stays() {
        assert_eq!(in_packets(Loss::Bernoulli(p(0.9)), PACKET), None, "no bursts of five");
        assert_eq!(in_packets(Loss::Bernoulli(p(0.0)), PACKET), None);
        assert_eq!(independent(Loss::Bernoulli(p(0.1))), None);
        let unlimited = in_packets(Loss::Bernoulli(p(0.1)), None).and_then(|l| in_time(l, None));
        assert_eq!(unlimited, None, "a packet takes no time");
    }
}
