//! When each segment is written, one after the other: a copy of the application, so that nothing has to be kept of
//! segments that are under way, however many there are.

use super::source::Source;
use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::files::Files;
use super::on_off::OnOff;
use super::{files, on_off, per_segment};

/// Tells of the segments of an application in order.
#[derive(Clone, Debug)]
pub enum Writes {
    /// All at once.
    At(Time),
    /// At a constant rate: when the last one was written, and the time to write one.
    Steady(Time, Span),
    /// While on.
    OnOff(Box<OnOff>),
    /// File by file.
    Files(Box<Files>),
}

impl Writes {
    /// The writes of the [`App`](super::App) with the same arguments; `None` if it always has more, or writes frames.
    pub fn new(source: &Source, mss: u32, start: Time, stream: Stream) -> Option<Self> {
        Some(match source {
            Source::Greedy | Source::Media(_) => return None,
            Source::Fixed { .. } => Writes::At(start),
            Source::Steady { rate } => Writes::Steady(start, per_segment(*rate, mss)),
            Source::OnOff { .. } => Writes::OnOff(Box::new(on_off(source, mss, start, stream)?)),
            Source::Files { .. } => Writes::Files(Box::new(files(source, mss, start, stream)?)),
        })
    }

    /// When the next segment is written: the first one at the first call.
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
