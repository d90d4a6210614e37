//! Decimal numbers as integers of a smaller unit, without a detour over floating point: times since
//! 1970 in nanoseconds have more digits than a double keeps.

/// Digits after the point that count. Further ones are below any unit used here.
const FRACTION: usize = 12;
/// Largest exponent of ten, up or down.
const EXPONENT: i32 = 30;

/// The number in `text`, times `scale`, rounded to a whole number, halves away from zero. `None` if
/// the text is no decimal number, or the result does not fit.
pub(super) fn scaled(text: &str, scale: u64) -> Option<i64> {
    let (negative, text) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if (whole.is_empty() && fraction.is_empty()) || !(-EXPONENT..=EXPONENT).contains(&exponent) {
        return None;
    }
    let mut digits: u128 = 0;
    for (place, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        if !digit.is_ascii_digit() {
            return None;
        }
        if place < whole.len() + FRACTION {
            digits = digits.checked_mul(10)?.checked_add(u128::from(digit - b'0'))?;
        }
    }
    let places = exponent - fraction.len().min(FRACTION) as i32;
    let value = digits.checked_mul(u128::from(scale))?;
    let power = 10_u128.checked_pow(places.unsigned_abs());
    let value = if places >= 0 {
        value.checked_mul(power?)?
    } else {
        // A divisor that does not fit leaves nothing.
        power.map_or(0, |power| value / power + u128::from(value % power >= power.div_ceil(2)))
    };
    let value = i64::try_from(value).ok()?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::scaled;

    #[test]
    fn worked_values() {
        for (text, scale, expected) in [
            ("12", 1, Some(12)),
            ("-1", 1_000_000, Some(-1_000_000)),
            ("23.5", 1_000_000, Some(23_500_000)),
            ("142011000.0", 1, Some(142_011_000)),
            ("1.42011e+08", 1, Some(142_011_000)),
            ("1705744800.533641", 1_000_000_000, Some(1_705_744_800_533_641_000)),
            ("1705744800616897349", 1, Some(1_705_744_800_616_897_349)),
            (".5", 1, Some(1)),
            ("0.4999", 1, Some(0)),
            ("-0.5", 1, Some(-1)),
            ("1e-30", 1_000_000_000, Some(0)),
            ("0.142857142857142857142857", 1_000_000, Some(142_857)),
            ("", 1, None),
            (".", 1, None),
            ("-", 1, None),
            ("1e", 1, None),
            ("nan", 1, None),
            ("0x10", 1, None),
            ("1 2", 1, None),
            ("1e31", 1, None),
            ("9223372036854775808", 1, None),
            ("99999999999999999999999999999999999999999", 1, None),
        ] {
            assert_eq!(scaled(text, scale), expected, "{text} * {scale}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[-+0-9.eE]{0,60}", scale in 0..=u64::MAX) {
            scaled(&text, scale);
        }

        #[test]
        fn whole_numbers_stay_themselves(value in i64::MIN + 1..i64::MAX) {
            prop_assert_eq!(scaled(&value.to_string(), 1), Some(value));
        }
    }
}
