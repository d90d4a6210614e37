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

#[cfg(test)]
mod tests {
    use super::*;

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
