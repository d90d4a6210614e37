//! Loss processes: which packets the link loses.

use atl_core::units::Probability;

use crate::config::Loss;
use crate::random::Stream;

/// A probability as a threshold for the upper 53 bits of a random word: the same outcome as comparing
/// the uniform number with it, without the conversion to floating point. A draw takes about a nanosecond:
/// drawing the distance to the next loss instead would save less than that, and cost a logarithm a loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold(u64);

impl Threshold {
    fn new(p: Probability) -> Self {
        Threshold(libm::ceil(p.get() * (1u64 << 53) as f64) as u64)
    }

    #[inline]
    fn hit(self, stream: &mut Stream) -> bool {
        stream.next_u64() >> 11 < self.0
    }
}

/// A loss process and its state.
#[derive(Clone, Debug)]
pub(crate) enum LossProcess {
    None,
    Bernoulli(Threshold),
    GilbertElliott(Box<GilbertElliott>),
}

#[derive(Clone, Debug)]
pub(crate) struct GilbertElliott {
    bad: bool,
    /// Probability to leave the state, by state (good, bad).
    leave: [Threshold; 2],
    /// Probability to lose a packet, by state (good, bad).
    lose: [Threshold; 2],
}

impl LossProcess {
    pub(crate) fn new(loss: &Loss) -> Self {
        match *loss {
            Loss::None => LossProcess::None,
            Loss::Bernoulli(p) => LossProcess::Bernoulli(Threshold::new(p)),
            Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad } => {
                LossProcess::GilbertElliott(Box::new(GilbertElliott {
                    bad: false,
                    leave: [Threshold::new(to_bad), Threshold::new(to_good)],
                    lose: [Threshold::new(loss_good), Threshold::new(loss_bad)],
                }))
            }
        }
    }

    /// The fate of the next packet: true if it is lost.
    #[inline]
    pub(crate) fn next(&mut self, stream: &mut Stream) -> bool {
        match self {
            LossProcess::None => false,
            LossProcess::Bernoulli(p) => p.hit(stream),
            LossProcess::GilbertElliott(chain) => {
                // Two draws a packet whatever the state, so that a change of one probability leaves the
                // other draws as they were.
                chain.bad ^= chain.leave[usize::from(chain.bad)].hit(stream);
                chain.lose[usize::from(chain.bad)].hit(stream)
            }
        }
    }
}
