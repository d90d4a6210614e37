//! Durations and counts for display.

/// A duration, such as `0.25 s`, `10 min 5 s`, `46 h 45 min`.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        return format!("{seconds:.2} s");
    }
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    match whole {
        s if s < 120 => format!("{s} s"),
        s if s < 7200 => format!("{} min {} s", s / 60, s % 60).replace(" 0 s", ""),
        s => format!("{} h {} min", s / 3600, s % 3600 / 60).replace(" 0 min", ""),
    }
}

/// A count with its noun, such as `1 run`, `2 runs`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// A number to two digits with the prefix of its unit and a space, such as `950 `, `1.2 k`, `34 M`.
pub(crate) fn about(number: f64) -> String {
    let prefixes = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (unit, prefix) =
        prefixes.into_iter().find(|(unit, _)| number >= *unit).unwrap_or((1.0, ""));
    match number / unit {
        few if few < 10.0 && !prefix.is_empty() => format!("{few:.1} {prefix}"),
        many => format!("{many:.0} {prefix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_a_prefix() {
        let shown = [0.0, 950.0, 1234.0, 3.4e7, 1.5e10, 2e18].map(about);
        assert_eq!(shown, ["0 ", "950 ", "1.2 k", "34 M", "15 G", "2000 P"]);
    }

    #[test]
    fn durations_have_units_that_fit_them() {
        let shown = [0.25, 59.6, 600.0, 605.0, 7200.0, 168_300.0].map(duration);
        let expected = ["0.25 s", "60 s", "10 min", "10 min 5 s", "2 h", "46 h 45 min"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn counts_have_a_plural() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "run")), ["0 runs", "1 run", "2 runs"]);
    }
}
