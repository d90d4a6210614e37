//! Dates with times of day, as CSV files have them (ISO 8601, and with a space for the `T`).

const DAY: i64 = 86_400;

/// The form of a date, for messages.
pub(super) const ALLOWED: &str =
    "a date and time such as 2023-09-14 15:12:22.5 or 2023-09-14T15:12:22Z";

/// Nanoseconds from 1970 to the moment in `text`, without leap seconds. A moment without a time
/// zone counts as one in UTC. `None` if it is no such moment, or not from 1970 to 2261.
pub(super) fn of(text: &str) -> Option<i64> {
    // All parts are cut by bytes.
    if !text.is_ascii() || text.len() < 19 || !matches!(text.as_bytes()[10], b' ' | b'T') {
        return None;
    }
    let (date, time) = (&text[..10], &text[11..]);
    let [year, month, day] = parts(date, "-", [4, 2, 2])?;
    let (clock, rest) = time.split_at(8);
    let [hour, minute, second] = parts(clock, ":", [2, 2, 2])?;
    if !(1970..=2261).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=days_of(year, month)).contains(&day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let (nanos, rest) = fraction(rest)?;
    let seconds = days(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset(rest)?;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
}

/// Numbers of these widths with a separator between them.
fn parts(text: &str, separator: &str, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut found = [0; 3];
    let mut given = text.split(separator);
    for (number, width) in found.iter_mut().zip(widths) {
        let digits = given.next().filter(|digits| digits.len() == width)?;
        *number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
    }
    given.next().is_none().then_some(found)
}

/// The nanoseconds of a fraction of a second at the beginning, and what follows it.
fn fraction(text: &str) -> Option<(i64, &str)> {
    let Some(rest) = text.strip_prefix('.') else { return Some((0, text)) };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    if end == 0 {
        return None;
    }
    let nanos = rest[..end].bytes().chain([b'0'; 9]).take(9);
    Some((nanos.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')), &rest[end..]))
}

/// Seconds by which a time zone is ahead of UTC: nothing, `Z`, `+02:00`, `+0200` or `+02`.
fn offset(zone: &str) -> Option<i64> {
    let (sign, zone) = match zone.as_bytes().first() {
        None => return Some(0),
        Some(b'Z') if zone.len() == 1 => return Some(0),
        Some(b'+') => (1, &zone[1..]),
        Some(b'-') => (-1, &zone[1..]),
        Some(_) => return None,
    };
    let digits = zone.replacen(':', "", 1);
    if !matches!(digits.len(), 2 | 4) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = digits.split_at(2);
    let minutes: i64 = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
    let hours: i64 = hours.parse().ok()?;
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let years = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    years + (1..month).map(|month| days_of(year, month)).sum::<i64>() + day - 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::of;

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn worked_values() {
        // The seconds are those of `date -u -d ... +%s`.
        for (text, expected) in [
            ("1970-01-01 00:00:00", Some(0)),
            ("2023-09-14 15:12:22", Some(1_694_704_342 * SECOND)),
            ("2023-09-14T15:12:22Z", Some(1_694_704_342 * SECOND)),
            ("2023-09-14T17:12:22.25+02:00", Some(1_694_704_342 * SECOND + SECOND / 4)),
            ("2023-09-14T11:12:22-0400", Some(1_694_704_342 * SECOND)),
            ("2024-02-29 23:59:59.999999999", Some(1_709_251_200 * SECOND - 1)),
            ("2000-03-01 00:00:00+00", Some(951_868_800 * SECOND)),
            ("2023-02-29 00:00:00", None),
            ("2023-13-01 00:00:00", None),
            ("2023-01-01 24:00:00", None),
            ("2023-01-01", None),
            ("2023-01-01 00:00:00.", None),
            ("2023-01-01 00:00:00 CET", None),
            ("2023-01-01 00:00:00+2", None),
            ("1969-12-31 23:59:59", None),
            ("+023-01-01 00:00:00", None),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:]{8}\\PC{0,12}") {
            of(&text);
        }

        #[test]
        fn nor_does_any_other(text in "\\PC{0,40}") {
            of(&text);
        }
    }
}
