//! Sequence and transmission numbers, of which headers carry the low half.

/// The number nearest to `near` whose low half is `low`.
#[inline]
pub fn expand(near: u64, low: u32) -> u64 {
    near.wrapping_add_signed(i64::from(low.wrapping_sub(near as u32).cast_signed()))
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
}
