//! Pauses between the exchanges of an application.

use atl_core::time::Span;
use atl_link::random::Stream;

/// A pause: `mean` itself, or drawn from an exponential distribution around it.
pub(super) fn pause(mean: Span, exponential: bool, stream: &mut Stream) -> Span {
    match exponential {
        true => Span::from_secs_f64(stream.exponential(mean.secs())),
        false => mean,
    }
}
