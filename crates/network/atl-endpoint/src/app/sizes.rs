//! Number of bytes in the segments that an application writes.

use super::source::Source;

/// Sizes of the segments that an application writes: all are full, except the last one of a file.
/// The transport may cut its bytes at other places.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    segment: u64,
    /// Bytes and segments in a file.
    file: Option<(u64, u64)>,
}

impl Sizes {
    /// Sizes of the segments of `source`, of at most `segment` bytes.
    pub fn new(source: &Source, segment: u32) -> Self {
        let segment = u64::from(segment);
        let file = match *source {
            Source::Fixed { bytes } | Source::Files { bytes, .. } => {
                Some((bytes, bytes.div_ceil(segment).max(1)))
            }
            Source::Greedy
            | Source::Steady { .. }
            | Source::OnOff { .. }
            | Source::Media(_)
            | Source::Application(_)
            | Source::Relayed(_) => None,
        };
        Sizes { segment, file }
    }

    /// Bytes in the first `segments` segments.
    pub fn bytes(self, segments: u64) -> u64 {
        match self.file {
            None => segments * self.segment,
            Some((bytes, each)) => {
                segments / each * bytes + (segments % each * self.segment).min(bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_core::time::Span;

    use super::*;

    #[test]
    fn the_last_segment_of_a_file_holds_the_remaining_bytes() {
        let every = Span::from_secs(1);
        let files = Sizes::new(&Source::Files { bytes: 2_500, every, exponential: false }, 1000);
        let bytes: Vec<u64> = (0..8).map(|segments| files.bytes(segments)).collect();
        assert_eq!(bytes, [0, 1000, 2000, 2500, 3500, 4500, 5000, 6000]);
        let one = Sizes::new(&Source::Fixed { bytes: 1_500 }, 1000);
        assert_eq!([0, 1, 2].map(|segments| one.bytes(segments)), [0, 1000, 1500]);
        assert_eq!(Sizes::new(&Source::Greedy, 1000).bytes(7), 7000);
    }
}
