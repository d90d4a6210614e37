//! Delays that vary from packet to packet, and the order in which packets then arrive.

use atl_core::time::Span;
use atl_core::units::Probability;

use crate::random::Stream;

/// A random part of the delay, drawn for each packet. A delay never gets below zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// Size of the variation, as `shape` defines it.
    pub spread: Span,
    /// Distribution of the variation.
    pub shape: JitterShape,
    /// Packets arrive in the order in which they were sent, as over any single radio link or
    /// queue: one with a short delay waits for those ahead of it. Without, each packet comes when
    /// its own delay is over, as in Linux's netem without a rate (`sch_netem.c`), and overtakes.
    pub in_order: bool,
}

/// The distribution of a jitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum JitterShape {
    /// Even from `spread` below the delay to `spread` above it, netem's default.
    #[default]
    Uniform,
    /// Normal about the delay, with a standard deviation of `spread`.
    Normal,
    /// Exponential on top of the delay, with a mean of `spread`: a lower bound, and a tail.
    Exponential,
}

/// Deliberate reordering: some packets come late, and those behind overtake them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reorder {
    /// Share of packets that come late, drawn for each.
    pub share: Probability,
    /// Time by which they come late. At a rate of r packets a second, r times this overtake.
    pub by: Span,
}

impl Jitter {
    /// The delay of one packet, with two draws whatever the shape.
    pub(crate) fn draw(&self, delay: Span, stream: &mut Stream) -> Span {
        let (one, two) = (stream.uniform(), stream.uniform());
        let spread = self.spread.secs();
        let more = match self.shape {
            JitterShape::Uniform => spread * (2.0 * one - 1.0),
            // Box and Muller (1958).
            JitterShape::Normal => {
                let radius = libm::sqrt(-2.0 * libm::log(1.0 - one));
                spread * radius * libm::cos(core::f64::consts::TAU * two)
            }
            JitterShape::Exponential => -spread * libm::log(1.0 - one),
        };
        Span::from_secs_f64((delay.secs() + more).max(0.0))
    }
}
