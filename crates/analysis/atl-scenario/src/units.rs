//! Quantities written as a number and a unit in one text.

use atl_core::time::Span;
use atl_core::units::Rate;
use serde::de::{Deserialize, Deserializer, Error as _};

/// Limit on times in seconds: about 31 years, far below that of a [`Span`], so that sums do not
/// overflow.
const MAX_SECONDS: f64 = 1e9;
/// Lower limit on rates, at which a packet takes hours.
const MIN_BPS: f64 = 1.0;
/// Upper limit on rates: 1000 Tb/s.
const MAX_BPS: f64 = 1e15;
/// Limit on sizes: 1000 TB, well below 2^53, so that each byte counts.
const MAX_BYTES: f64 = 1e15;

pub(crate) const TIMES: &[(&str, f64)] = &[
    ("ns", 1e-9),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("min", 60.0),
    ("h", 3600.0),
];
pub(crate) const RATES: &[(&str, f64)] = &[
    ("b/s", 1.0),
    ("kb/s", 1e3),
    ("Mb/s", 1e6),
    ("Gb/s", 1e9),
    ("bit/s", 1.0),
    ("kbit/s", 1e3),
    ("Mbit/s", 1e6),
    ("Gbit/s", 1e9),
    ("bps", 1.0),
    ("kbps", 1e3),
    ("Mbps", 1e6),
    ("Gbps", 1e9),
];
pub(crate) const SIZES: &[(&str, f64)] = &[
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
];

pub(crate) const FREQUENCIES: &[(&str, f64)] = &[("Hz", 1.0), ("kHz", 1e3)];
pub(crate) const LENGTHS: &[(&str, f64)] = &[("m", 1.0), ("km", 1e3)];
pub(crate) const SPEEDS: &[(&str, f64)] = &[("m/s", 1.0), ("km/h", 1.0 / 3.6)];
pub(crate) const CURRENTS: &[(&str, f64)] = &[("A", 1.0), ("mA", 1e-3)];
/// Units of charge, in ampere seconds.
pub(crate) const CHARGES: &[(&str, f64)] =
    &[("Ah", 3600.0), ("mAh", 3.6), ("As", 1.0), ("mAs", 1e-3), ("mAmin", 0.06)];
/// Limit on currents: that of a flash of lightning.
const MAX_AMPERES: f64 = 1e5;
/// Limit on charges: a million ampere hours.
const MAX_AMPERE_SECONDS: f64 = 3.6e9;
/// Limit on lengths: beyond the sun.
const MAX_METRES: f64 = 1e12;
/// Limit on speeds: that of light.
const MAX_METRES_PER_SECOND: f64 = 299_792_458.0;
/// Limit on frequencies: 1 THz.
const MAX_HERTZ: f64 = 1e12;
/// Limit on levels, far beyond ratios in floating point.
const MAX_DECIBELS: f64 = 1e4;

/// Splits `12.5 ms` into 12.5 and `ms`. The number is decimal, with or without an exponent.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let here = bytes[end];
        let exponent = matches!(here, b'e' | b'E')
            && end > 0
            && bytes.get(end + 1).is_some_and(|n| n.is_ascii_digit() || matches!(n, b'+' | b'-'));
        let sign =
            matches!(here, b'+' | b'-') && (end == 0 || matches!(bytes[end - 1], b'e' | b'E'));
        if !(here.is_ascii_digit() || here == b'.' || exponent || sign) {
            break;
        }
        end += 1;
    }
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim_start()))
}

/// Reads a quantity in one of `units`. The error is a message.
fn quantity(text: &str, units: &[(&str, f64)], max: f64, examples: &str) -> Result<f64, String> {
    let Some((number, unit)) = split(text) else {
        return Err(format!("write a number and a unit, such as {examples}"));
    };
    if unit.is_empty() {
        return Err(format!("the unit is missing: write it as in {examples}"));
    }
    let Some((_, factor)) = units.iter().find(|(name, _)| *name == unit) else {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        return Err(format!("`{unit}` is not one of the units {}", names.join(", ")));
    };
    // Dividing by 1000 or 3.6 is exact, while multiplying by the rounded inverse is not: 20ms must
    // give 0.02.
    let value = match *factor < 1.0 {
        true => number / ((1e6 / factor).round() / 1e6),
        false => number * factor,
    };
    if !value.is_finite() || value < 0.0 {
        return Err("it must be finite and not negative".to_owned());
    }
    if value > max {
        return Err("it is too large".to_owned());
    }
    Ok(value)
}

/// Seconds of a time such as `10ms`, `1.5s` or `2min`.
///
/// # Errors
/// A message for the user.
pub fn seconds(text: &str) -> Result<f64, String> {
    quantity(text, TIMES, MAX_SECONDS, "\"10ms\" or \"1.5s\"")
}

