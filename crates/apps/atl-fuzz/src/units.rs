//! Quantities with units.

use atl_scenario::units;

/// Powers of ten beyond which the reference does not count: every unit's limit is below.
const MOST_DIGITS: usize = 30;

/// The bytes as each kind of quantity. What is accepted is finite, within its bounds, what exact
/// arithmetic on its digits gives, and the same when it is written anew in its base unit. What is
/// refused has a reason.
pub fn units(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    match units::time(text) {
        Ok(span) => {
            let nanos = span.nanos();
            assert!(nanos <= 1_000_000_000_000_000_000, "{text}");
            if let Some(exact) = exact(text, 9, TIMES) {
                // A number of floating point has 53 bits: up to 104 days that is less than 1 ns.
                let near = 1 + (exact >> 52);
                assert!(u128::from(nanos).abs_diff(exact) <= near, "{text}: {nanos}, not {exact}");
            }
            if nanos < 1 << 52 {
                assert_eq!(units::time(&format!("{nanos}ns")), Ok(span), "{text}");
            }
        }
        Err(reason) => assert!(!reason.is_empty()),
    }
    match units::rate(text) {
        Ok(rate) => {
            assert!((1.0..=1e15).contains(&rate.bps()), "{text}");
            assert_eq!(units::rate(&format!("{}b/s", rate.bps())), Ok(rate), "{text}");
            if let Some(exact) = exact(text, 0, RATES) {
                assert!((rate.bps() - exact as f64).abs() < 1.5, "{text}: {rate:?}, not {exact}");
            }
        }
        Err(reason) => assert!(!reason.is_empty()),
    }
    match units::size(text) {
        Ok(bytes) => {
            assert!(bytes <= 1_000_000_000_000_000, "{text}");
            assert_eq!(units::size(&format!("{bytes}B")), Ok(bytes), "{text}");
            if let Some(exact) = exact(text, 7, SIZES) {
                // The reader takes a number within a millionth of a whole one for that, and
                // floating point has 53 bits.
                let off = exact.abs_diff(u128::from(bytes) * 10_000_000);
                assert!(off <= 11 + (exact >> 52), "{text}: {bytes}, which is off by {off}e-7");
            }
        }
        Err(reason) => assert!(!reason.is_empty()),
    }
    type Read = fn(&str) -> Result<f64, String>;
    let others: [(Read, &str, f64); 7] = [
        (units::hertz, "Hz", 0.0),
        (units::amperes, "A", 0.0),
        (units::ampere_seconds, "As", 0.0),
        (units::decibels, "dB", -1e4),
        (units::metres, "m", -1e12),
        (units::metres_per_second, "m/s", 0.0),
        (units::percent, "%", 0.0),
    ];
    let mut any = units::time(text).is_ok() || units::rate(text).is_ok();
    any |= units::size(text).is_ok();
    for (read, unit, least) in others {
        match read(text) {
            Ok(value) => {
                assert!(value.is_finite() && value >= least, "{text}: {value}");
                let base = if unit == "%" { value * 100.0 } else { value };
                let again = read(&format!("{base}{unit}"));
                let near = |again: f64| (again - value).abs() <= 1e-15 * value.abs();
                assert!(again.as_ref().is_ok_and(|again| near(*again)), "{text}: {again:?}");
                // Currents and charges are no values of variables.
                any |= !matches!(unit, "A" | "As");
            }
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
    assert_eq!(units::number(text).is_some(), any, "{text}");
    let spaced = format!("\t{text}\n");
    assert_eq!(units::number(&spaced), units::number(text), "{text}: spaces around it matter");
}

/// Units by name, as a fraction of whole numbers.
type Units = [(&'static str, u128, u128)];
const TIMES: &Units = &[
    ("ns", 1, 1_000_000_000),
    ("us", 1, 1_000_000),
    ("ms", 1, 1_000),
    ("s", 1, 1),
    ("min", 60, 1),
    ("h", 3600, 1),
];
const RATES: &Units =
    &[("b/s", 1, 1), ("kb/s", 1_000, 1), ("Mb/s", 1_000_000, 1), ("Gbps", 1_000_000_000, 1)];
const SIZES: &Units = &[("B", 1, 1), ("kB", 1_000, 1), ("KiB", 1 << 10, 1), ("GiB", 1 << 30, 1)];

/// A plain decimal number with one of these units, times 10 to the power of `scale`, rounded down:
/// by whole numbers alone. `None` for all other forms.
fn exact(text: &str, scale: u32, units: &Units) -> Option<u128> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = (&text[..end], text[end..].trim_start());
    let (_, over, under) = units.iter().find(|(name, ..)| *name == unit)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.len() + part.len() > MOST_DIGITS || part.contains('.') {
        return None;
    }
    let digits: u128 = format!("0{whole}{part}").parse().ok()?;
    let over = over.checked_mul(10_u128.checked_pow(scale)?)?;
    Some(digits.checked_mul(over)? / under / 10_u128.checked_pow(part.len() as u32)?)
}
