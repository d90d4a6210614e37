//! Sequence and transmission numbers, of which headers carry the low half.

/// The number nearest to `near` whose low half is `low`. No number is below 0: a peer may name one
/// that would be.
#[inline]
pub fn expand(near: u64, low: u32) -> u64 {
    let ahead = low.wrapping_sub(near as u32).cast_signed();
    // Only where the nearest would be below 0 is there none: the next one up is the half itself.
    near.checked_add_signed(ahead.into()).unwrap_or(low.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_half_expands_to_the_nearest_number() {
        let near = 5u64 << 32;
        assert_eq!(expand(near, 7), near + 7);
        assert_eq!(expand(near, u32::MAX), near - 1);
        assert_eq!(expand(near + 10, 3), near + 3);
        assert_eq!(expand(0, 12), 12);
    }

    /// All numbers around each place where a half, a whole or a bit of QUIC's range wraps, and all
    /// distances around those that the low half can just tell apart.
    #[test]
    fn a_number_within_half_a_range_comes_back_wherever_halves_wrap() {
        let around = |place: u64| place.saturating_sub(40)..=place + 40;
        let places = [0, 1 << 31, 1 << 32, 3 << 31, 1 << 33, 1 << 53, 1 << 62, 1 << 63];
        let mut seen = 0_u32;
        for near in places.into_iter().flat_map(around) {
            for distance in around(0).chain(around(1 << 30)).chain((1 << 31) - 40..1 << 31) {
                for number in [near.checked_add(distance), near.checked_sub(distance)] {
                    let Some(number) = number else { continue };
                    assert_eq!(expand(near, number as u32), number, "{near} {distance}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 150_000, "{seen}");
    }
}
