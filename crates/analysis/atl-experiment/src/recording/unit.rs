//! Units of rates and times, as people write them after a name or in it.

/// A unit's names, and how many of the smallest unit it is.
type Unit = (&'static [&'static str], u64);

/// In bits per second.
const RATES: &[Unit] = &[
    (&["b/s", "bps", "bit/s", "bits/s"], 1),
    (&["kb/s", "kbps", "kbit/s", "kbit", "Kbps", "Kb/s", "Kbit/s"], 1_000),
    (&["Mb/s", "mbps", "Mbps", "Mbit/s", "mbit/s", "mbit", "Mbit"], 1_000_000),
    (&["Gb/s", "gbps", "Gbps", "Gbit/s", "gbit/s", "gbit", "Gbit"], 1_000_000_000),
    (&["B/s", "bytes/s"], 8),
    (&["kB/s", "KB/s"], 8_000),
    (&["MB/s"], 8_000_000),
    (&["GB/s"], 8_000_000_000),
];

/// In nanoseconds.
const TIMES: &[Unit] = &[
    (&["ns", "nanoseconds"], 1),
    (&["us", "µs", "usec", "microseconds"], 1_000),
    (&["ms", "msec", "milliseconds"], 1_000_000),
    (&["s", "sec", "secs", "seconds"], 1_000_000_000),
];

/// Units of a column of rates, for messages.
pub(super) const ALLOWED_RATES: &str = "b/s, kb/s, Mb/s, Gb/s, B/s, kB/s, MB/s";
/// Units of a column of times, for messages.
pub(super) const ALLOWED_TIMES: &str = "s, ms, us, ns";

/// Bits per second of a unit.
pub(super) fn rate(name: &str) -> Option<u64> {
    find(RATES, name)
}

/// Nanoseconds of a unit.
pub(super) fn time(name: &str) -> Option<u64> {
    find(TIMES, name)
}

fn find(units: &[Unit], name: &str) -> Option<u64> {
    units.iter().find(|(names, _)| names.contains(&name)).map(|(_, scale)| *scale)
}

/// The unit of rates that a column's name ends with: `capacity_mbps`, `Throughput [Mbit/s]`.
pub(super) fn rate_in(column: &str) -> Option<u64> {
    // Of iperf3's reports.
    if column.ends_with("bits_per_second") {
        return Some(1);
    }
    rate(last_word(column))
}

/// The unit of times that a column's name ends with: `t_s`, `rtt (ms)`.
pub(super) fn time_in(column: &str) -> Option<u64> {
    time(last_word(column))
}

fn last_word(column: &str) -> &str {
    let name = column.trim_end_matches([')', ']', ' ']);
    name.rsplit([' ', '_', '-', '.', '(', '[']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{ALLOWED_RATES, ALLOWED_TIMES, rate, rate_in, time, time_in};

    #[test]
    fn what_messages_allow_is_allowed() {
        assert!(ALLOWED_RATES.split(", ").all(|name| rate(name).is_some()));
        assert!(ALLOWED_TIMES.split(", ").all(|name| time(name).is_some()));
    }

    #[test]
    fn names_of_columns_end_with_units() {
        assert_eq!(rate_in("capacity_mbps"), Some(1_000_000));
        assert_eq!(rate_in("Throughput [Mbit/s]"), Some(1_000_000));
        assert_eq!(rate_in("goodput (MB/s)"), Some(8_000_000));
        assert_eq!(rate_in("sum.bits_per_second"), Some(1));
        assert_eq!(rate_in("download"), None);
        assert_eq!(time_in("t_s"), Some(1_000_000_000));
        assert_eq!(time_in("rtt (ms)"), Some(1_000_000));
        assert_eq!(time_in("time"), None);
        // A name that is nothing but a unit has that unit.
        assert_eq!(time_in("ms"), Some(1_000_000));
    }
}
