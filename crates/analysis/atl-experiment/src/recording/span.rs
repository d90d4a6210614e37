//! Durations as people read them.

/// Nanoseconds as seconds, with three digits that count: `15 s`, `1.5 s`, `0.012 s`.
pub(super) fn seconds(nanos: u64) -> String {
    let millis = nanos / 1_000_000;
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn nothing_needless_stands_behind_the_point() {
        for (nanos, expected) in [
            (0, "0 s"),
            (15_000_000_000, "15 s"),
            (1_500_000_000, "1.5 s"),
            (12_345_678, "0.012 s"),
        ] {
            assert_eq!(seconds(nanos), expected);
        }
    }
}
