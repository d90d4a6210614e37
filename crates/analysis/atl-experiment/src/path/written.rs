//! Quantities as a scenario file has them.

use atl_core::time::Span;
use atl_core::units::Rate;

/// A time in the largest unit in which it is a whole number.
pub(crate) fn time(span: Span) -> String {
    let nanos = span.nanos();
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns")];
    let unit = units.iter().find(|(size, _)| nanos.is_multiple_of(*size));
    unit.map_or_else(|| format!("{nanos}ns"), |(size, unit)| format!("{}{unit}", nanos / size))
}

pub(crate) fn rate(rate: Rate) -> String {
    format!("{}Mb/s", rate.bps() / 1e6)
}

/// A size in the largest decimal unit in which it is a whole number.
pub(crate) fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"), (1, "B")];
    let unit = units.iter().find(|(size, _)| bytes.is_multiple_of(*size));
    unit.map_or_else(|| format!("{bytes}B"), |(size, unit)| format!("{}{unit}", bytes / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_written_exactly() {
        let shown =
            [0, 500_000_000, 20_000_000_000, 12_500_000, 7].map(|n| time(Span::from_nanos(n)));
        assert_eq!(shown, ["0s", "500ms", "20s", "12500us", "7ns"]);
        assert_eq!([64_000, 1_500, 2_000_000, 1].map(size), ["64kB", "1500B", "2MB", "1B"]);
    }
}
