//! The time at which each segment is written, in order. It is recomputed from a copy of the
//! application, so that no state is kept for segments in flight.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::files::Files;
use super::on_off::OnOff;
use super::source::{Source, segment_time};

/// The times at which an application writes its segments, in order.
#[derive(Clone, Debug)]
pub enum Writes {
    /// All segments at this time.
    At(Time),
    /// At a constant rate: the time of the last write, and the time per segment.
    Steady(Time, Span),
    /// At a constant rate while on, nothing while off.
    OnOff(Box<OnOff>),
    /// File by file, each at one time.
    Files(Box<Files>),
}

impl Writes {
    /// The writes of an [`App`](super::App) with the same arguments. `None` if it always has data,
    /// writes frames, or answers another end.
    pub fn new(source: &Source, mss: u32, start: Time, stream: Stream) -> Option<Self> {
        Some(match source {
            Source::Greedy | Source::Media(_) | Source::Application(_) | Source::Relayed(_) => {
                return None;
            }
            Source::Fixed { .. } => Writes::At(start),
            Source::Steady { rate } => Writes::Steady(start, segment_time(*rate, mss)),
            Source::OnOff { .. } => Writes::OnOff(Box::new(OnOff::of(source, mss, start, stream)?)),
            Source::Files { .. } => Writes::Files(Box::new(Files::of(source, mss, start, stream)?)),
        })
    }

    /// The time at which the next segment is written. The first call gives the first segment.
    #[inline]
    pub fn next_time(&mut self) -> Time {
        match self {
            Writes::At(time) => *time,
            Writes::Steady(last, per_segment) => {
                *last = last.saturating_add(*per_segment);
                *last
            }
            Writes::OnOff(app) => app.write(),
            Writes::Files(app) => app.write(),
        }
    }
}