/// A time such as `10ms`, `1.5s` or `2min`.
///
/// # Errors
/// A message for the user.
pub fn time(text: &str) -> Result<Span, String> {
    seconds(text).map(Span::from_secs_f64)
}

/// A time with its unit as an option of a protocol or queue discipline, for the attribute
/// `#[serde(deserialize_with = "atl_scenario::units::time_option")]`.
///
/// # Errors
/// As [`time`].
pub fn time_option<'de, D: Deserializer<'de>>(option: D) -> Result<Span, D::Error> {
    time(&String::deserialize(option)?).map_err(D::Error::custom)
}

/// A rate such as `2Mb/s` or `250kb/s`, at least 1 b/s.
///
/// # Errors
/// A message for the user.
pub fn rate(text: &str) -> Result<Rate, String> {
    if let Some((number, unit)) = split(text)
        && let Some(bits) = unit.strip_suffix("B/s")
    {
        return Err(format!(
            "`{unit}` counts bytes; write it in bits: \"{}{bits}b/s\"",
            number * 8.0
        ));
    }
    let bps = quantity(text, RATES, MAX_BPS, "\"2Mb/s\" or \"250kb/s\"")?;
    if bps >= MIN_BPS {
        Ok(Rate::from_bps(bps))
    } else {
        Err("it must be at least 1b/s".to_owned())
    }
}

/// Bytes of a size such as `10MB`, `64kB` or `1500B`.
///
/// # Errors
/// A message for the user.
pub fn size(text: &str) -> Result<u64, String> {
    let bytes = quantity(text, SIZES, MAX_BYTES, "\"10MB\" or \"1500B\"")?;
    if (bytes - bytes.round()).abs() > 1e-6 {
        return Err("it is not a whole number of bytes".to_owned());
    }
    Ok(bytes.round() as u64)
}

/// A rate with its unit as an option, for the attribute `deserialize_with`.
pub(crate) fn rate_option<'de, D: Deserializer<'de>>(option: D) -> Result<Rate, D::Error> {
    rate(&String::deserialize(option)?).map_err(D::Error::custom)
}

/// A list of rates with their units as an option.
pub(crate) fn rate_options<'de, D: Deserializer<'de>>(option: D) -> Result<Vec<Rate>, D::Error> {
    let texts = Vec::<String>::deserialize(option)?;
    texts.iter().map(|text| rate(text).map_err(D::Error::custom)).collect()
}

/// The same for one that may be left out.
pub(crate) fn some_rate_option<'de, D>(option: D) -> Result<Option<Rate>, D::Error>
where
    D: Deserializer<'de>,
{
    rate_option(option).map(Some)
}

/// A size in bytes with its unit as an option, for the attribute `deserialize_with` as
/// [`time_option`].
///
/// # Errors
/// As [`size`].
pub fn size_option<'de, D: Deserializer<'de>>(option: D) -> Result<u64, D::Error> {
    size(&String::deserialize(option)?).map_err(D::Error::custom)
}

/// The same for one that may be left out.
pub(crate) fn some_size_option<'de, D>(option: D) -> Result<Option<u64>, D::Error>
where
    D: Deserializer<'de>,
{
    size_option(option).map(Some)
}

/// Hertz of a frequency such as `10Hz` or `1kHz`.
///
/// # Errors
/// A message for the user.
pub fn hertz(text: &str) -> Result<f64, String> {
    quantity(text, FREQUENCIES, MAX_HERTZ, "\"10Hz\" or \"1kHz\"")
}

/// Amperes of a current such as `327mA` or `0.5A`.
///
/// # Errors
/// A message for the user.
pub fn amperes(text: &str) -> Result<f64, String> {
    quantity(text, CURRENTS, MAX_AMPERES, "\"327mA\" or \"0.5A\"")
}

/// Ampere seconds of a charge such as `730mAh` or `2.5mAmin`.
///
/// # Errors
/// A message for the user.
pub fn ampere_seconds(text: &str) -> Result<f64, String> {
    quantity(text, CHARGES, MAX_AMPERE_SECONDS, "\"730mAh\" or \"2.5mAmin\"")
}

/// Decibels of a level such as `20dB` or `-3dB`.
///
/// # Errors
/// A message for the user.
pub fn decibels(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (sign, size) = text.strip_prefix('-').map_or((1.0, text), |size| (-1.0, size));
    let size = quantity(size, &[("dB", 1.0)], MAX_DECIBELS, "\"20dB\" or \"-3dB\"")?;
    Ok(sign * size)
}

/// Metres of a length or a coordinate such as `850m` or `-1.2km`.
///
/// # Errors
/// A message for the user.
pub fn metres(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (sign, size) = text.strip_prefix('-').map_or((1.0, text), |size| (-1.0, size));
    Ok(sign * quantity(size, LENGTHS, MAX_METRES, "\"500m\" or \"1.2km\"")?)
}

