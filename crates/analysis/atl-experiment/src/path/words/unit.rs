//! The units that people type.

/// A quantity in its base unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    /// Seconds.
    Time(f64),
    /// Bits per second.
    Rate(f64),
    /// Per hundred packets.
    Percent(f64),
    /// For queues.
    Packets(f64),
    /// For queues.
    Bytes(f64),
    /// No unit.
    Bare(f64),
}

/// The quantity of a unit, with its size in base units.
enum Unit {
    Time(f64),
    Rate(f64),
    Percent,
    Packets,
    Bytes(f64),
}

/// True if the word after a number is its unit.
pub(super) fn is_unit(raw: &str) -> bool {
    !raw.is_empty() && !matches!(unit(raw, 1.0), Ok(None))
}

/// A number with its unit as typed. `per_second` tells that those words follow.
pub(super) fn quantity(number: f64, raw: &str, per_second: bool) -> Result<Quantity, String> {
    if raw.is_empty() {
        return Ok(Quantity::Bare(number));
    }
    let raw = if per_second { format!("{raw}/s") } else { raw.to_owned() };
    match unit(&raw, number)? {
        Some(Unit::Time(factor)) => Ok(Quantity::Time(number * factor)),
        Some(Unit::Rate(factor)) => Ok(Quantity::Rate(number * factor)),
        Some(Unit::Percent) => Ok(Quantity::Percent(number)),
        Some(Unit::Packets) => Ok(Quantity::Packets(number)),
        Some(Unit::Bytes(factor)) => Ok(Quantity::Bytes(number * factor)),
        None => Err(format!(
            "`{number}{raw}`: `{raw}` is no unit; rates are in Mb/s (also mbit, Mbps), times in ms or s, loss in %"
        )),
    }
}

fn unit(raw: &str, number: f64) -> Result<Option<Unit>, String> {
    let low = raw.to_lowercase();
    let prefix = match low.chars().next() {
        Some('k') => 1e3,
        Some('m') => 1e6,
        Some('g') => 1e9,
        _ => 1.0,
    };
    let big =
        raw.chars().next().map(|c| if c == 'k' || c == 'K' { 'k' } else { c.to_ascii_uppercase() });
    let big = big.map(String::from).unwrap_or_default();
    let both = || {
        Err(format!(
            "`{number}{raw}` has two readings: `{number}{big}b/s` (bits per second) or `{}{big}b/s` (as many bytes per second)",
            number * 8.0
        ))
    };
    Ok(Some(match low.as_str() {
        "ns" => Unit::Time(1e-9),
        "us" | "µs" | "μs" | "usec" | "usecs" | "microseconds" => Unit::Time(1e-6),
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => Unit::Time(1e-3),
        "s" | "sec" | "secs" | "second" | "seconds" => Unit::Time(1.0),
        "min" | "mins" | "minute" | "minutes" => Unit::Time(60.0),
        "h" | "hour" | "hours" => Unit::Time(3600.0),
        "%" | "percent" | "pct" | "per-cent" => Unit::Percent,
        "packets" | "pkts" | "packet" | "pkt" | "p" => Unit::Packets,
        "m" if raw == "m" => {
            return Err(format!(
                "`{number}m` has several readings: `{number}Mb/s`, `{number}ms` or `{number}min`"
            ));
        }
        "g" if raw == "g" => {
            return Err(format!(
                "`{number}g`: a rate is `{number}Gb/s`; the mobile networks are 3g, 4g and 5g"
            ));
        }
        "k" | "m" | "g" => Unit::Rate(prefix),
        "bit" | "bits" | "bps" | "b/s" | "bit/s" | "bits/s" if raw != "B/s" => Unit::Rate(1.0),
        "kbps" | "mbps" | "gbps" if raw.ends_with("Bps") => return both(),
        "kb/s" | "mb/s" | "gb/s" if raw.ends_with("B/s") => Unit::Rate(8.0 * prefix),
        "kb/s" | "mb/s" | "gb/s" if raw.ends_with("B/S") => return both(),
        "kbit" | "kbits" | "kbps" | "kb/s" | "kbit/s" | "kbits/s" | "kilobit" | "kilobits"
        | "kilobits/s" | "kilobit/s" | "mbit" | "mbits" | "mbps" | "mb/s" | "mbit/s"
        | "mbits/s" | "megabit" | "megabits" | "megabit/s" | "megabits/s" | "meg" | "megs"
        | "gbit" | "gbits" | "gbps" | "gb/s" | "gbit/s" | "gbits/s" | "gigabit" | "gigabits"
        | "gigabit/s" | "gigabits/s" | "gig" | "gigs" => Unit::Rate(prefix),
        "kbyte/s" | "kbytes/s" | "mbyte/s" | "mbytes/s" | "megabytes/s" | "gbyte/s"
        | "gbytes/s" => Unit::Rate(8.0 * prefix),
        "mb" | "gb" if raw.ends_with('b') && raw != low => Unit::Rate(prefix),
        "kb" | "mb" | "gb" if raw == low => {
            return Err(format!(
                "`{number}{raw}` has two readings: a rate is `{number}{big}b/s`; a queue in bytes is `{number}{}B queue`",
                if big == "K" { "k" } else { &big }
            ));
        }
        "kb" | "mb" | "gb" | "kbyte" | "kbytes" | "mbyte" | "mbytes" | "megabyte" | "megabytes"
        | "kilobyte" | "kilobytes" => Unit::Bytes(prefix),
        "kib" => Unit::Bytes(1024.0),
        "mib" => Unit::Bytes(1_048_576.0),
        "gib" => Unit::Bytes(1_073_741_824.0),
        "b" | "bytes" | "byte" => Unit::Bytes(1.0),
        _ => return Ok(None),
    }))
}
