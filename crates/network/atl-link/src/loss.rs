//! Loss processes: they decide which packets are lost.

use atl_core::model::{Gilbert, PathChain};
use atl_core::time::Time;

use crate::bursts::Bursts;
use crate::channel::Bits;
use crate::config::Loss;
use crate::damage::Damage;
use crate::exit::Cause;
use crate::random::Stream;
use crate::threshold::Threshold;

/// A loss process and its state.
#[derive(Clone, Debug)]
pub(crate) enum LossProcess {
    None,
    Bernoulli(Threshold),
    GilbertElliott(Box<GilbertElliott>),
    Bursts(Box<Bursts>),
    Path(Box<Path>),
    Bits(Box<Bits>),
}

/// The fate of a packet after its transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Arrives,
    /// So does a copy of it.
    ArrivesTwice,
    /// It arrives with bit errors.
    Damaged,
    Lost(Cause),
}

/// A two-state Markov chain.
#[derive(Clone, Debug)]
struct Chain {
    bad: bool,
    /// Probability of leaving the state, by state (good, bad).
    leave: [Threshold; 2],
}

impl Chain {
    fn new(gilbert: &Gilbert) -> Self {
        let leave = [Threshold::new(gilbert.to_bad), Threshold::new(gilbert.to_good)];
        Chain { bad: false, leave }
    }

    /// Makes the transition before a packet; true if the new state is bad.
    #[inline]
    fn step(&mut self, stream: &mut Stream) -> bool {
        self.bad ^= self.leave[usize::from(self.bad)].hit(stream);
        self.bad
    }
}

#[derive(Clone, Debug)]
pub(crate) struct GilbertElliott {
    chain: Chain,
    /// Loss probability by state (good, bad).
    lose: [Threshold; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    wireless: Chain,
    congestion: Chain,
}

impl LossProcess {
    pub(crate) fn new(loss: &Loss, stream: &mut Stream) -> Self {
        match *loss {
            Loss::None => LossProcess::None,
            Loss::Bernoulli(p) => LossProcess::Bernoulli(Threshold::new(p)),
            Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad } => {
                LossProcess::GilbertElliott(Box::new(GilbertElliott {
                    chain: Chain::new(&Gilbert { to_bad, to_good }),
                    lose: [Threshold::new(loss_good), Threshold::new(loss_bad)],
                }))
            }
            Loss::Bursts { good, bad, loss_good, loss_bad } => {
                let process = Bursts::new([good, bad], [loss_good, loss_bad], stream);
                LossProcess::Bursts(Box::new(process))
            }
            Loss::Path(PathChain { wireless, congestion }) => LossProcess::Path(Box::new(Path {
                wireless: Chain::new(&wireless),
                congestion: Chain::new(&congestion),
            })),
            Loss::Bits(channel) => LossProcess::Bits(Box::new(Bits::new(&channel, stream))),
        }
    }

    /// The fate of the next packet, of `bits` bits, transmitted between two times.
    pub(crate) fn next(&mut self, from: Time, until: Time, bits: f64, stream: &mut Stream) -> Fate {
        let error = match self {
            LossProcess::None => false,
            LossProcess::Bernoulli(p) => p.hit(stream),
            // Two draws per packet in either state, so that changing one probability leaves the
            // other draws unchanged.
            LossProcess::GilbertElliott(states) => {
                let bad = states.chain.step(stream);
                states.lose[usize::from(bad)].hit(stream)
            }
            LossProcess::Bursts(bursts) => bursts.loses(from, until, stream),
            LossProcess::Path(path) => {
                let error = path.wireless.step(stream);
                if path.congestion.step(stream) && !error {
                    return Fate::Lost(Cause::Congestion);
                }
                error
            }
            LossProcess::Bits(channel) => {
                return if channel.strikes(from, until, bits, stream) {
                    Fate::Damaged
                } else {
                    Fate::Arrives
                };
            }
        };
        if error { Fate::Lost(Cause::Error) } else { Fate::Arrives }
    }

    /// The bit errors of the last damaged packet.
    #[cold]
    pub(crate) fn damage(&self) -> Option<Damage> {
        match self {
            LossProcess::Bits(channel) => Some(channel.damage()),
            _ => None,
        }
    }
}
