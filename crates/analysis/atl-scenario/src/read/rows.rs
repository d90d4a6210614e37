//! The lines of a file of numbers.

/// Most bytes of a flow.
pub(super) const MOST_BYTES: u64 = 1_000_000_000_000_000;

/// The bytes of a flow.
pub(super) fn bytes(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|bytes| (1..=MOST_BYTES).contains(bytes))
}

/// Numbers and texts of its lines, from 1 on: blank lines, those that begin with `#`, and a first
/// line of words, which names the columns, are left out.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let names = |line: &str| !line.chars().any(|c| c.is_ascii_digit());
    lines
        .enumerate()
        .filter(move |(index, (_, line))| *index > 0 || !names(line))
        .map(|(_, row)| row)
}

/// The line with this number in an error. A file that has not one right line may be
/// anything: none of it is repeated.
pub(super) fn named(number: usize, line: &str, what: &str, first: bool) -> String {
    let shown: String = line.chars().take(40).collect();
    match first {
        true => format!("its first {what}, on line {number},"),
        false => format!("line {number}: `{}`", shown.escape_debug()),
    }
}
