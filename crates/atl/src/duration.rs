//! Lengths of time for people.

/// A length of time for people.
pub fn duration(seconds: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_units_that_fit_them() {
        let told = [0.25, 59.6, 600.0, 605.0, 7200.0, 168_300.0].map(duration);
        let expected = ["0.25 s", "60 s", "10 min", "10 min 5 s", "2 h", "46 h 45 min"];
        assert_eq!(told, expected);
    }
}