/// Metres per second of a speed such as `50km/h` or `10m/s`.
///
/// # Errors
/// A message for the user.
pub fn metres_per_second(text: &str) -> Result<f64, String> {
    quantity(text, SPEEDS, MAX_METRES_PER_SECOND, "\"50km/h\" or \"10m/s\"")
}

/// Share of a percentage such as `1%`; may exceed 1.
///
/// # Errors
/// A message for the user.
pub fn percent(text: &str) -> Result<f64, String> {
    let wrong = || "write a number from 0 to 1 or a percentage such as \"1%\"".to_owned();
    let (number, unit) = split(text).ok_or_else(wrong)?;
    if unit != "%" || !number.is_finite() || number < 0.0 {
        return Err(wrong());
    }
    Ok(number / 100.0)
}

/// Number in base units (seconds, bits per second, bytes, hertz, decibels, metres, metres per
/// second, 1) of a text, if it is a quantity.
pub fn number(text: &str) -> Option<f64> {
    seconds(text)
        .ok()
        .or_else(|| rate(text).ok().map(Rate::bps))
        .or_else(|| size(text).ok().map(|bytes| bytes as f64))
        .or_else(|| hertz(text).ok())
        .or_else(|| decibels(text).ok())
        .or_else(|| metres(text).ok())
        .or_else(|| metres_per_second(text).ok())
        .or_else(|| percent(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_read() {
        assert_eq!(time("10ms"), Ok(Span::from_millis(10)));
        assert_eq!(time("1.5 s"), Ok(Span::from_millis(1500)));
        assert_eq!(time("2min"), Ok(Span::from_secs(120)));
        assert_eq!(time("100us"), Ok(Span::from_micros(100)));
        assert_eq!(time("1e-3s"), Ok(Span::from_millis(1)));
        assert_eq!(time("1e3ms"), Ok(Span::from_secs(1)));
        assert_eq!(rate("2Mb/s"), Ok(Rate::from_mbps(2.0)));
        assert_eq!(rate("250kbit/s"), Ok(Rate::from_mbps(0.25)));
        assert_eq!(rate("1Gbps"), Ok(Rate::from_mbps(1000.0)));
        assert_eq!(size("64kB"), Ok(64_000));
        assert_eq!(size("1MiB"), Ok(1_048_576));
        assert_eq!(percent("1%"), Ok(0.01));
        assert_eq!(hertz("1.5kHz"), Ok(1500.0));
        assert_eq!(decibels("20dB"), Ok(20.0));
        assert_eq!(decibels("-3 dB"), Ok(-3.0));
        assert_eq!(metres("1.5km"), Ok(1500.0));
        assert_eq!(metres("-20 m"), Ok(-20.0));
        assert_eq!(metres_per_second("36km/h"), Ok(10.0));
        assert_eq!(metres_per_second("50km/h"), Ok(50.0 / 3.6));
        assert_eq!(metres_per_second("2.5m/s"), Ok(2.5));
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_the_reason() {
        for (text, word) in [
            ("10", "unit is missing"),
            ("ten", "a number and a unit"),
            ("10m", "not one of the units"),
            ("-1s", "negative"),
            ("1e999s", "finite"),
            ("1e308h", "finite"),
            ("1e12s", "too large"),
            ("", "a number and a unit"),
            ("1e", "not one of the units"),
            ("é", "a number and a unit"),
        ] {
            let error = time(text).expect_err(text);
            assert!(error.contains(word), "{text}: {error}");
        }
        assert!(rate("2MB/s").expect_err("bytes").contains("16Mb/s"));
        assert!(rate("0.5b/s").expect_err("slow").contains("at least 1b/s"));
        assert!(size("1.5B").expect_err("half a byte").contains("whole"));
        assert!(percent("-1%").is_err());
        assert!(hertz("-1Hz").expect_err("negative").contains("negative"));
        assert!(decibels("--3dB").is_err());
        assert!(decibels("3").expect_err("bare").contains("unit is missing"));
        assert!(metres("1e13m").expect_err("far").contains("too large"));
        assert!(metres("--3m").is_err());
        assert!(metres_per_second("-1m/s").expect_err("backwards").contains("negative"));
        assert!(metres_per_second("3mph").expect_err("miles").contains("not one of the units"));
    }

    #[test]
    fn equal_quantities_are_equal_numbers_in_any_unit() {
        assert_eq!(number("20ms"), number("0.02s"));
        assert_eq!(number("1Mb/s"), Some(1e6));
        assert_eq!(number("50%"), Some(0.5));
        assert_eq!(number("1kHz"), Some(1000.0));
        assert_eq!(number("-3dB"), Some(-3.0));
        assert_eq!(number("0.5km"), number("500m"));
        assert_eq!(number("36km/h"), number("10m/s"));
        assert_eq!(number("tcp-atl"), None);
    }
}
